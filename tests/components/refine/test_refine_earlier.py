"""Refinements of version 1, as they lie in stores: still read, listed and reported, and honestly
not resumed.
"""

import pytest

from core.errors import BadInput
from core.export.document import document
from core.export.files import export
from core.methods import RefineInputs
from core.methods.presets import NOVELTY
from core.records import FORMS, PARKED, Config, Idea, Outcome, Run
from core.runs.branching import branch
from core.runs.estimates import of_run
from core.runs.runner import Runner
from core.story import Story
from tests.conftest import ScriptedModel, Shop
from tests.support.scripted import FIRST, refine_script

BETTER = Idea(form="six-field", fields={name: f"The {name}." for name in FORMS["six-field"]})
REVIEW = {"summary": "Too safe.", "remarks": [{"id": "r1", "text": "Be bold.", "trait": ""}]}
ROUND = {
    "n": 1,
    "review": REVIEW,
    "wishes": [{"text": "More naps.", "by": "Ada"}],
    "quiet": 0,
    "verdict": {"improved": True, "reason": "Bolder."},
    "revision": {
        "idea": BETTER.model_dump(mode="json"),
        "changes": [{"field": "method", "passage": "The method.", "remarks": ["r1"]}],
    },
    "measures": {"to_first": 0.5, "to_previous": 0.5, "nearest": None, "to_nearest": None},
}
INPUTS = {
    "topic": "sleep",
    "area": "the field of the topic",
    "goal": NOVELTY.model_dump(mode="json"),
    "rules": {"max_rounds": 2, "patience": 2},
    "idea": None,
    "context": [],
    "from_run": None,
}


@pytest.fixture
def old(tmp_path):
    """A runner, and a run of version 1 that was interrupted after its first round."""
    model = ScriptedModel(refine_script())
    runner = Runner(Shop(tmp_path, {model.name: model}))
    config = Config(
        method="refine",
        version=1,
        inputs=INPUTS,
        models=dict.fromkeys(("main", "cheap"), model.name),
        source="shelf",
        seed=7,
    )
    run = Run(
        id="old1",
        title="sleep",
        state="queued",
        config=config,
        created="2026-01-01T00:00:00+00:00",
        updated="2026-01-01T00:00:00+00:00",
    )
    runner.store.runs.add(run, "nobody|1|1")
    rows = [
        ("Search", {"query": "sleep", "state": "nothing found", "papers": []}),
        ("Idea", FIRST.model_dump(mode="json")),
        ("Round", ROUND),
    ]
    for n, (kind, data) in enumerate(rows, 1):
        put(runner, n, kind, data)
    runner.store.connections.write("UPDATE runs SET state = 'interrupted' WHERE id = 'old1'")
    return runner, run


def put(runner, n, kind, data):
    import json

    runner.store.connections.write(
        "INSERT INTO products VALUES ('old1', ?, ?, ?, ?)",
        f"result-{n}",
        kind,
        json.dumps(data),
        f"{n:04d}",
    )


def finish(runner):
    put(
        runner,
        4,
        "Outcome",
        Outcome(
            reason="Stopped at the limit of 1 rounds, before convergence.", idea=BETTER, round=1
        ).model_dump(mode="json"),
    )
    runner.store.connections.write("UPDATE runs SET state = 'done' WHERE id = 'old1'")


def test_an_old_run_is_read_as_one_line(old):
    runner, _ = old
    finish(runner)
    (line,) = Story.of(runner.store, "old1").lines
    assert (line.n, line.first, line.newest, line.version(0), line.version(1)) == (
        1,
        FIRST,
        1,
        FIRST,
        BETTER,
    )
    assert (line.outcome.idea, line.outcome.round, line.standings(0), line.standings(1)) == (
        BETTER,
        1,
        (),
        (),
    )
    only = line.rounds[0]
    assert (only.goal, only.wishes[0].text, only.declined, only.base, only.effects) == (
        "",
        "More naps.",
        frozenset(),
        None,
        (),
    )


def test_what_an_old_run_was_asked_is_read_as_a_play(old):
    play = RefineInputs.model_validate(INPUTS).play
    assert (play.variant, play.goals, play.rules.max_rounds, play.rules.patience) == (
        "infal",
        (NOVELTY,),
        2,
        2,
    )
    assert of_run(old[1]).calls > 0, "older runs have fewer roles"


def test_an_old_run_is_reported_and_exported(old, tmp_path):
    runner, _ = old
    finish(runner)
    told = document(runner.store, "old1")
    assert (told["first"], told["outcome"]["round"], told["rounds"][0]["idea"]) == (
        FIRST.model_dump(),
        1,
        BETTER.model_dump(),
    )
    for name in ("run.md", "run.json"):
        export(runner.store, "old1", tmp_path / name)
        assert "The method." in (tmp_path / name).read_text("utf-8")


def test_an_old_run_that_did_not_end_says_honestly_that_it_cannot_go_on(old):
    runner, _ = old
    assert runner.store.runs.get("old1").state in PARKED
    runner.resume("old1")
    runner.wait("old1", 20)
    run = runner.store.runs.get("old1")
    assert run.state == "failed"
    assert "began with version 1 of its method" in run.reason
    assert "stays readable; start a new run" in run.reason
    assert Story.of(runner.store, "old1").lines[0].newest == 1


def test_an_old_run_is_not_branched_from(old):
    runner, _ = old
    with pytest.raises(BadInput, match="earlier version of this program"):
        branch(runner, "old1", 1)
    assert runner.store.runs.count() == 1
