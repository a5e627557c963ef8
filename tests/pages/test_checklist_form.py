"""Starting an evolution on screen: what is begun with, what is refused before the start, and what
code judges at once.
"""

from core.methods.evolution import EvolveInputs
from core.records import Idea
from tests.support.evolving import WELL
from tests.support.screens.checklist_screen import P0, asked, evolved, made, press, runner, text_of
from tests.support.scripted import refinement
from tests.support.visiting import links, said, visit

__all__ = ["made", "runner"]


def test_a_topic_and_one_button_begin_an_evolution_as_the_paper_does(runner):
    inputs = asked(visit("checklist", topic="replay in networks"), runner)
    assert inputs == EvolveInputs(topic="replay in networks")


def test_an_empty_topic_gets_a_sentence_and_starts_nothing(runner):
    assert "The topic is empty" in said(press(visit("checklist")))
    assert not runner.store.runs.listed()


def test_a_question_with_a_review_that_is_pasted_needs_no_papers(runner):
    app = visit("checklist", topic="How can replay be gated?")
    app.checkbox(key="checklist:whole").check()
    app.radio(key="checklist:literature").set_value("A literature review I paste").run()
    assert "Paste the literature review" in said(press(app))
    app.text_area(key="checklist:review").set_value("Smith et al., 2024.").run()
    inputs = asked(app, runner)
    assert (inputs.question, inputs.review, inputs.papers) == (
        "How can replay be gated?",
        "Smith et al., 2024.",
        False,
    )


def test_how_it_is_evolved_and_judged_is_chosen(runner):
    app = visit("checklist", topic="replay")
    app.number_input(key="checklist:steps").set_value(4)
    app.number_input(key="checklist:lines").set_value(3)
    app.radio(key="checklist:informed").set_value(False)
    app.radio(key="checklist:decided").set_value("model")
    app.checkbox(key="checklist:apart").check().run()
    inputs = asked(app, runner)
    assert (
        inputs.steps,
        inputs.lines,
        inputs.informed,
        inputs.decided,
        inputs.apart,
        inputs.step_in,
    ) == (4, 3, False, "model", True, False)


def test_an_idea_of_the_shelf_or_of_a_run_is_taken_by_its_address(runner):
    own = Idea(form="headed", fields={"text": WELL})
    runner.store.ideas.save(own, None, "by hand")
    assert asked(visit("checklist", idea=runner.store.ideas.name(own)), runner).idea == own
    done = refinement(runner, rounds=2)
    assert runner.work(done.id) == "done"
    assert asked(visit("checklist", **{"from": done.id}), runner).idea.title == "Version 1"


def test_the_idea_of_an_evolution_brings_its_question_and_review(runner):
    done = evolved(runner)
    inputs = asked(visit("checklist", **{"from": done.id}), runner)
    assert (inputs.question, inputs.review, inputs.idea.form) == (
        P0["question"],
        P0["review"],
        "headed",
    )


def test_with_the_built_in_model_the_button_is_off_and_says_why_before(runner):
    for role in ("main", "generator", "judge", "scorer"):
        runner.store.places.choose(f"model-{role}", "builtin")
    app = visit("checklist", topic="replay")
    assert "Ideas are written and judged by a language model" in said(app)
    assert "judging the items" in said(app)
    assert app.button(key="checklist:go").disabled
    assert any(link.page == "settings" or "settings" in link.page for link in links(app))


def test_layout_and_length_are_checked_at_once_without_a_model_and_without_a_run(runner):
    for role in ("main", "generator", "judge"):
        runner.store.places.choose(f"model-{role}", "builtin")
    app = visit("checklist")
    app.button_group(key="checklist:start").set_value("An idea").run()
    app.text_area(key="checklist:idea").set_value(
        WELL.replace("- The gate may not learn; then a fixed schedule serves.\n", "")
    ).run()
    shown = said(press(app, "checklist:check:go"))
    assert "**8 Length** fails" in shown
    assert "Limitations and Risks has 2 bullets." in shown
    assert "**9 Layout** holds" in shown
    assert 'data-items="length"' in text_of(app)
    assert not runner.store.runs.listed()


def test_an_idea_without_headings_is_told_what_judges_it(runner):
    app = visit("checklist")
    app.button_group(key="checklist:start").set_value("An idea").run()
    app.text_area(key="checklist:idea").set_value("Naps restore memory.").run()
    assert "judged by the seven items" in said(app)
    assert "Limitations and Risks" in said(app)
    assert "Write it under Title, Core Problem, Approach" in said(press(app, "checklist:check:go"))


def test_what_the_address_chose_to_begin_with_stands_there_and_nothing_else_chooses(runner, caplog):
    mine = runner.store.ideas.save(
        Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."}), None, ""
    )
    app = visit("checklist", idea=mine)
    assert app.button_group(key="checklist:start").value == "An idea"
    assert "checklist:start" not in caplog.text, "a default beside it is a warning in the log"
    assert visit("checklist").button_group(key="checklist:start").value == "A topic or question"
