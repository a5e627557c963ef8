"""An experiment on its page, over scripted models: what tests of the screen begin with."""

import pytest

from core.records import Run
from tests.support.sweep_kit import MODELS, experiment, runner_of
from tests.support.visiting import host


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """Return a runner whose pages start nothing by themselves: tests work on runs when they want
    to.
    """
    runner, players = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "generator"):
        runner.store.places.choose(f"model-{role}", MODELS[0])
    runner.store.places.choose("model-judge", "scripted:judge")
    runner.players = players
    return runner


def filled(runner, **given: object) -> Run:
    """Return a small experiment that was worked to its end."""
    run = experiment(runner, **given)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner.store.runs.get(run.id)


def button(app, label):
    return next(one for one in app.button if one.label == label)


def tables(app) -> list[list[dict]]:
    """Return the tables of a page, each as its rows."""
    return [one.value.to_dict("records") for one in app.dataframe]
