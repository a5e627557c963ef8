"""A benchmark taken along: whoever has the files can compute its figures again, what failed is told
and counted nowhere, nothing runs, nothing leaks.
"""

import csv
import io
import json
import subprocess
import tracemalloc
import zipfile
from collections import defaultdict
from statistics import fmean

import numpy as np
import pytest

from core import VERSION
from core.benchmark import BenchInputs
from core.cases.packing import pack
from core.commands.working import _cells
from core.errors import BadInput
from core.export.benchmarks import folder
from core.export.benchmarks import rows as benchmark_rows
from core.export.benchmarks.report import paragraph
from core.export.files import export
from core.export.word import word
from core.models.port import Reply
from core.records import Keyword, cell_named
from core.runs.extending import extend_benchmark
from core.runs.runner import Runner
from core.store import Store
from tests.conftest import make_run
from tests.support.benchmark.bench_kit import script, settled_store, shop_of, worked

A, B = "openai:a", "openai:gpt-4o-mini"
JUDGES = ("openai:c", "openai:d", "anthropic:claude-sonnet-5")
KEYWORDS = tuple(
    Keyword(
        text=f"keyword {k}", domain=("Physics", "Biology")[k % 2], confidence=0.5, by="published"
    )
    for k in range(12)
)
DIMENSIONS = ("originality", "feasibility", "clarity")


def lost(kind, model, keyword, n, m):
    """Lose an idea to each reason, a judgment and a comparison."""
    return {
        ("idea", A, "keyword 1", 1, 0): "refused",
        ("idea", A, "keyword 2", 2, 0): "long",
        ("idea", B, "keyword 3", 1, 0): "ModelFailed",
        ("judge", B, "keyword 4", 1, 1): "NoUsableAnswer",
        ("fluency", B, "keyword 5", 1, 2): "NoUsableAnswer",
        ("idea", A, "keyword 6", 1, 0): "again",
    }.get((kind, model, keyword, n, m), "")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a store with a benchmark, its run, and its files; nobody changes them."""
    store = Store(tmp_path_factory.mktemp("kept"))
    run = settled_store(store, models=(A, B), judges=JUDGES, keywords=KEYWORDS, lost=lost)
    return store, run, folder.files(store, run.id)


@pytest.fixture
def files(kept):
    return kept[2]


def table(files, name):
    return list(csv.DictReader(io.StringIO(files[name].decode(), newline="")))


def test_the_leaderboard_can_be_computed_again_from_the_answers_alone(files):
    of = defaultdict(lambda: defaultdict(list))
    for row in table(files, "judgments.csv"):
        for name in DIMENSIONS:
            of[row["model"], row["keyword"]][name].append(int(row[name]))
    for row in table(files, "pairs.csv"):
        of[row["model"], row["keyword"]]["fluency"].append(int(row["fluency"]))
    board = {row["Model"]: row for row in table(files, "tables/leaderboard.csv")}
    for model in (A, B):
        mine = [scores for (name, _), scores in of.items() if name == model]
        means = {
            name: fmean(fmean(one[name]) for one in mine if one[name])
            for name in (*DIMENSIONS, "fluency")
        }
        whole = [
            fmean(fmean(one[name]) for name in means)
            for one in mine
            if all(one[name] for name in means)
        ]
        means["flexibility"] = float(np.percentile(whole, 30))
        means["average"] = fmean(means.values())
        for name, value in means.items():
            assert float(board[model][name.capitalize()]) == pytest.approx(value), (model, name)
            assert (
                float(board[model][f"{name.capitalize()} (95 % low)"])
                <= value
                <= float(board[model][f"{name.capitalize()} (95 % high)"])
            )


def test_what_failed_and_what_was_left_out_have_files_of_their_own_and_are_in_no_other(files):
    assert len(table(files, "ideas.csv")) == 12 * 2 * 2 - 3
    assert {
        (row["kind"], row["model"], row["keyword"], row["why"])
        for row in table(files, "failures.csv")
    } == {
        ("idea", B, "keyword 3", "ModelFailed"),
        ("judgment", B, "keyword 4", "NoUsableAnswer"),
        ("comparison", B, "keyword 5", "NoUsableAnswer"),
    }
    excluded = {row["why"]: row for row in table(files, "excluded.csv")}
    assert (set(excluded), excluded["long"]["words"], excluded["refused"]["said"]) == (
        {"refused", "long"},
        "240",
        "I cannot help with that.",
    )
    assert [
        row["refusals"]
        for row in table(files, "ideas.csv")
        if (row["model"], row["keyword"], row["idea"]) == (A, "keyword 6", "1")
    ] == ["1"]
    assert not [
        row
        for row in table(files, "judgments.csv")
        if (row["model"], row["keyword"], row["idea"]) == (A, "keyword 2", "2")
    ]
    groups = {(row["model"], row["keyword"]): row for row in table(files, "groups.csv")}
    assert [
        groups[A, "keyword 1"][name]
        for name in ("ideas", "refused", "refused_twice", "pairs", "fluency")
    ] == ["1", "1", "1", "0", ""]
    assert groups[B, "keyword 3"]["failed"] == "1"


def test_the_report_says_what_was_asked_found_and_lost(files):
    said = files["report.md"].decode()
    for part in (
        "## How it stands",
        "### Leaderboard",
        "On the Pareto front",
        "### How strict each judge is",
        "Krippendorff's alpha",
        "## Methods paragraph",
        "2 judges per idea; the paper has 3.",
        "drawn at random (seed 7) from a panel of 3 models",
        "12 given by the published labels",
        "## What it cannot say",
        "Energy and emissions, estimated",
        "EcoLogits does not know a model of this name",
    ):
        assert part in said, part
    assert "| judgment | " in said
    assert "no usable answer | 1 | keyword 4: It gave no usable answer in 4 tries. |" in said
    assert "| idea | openai:a | too long | 1 | keyword 2: Idea 2" in said
    assert "| ideas | 48 | 45 | 1 | 2 | 0 | 0 | 0 |" in said
    assert "price unknown" in said
    assert "$0.00" not in said


def test_the_methods_paragraph_has_what_came_back_not_what_was_planned(files):
    said = files["report.md"].decode()
    assert (
        "Of 48 ideas asked for, 45 were accepted, 2 excluded (refused twice or too long), and 1"
        " failed." in said
    )
    assert "89 of 90 judgments and 20 of 21 comparisons of them gave a usable answer." in said
    assert "95 % intervals are percentile intervals" in said


def test_a_methods_paragraph_of_few_keywords_claims_no_intervals(store):
    few = paragraph(store, settled_store(store, keywords=("erosion", "meiosis")))
    assert f"Idea Foundry held it (version {VERSION} when this was written)." in few
    assert "Intervals are not given: they take 10 keywords." in few
    assert "95 % intervals" not in few
    begun = paragraph(
        store,
        settled_store(store, keywords=[f"word {n}" for n in range(12)], left=9, state="stopped"),
    )
    assert "95 % intervals" not in begun, "twelve keywords are asked for, and three were judged"


def test_the_report_can_be_had_in_every_form(kept, tmp_path):
    store, run, _ = kept
    export(store, run.id, tmp_path / "report.md")
    assert "### Leaderboard" in (tmp_path / "report.md").read_text()
    assert word(store, run.id)[:2] == b"PK"
    export(store, run.id, tmp_path / "bundle.json")
    held = json.loads((tmp_path / "bundle.json").read_text())["benchmark"]
    assert (len(held["keywords"]), len(held["sums"])) == (12, 24)
    assert "bench report" in held["note"]
    export(store, run.id, tmp_path / "tables.zip")
    with zipfile.ZipFile(tmp_path / "tables.zip") as tables:
        assert "leaderboard.tex" in tables.namelist()
    with pytest.raises(BadInput, match="in cells of their own"):
        pack(store, run.id)


def test_a_terminal_is_told_how_far_it_is_from_counts(kept):
    store, run, _ = kept
    assert _cells(store, run.id) == (48 + 90 + 21, "0 under way, 3 failed, 2 left out")


def test_a_benchmark_that_is_not_done_is_told_so_far(store):
    run = settled_store(store, keywords=KEYWORDS, left=4, state="stopped")
    files = folder.files(store, run.id, answers=False)
    assert "So far: It has not ended; the run is stopped." in files["report.md"].decode()
    assert "56 answers still to come" in files["report.md"].decode()
    assert "ideas.csv" not in files
    assert len(table(files, "keywords.csv")) == 12


def test_of_a_brainstorm_every_idea_is_told(store):
    said = folder.files(store, settled_store(store, keywords=KEYWORDS[:1], brainstorm=True).id)[
        "report.md"
    ].decode()
    assert "### Its ideas" in said
    assert said.count("Idea 1 of") == said.count("Idea 2 of") == 2


def test_without_any_judgment_there_is_no_leaderboard_and_no_failure(store):
    files = folder.files(
        store, settled_store(store, judges=(), judges_each=1, keywords=KEYWORDS[:2]).id
    )
    assert "No judgments yet." in files["report.md"].decode()
    assert "leaderboard.svg" not in files
    assert len(table(files, "ideas.csv")) == 8


def test_the_configuration_has_what_decides(kept):
    _, run, files = kept
    held = json.loads(files["config.json"])
    assert held["configuration"] == run.config.model_dump(mode="json")
    assert held["keyword_list"] == {
        "name": "Test keywords",
        "source": "",
        "keywords": 12,
        "sha256": run.config.inputs["keywords"],
    }


def test_the_commit_is_that_of_the_checkout():
    here = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    assert (folder.commit() or "") == here


def test_hostile_words_are_only_words(store):
    evil = ('=HYPERLINK("http://x","y")', "<script>alert(1)</script>", "| a | b |", "$\\frac{")
    run = settled_store(
        store,
        keywords=(*evil, *(one.text for one in KEYWORDS[:4])),
        topic="<img src=x onerror=alert(1)>",
    )
    store.connections.write(
        "UPDATE bench_cells SET text = '=1+1' WHERE run = ? AND kind = 'idea' AND state = 'done'",
        run.id,
    )
    files = folder.files(store, run.id)
    assert {row["text"] for row in table(files, "ideas.csv")} == {"'=1+1"}
    assert [row["keyword"] for row in table(files, "keywords.csv")][:2] == [f"'{evil[0]}", evil[1]]
    for name in ("figures.html", "report.html"):
        assert b"<script>alert" not in files[name]
        assert b"<img src=x" not in files[name]
    assert b"\\<script>" in files["report.md"]


def test_an_archive_holds_the_same_files_whenever_it_is_made(kept, tmp_path):
    store, run, files = kept
    assert folder.export(store, run.id, tmp_path / "one.zip") == tuple(files)
    with zipfile.ZipFile(tmp_path / "one.zip") as held:
        assert {name: held.read(name) for name in held.namelist()} == files
    assert [path.name for path in tmp_path.iterdir()] == ["one.zip"]


def test_a_folder_takes_them_and_is_never_mixed(kept, tmp_path):
    store, run, files = kept
    assert set(folder.export(store, run.id, tmp_path / "new", answers=False)) == set(files) - set(
        folder.ANSWERS
    )
    assert (tmp_path / "new" / "tables" / "leaderboard.csv").read_bytes() == files[
        "tables/leaderboard.csv"
    ]
    with pytest.raises(BadInput, match="is not empty"):
        folder.export(store, run.id, tmp_path / "new")
    with pytest.raises(BadInput, match="no folder"):
        folder.export(store, run.id, tmp_path / "missing" / "new")


def test_the_lowest_scores_are_told_beside_the_highest(files):
    rows = table(files, "tables/samples.csv")
    assert [row["Among the"] for row in rows] == ["highest"] * 5 + ["lowest"] * 5
    scores = sorted(float(row["score"]) for row in table(files, "ideas.csv") if row["score"])
    assert [float(row["Score"]) for row in rows] == pytest.approx(
        [*reversed(scores[-5:]), *reversed(scores[:5])], abs=1e-4
    )
    assert b"tabular" in files["tables/samples.tex"]
    report = files["report.md"].decode()
    assert report.index("The ideas that scored highest") < report.index(
        "The ideas that scored lowest"
    )


S1 = (
    "keywords",
    "idea_model",
    "critic_model",
    "idea",
    "raw_critique",
    "parsed_scores",
    "critique_reasoning",
    "full_response",
    "first_was_rejected",
    "first_reject_response",
    "idea_length_in_char",
    "idea_length_in_words",
    "originality",
    "feasibility",
    "clarity",
    "fluency",
    "avg",
    "full_response_length",
)
"""The columns of supplementary table S.1."""


def test_the_data_set_has_the_published_columns_and_a_row_for_every_judgment(tmp_path, monkeypatch):
    seen = []

    def shy(asked):
        seen.append(asked.values["keyword"])
        return "I cannot help with that." if len(seen) == 1 else script(asked)

    monkeypatch.setattr(
        "tests.conftest.Reply",
        lambda text, finish, name, *more: Reply(
            text, finish, name, *more, thoughts=f"Hm, says {name}."
        ),
    )
    shop = shop_of(tmp_path, {"openai:a": {"bench-idea": shy}})
    shop.settings = shop.settings.model_copy(update={"calls": 1})
    run = worked(shop, keywords=("erosion",))
    files = folder.files(shop.store, run.id)
    rows, judgments, ideas = (
        table(files, name) for name in ("dataset.csv", "judgments.csv", "ideas.csv")
    )
    assert tuple(rows[0]) == S1
    assert [(row["idea_model"], row["critic_model"], row["clarity"]) for row in rows] == [
        (row["model"], row["judge"], row["clarity"]) for row in judgments
    ]
    for row in rows:
        idea = next(one for one in ideas if one["text"] == row["idea"])
        assert row["full_response"] == f"Hm, says {row['idea_model']}.\n\n{row['idea']}"
        assert (
            int(row["full_response_length"])
            == len(row["full_response"])
            == int(idea["reply_length"])
        )
        assert (
            json.loads(row["raw_critique"])["clarity"]
            == json.loads(row["parsed_scores"])["clarity"]
            == int(row["clarity"])
        )
        assert row["critique_reasoning"] == f"Hm, says {row['critic_model']}."
        assert float(row["avg"]) == pytest.approx(
            sum(float(row[name]) for name in (*DIMENSIONS, "fluency")) / 4
        )
    refused = {(row["first_was_rejected"], row["first_reject_response"]) for row in rows}
    assert refused == {("true", "I cannot help with that."), ("false", "")}
    assert [row["Field name"] for row in table(files, "tables/dataset-fields.csv")] == list(S1)
    assert b"idea" in files["tables/dataset-fields.tex"]
    assert not any(
        "Hm, says" in one.text for model in shop.named.values() for one in model.requests
    ), "thoughts are judged nowhere"


def test_the_data_set_of_an_extension_has_the_calls_of_the_benchmark_it_extends(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop, keywords=("erosion",))
    runner = Runner(shop)
    inputs = BenchInputs.model_validate(run.config.inputs)
    child = extend_benchmark(runner, run.id, inputs.model_copy(update={"ideas": 3}), None, None)
    runner.work(child.id)
    rows = list(
        csv.DictReader(
            io.StringIO(
                b"".join(
                    benchmark_rows.sheet(
                        benchmark_rows.DATASET,
                        benchmark_rows.dataset(folder.opened(shop.store, child)),
                    )
                ).decode(),
                newline="",
            )
        )
    )
    assert len(rows) == 2 * 3 * 2
    assert all(row["full_response"] == row["idea"] and row["raw_critique"] for row in rows)


def test_another_run_is_no_benchmark(store, tmp_path):
    with pytest.raises(BadInput, match="is no benchmark"):
        folder.export(store, make_run(store).id, tmp_path / "other")


def test_answers_are_written_without_holding_them_all(store):
    run = settled_store(
        store, keywords=[f"keyword {k}" for k in range(400)], judges=(), judges_each=1
    )
    store.connections.write(
        "UPDATE bench_cells SET text = hex(randomblob(2000)) WHERE run = ? AND kind = 'idea'",
        run.id,
    )
    held = folder.opened(store, store.runs.get(run.id))
    tracemalloc.start()
    written = sum(
        len(piece)
        for piece in benchmark_rows.sheet(benchmark_rows.IDEAS, benchmark_rows.ideas(held))
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert written > 6_400_000
    assert peak < written / 2, "in batches"


def test_every_call_has_a_row_with_what_was_answered(tmp_path):
    first = {"bench-judge": lambda asked: script(asked) if asked.corrections else "=ten"}
    shop = shop_of(tmp_path, {"openai:c": first})
    run = worked(shop, keywords=("erosion",))
    worked(shop, keywords=("lava",), topic="Another")
    rows, of_ideas = (
        table(dict(_sheets(shop.store, run)), name) for name in ("calls.csv", "ideas.csv")
    )
    assert len(rows) == run.calls > 14
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    refused = [row for row in rows if row["outcome"] != "accepted"]
    assert {(row["kind"], row["asked"], row["raw"], row["second"]) for row in refused} == {
        ("judgment", "openai:c", "'=ten", "")
    }
    for row in refused:
        accepted = next(
            one for one in rows if one["cell"] == row["cell"] and one["outcome"] == "accepted"
        )
        assert (accepted["keyword"], accepted["model"], accepted["idea"]) == (
            row["keyword"],
            row["model"],
            row["idea"],
        )
        assert json.loads(accepted["raw"])["clarity"]
    compared = next(row for row in rows if row["kind"] == "comparison")
    assert (
        compared["keyword"],
        compared["idea"],
        compared["second"],
        compared["tokens_out"],
        compared["dollars"],
    ) == ("erosion", "1", "2", "50", "")
    assert {(row["model"], row["idea"]): row["raw"] for row in rows if row["kind"] == "idea"} == {
        (row["model"], row["idea"]): row["text"] for row in of_ideas
    }
    for one in (cell for model in (0, 1) for cell in shop.store.benchmarks.cells(run.id, model, 0)):
        assert cell_named(one.key) == (one.kind, one.keyword, one.model, one.n, one.m)


def _sheets(store, run):
    """Yield the files that have a row for every answer, without the report and its figures."""
    held = folder.opened(store, run)
    for name, (columns, made) in folder.ANSWERS.items():
        yield name, b"".join(benchmark_rows.sheet(columns, made(held)))


def test_every_column_is_in_the_codebook(files):
    said = files["codebook.md"].decode()
    for name in (
        "ideas.csv",
        "judgments.csv",
        "pairs.csv",
        "groups.csv",
        "failures.csv",
        "excluded.csv",
        "usage.csv",
        "keywords.csv",
        "calls.csv",
    ):
        assert f"## {name}" in said
        for column in csv.DictReader(io.StringIO(files[name].decode(), newline="")).fieldnames:
            assert f"- {column.replace('_', chr(92) + '_')}: " in said or f"- {column}: " in said, (
                column
            )
