"""Answers of people: refused where they do not fit, and the run goes on by itself once it has all
of them.
"""

import threading
from types import SimpleNamespace

import pytest

from components.runs import answering
from core.errors import BadInput
from core.store import Store
from core.store.answers import OpenQuestion
from core.story import Story
from tests.support.scripted import chain, runner_of, wide_script, wide_source

MINE = {"direction": "Ask the dreamers.", "reasoning": "Nobody did."}


@pytest.fixture
def waiting(tmp_path):
    """A run of three branches that wait for their directions to be confirmed, its runner and
    model.
    """
    runner, model = runner_of(tmp_path, wide_script(), wide_source())
    run = chain(runner, topic="sleep 2018", branches=3, length=2, confirm=True)
    assert runner.work(run.id) == "waiting"
    return runner, model, run


def keys(runner, run) -> list[str]:
    return [one.key for one in runner.store.answers.open(run.id)]


def test_a_run_asks_for_all_branches_at_once_and_goes_on_after_the_last_answer(waiting):
    runner, model, run = waiting
    assert keys(runner, run) == [f"branch-{n}/idea-1/direction" for n in (1, 2, 3)]
    for key in keys(runner, run):
        assert runner.store.runs.get(run.id).state == "waiting"
        runner.answer(run.id, key, MINE, "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert [one.direction.direction for one in Story.of(runner.store, run.id).branches] == [
        "Ask the dreamers."
    ] * 3
    assert [request.prompt for request in model.requests].count("future") == 3, (
        "nothing was asked twice"
    )


def test_an_answer_that_does_not_fit_is_refused_and_the_question_stays_open(waiting):
    runner, _, run = waiting
    for wrong, said in (
        ({"direction": " ", "reasoning": "r"}, "Direction: is empty"),
        ({"direction": "d"}, "Reasoning"),
        (MINE | {"more": "x"}, "More: is not asked for"),
    ):
        with pytest.raises(BadInput, match=said):
            runner.answer(run.id, "branch-1/idea-1/direction", wrong, "Ada")
    assert len(keys(runner, run)) == 3
    assert runner.store.runs.get(run.id).state == "waiting"


def test_a_question_nobody_asks_cannot_be_answered_nor_one_be_answered_twice(waiting):
    runner, _, run = waiting
    with pytest.raises(BadInput, match="no open question"):
        runner.answer(run.id, "branch-9/idea-1/direction", MINE, "Ada")
    runner.answer(run.id, "branch-1/idea-1/direction", MINE, "Ada")
    with pytest.raises(BadInput, match="answered already"):
        runner.answer(run.id, "branch-1/idea-1/direction", MINE, "Bob")


def test_answers_that_come_while_another_branch_is_still_at_work_wake_the_run(tmp_path):
    runner, model = runner_of(tmp_path, wide_script(), wide_source())
    calm, reached, go = model.script["future"], threading.Event(), threading.Event()

    def slow(request):
        if "food" in request.values["chain"].papers[0].id:
            reached.set()
            assert go.wait(20)
        return calm(request)

    model.script["future"] = slow
    run = chain(runner, topic="sleep 2018", branches=3, length=1, confirm=True)
    runner.start(run.id)
    assert reached.wait(20)
    while len(keys(runner, run)) < 2:
        threading.Event().wait(0.02)
    for key in keys(runner, run):
        runner.answer(run.id, key, MINE, "Ada")
    assert runner.store.runs.get(run.id).state == "running", "it is not disturbed"
    go.set()
    runner.wait(run.id, 20)
    assert keys(runner, run) == ["branch-3/idea-1/direction"]
    runner.answer(run.id, "branch-3/idea-1/direction", MINE, "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"


def test_the_last_answer_given_while_the_run_is_still_at_work_is_not_slept_over(waiting):
    runner, _, run = waiting
    first, *rest = keys(runner, run)
    for key in rest:
        runner.answer(run.id, key, MINE, "Ada")
    calm, asked = runner.store.answers.given, threading.Event()

    def late(run_id, key):
        found = calm(run_id, key)
        if key == first and not asked.is_set():
            asked.set()
            runner.answer(run_id, key, MINE, "Ada")  # just after the run looked
        return found

    runner.store.answers.given = late
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert asked.is_set()
    assert runner.store.runs.get(run.id).state == "done"


def test_an_answer_does_not_start_a_run_that_somebody_stopped(waiting):
    runner, _, run = waiting
    runner.store.connections.write("UPDATE runs SET state = 'stopped' WHERE id = ?", run.id)
    for key in keys(runner, run):
        runner.answer(run.id, key, MINE, "Ada")
    assert runner.store.runs.get(run.id).state == "stopped"
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"


class BrokenOff(Exception):
    """What Streamlit does to a drawing while another is asked for."""


class Breaking(dict):
    """Boxes of a tab, at which a drawing is broken off after so many looks."""

    left = 0

    def _look(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise BrokenOff

    def __contains__(self, name):
        self._look()
        return super().__contains__(name)

    def __setitem__(self, name, value):
        self._look()
        super().__setitem__(name, value)

    def setdefault(self, name, value=None):
        self._look()
        return super().setdefault(name, value)


@pytest.mark.parametrize("looks", range(1, 6))
def test_a_drawing_broken_off_anywhere_costs_nothing_of_a_half_written_answer(
    tmp_path, monkeypatch, looks
):
    store, boxes = Store(tmp_path / "data"), Breaking()
    monkeypatch.setattr(answering, "st", SimpleNamespace(session_state=boxes))
    monkeypatch.setattr(answering, "services", SimpleNamespace(store=lambda: store))
    question = OpenQuestion(run="r", key="verdict", question={})
    kept = {"order": "B > A", "why:A": "Too vague."}
    store.places.choose("draft:r:verdict", '{"order": "B > A", "why:A": "Too vague."}')
    for boxes.left in (looks, 0):
        try:
            answering.restored(question, "form")
            answering.keep(question, "form", kept)
        except BrokenOff:
            assert boxes.left == 0
    assert {name: boxes.get(f"form:{name}") for name in kept} == kept
    assert store.places.choice("draft:r:verdict") is not None
