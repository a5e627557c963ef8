"""What a person does in the arena: every control changes what the next revision is asked, once, and
nothing that was typed is lost.
"""

import pytest

from components.shell import person
from core.records import Wish
from core.story import Story
from tests.support.scripted import refinement
from tests.support.steering import after_a_round, file_remark, go_on, made, revisions
from tests.support.visiting import said, settled, visit

__all__ = ["made"]


# -- a remark of one's own ---------------------------------------------------------------------


def test_a_remark_is_asked_of_the_next_revision_and_the_box_is_empty_again(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = file_remark(visit("refine", run=run.id), run, "Use <b>wearables</b>.")
    assert app.text_area(key=f"refine:wish:{run.id}:1").value == ""
    assert "Waits for round 2: Use <b>wearables</b>. (Ada)" in said(app)
    story = go_on(runner, run)
    assert [(wish.id, wish.text, wish.by) for wish in revisions(model)[1]["wishes"]] == [
        ("p1", "Use <b>wearables</b>.", "Ada")
    ]
    assert [len(one.wishes) for one in story.lines[0].rounds] == [0, 1, 0]


def test_a_double_click_files_once_and_says_nothing(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = file_remark(visit("refine", run=run.id), run, "Use wearables.")
    app = settled(app.button(key=f"refine:wish:{run.id}:1:file").click().run())
    assert len(runner.store.answers.pending(run.id)) == 1
    assert not app.error


def test_a_remark_without_a_text_is_a_sentence_that_stays_until_the_next_try(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = file_remark(visit("refine", run=run.id), run, " ")
    for _ in range(2):
        assert "Write the remark first." in said(app)
        app = settled(app.run())
    assert runner.store.answers.pending(run.id) == ()
    assert "Write the remark first." not in said(file_remark(app, run, "Use wearables."))


def test_a_stopped_run_does_not_say_that_its_round_is_being_written(made, monkeypatch):
    runner, model = made
    run = after_a_round(runner, model)
    monkeypatch.setattr("components.refine.steer.taken", lambda scene: True)
    words = said(visit("refine", run=run.id))
    assert "Round 2 had begun when the run stopped" in words
    assert "is being written" not in words


def test_a_remark_needs_no_name(made):
    runner, model = made
    run = after_a_round(runner, model)
    file_remark(visit("refine", run=run.id), run, "Use wearables.", by="")
    assert [one.wish.by for one in runner.store.answers.pending(run.id)] == [person.NOBODY]


def test_a_remark_half_typed_outlives_a_visit_to_another_page(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = visit("refine", run=run.id)
    app.text_area(key=f"refine:wish:{run.id}:1").set_value("Half a thought").run()
    settled(app.switch_page("pages/runs.py").run())
    app = app.switch_page("pages/refine.py")
    app.query_params["run"] = run.id
    assert settled(app.run()).text_area(key=f"refine:wish:{run.id}:1").value == "Half a thought"


def test_a_remark_can_be_withdrawn_until_it_is_taken_up(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = file_remark(visit("refine", run=run.id), run, "Use wearables.")
    number = runner.store.answers.pending(run.id)[0].number
    go_on(runner, run)
    app = settled(app.button(key=f"refine:withdraw:{number}").click().run())
    assert any("taken up already" in one.value for one in app.toast)
    assert [
        wish.text for one in Story.of(runner.store, run.id).lines[0].rounds for wish in one.wishes
    ] == ["Use wearables."]


def test_one_of_several_ideas_is_steered_alone(made):
    runner, _ = made
    run = refinement(runner, rounds=1, lines=2, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    app = file_remark(visit("refine", run=run.id, line="2"), run, "Only the second.", line=2)
    runner.store.runs.change(run.id, cap_tokens=None)
    story = go_on(runner, run)
    assert [[wish.text for wish in line.rounds[0].wishes] for line in story.lines] == [
        [],
        ["Only the second."],
    ]
    app = file_remark(settled(app.run()), run, "Once more.", line=2)
    branch = runner.store.runs.children(run.id)[0]
    runner.wait(branch.id, 20)
    assert branch.config.inputs["only"] == 2
    assert app.query_params["run"] == branch.id
    assert Story.of(runner.store, branch.id).lines[0].n == 2


def test_a_remark_on_a_finished_run_makes_a_branch_that_hears_it(made):
    runner, _ = made
    run = refinement(runner, rounds=1)
    assert runner.work(run.id) == "done"
    before = Story.of(runner.store, run.id)
    app = file_remark(visit("refine", run=run.id), run, "Use wearables.")
    branch = runner.store.runs.children(run.id)[0]
    assert app.query_params["run"] == branch.id
    runner.wait(branch.id, 20)
    rounds = Story.of(runner.store, branch.id).lines[0].rounds
    assert rounds[0] == before.lines[0].rounds[0]
    assert [wish.text for wish in rounds[1].wishes] == ["Use wearables."]
    assert Story.of(runner.store, run.id) == before
    assert runner.store.answers.pending(run.id) == ()


def test_a_remark_that_came_after_the_last_revision_says_so_and_can_go_on_in_a_branch(made):
    runner, _ = made
    run = refinement(runner, rounds=1)
    runner.work(run.id)
    runner.store.answers.wish(run.id, Wish(text="Too late.", by="Bea"))
    app = visit("refine", run=run.id)
    assert "Too late for the last revision:] Too late. (Bea)" in said(app)
    number = runner.store.answers.pending(run.id)[0].number
    settled(app.button(key=f"refine:take-up:{number}").click().run())
    branch = runner.store.runs.children(run.id)[0]
    runner.wait(branch.id, 20)
    assert [wish.by for wish in Story.of(runner.store, branch.id).lines[0].rounds[1].wishes] == [
        "Bea"
    ]


# -- single remarks ----------------------------------------------------------------------------


def decline_key(run, remark: str) -> str:
    return f"refine:decline:{run.id}:1:{remark}"


def test_a_declined_remark_is_not_shown_to_the_next_revision(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = settled(visit("refine", run=run.id).button(key=decline_key(run, "r1")).click().run())
    assert f"Declined by {person.NOBODY}. Accept it after all" in said(app)
    story = go_on(runner, run)
    assert [remark.id for remark in revisions(model)[1]["review"].remarks] == ["r2"]
    assert story.lines[0].rounds[1].declined == {"r1"}


def test_two_people_who_decline_the_same_remark_decline_it_once_and_either_may_take_it_back(made):
    runner, model = made
    run = after_a_round(runner, model)
    ours, theirs = visit("refine", run=run.id), visit("refine", run=run.id)
    for app in (ours, theirs):
        settled(app.button(key=decline_key(run, "r2")).click().run())
    assert len(runner.store.answers.pending(run.id)) == 1
    settled(theirs.button(key=f"{decline_key(run, 'r2')}:undo").click().run())
    assert runner.store.answers.pending(run.id) == ()


def test_a_remark_whose_revision_has_begun_cannot_be_declined_and_a_late_decline_is_explained(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = visit("refine", run=run.id)
    story = go_on(runner, run)
    settled(app.button(key=decline_key(run, "r1")).click().run())
    assert [filed.wish.of for filed in runner.store.answers.pending(run.id)] == [1]
    assert Story.of(runner.store, run.id) == story
    assert "Too late for the last revision:] remark r1 declined" in said(
        visit("refine", run=run.id)
    )
    assert not [
        button
        for button in visit("refine", run=run.id, round="2").button
        if button.label == "Decline"
    ]


# -- the idea rewritten ------------------------------------------------------------------------


def rewrite_key(run, version: int) -> str:
    return f"refine:rewrite:{run.id}:1:{version}"


def test_the_next_revision_starts_from_the_text_a_person_wrote(made):
    runner, model = made
    run = after_a_round(runner, model)
    app, key = visit("refine", run=run.id), rewrite_key(run, 1)
    app.text_area(key=f"{key}:hypothesis").set_value("Naps of *twenty* minutes.")
    for _ in range(2):
        app = settled(app.button(key=f"{key}:file").click().run())
    assert "the idea rewritten" in said(app)
    assert len(runner.store.answers.pending(run.id)) == 1
    story = go_on(runner, run)
    assert revisions(model)[1]["idea"].fields["hypothesis"] == "Naps of *twenty* minutes."
    assert story.lines[0].rounds[1].base == revisions(model)[1]["idea"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("  ", "Nothing is written under Method"), (None, "Nothing is changed yet")],
)
def test_a_rewriting_that_is_none_is_a_sentence(made, text, sentence):
    runner, model = made
    run = after_a_round(runner, model)
    app, key = visit("refine", run=run.id), rewrite_key(run, 1)
    if text is not None:
        app.text_area(key=f"{key}:method").set_value(text)
    assert sentence in said(settled(app.button(key=f"{key}:file").click().run()))
    assert runner.store.answers.pending(run.id) == ()


def test_a_rewriting_whose_round_began_meanwhile_is_kept_and_can_be_played_in_a_branch(made):
    runner, model = made
    run = after_a_round(runner, model)
    app, key = visit("refine", run=run.id), rewrite_key(run, 1)
    app.session_state[f"refine:rewrite:{run.id}:1:open"] = True
    app = settled(app.run())
    app.text_area(key=f"{key}:method").set_value("A diary.").run()
    model.script["verdict"] = lambda request: RuntimeError("the model is gone")
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "failed"
    app = settled(app.run())
    assert "Round 2 began before this was submitted" in said(app)
    assert app.text_area(key=f"{key}:method").value == "A diary."
    model.script["verdict"] = lambda request: {"improved": False, "reason": "No."}
    settled(app.button(key=f"{key}:file").click().run())
    branch = runner.store.runs.children(run.id)[0]
    runner.wait(branch.id, 20)
    assert Story.of(runner.store, branch.id).lines[0].rounds[1].base.fields["method"] == "A diary."
