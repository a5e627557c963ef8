"""The page of an evolution: its form filled in and handed in, and runs to look at."""

import pytest

from core.methods.evolution import EvolveInputs
from core.runs.planning import validated
from tests.support.evolving import evolving
from tests.support.scripted import configured, refine_script, runner_of
from tests.support.visiting import host, said, settled

P0 = {
    "topic": "replay",
    "question": "How can replay be gated?",
    "review": "Smith et al., 2024, replay all.",
    "papers": False,
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    runner, model = runner_of(tmp_path, evolving() | refine_script([True, False, False]))
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "generator", "judge", "scorer"):
        runner.store.places.choose(f"model-{role}", "scripted:one")
    return runner, model


@pytest.fixture
def runner(made):
    return made[0]


def begun(runner, cap_tokens=None, scorer=None, **asked):
    models = {"main": "scripted:one", **({"scorer": scorer} if scorer else {})}
    return runner.begin(
        configured(
            runner,
            "evolve",
            validated(EvolveInputs, **(P0 | asked)),
            cap_tokens=cap_tokens,
            models=models,
        ),
        "replay",
    )


def evolved(runner, state="done", **asked):
    run = begun(runner, **asked)
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return run


def text_of(app):
    """The idea's text as the page hands it to the browser."""
    return next(
        one.proto.body
        for one in app.main.get("html")
        if "idea-text" in one.proto.body and "<style>" not in one.proto.body
    )


def press(app, key="checklist:go"):
    return settled(app.button(key=key).click().run())


def asked(app, runner):
    """Press the button and return what the run it began is asked for."""
    before = {run.id for run in runner.store.runs.listed()}
    press(app)
    runs = [run for run in runner.store.runs.listed(states=("queued",)) if run.id not in before]
    assert len(runs) == 1, said(app)
    return EvolveInputs.model_validate(runs[0].config.inputs)
