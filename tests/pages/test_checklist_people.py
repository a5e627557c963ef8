"""What a person does to an evolution on its page: directives accepted and declined, once, and the
run goes on with what was said.
"""

import pytest

from components.checklist import declines
from components.shell import person
from core.judging.evolution_tables import in_words
from core.methods.evolution import EvolveInputs
from core.records import BY_CODE, ITEMS, PRIMARY, Checklist, Evolved, Idea, Judged, Wish
from core.runs.planning import validated
from core.story import Story
from tests.support.evolving import evolving
from tests.support.scripted import configured, runner_of
from tests.support.visiting import host, said, settled, visit
from tests.support.waiting import until_heard

P0 = {
    "topic": "replay",
    "question": "How can replay be gated?",
    "review": "Smith et al., 2024, replay all.",
    "papers": False,
    "steps": 3,
    "step_in": True,
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setattr("core.runs.runner.BEAT", 0.03)
    runner, model = runner_of(tmp_path, evolving())
    host(monkeypatch, runner)
    return runner, model


def waiting(runner, **asked):
    """An evolution that waits for a person's word on its first directives."""
    run = runner.begin(
        configured(runner, "evolve", validated(EvolveInputs, **(P0 | asked))), "replay"
    )
    assert runner.work(run.id) == "waiting"
    return run


def box(run, item, line=1, n=0):
    return f"checklist:follow:{run.id}:{line}:{n}:{item}"


def revise(app, run, line=1, n=0):
    return settled(app.button(key=f"checklist:follow:{run.id}:{line}:{n}:go").click().run())


def directives(model):
    """What each revision was told to do, item by item."""
    return [
        [one.item for one in request.values["directives"]]
        for request in model.requests
        if request.prompt == "evolve-revise"
    ]


def test_what_is_unticked_is_not_followed_and_the_run_goes_on(made):
    runner, model = made
    run = waiting(runner)
    app = visit("checklist", run=run.id)
    assert "The next revision waits for you" in said(app)
    assert "It will follow 6 of 6 directives" in said(app)
    settled(app.checkbox(key=box(run, "risk")).uncheck().run())
    settled(app.checkbox(key=box(run, "grounding")).uncheck().run())
    assert "It will follow 4 of 6 directives" in said(app)
    revise(app, run)
    runner.wait(run.id, 20)
    assert directives(model) == [["feasibility", "problem", "method", "innovation"]]
    assert [one.declined for one in Story.of(runner.store, run.id).all(Evolved)] == [
        (),
        ("grounding", "risk"),
    ]
    assert "Declined: the revision was made without it." in said(
        visit("checklist", run=run.id, step="0")
    )


def test_an_idea_that_a_person_judges_asked_no_model_and_begins_with_its_title(made):
    runner, model = made
    own = Idea(form="hypothesis", fields={"hypothesis": "Naps gate replay. A watch measures it."})
    asked = {"question": own.title, "idea": own, "steps": 1, "judged_by": "person"}
    run = waiting(runner, **asked, step_in=False)
    shown = said(visit("checklist", run=run.id))
    assert model.requests == []
    assert "a person judges, no model is asked" in shown
    assert "none was given, so the idea's title stands for it" in shown
    assert "a person judges, no model" in said(visit("runs"))
    assert "built-in" not in said(visit("runs"))


OF_ANY_FORM = [item.name for item in ITEMS if item.name not in BY_CODE]


def judged(*holding: str) -> Checklist:
    """The seven items that hold for any form, of which these hold."""
    return Checklist(
        items=tuple(
            Judged(item=name, score=int(name in holding), by="a person") for name in OF_ANY_FORM
        )
    )


def test_the_reward_of_one_judgment_says_what_it_counts():
    ended = "Every item was judged."
    secondary = next(
        one.name for one in ITEMS if one.tier == "secondary" and one.name not in BY_CODE
    )
    by_primary = judged(*PRIMARY, secondary)
    assert in_words(f"{ended} R = 5 (r = 5).", by_primary) == (
        ended,
        "6 of 7 items hold. The reward counts the primary ones alone: r = 5.",
    )
    assert in_words(f"{ended} R = 2 (r = 2).", judged(PRIMARY[0], secondary)) == (
        ended,
        "2 of 7 items hold. The reward counts all of them: r = 2.",
    )
    several = in_words(f"{ended} R = 9 (r = 3, 6).", by_primary)[1]
    assert several.startswith("Reward r of each version: 3, 6.")


def test_nothing_is_revised_by_other_directives_than_the_screen_said(made):
    runner, model = made
    run = waiting(runner)
    app, other = visit("checklist", run=run.id), visit("checklist", run=run.id)
    for item in ("risk", "grounding"):
        settled(other.checkbox(key=box(run, item)).uncheck().run())
    app = revise(app, run)
    assert declines.CHANGED in said(app)
    assert "It will follow 4 of 6 directives" in said(app)
    assert app.checkbox(key=box(run, "risk")).value is False
    assert directives(model) == []
    revise(app, run)
    runner.wait(run.id, 20)
    assert directives(model) == [["feasibility", "problem", "method", "innovation"]]


def test_a_press_that_goes_with_a_tick_revises_as_ticked(made):
    runner, model = made
    run = waiting(runner)
    app = visit("checklist", run=run.id)
    app.checkbox(key=box(run, "risk")).uncheck()
    revise(app, run)
    runner.wait(run.id, 20)
    assert [len(told) for told in directives(model)] == [5]


def test_a_box_ticked_again_takes_the_decline_back(made):
    runner, model = made
    run = waiting(runner)
    app = visit("checklist", run=run.id)
    settled(app.checkbox(key=box(run, "risk")).uncheck().run())
    assert [one.wish.decline for one in runner.store.answers.pending(run.id)] == ["risk"]
    settled(app.checkbox(key=box(run, "risk")).check().run())
    assert runner.store.answers.pending(run.id) == ()
    revise(app, run)
    runner.wait(run.id, 20)
    assert "risk" in directives(model)[0]


def test_a_decline_outlives_another_visit_and_says_who(made):
    runner, _ = made
    run = waiting(runner)
    settled(visit("checklist", run=run.id).checkbox(key=box(run, "risk")).uncheck().run())
    assert visit("checklist", run=run.id).checkbox(key=box(run, "risk")).value is False
    assert [one.wish.by for one in runner.store.answers.pending(run.id)] == [person.NOBODY]


def test_an_answer_somebody_else_gave_first_stands(made):
    runner, _ = made
    run = waiting(runner)
    app = visit("checklist", run=run.id)
    settled(app.checkbox(key=box(run, "risk")).uncheck().run())
    runner.answer(run.id, "step-1/declines", {"items": ["method"]}, "Bo")
    runner.wait(run.id, 20)
    assert "was answered by Bo meanwhile" in said(settled(app.run()))
    assert Story.of(runner.store, run.id).all(Evolved)[1].declined == ("risk", "method")


def test_of_several_ideas_each_waits_for_itself(made):
    runner, model = made
    run = waiting(runner, lines=2, steps=2)
    app = visit("checklist", run=run.id)
    assert "Also waiting: idea 2." in said(app)
    settled(app.checkbox(key=box(run, "risk")).uncheck().run())
    revise(app, run)
    app = visit("checklist", run=run.id, line="2")
    revise(app, run, line=2)
    runner.wait(run.id, 20)
    assert sorted("risk" in one for one in directives(model)) == [False, True]


def test_without_step_in_a_directive_is_declined_while_the_run_is_stopped(made):
    runner, model = made
    run = runner.begin(
        configured(runner, "evolve", validated(EvolveInputs, **(P0 | {"step_in": False}))), "replay"
    )
    judge = model.script["checklist-item"]

    def stops(request):
        runner.store.runs.ask_to(run.id, "round")
        until_heard(runner, run.id)
        return judge(request)

    model.script["checklist-item"] = stops
    assert runner.work(run.id) == "stopped"
    model.script["checklist-item"] = judge
    app = visit("checklist", run=run.id)
    settled(app.checkbox(key=box(run, "risk")).uncheck().run())
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert "risk" not in directives(model)[0]


def test_a_finished_or_uninformed_run_offers_nothing_to_choose(made):
    runner, _ = made
    for asked in ({"step_in": False}, {"step_in": False, "informed": False}):
        run = runner.begin(
            configured(runner, "evolve", validated(EvolveInputs, **(P0 | asked))), "replay"
        )
        assert runner.work(run.id) == "done"
        app = visit("checklist", run=run.id, step="1")
        assert not [one for one in app.checkbox if one.key.startswith("checklist:follow")]


def test_what_was_declined_too_late_is_said(made):
    runner, _ = made
    run = runner.begin(
        configured(runner, "evolve", validated(EvolveInputs, **(P0 | {"step_in": False}))), "replay"
    )
    assert runner.work(run.id) == "done"
    runner.store.answers.wish(run.id, Wish(by="Ada", decline="risk", of=0))
    assert "Ada declined risk of step 0 too late" in said(visit("checklist", run=run.id))
