"""Refinement on screen: three actors, rounds, live text, wishes, and why it stopped."""
import pytest

from core.leases import me
from tests.scripted import refine_script, refinement, runner_of
from tests.visiting import host, said, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def done(runner):
    run = refinement(runner, rounds=5)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return run


def going_on(runner):
    """A refinement that has its first idea and is being worked on elsewhere."""
    run = refinement(runner, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    runner.store.runs.enqueue(run.id, me())
    return run, runner.store.runs.claim(run.id, me(), runner.store.runs.lease(run.id)["epoch"])


def test_a_finished_refinement_says_why_it_stopped_and_where_the_idea_is_from(done):
    shown = said(visit("refine", run=done.id))
    assert "Converged: 2 verdicts in a row" in shown
    assert "is from round 3" in shown
    for actor in ("Optimizer", "Generator", "Discriminator"):
        assert actor in shown


def test_any_round_can_be_opened(done):
    app = visit("refine", run=done.id)
    rounds = next(one for one in app.segmented_control if one.label == "Rounds")
    assert "Verdict on version 3" in said(app)
    rounds.set_value(1).run()
    assert "Verdict on version 1" in said(app)
    assert "Verdict on version 3" not in said(app)


def test_text_being_written_is_shown_with_its_fields(runner):
    run, epoch = going_on(runner)
    runner.store.steps.write_partial(run.id, "round-0/review", '{"summary": "It lacks a mech', "waiting 2 s: the server is busy (429)", epoch)
    shown = said(visit("refine", run=run.id))
    assert "It lacks a mech" in shown
    assert "waiting 2 s" in shown


def test_a_wish_without_a_name_is_refused_and_one_with_a_name_waits(runner):
    run, _ = going_on(runner)
    app = visit("refine", run=run.id)
    app.text_input(key="refine:wish").set_value("Use wearables")
    file = next(one for one in app.button if one.label == "File the wish")
    file.click().run()
    assert runner.store.answers.pending(run.id) == ()
    app.text_input(key="refine:wish").set_value("Use wearables")
    app.text_input(key="refine:by").set_value("Ada")
    next(one for one in app.button if one.label == "File the wish").click().run()
    assert [wish.text for wish in runner.store.answers.pending(run.id)] == ["Use wearables"]


def test_a_run_at_its_cap_offers_to_go_on(runner):
    run = refinement(runner, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    app = visit("refine", run=run.id)
    assert "Paused at a cap" in said(app)
    app.number_input(key="refine:tokens").set_value(1_000_000)
    app.button(key="refine:go-on").click().run()
    assert runner.store.runs.caps(run.id)[1] == 1_000_000


def test_a_wish_on_a_finished_run_goes_on_from_its_idea(runner, done, monkeypatch):
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    app = visit("refine", run=done.id)
    app.text_input(key="refine:wish").set_value("Use wearables")
    app.text_input(key="refine:by").set_value("Ada")
    next(one for one in app.button if one.label == "Refine further").click().run()
    further = next(run for run in runner.store.runs.listed() if run.id != done.id)
    assert further.config.inputs["from_run"] == done.id
    assert [wish.text for wish in runner.store.answers.pending(further.id)] == ["Use wearables"]
    assert runner.store.answers.pending(done.id) == ()
