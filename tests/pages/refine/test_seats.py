"""A person in an actor's place: reviews, revises and judges on the page, and nothing that was typed
is lost.
"""

from core.methods.presets import NOVELTY
from core.records import Idea, Review, Wish
from core.story import Story
from tests.support.scripted import refinement
from tests.support.steering import made, revisions
from tests.support.visiting import said, settled, visit

__all__ = ["made"]


def waiting_for(runner, *people: str, **asked):
    run = refinement(runner, rounds=1, people=people, **asked)
    assert runner.work(run.id) == "waiting"
    return run


def seat(run, key: str) -> str:
    return f"seat:{run.id}:{key}"


def handed_in(app, run, key: str):
    return settled(app.button(key=f"{seat(run, key)}:go").click().run())


def test_a_person_reviews_and_the_revision_answers_them(made):
    runner, model = made
    run = waiting_for(runner, "optimizer")
    app, key = visit("refine", run=run.id), seat(run, "round-0/review")
    app.text_input(key="waiting:by").set_value("Ada")
    app.text_area(key=f"{key}:summary").set_value("Too vague.")
    assert "at least one remark" in said(handed_in(app, run, "round-0/review"))
    app.text_area(key=f"{key}:r1").set_value("Which naps?").run()
    app.text_area(key=f"{key}:r2").set_value("Which memory?")
    app.selectbox(key=f"{key}:t2").set_value(NOVELTY.traits[3])
    handed_in(app, run, "round-0/review")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    review: Review = revisions(model)[0]["review"]
    assert [(one.id, one.text, one.trait) for one in review.remarks] == [
        ("r1", "Which naps?", ""),
        ("r2", "Which memory?", NOVELTY.traits[3]),
    ]
    assert runner.store.steps.get(run.id, "round-0/review").origin.name == "Ada"
    # What nobody answered of a person's review stands on top of the round.
    told = [one.value for one in visit("refine", run=run.id, round="1").info]
    assert "The review of this round is a person's, and no change answers its r2." in told


def test_a_person_is_the_area_chair(made):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    app, key = visit("refine", run=run.id), seat(run, "round-1/verdict")
    assert "Which" not in said(app)
    assert "Older version" in said(app)
    assert app.text_area(key=f"{key}:reason").label == "Why (needed)"
    assert "Choose one of the two" in said(handed_in(app, run, "round-1/verdict"))
    app.radio(key=f"{key}:improved").set_value(False)
    app.text_area(key=f"{key}:reason").set_value("The same in <i>other</i> words.")
    handed_in(app, run, "round-1/verdict")
    runner.wait(run.id, 20)
    verdict = Story.of(runner.store, run.id).lines[0].rounds[0].verdict
    assert (verdict.improved, verdict.reason) == (False, "The same in <i>other</i> words.")


def test_a_person_writes_the_first_idea_and_its_revision(made):
    runner, _ = made
    run = waiting_for(runner, "generator", idea=None)
    app = visit("refine", run=run.id)
    assert "Write the idea first" in said(handed_in(app, run, "round-0/first-idea"))
    app.text_area(key=f"{seat(run, 'round-0/first-idea')}:idea").set_value("Naps restore memory.")
    handed_in(app, run, "round-0/first-idea")
    runner.wait(run.id, 20)
    app, key = visit("refine", run=run.id), seat(run, "round-1/revise")
    assert "Nothing is written under Title, Problem" in said(handed_in(app, run, "round-1/revise"))
    for name in ("title", "problem", "objective", "method", "expected_impact"):
        app.text_area(key=f"{key}:{name}").set_value(f"My {name}")
    app.button_group(key=f"{key}:answers").set_value(["r2"])
    handed_in(app, run, "round-1/revise")
    runner.wait(run.id, 20)
    done = Story.of(runner.store, run.id).lines[0].rounds[0]
    assert done.revision.idea.title == "My title"
    assert {change.field: change.remarks for change in done.revision.changes}["method"] == ("r2",)


def test_a_person_gives_the_word_before_a_revision(made):
    runner, model = made
    run = refinement(runner, rounds=1, step_in=True)
    assert runner.work(run.id) == "waiting"
    app, key = visit("refine", run=run.id), seat(run, "round-1/go-ahead")
    assert "Your part in the next revision" not in said(app), "one form at a time"
    app.text_input(key="waiting:by").set_value("Ada")
    app.checkbox(key=f"{key}:r1").uncheck()
    app.text_area(key=f"{key}:own").set_value("Use wearables.")
    app.text_area(key=f"{key}:hypothesis").set_value("Short naps restore memory.")
    handed_in(app, run, "round-1/go-ahead")
    runner.wait(run.id, 20)
    asked = revisions(model)[0]
    assert [remark.id for remark in asked["review"].remarks] == ["r2"]
    assert [(wish.text, wish.by) for wish in asked["wishes"]] == [("Use wearables.", "Ada")]
    assert asked["idea"] == Idea(
        form="hypothesis", fields={"hypothesis": "Short naps restore memory."}
    )


def test_a_remark_declined_before_the_word_stays_declined_and_a_reload_keeps_it_so(made):
    runner, model = made
    run = refinement(runner, rounds=1, step_in=True)
    assert runner.work(run.id) == "waiting"
    key = seat(run, "round-1/go-ahead")
    runner.store.answers.wish(run.id, Wish(by="Bea", decline="r2", of=0))
    runner.store.answers.wish(run.id, Wish(by="Bea", text="Mind the cost."))
    app = visit("refine", run=run.id)
    assert [app.checkbox(key=f"{key}:{name}").value for name in ("r1", "r2")] == [True, False]
    assert "Also taken up, as Bea asked: Mind the cost." in said(app)
    app.checkbox(key=f"{key}:r1").uncheck().run()
    app = visit("refine", run=run.id)  # As a reload does: a session of its own.
    assert [app.checkbox(key=f"{key}:{name}").value for name in ("r1", "r2")] == [False, False]
    settled(app.checkbox(key=f"{key}:r2").check().run())
    handed_in(app, run, "round-1/go-ahead")
    runner.wait(run.id, 20)
    asked = revisions(model)[0]
    assert [remark.id for remark in asked["review"].remarks] == ["r2"]
    assert runner.store.answers.pending(run.id) == ()


def test_what_was_declined_is_struck_through_while_its_round_is_written(made):
    runner, model = made
    run = refinement(runner, rounds=1, step_in=True)
    assert runner.work(run.id) == "waiting"
    model.script["revise"] = lambda request: RuntimeError("the model is gone")
    wish = {"by": "Ada", "decline": "r1", "of": 0}
    runner.answer(run.id, "round-1/go-ahead", {"wishes": [wish]}, "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "failed"
    shown = said(visit("refine", run=run.id))
    assert "~~Name the mechanism.~~" in shown
    assert "declined by Ada" in shown


def test_the_verdict_form_marks_what_changed_and_the_review_is_not_in_it(made):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    app = visit("refine", run=run.id)
    key = "refine:verdict:marked"
    assert "green-background" in said(app)
    app = settled(app.toggle(key=key).set_value(False).run())
    assert "Newer version" in said(app)


def test_what_is_half_written_in_a_seat_outlives_a_visit_to_another_page(made):
    runner, _ = made
    run = waiting_for(runner, "optimizer")
    app, key = visit("refine", run=run.id), f"{seat(run, 'round-0/review')}:r1"
    app.text_area(key=key).set_value("Which naps?").run()
    settled(app.switch_page("pages/runs.py").run())
    app = app.switch_page("pages/refine.py")
    app.query_params["run"] = run.id
    assert settled(app.run()).text_area(key=key).value == "Which naps?"


def test_where_a_colleague_was_quicker_a_sentence_says_so_and_what_one_wrote_is_there(made):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    app, key = visit("refine", run=run.id), seat(run, "round-1/verdict")
    app.radio(key=f"{key}:improved").set_value(True)
    app.text_area(key=f"{key}:reason").set_value("It names the <b>mechanism</b>.").run()
    runner.answer(run.id, "round-1/verdict", {"improved": False, "reason": "No."}, "Bea")
    runner.wait(run.id, 20)
    shown = said(handed_in(app, run, "round-1/verdict"))
    assert "Round 1: verdict was answered by Bea meanwhile" in shown
    assert "It names the <b>mechanism</b>." in shown
    assert "answered by Bea" not in said(
        settled(app.button(key=f"answering:away:{run.id}").click().run())
    )


def test_the_home_screen_lists_what_waits_for_a_person_first_and_says_what_is_asked(
    made, monkeypatch
):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    later = refinement(runner, cap_tokens=10)
    runner.work(later.id)
    shown = said(visit_home())
    assert "waits for your verdict (round 1)" in shown
    assert shown.index("Waiting for you") < shown.index("Paused at a cap")
    assert run.id != later.id


def visit_home():
    from streamlit.testing.v1 import AppTest

    from tests.support.visiting import ROOT

    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=90).run())


def test_an_area_chair_sees_no_review_until_the_verdict_is_handed_in(made):
    runner, _ = made
    run = refinement(runner, variant="review-rebuttal", people=("discriminator",), rounds=2)
    assert runner.work(run.id) == "waiting"
    shown = said(visit("refine", run=run.id))
    assert "without the review" in shown
    assert "It falls short." not in shown


def test_a_round_that_a_person_judged_is_counted_before_the_next_review_is_written(made):
    runner, _ = made
    run = refinement(runner, rounds=3, people=("optimizer", "discriminator"))
    assert runner.work(run.id) == "waiting"
    assert "round 1 of at most 3, begun" in said(visit("refine", run=run.id))
    app, key = visit("refine", run=run.id), seat(run, "round-0/review")
    app.text_area(key=f"{key}:summary").set_value("Too vague.")
    app.text_area(key=f"{key}:r1").set_value("Which naps?").run()
    handed_in(app, run, "round-0/review")
    runner.wait(run.id, 20)
    app, key = visit("refine", run=run.id), seat(run, "round-1/verdict")
    assert "without improvement" not in strip(app)
    app.radio(key=f"{key}:improved").set_value(False)
    app.text_area(key=f"{key}:reason").set_value("The same.")
    handed_in(app, run, "round-1/verdict")
    runner.wait(run.id, 20)
    judged = "round 1 of at most 3, judged · 1 of 2 rounds without improvement"
    assert judged in strip(visit("refine", run=run.id))
    runner.stop(run.id)
    assert judged in strip(visit("refine", run=run.id))


def test_a_run_that_is_stopped_in_its_first_round_says_so(made):
    runner, _ = made
    run = refinement(runner, rounds=3, people=("discriminator",))
    assert runner.work(run.id) == "waiting"
    runner.stop(run.id)
    assert "round 1 of at most 3, not finished" in strip(visit("refine", run=run.id))


def test_a_run_that_is_stopped_before_its_first_round_counts_none(made):
    runner, _ = made
    run = refinement(runner, rounds=3, people=("optimizer",))
    assert runner.work(run.id) == "waiting"
    runner.stop(run.id)
    assert "no round yet, of at most 3" in strip(visit("refine", run=run.id))


def strip(app) -> str:
    """What the line says of the rounds."""
    return next(one.value for one in app.caption if "Improving" in one.value)


def test_a_remark_that_the_built_in_models_rules_cannot_answer_is_said_to_stay_open(made):
    runner, model = made
    runner.workshop.named["builtin"] = model
    models = {"main": "scripted:one", "generator": "builtin"}
    run = refinement(runner, rounds=1, people=("optimizer",), models=models)
    assert runner.work(run.id) == "waiting"
    app, key = visit("refine", run=run.id), seat(run, "round-0/review")
    app.text_area(key=f"{key}:summary").set_value("Too vague.")
    app.text_area(key=f"{key}:r1").set_value("Which naps?").run()
    app.text_area(key=f"{key}:r2").set_value("Name the mechanism.")
    handed_in(app, run, "round-0/review")
    runner.wait(run.id, 20)
    told = [one.value for one in visit("refine", run=run.id, round="1").info]
    assert told == [
        "The review of this round is a person's, and no change answers its r2. The rules of the"
        " built-in model, which revised, could not answer it: it stays open."
    ]
