"""What a page says of runs that go on elsewhere."""

import pytest

from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


def toasts(app) -> list[str]:
    return [one.value for one in app.toast]


def test_who_went_elsewhere_is_told_that_a_run_has_ended_once(runner):
    run = refinement(runner)
    app = visit("library")
    assert "1 run in progress" in said(app)
    assert toasts(app) == []
    runner.work(run.id)
    assert toasts(settled(app.run())) == [
        f":material/check_circle: Finished: [A refinement](/refine?run={run.id})"
    ]
    assert toasts(settled(app.run())) == []
    assert "in progress" not in said(app)


def test_a_run_that_waits_for_a_person_says_so(runner):
    run = refinement(runner, people=("optimizer",))
    app = visit("library")
    runner.work(run.id)
    (told,) = toasts(settled(app.run()))
    assert told.startswith(":material/person_raised_hand: Waits for you: ")


def test_its_own_screen_shows_that_it_has_ended_and_a_removed_run_says_nothing(runner):
    run, removed = refinement(runner), refinement(runner)
    app = visit("refine", run=run.id)
    runner.work(run.id)
    runner.store.runs.release(removed.id, runner.store.runs.get(removed.id).epoch, "stopped", "")
    runner.store.runs.delete(removed.id)
    assert toasts(settled(app.run())) == []
