"""A benchmark from the command line, over a loopback model: begun, watched, taken along, paused by
a cap, asked again.
"""

import csv
import io
import zipfile

import pytest

from core.__main__ import main
from core.benchmark.sampling import blind, keys_handed, sample
from core.benchmark.validation import JUDGES as DRAWN
from core.benchmark.validation import compare_judges, of_file, summary
from core.importing.benchmarked import entries_of_bench
from core.importing.rating_guess import guess_layout
from core.importing.ratings import opened, take_ratings
from core.store import Store
from tests.support.benchmark.bench_kit import script, settled_store
from tests.support.headless import KEY, cli
from tests.support.servers.openai_server import OpenAIServer

__all__ = ["cli"]
MODELS = ("--models", "openai:a,openai:b")
JUDGES = ("--judges", "openai:c,openai:d", "--judges", "openai:e")


@pytest.fixture
def server():
    with OpenAIServer(script=script) as server:
        yield server


@pytest.fixture
def words(tmp_path):
    """Return a file of four keywords."""
    file = tmp_path / "words.csv"
    file.write_text(
        "keyword,domain\nerosion,Earth\nmeiosis,Biology\ngranite,Earth\nsleep,Medicine\n"
    )
    return str(file)


@pytest.fixture
def begun(cli, words):
    """Return what begins a small benchmark and gives (exit code, document)."""

    def run(*more: str):
        return cli(
            "bench",
            "--keywords",
            words,
            *MODELS,
            *JUDGES,
            "--limit",
            "2",
            "--judges-each",
            "2",
            "--seed",
            "7",
            *more,
        )[:2]

    return run


def test_a_benchmark_is_begun_worked_reported_and_taken_along(cli, begun, server, tmp_path):
    code, document = begun("--name", "Two words")
    assert (code, document["state"], document["title"]) == (0, "done", "Two words")
    assert document["answers"]["idea"] == {
        "planned": 8,
        "done": 8,
        "failed": 0,
        "excluded": 0,
        "needless": 0,
        "running": 0,
        "left": 0,
    }
    assert document["calls"] == len(server.calls) == 2 * 2 * (2 * (1 + 2) + 1)
    assert [row["rank"] for row in document["leaderboard"]] in ([1, 2], [1, 1])
    assert "The panel has 3 judges; the paper's has 10." in document["mind"]
    assert cli("bench", "status")[1]["benchmarks"][0]["share"] == 1
    code, status, _ = cli("bench", "status", document["run"])
    assert (code, status["leaderboard"], status["share"]) == (0, document["leaderboard"], 1)
    code, taken, _ = cli("bench", "report", document["run"], "--to", str(tmp_path / "taken"))
    written = [path for path in (tmp_path / "taken").rglob("*") if path.is_file()]
    assert (code, sorted(taken["files"])) == (
        0,
        sorted(str(path.relative_to(tmp_path / "taken")) for path in written),
    )
    assert (
        len(
            list(
                csv.DictReader(
                    io.StringIO((tmp_path / "taken/judgments.csv").read_text(), newline="")
                )
            )
        )
        == 16
    )
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


def test_an_estimate_starts_nothing_and_says_what_is_asked(cli, begun, server):
    code, document = begun("--estimate")
    assert (code, document["run"], document["estimate"]["calls"], server.calls) == (0, None, 28, [])
    assert set(document["estimate"]["unpriced"]) == {f"openai:{name}" for name in "abcde"}
    assert document["estimate"]["cost"] is None
    assert cli("bench", "status")[1]["benchmarks"] == []


def test_what_a_file_of_keywords_has_that_is_not_taken_is_said(cli, server, tmp_path):
    (tmp_path / "double.txt").write_text("erosion\nErosion\nsleep\n")
    code, document, err = cli(
        "bench", "--keywords", str(tmp_path / "double.txt"), "--models", "openai:a", "--ideas", "1"
    )
    assert (code, document["answers"]["idea"]["done"]) == (0, 2)
    assert [one for one in document["mind"] if "there already" in one and one in err]


def test_a_ranking_is_what_the_panel_is_held_against(cli, begun, server, tmp_path):
    (tmp_path / "ranking.csv").write_text(
        "model,score,organisation\nc,90,One\nd,80,Two\ne,70,Two\nz,95,Three\n"
    )
    code, document = begun("--ranking", str(tmp_path / "ranking.csv"), "--estimate")
    assert (code, server.calls) == (0, [])
    assert any("Two" in one for one in document["mind"])


def test_the_keywords_of_the_paper_are_the_default(cli, server):
    code, document, _ = cli(
        "bench", "--models", "openai:a", "--limit", "1", "--ideas", "1", "--asked-words", "50"
    )
    assert (code, document["answers"]["idea"]["done"], len(server.calls)) == (0, 1, 1)
    assert document["leaderboard"][0]["average"]["value"] is None, (
        "nobody judges, so there is no score"
    )
    assert "50 words" in str(server.calls[0]["messages"])


def test_a_cap_parks_it_and_a_higher_one_goes_on_without_paying_twice(cli, begun, server):
    code, document = begun("--cap-tokens", "9000", "--calls", "openai=1")
    assert (code, document["state"]) == (4, "capped")
    had = len(server.calls)
    assert 0 < had < 28
    code, more, _ = cli("bench", "resume", document["run"], "--cap-tokens", "2000000")
    assert (code, more["state"], len(server.calls)) == (0, "done", 28)


def test_what_failed_is_said_counts_nowhere_and_can_be_asked_again(cli, begun, server, tmp_path):
    server.script = lambda body: (
        "no JSON at all"
        if body["model"] == "c" and "<idea>" in str(body["messages"])
        else script(body)
    )
    code, document = begun()
    failed = document["answers"]["judge"]["failed"]
    assert (code, failed > 0) == (0, True)
    code, status, _ = cli("bench", "status", document["run"])
    assert {one["asked"] for one in status["failures"]} == {"openai:c"}
    cli(
        "bench", "report", document["run"], "--to", str(tmp_path / "taken.zip"), "--without-answers"
    )
    with zipfile.ZipFile(tmp_path / "taken.zip") as held:
        assert f"no usable answer | {failed} |" in held.read("report.md").decode()
        assert "ideas.csv" not in held.namelist()
    server.script = script
    code, again, _ = cli("bench", "again", document["run"])
    assert (code, again["answers"]["judge"]["failed"], again["answers"]["judge"]["done"]) == (
        0,
        0,
        16,
    )
    assert (
        cli("bench", "again", document["run"])[1]["reason"]
        == f"Nothing failed in run {document['run']}."
    )


def test_who_is_not_told_apart_who_has_no_average_and_what_failed_are_said_in_words(
    cli, begun, server
):
    def answer(body):
        judging = "<idea>" in str(body["messages"])
        return (
            "I cannot help with that."
            if body["model"] == "b"
            else "no JSON"
            if judging and body["model"] == "c"
            else script(body)
        )

    server.script = answer
    code, document = begun("--judges-each", "1")
    assert (code, document["answers"]["judge"]["failed"] > 0) == (0, True)
    assert document["failures"][0]["asked"] == "openai:c"
    words = document["in_words"]
    assert "openai:b                                     no average" in words
    assert words.count("gave no usable answer in 4 tries") == 1, "the same words stand once"
    assert f"`python -m core bench again {document['run']}` asks once more" in words


def test_models_that_cannot_be_told_apart_are_marked(tmp_path, capsys):
    run = settled_store(
        Store(tmp_path),
        keywords=[f"word {n}" for n in range(12)],
        score=lambda model, keyword, *_: (1 + len(keyword), 5, 5),
        fluency=lambda *_: 7,
    )
    assert main(["bench", "status", run.id, "--data", str(tmp_path)]) == 0
    assert "\n  1* " in (said := capsys.readouterr().out)
    assert "*: not told apart" in said


def test_how_it_goes_on_is_said(cli, begun):
    code, document = begun("--cap-tokens", "9000", "--calls", "openai=1")
    assert (code, f" -m core bench resume {document['run']}` goes on" in document["in_words"]) == (
        4,
        True,
    )
    assert cli("bench", "resume", document["run"], "--cap-tokens", "2000000")[0] == 0
    code, refused, _ = cli("bench", "resume", document["run"])
    assert (code, "bench again" in refused["reason"]) == (2, True)


def test_an_extension_asks_only_for_what_is_new_and_changes_nothing_else(
    cli, begun, words, server, tmp_path
):
    parent = begun("--models", "openai:g")[1]["run"]
    had = len(server.calls)
    code, found, _ = cli(
        "bench",
        "extend",
        parent,
        "--models",
        "openai:h",
        "--limit",
        "3",
        "--ideas",
        "3",
        "--estimate",
    )
    assert (code, found["estimate"]["calls"], len(server.calls)) == (
        0,
        4 * 3 * (3 * 3 + 3) - 3 * 2 * 7,
        had,
    )
    assert (
        "102 new answers of 144: 4 models x 3 keywords x (3 ideas x (1 + 2 judges) + 3 pairs)"
        in found["in_words"]
    )
    code, child, _ = cli("bench", "extend", parent, "--limit", "4", "--cap-tokens", "5000000")
    assert (code, child["state"], child["parent"], len(server.calls) - had) == (
        0,
        "done",
        parent,
        3 * 2 * 7,
    )
    assert child["answers"]["idea"]["done"] == 3 * 4 * 2
    (tmp_path / "longer.txt").write_text("erosion\nmeiosis\ngranite\nsleep\nrain\n")
    code, longer, _ = cli(
        "bench", "extend", child["run"], "--keywords", str(tmp_path / "longer.txt")
    )
    assert (code, longer["answers"]["idea"]["done"]) == (0, 3 * 5 * 2)
    for said, why in (
        (("--judges", "openai:q"), "no longer be those of one protocol"),
        (("--limit", "1"), "only grows"),
        (("--limit", "9"), "has 4 keywords"),
    ):
        code, refused, _ = cli("bench", "extend", parent, *said)
        assert (code, why in refused["reason"]) == (2, True)
    assert cli("bench", "--judges", "openai:q", "extend", parent, "--limit", "3")[0] == 2


def test_an_estimate_says_minutes_and_which_price_is_unknown(begun):
    words = begun("--estimate")[1]["in_words"]
    assert "Time, roughly: 1 min (" in words
    assert "Cost, roughly: unknown, because no price is listed for openai:a" in words


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--judges-each", "4"), "only 3 of the panel may judge"),
        (("--limit", "0"), "1 or more"),
        (("--calls", "openai"), "openai=8"),
        (("--calls", "openai=999"), "FOUNDRY_CALLS"),
        (("--workers", "ray://x"), "dask://"),
        (("--marked", "openai:z"), "not among --models"),
        (("--keywords", "nowhere.csv"), "cannot be read"),
        (("--models", "openai:a"), "named twice"),
        (("--ideas", "0"), "at least 1"),
    ],
)
def test_a_mistake_is_a_sentence(begun, server, more, said):
    code, document = begun(*more)
    assert (code, said in document["reason"], server.calls) == (2, True, []), document["reason"]


def test_words_for_a_new_benchmark_and_another_verb_are_not_mixed(cli):
    assert "--models" in cli("bench")[1]["reason"]
    code, document, _ = cli("bench", *MODELS, "status")
    assert (code, "begins a new benchmark" in document["reason"]) == (2, True)


def test_the_data_folder_holds_for_a_verb_behind_it_too(tmp_path, capsys):
    run = settled_store(Store(tmp_path / "there"))
    for words in (
        ("bench", "--data", str(tmp_path / "there"), "status"),
        ("bench", "status", "--data", str(tmp_path / "there")),
    ):
        assert main([*words]) == 0
        assert run.id in capsys.readouterr().out
    assert main(["bench", "status", run.id, "--data", str(tmp_path / "there")]) == 0
    assert "Ideas: 8 of 8" in (said := capsys.readouterr().out)
    assert "average" in said


def test_another_kind_of_run_is_no_benchmark(cli, tmp_path):
    assert (
        "There is no run"
        in cli("bench", "report", "nothing", "--to", str(tmp_path / "x"))[1]["reason"]
    )


# -- judges against experts --------------------------------------------------------------------


MANY = tuple(f"word {n}" for n in range(12))


@pytest.fixture
def rated(tmp_path, monkeypatch):
    """Return a benchmark with a sample of twelve ideas, and its rating sheet as two experts filled
    it in.
    """
    monkeypatch.setenv("FOUNDRY_DATA", str(tmp_path / "data"))
    store = Store(tmp_path / "data")
    run = settled_store(
        store,
        keywords=MANY,
        score=lambda model, keyword, n, judge: (min(10, 1 + MANY.index(keyword)),) * 3,
    )
    entries_of_bench(store, run.id, sample(store, run.id, 12, "score", 1), "Sample")
    cells = {one.key: one for one in store.benchmarks.ideas(run.id, limit=100)}
    lines = ["idea id,keyword,text,rater,originality,feasibility,clarity"]
    lines += [
        f"{blind(run.id, key)},k,t,{rater},{cells[key].score:g},"
        f"{(n * 7) % 10 + 1},{(n * 3) % 10 + 1}"
        for n, key in enumerate(keys_handed(store, run.id, "Sample"))
        for rater in ("Ann", "Ben")
    ]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(lines))
    return store, run, file


def test_judges_are_held_against_experts_as_on_screen(cli, rated, tmp_path):
    store, run, file = rated
    code, found, _ = cli(
        "bench", "validate", run.id, "--ratings", str(file), "--to", str(tmp_path / "table.csv")
    )
    ratings = take_ratings(
        sheet := opened(file.name, file.read_bytes()), guess_layout(sheet, {}), None, None
    )
    held = compare_judges(
        store,
        run.id,
        of_file(ratings.by_criterion, ratings.models, run.id, keys_handed(store, run.id, "Sample")),
    )
    assert (code, found["summary"]) == (0, summary(held).model_dump(mode="json"))
    assert found["analysis"] == held.sheet.model_dump(mode="json", exclude={"tables"})
    assert {
        name: one["against"][DRAWN]["pearson"]["value"]
        for name, one in found["analysis"]["agreement"]["criteria"].items()
    }["originality"] == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text(), newline="")))
    assert [row["Dimension"] for row in rows] == ["originality", "feasibility", "clarity"]


def test_without_ratings_it_is_said_what_is_missing(cli, rated):
    _, run, file = rated
    code, said, _ = cli("bench", "validate", run.id)
    assert (code, "There are no ratings to hold the judges against" in said["reason"]) == (2, True)
    assert (
        "not both"
        in cli("bench", "validate", run.id, "--session", "x", "--ratings", str(file))[1]["reason"]
    )


def test_a_sample_for_experts_is_drawn_with_its_session_and_its_sheet(cli, tmp_path):
    store = Store(tmp_path / "data")
    run = settled_store(store, keywords=MANY)
    code, document, _ = cli(
        "bench",
        "sample",
        run.id,
        "--ideas",
        "12",
        "--name",
        "For experts",
        "--experts",
        "2",
        "--sheet",
        str(tmp_path / "sheet.csv"),
    )
    assert (code, document["collection"], document["ideas"]) == (0, "For experts", 12), document
    keys = keys_handed(store, run.id, "For experts")
    assert {one.key for one in sample(store, run.id, 12, "score", 1)} == set(keys)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "sheet.csv").read_text(), newline="")))
    assert {row["idea id"] for row in rows} == {blind(run.id, key) for key in keys}
    study = store.studies.get(document["study"])
    assert (study.state, study.plan.overlap, [one.name for one in study.plan.criteria]) == (
        "draft",
        2,
        ["originality", "feasibility", "clarity"],
    )
    assert sum(not one.attention for one in store.study_keys.items(study.id).values()) == 12
    code, again, _ = cli("bench", "sample", run.id, "--ideas", "12", "--name", "For experts")
    assert (code, "There is a collection 'For experts' already" in again["reason"]) == (2, True)
    code, refused, _ = cli(
        "bench", "sample", run.id, "--ideas", "12", "--name", "Another", "--experts", "99"
    )
    assert (code, [one.name for one in store.entries.bunches()]) == (2, ["For experts"]), refused
    assert cli("bench", "sample", run.id, "--ideas", "400")[0] == 2


def test_the_tables_of_a_benchmark_hold_its_samples(cli, tmp_path):
    store = Store(tmp_path / "data")
    run = settled_store(store, keywords=MANY)
    assert cli("export", run.id, "--to", str(tmp_path / "tables.zip"))[0] == 0
    assert {"samples.csv", "samples.tex", "clarity.csv", "reply-and-score.csv"} <= set(
        zipfile.ZipFile(tmp_path / "tables.zip").namelist()
    )
