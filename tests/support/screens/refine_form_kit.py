"""The form that starts a refinement: filled in, handed in, and what it asked for or refused."""

import pytest

from core.methods import RefineInputs
from tests.support.scripted import chain_script, refine_script, runner_of
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]) | chain_script())
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "selector"):
        runner.store.places.choose(f"model-{role}", "scripted:one")
    return runner


def form(**address):
    return visit("refine", **address)


def go(app):
    return settled(app.button(key="refine:go").click().run())


def asked(app, runner) -> RefineInputs:
    """Press the button and return what the run it began is asked for."""
    go(app)
    runs = runner.store.runs.listed(states=("queued",))
    assert len(runs) == 1, said(app)
    assert app.query_params["run"] in (runs[0].id, [runs[0].id])
    return RefineInputs.model_validate(runs[0].config.inputs)


def refused(app, runner) -> str:
    """Press the button and return what the page says; nothing may have started."""
    go(app)
    assert not runner.store.runs.listed(states=("queued",))
    return said(app)
