"""A refinement that people take part in: stopped after its first round, steered on its page,
resumed.
"""

import pytest

from core.story import Story
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host, settled
from tests.support.waiting import until_heard

REMARKS = [
    {"id": "r1", "text": "Name the mechanism.", "trait": "originality"},
    {"id": "r2", "text": "Say what <b>refutes</b> it.", "trait": ""},
]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A runner whose pages are open and that looks often what is asked of it, and its model."""
    monkeypatch.setattr("core.runs.runner.BEAT", 0.03)
    runner, model = runner_of(
        tmp_path,
        refine_script([True, False, False])
        | {"review": lambda _: {"summary": "It falls short.", "remarks": REMARKS}},
    )
    host(monkeypatch, runner)
    return runner, model


def after_a_round(runner, model, **asked):
    """Return a refinement that was stopped after its first round: the review of version 1 is there,
    its revision has not begun.
    """
    run, say = refinement(runner, **asked), model.script["verdict"]

    def asks_to_stop(request):
        runner.store.runs.ask_to(run.id, "round")
        until_heard(runner, run.id)
        return say(request)

    model.script["verdict"] = asks_to_stop
    assert runner.work(run.id) == "stopped"
    model.script["verdict"] = say
    return run


def go_on(runner, run) -> Story:
    runner.resume(run.id)
    runner.wait(run.id, 20)
    return Story.of(runner.store, run.id)


def revisions(model):
    return [request.values for request in model.requests if request.prompt == "revise"]


def file_remark(app, run, text: str, by: str = "Ada", line: int = 1):
    key = f"refine:wish:{run.id}:{line}"
    app.text_area(key=key).set_value(text)
    app.text_input(key=f"{key}:by").set_value(by)
    return settled(app.button(key=f"{key}:file").click().run())
