"""The page of a refinement: finished, going on elsewhere, or broken off."""

import pytest

from core.errors import ModelFailed
from core.runs.leases import me
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A runner the pages work on, and its model."""
    runner, model = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner, model


@pytest.fixture
def runner(made):
    return made[0]


def played(runner, **asked):
    run = refinement(runner, **({"rounds": 5} | asked))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return run


@pytest.fixture
def done(runner):
    return played(runner)


def going_on(runner, **asked):
    """A refinement that has its first idea and is being worked on elsewhere, and the epoch of who
    works on it.
    """
    run = refinement(runner, cap_tokens=10, **asked)
    assert runner.work(run.id) == "capped"
    runner.store.runs.enqueue(run.id, me())
    return run, runner.store.runs.claim(run.id, me(), runner.store.runs.lease(run.id)["epoch"])


def broken_off(runner, model, prompt, n, **asked):
    """A refinement whose model fails the n-th time it is asked for a prompt."""
    told, script = [0], model.script[prompt]

    def reply(request):
        told[0] += 1
        return ModelFailed("The model is away.") if told[0] >= n else script(request)

    model.script[prompt] = reply
    run = refinement(runner, **({"rounds": 5} | asked))
    assert runner.work(run.id) == "failed"
    return run


def choice(app, label):
    return next(one for one in app.segmented_control if one.label == label)


def button(app, label):
    return next(one for one in app.button if one.label == label)
