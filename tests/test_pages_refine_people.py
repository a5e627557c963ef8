"""What a person does in the arena: every control changes what the next revision is asked, once, and nothing that was typed is lost."""
import time

import pytest

from components import person, refine_notes
from core.methods.presets import NOVELTY
from core.records import Idea, Packed, Review, Wish
from core.story import Story
from tests.scripted import refine_script, refinement, runner_of
from tests.visiting import host, said, settled, visit

REMARKS = [{"id": "r1", "text": "Name the mechanism.", "trait": "originality"}, {"id": "r2", "text": "Say what <b>refutes</b> it.", "trait": ""}]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A runner whose pages are open, and its model."""
    runner, model = runner_of(tmp_path, refine_script([True, False, False]) | {"review": lambda _: {"summary": "It falls short.", "remarks": REMARKS}})
    host(monkeypatch, runner)
    return runner, model


def after_a_round(runner, model, **asked):
    """Return a refinement that was stopped after its first round: the review of version 1 is there, its revision has not begun."""
    run, say = refinement(runner, **asked), model.script["verdict"]

    def asks_to_stop(request):
        runner.store.runs.ask_to(run.id, "round")
        time.sleep(0.7)  # The runner looks twice a second.
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


# -- a remark of one's own -----------------------------------------------------------------------------------


def test_a_remark_is_asked_of_the_next_revision_and_the_box_is_empty_again(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = file_remark(visit("refine", run=run.id), run, "Use <b>wearables</b>.")
    assert app.text_area(key=f"refine:wish:{run.id}:1").value == ""
    assert "Waits for round 2: Use <b>wearables</b>. (Ada)" in said(app)
    story = go_on(runner, run)
    assert [(wish.id, wish.text, wish.by) for wish in revisions(model)[1]["wishes"]] == [("p1", "Use <b>wearables</b>.", "Ada")]
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
    assert [wish.text for one in Story.of(runner.store, run.id).lines[0].rounds for wish in one.wishes] == ["Use wearables."]


def test_one_of_several_ideas_is_steered_alone(made):
    runner, _ = made
    run = refinement(runner, rounds=1, lines=2, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    app = file_remark(visit("refine", run=run.id, line="2"), run, "Only the second.", line=2)
    runner.store.runs.change(run.id, cap_tokens=None)
    story = go_on(runner, run)
    assert [[wish.text for wish in line.rounds[0].wishes] for line in story.lines] == [[], ["Only the second."]]
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
    assert "Came too late for the last revision:] Too late. (Bea)" in said(app)
    number = runner.store.answers.pending(run.id)[0].number
    settled(app.button(key=f"refine:take-up:{number}").click().run())
    branch = runner.store.runs.children(run.id)[0]
    runner.wait(branch.id, 20)
    assert [wish.by for wish in Story.of(runner.store, branch.id).lines[0].rounds[1].wishes] == ["Bea"]


# -- single remarks ------------------------------------------------------------------------------------------


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


def test_a_remark_whose_revision_has_begun_cannot_be_declined_and_a_decline_that_came_too_late_is_explained(made):
    runner, model = made
    run = after_a_round(runner, model)
    app = visit("refine", run=run.id)
    story = go_on(runner, run)
    settled(app.button(key=decline_key(run, "r1")).click().run())
    assert [filed.wish.of for filed in runner.store.answers.pending(run.id)] == [1]
    assert Story.of(runner.store, run.id) == story
    assert "Came too late for the last revision:] remark r1 declined" in said(visit("refine", run=run.id))
    assert not [button for button in visit("refine", run=run.id, round="2").button if button.label == "Decline"]


# -- the idea rewritten --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("text", "sentence"), [("  ", "Nothing is written under Method"), (None, "Nothing is changed yet")])
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
    assert "Round 2 began before this was filed" in said(app)
    assert app.text_area(key=f"{key}:method").value == "A diary."
    model.script["verdict"] = lambda request: {"improved": False, "reason": "No."}
    settled(app.button(key=f"{key}:file").click().run())
    branch = runner.store.runs.children(run.id)[0]
    runner.wait(branch.id, 20)
    assert Story.of(runner.store, branch.id).lines[0].rounds[1].base.fields["method"] == "A diary."


# -- notes ---------------------------------------------------------------------------------------------------


@pytest.fixture
def done(made):
    runner, _ = made
    run = refinement(runner, rounds=2)
    assert runner.work(run.id) == "done"
    return runner, run


def note_key(run, about: str) -> str:
    return f"refine:note:{run.id}:{about}"


def test_notes_stand_where_they_were_written_with_author_and_are_text(done):
    runner, run = done
    app = visit("refine", run=run.id, round="2")
    for about, text in (("round-2/idea", "The <b>dose</b> is missing."), ("round-1/review", "I would *decline* r2.")):
        app = settled(app.button(key=note_key(run, about)).click().run())
        app.text_area(key=f"{note_key(run, about)}:text").set_value(text)
        app.text_input(key=f"{note_key(run, about)}:by").set_value("Bea")
        app = settled(app.button(key=f"{note_key(run, about)}:keep").click().run())
    assert [(note.about, note.text, note.by) for note in runner.store.notes.of(run.id)] == [
        ("round-2/idea", "The <b>dose</b> is missing.", "Bea"), ("round-1/review", "I would *decline* r2.", "Bea")]
    shown = said(visit("refine", run=run.id, round="2"))
    assert "The <b>dose</b> is missing." in shown
    assert "**Bea** · just now" in shown
    assert "I would *decline* r2." not in said(visit("refine", run=run.id, round="0"))


def test_a_note_can_be_left_and_one_without_text_is_a_sentence(done):
    runner, run = done
    key = note_key(run, "round-2/idea")
    app = settled(visit("refine", run=run.id).button(key=key).click().run())
    app = settled(app.button(key=f"{key}:keep").click().run())
    assert "Write the note first" in said(settled(app.run()))
    app = settled(app.button(key=f"{key}:leave").click().run())
    assert "Write the note first" not in said(app)
    assert runner.store.notes.of(run.id) == ()


def test_the_key_n_opens_the_note_on_the_idea_that_is_looked_at(done):
    _, run = done
    app = visit("refine", run=run.id, round="1")
    app.session_state[refine_notes.OPEN] = True
    assert settled(app.run()).text_area(key=f"{note_key(run, 'round-1/idea')}:text").label == "Note on the idea of round 1"


def test_a_note_is_removed(done):
    runner, run = done
    note = runner.store.notes.add(run.id, "round-2/idea", "Wrong place.", "Ada")
    settled(visit("refine", run=run.id, round="2").button(key=f"refine:unnote:{note.id}").click().run())
    assert runner.store.notes.of(run.id) == ()


def test_a_name_is_given_once_and_stands_in_every_box(done):
    _, run = done
    app = visit("refine", run=run.id, round="2")
    app.text_input(key=f"refine:wish:{run.id}:1:by").set_value(" Ada  Byron ").run()
    app = settled(app.button(key=note_key(run, "round-2/idea")).click().run())
    assert app.text_input(key=f"{note_key(run, 'round-2/idea')}:by").value == "Ada Byron"
    assert app.text_input(key=f"refine:branch:{run.id}:1:2:by").value == "Ada Byron"


def test_a_case_study_shows_its_notes_and_offers_nothing(done):
    runner, run = done
    runner.store.notes.add(run.id, "round-2/idea", "Seen from far.", "Ada")
    packed = Packed(title="A case", at="2026-01-01T00:00:00+00:00", sha="0" * 64)
    runner.store.connections.write("UPDATE runs SET packed = ? WHERE id = ?", packed.model_dump_json(), run.id)
    app = visit("refine", run=run.id, round="2")
    assert "Seen from far." in said(app)
    for key in ("refine:unnote", "refine:note:", "refine:branch", "refine:wish", "refine:decline", "refine:rewrite"):
        assert not [one for one in (*app.button, *app.text_area, *app.text_input) if str(one.key).startswith(key)], key


# -- a person in an actor's place ----------------------------------------------------------------------------


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
    assert [(one.id, one.text, one.trait) for one in review.remarks] == [("r1", "Which naps?", ""), ("r2", "Which memory?", NOVELTY.traits[3])]
    assert runner.store.steps.get(run.id, "round-0/review").origin.name == "Ada"


def test_a_person_is_the_area_chair(made):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    app, key = visit("refine", run=run.id), seat(run, "round-1/verdict")
    assert "Which" not in said(app)
    assert "Older version" in said(app)
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
    assert asked["idea"] == Idea(form="hypothesis", fields={"hypothesis": "Short naps restore memory."})


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
    assert "answered by Bea" not in said(settled(app.button(key=f"answering:away:{run.id}").click().run()))


def test_the_home_screen_lists_what_waits_for_a_person_first_and_says_what_is_asked(made, monkeypatch):
    runner, _ = made
    run = waiting_for(runner, "discriminator")
    later = refinement(runner, cap_tokens=10)
    runner.work(later.id)
    shown = said(visit_home())
    assert "asks you for round 1: verdict" in shown
    assert shown.index("Waiting for you") < shown.index("Paused at a cap")
    assert run.id != later.id


def visit_home():
    from streamlit.testing.v1 import AppTest

    from tests.visiting import ROOT
    return settled(AppTest.from_file(str(ROOT / "app.py"), default_timeout=20).run())


def test_an_area_chair_sees_no_review_until_the_verdict_is_handed_in(made):
    runner, _ = made
    run = refinement(runner, variant="review-rebuttal", people=("discriminator",), rounds=2)
    assert runner.work(run.id) == "waiting"
    shown = said(visit("refine", run=run.id))
    assert "without the review" in shown
    assert "It falls short." not in shown
