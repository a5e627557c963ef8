"""Experiments and rankings from the command line, over a loopback model."""

import json

import pytest

from core.records import FORMS
from core.store import Store
from tests.support.dataset_kit import asking
from tests.support.headless import MODEL, cli, server
from tests.support.locking import locked, until_resumed
from tests.support.playing import actor
from tests.support.schema_instances import asked_schema
from tests.support.sweep_kit import target

__all__ = ["cli", "server"]


@pytest.fixture
def targets(tmp_path):
    file = tmp_path / "targets.jsonl"
    file.write_text("\n".join(target(n).model_dump_json() for n in (1, 2)))
    return str(file)


@pytest.fixture
def experiment(cli, targets):
    """Return what runs a small experiment and gives (exit code, document)."""

    def run(*words: str, judge: tuple[str, ...] = ("--judge", MODEL)):
        code, document, _ = cli(
            "experiment",
            "--on",
            MODEL,
            "--targets",
            targets,
            "--ideas",
            "2",
            "--repeats",
            "2",
            "--max-rounds",
            "1",
            *judge,
            *words,
        )
        return code, document

    return run


def test_an_experiment_is_filled_and_extended_for_the_price_of_what_is_new(cli, experiment, server):
    code, document = experiment(
        "--method",
        "no-optimizer",
        "--indicator",
        "novelty",
        "--indicator",
        "feasibility",
        "--name",
        "Ward trial",
    )
    assert (code, document["state"], document["title"], document["cells"]["done"]) == (
        0,
        "done",
        "Ward trial",
        4,
    )
    # Per idea: first idea, one revision, one verdict; per cell two rankings.
    assert document["calls"] == len(server.calls) == 4 * (2 * 3 + 2)
    assert all(len(q) == 2 for one in document["matrix"] for q in one["q"].values())
    code, more, _ = cli("extend", document["run"], "--method", "initial")
    assert (code, more["cells"]["done"], more["parent"]) == (0, 8, document["run"])
    # The loopback model says the same to the same words, and one text is brought into the common
    # form once.
    assert more["calls"] == len(server.calls) - document["calls"] == 4 * (1 + 2), (
        "the first ideas are there"
    )
    assert cli("runs")[1]["runs"][0]["run"] == more["run"]
    assert len(cli("runs")[1]["runs"]) == 2, (
        "the runs of an experiment are listed with it, not beside it"
    )


def test_another_model_judges_by_the_checklist_where_one_is_named(experiment, server):
    server.script = asking
    code, document = experiment("--method", "evolve", "--checklist-judge", "openai:careful")
    assert (code, document["cells"]["done"]) == (0, 2), document["matrix"]
    judged = {
        body["model"]
        for body in server.calls
        if "directive" in (asked_schema(body) or {}).get("properties", {})
    }
    assert judged == {"careful"}


def test_an_estimate_starts_nothing_and_is_what_is_asked_where_nothing_converges(
    experiment, server
):
    words = ("--method", "infal", "--method", "no-discriminator")
    code, document = experiment(*words, "--estimate")
    assert (code, document["run"], server.calls) == (0, None, [])
    assert experiment(*words)[1]["calls"] == document["estimate"]["calls"] == len(server.calls)


def test_without_a_language_model_as_judge_nothing_starts_but_ideas_can_be_written(
    cli, experiment, server
):
    code, document = experiment(judge=())
    assert (code, document["state"]) == (2, "refused")
    assert (
        "builtin cannot rank ideas, which takes understanding them. Choose a language model as"
        " judge" in document["reason"]
    )
    assert cli("runs")[1]["runs"] == []
    code, document = experiment("--no-ranking", judge=())
    assert (code, document["cells"]["done"]) == (0, 2)
    assert all(one["q"] == {} for one in document["matrix"])


def test_a_cap_parks_the_whole_experiment_and_raising_it_goes_on(cli, experiment):
    code, document = experiment("--cap-tokens", "6000")
    assert (code, document["state"]) == (4, "capped")
    assert "the cap of the whole experiment" in document["reason"]
    assert cli("resume", document["run"], "--cap-tokens", "2000000")[:1] == (0,)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--indicator", "beauty"), "no preset"),
        (("--ideas", "9"), "at most 8"),
        (("--method", "magic"), "invalid choice"),
        (("--targets", "nowhere"), "There is no run 'nowhere'"),
    ],
)
def test_a_mistake_is_a_sentence(experiment, words, said):
    code, document = experiment(*words)
    assert (code, said in document["reason"]) == (2, True), document["reason"]


def test_ideas_are_ranked_with_a_target_by_two_judges(cli, tmp_path, server):
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(f"Idea {name}: naps help.")
    (tmp_path / "paper.json").write_text(
        json.dumps({name: f"The paper's {name}." for name in FORMS["six-field"]})
    )
    words = (
        "rank",
        "--ideas",
        str(tmp_path / "one.txt"),
        str(tmp_path / "two.txt"),
        "--repeats",
        "3",
        "--judge",
        MODEL,
        "--judge",
        "openai:second",
    )
    code, document, _ = cli(*words, "--target", str(tmp_path / "paper.json"))
    assert (code, set(document["standings"])) == (
        0,
        {"judge/final/novelty", "judge-2/final/novelty"},
    )
    # The loopback judge puts first what it is shown first: three orders of three ideas, so the
    # target stands in every place once.
    assert [one["q"] for one in document["standings"].values()] == [pytest.approx(0.5)] * 2
    assert len(server.calls) == 2 + 2 * 3
    code, document, _ = cli(*words)
    assert (code, [one["q"] for one in document["standings"].values()]) == (0, [None, None])
    code, document, _ = cli("rank", "--ideas", str(tmp_path / "one.txt"), str(tmp_path / "two.txt"))
    assert (code, "builtin cannot rank ideas" in document["reason"]) == (2, True)


def test_targets_are_pasted_abstracts_too_and_all_faults_of_all_files_are_said_at_once(
    cli, tmp_path, server
):
    (tmp_path / "pasted.abstracts").write_text(
        "Nap paper\nNaps restore memory.\n\nTopic: What naps do\nAnother abstract.\n"
    )
    (tmp_path / "bad.csv").write_text("topic,idea\n,Naps help.\nNaps,\n")
    words = ("experiment", "--on", MODEL, "--method", "initial", "--no-ranking", "--ideas", "1")
    code, document, _ = cli(
        *words,
        "--abstracts",
        str(tmp_path / "pasted.abstracts"),
        "--targets",
        str(tmp_path / "bad.csv"),
        "--targets",
        "nowhere.json",
    )
    assert (code, server.calls) == (2, [])
    for said in (
        "line 2: topic is missing",
        "line 3: idea is missing",
        "line 1: topic is missing",
        "nowhere.json cannot be read",
    ):
        assert said in document["reason"]
    code, document, _ = cli(
        *words, "--abstracts", str(tmp_path / "pasted.abstracts"), "--topic", "Sleep of athletes"
    )
    assert (code, document["cells"]["done"]) == (0, 2), document
    assert {one["title"] for one in document["matrix"]} == {"Nap paper", "Another abstract."}
    assert "--abstracts FILE" in cli(*words)[1]["reason"]


def test_what_an_extension_would_take_is_said_without_asking_anybody(cli, experiment, server):
    run = experiment("--method", "no-optimizer")[1]["run"]
    before = len(server.calls)
    code, document, _ = cli("extend", run, "--method", "initial", "--estimate")
    assert (code, document["not_done"], document["notes"], len(server.calls)) == (0, 0, [], before)
    taken = cli("extend", run, "--method", "initial")[1]["calls"]
    # The first ideas are there, which an estimate of the new cells alone counts as written in their
    # own runs.
    assert 0 < taken <= document["estimate"]["calls"]
    code, document, _ = cli("extend", run, "--ideas", "9", "--estimate")
    assert (code, "at most 8" in document["reason"]) == (2, True)


def test_an_experiment_rests_where_the_database_stays_locked_and_goes_on_for_what_is_left(
    cli, experiment, server, tmp_path, monkeypatch
):
    monkeypatch.setattr("core.store.connection.PATIENCE", 0.2)
    store, holders = Store(tmp_path / "data"), []

    def lock(body):
        if len(server.calls) == 9 and not holders:
            holders.append(locked(store.folder))
            holders[0].__enter__()
        return actor(body)

    server.script = lock
    code, document = experiment("--method", "no-optimizer", "--indicator", "novelty")
    assert (code, document["state"]) == (4, "interrupted")
    assert (
        "locked by another program" in document["reason"]
        or "Resume to go on." in document["reason"]
    )
    holders[0].__exit__(None, None, None)
    code, document, _ = until_resumed(cli, document["run"])
    assert (code, document["state"], document["cells"]["done"]) == (0, "done", 2)
    assert document["cells"].get("failed", 0) == 0
