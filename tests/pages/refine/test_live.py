"""A refinement that is going on, at rest or broken off, on its page: what is there is shown, and
what can be done is offered.
"""

from tests.support.screens.refine_screen import broken_off, button, choice, going_on, made, runner
from tests.support.scripted import refinement
from tests.support.visiting import links, said, visit

__all__ = ["made", "runner"]


def test_text_being_written_is_shown_with_its_fields(runner):
    run, epoch = going_on(runner)
    runner.store.steps.write_partial(
        run.id,
        "round-0/review",
        '{"summary": "It lacks a mech',
        "waiting 2 s: the server is busy (429)",
        epoch,
    )
    shown = said(visit("refine", run=run.id))
    assert "It lacks a mech" in shown
    assert "waiting 2 s" in shown


def test_the_idea_under_review_is_shown_until_its_revision_comes(runner):
    run, epoch = going_on(runner)
    assert "The first idea, which is to be revised" in said(visit("refine", run=run.id))
    runner.store.steps.write_partial(run.id, "round-1/revise", '{"title": "A bett', "", epoch)
    shown = said(visit("refine", run=run.id))
    assert "which is to be revised" not in shown
    assert "round 1 of at most" in shown


def test_what_is_done_now_stands_on_top_with_how_far_it_is(runner):
    run, epoch = going_on(runner)
    app = visit("refine", run=run.id)
    assert "Round 1 of at most " in said(app)
    assert "of at most about" in said(app)
    assert len(app.get("progress")) == 1
    runner.store.steps.write_partial(run.id, "round-1/revise", '{"title": "A bett', "", epoch)
    assert ": the generator is revising." in said(visit("refine", run=run.id))
    runner.workshop.embedder.state = "loading"
    assert "Loading the embedding model" in said(visit("refine", run=run.id))


def test_what_is_written_beside_the_round_is_named(runner):
    run, epoch = going_on(runner)
    runner.store.steps.write_partial(run.id, "round-1/review", '{"summary": "Next', "", epoch)
    assert "Meanwhile: Round 1: review" in said(visit("refine", run=run.id))


def test_a_run_is_followed_until_a_person_picks_a_round_and_again_when_asked(runner):
    run, _ = going_on(runner)
    app = visit("refine", run=run.id)
    assert choice(app, "Rounds").value == 1
    assert not [one for one in app.button if one.label == "Follow"]
    choice(app, "Rounds").set_value(0).run()
    assert app.query_params["round"] == "0"
    button(app, "Follow").click().run()
    assert choice(app, "Rounds").value == 1
    assert "round" not in app.query_params


def test_a_running_refinement_can_be_paused_stopped_or_ended_with_its_round(runner):
    run, _ = going_on(runner)
    app = visit("refine", run=run.id)
    assert [one.label for one in app.button if one.label in ("Pause", "Stop")] == ["Pause", "Stop"]
    button(app, "Stop before the next revision").click().run()
    assert runner.store.runs.lease(run.id)["asked_to"] == "round"
    assert button(app, "Stops before the next revision").disabled


def test_a_run_at_its_cap_offers_to_go_on(runner):
    run = refinement(runner, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    app = visit("refine", run=run.id)
    assert "Paused at a cap" in said(app)
    app.number_input(key="refine:tokens").set_value(1_000_000)
    app.button(key="refine:go-on").click().run()
    assert runner.store.runs.caps(run.id)[1] == 1_000_000


def test_what_a_failed_run_has_stays_readable_and_the_round_that_broke_off_says_so(made):
    run = broken_off(*made, "verdict", 2, patience=5)
    app = visit("refine", run=run.id)
    shown = said(app)
    assert "Failed" in shown
    assert len(app.error) == 1
    assert "not finished" in str(choice(app, "Rounds").options)
    assert "has not begun" in shown
    assert "Version" in shown
    choice(app, "Rounds").set_value(1).run()
    assert "Verdict on version 1" in said(app)


def test_a_run_that_failed_before_its_first_idea_offers_another_try(made):
    app = visit("refine", run=broken_off(*made, "first-idea", 1, idea=None).id)
    assert [
        link.query_string for link in links(app) if link.label.startswith("Change the topic")
    ] == ["topic=sleep+and+memory"]


def test_a_run_that_waits_shows_its_question_and_no_empty_promise(runner):
    run = refinement(runner, people=("optimizer",))
    assert runner.work(run.id) == "waiting"
    shown = said(visit("refine", run=run.id))
    assert "1 question for you" in shown
    assert "is asked above" in shown
