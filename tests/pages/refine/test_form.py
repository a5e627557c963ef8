"""Starting a refinement on screen: one topic and one button, and everything else it can be told."""

from urllib.parse import parse_qs

from components.runs import asking
from core.methods import RefineInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Idea
from core.runs.catalogue import ACTORS, METHODS
from core.runs.estimates import role_of
from tests.support.arena_kit import entry
from tests.support.report_kit import idea
from tests.support.screens.refine_form_kit import asked, form, go, refused, runner
from tests.support.scripted import chain, refinement
from tests.support.visiting import links, said, settled, visit

__all__ = ["runner"]


def refused_beside(app, runner, other: str) -> str:
    go(app)
    assert [run.id for run in runner.store.runs.listed()] == [other]
    return said(app)


def test_a_topic_and_one_button_start_the_game_as_the_paper_plays_it(runner):
    runner.workshop.embedder.state = "loading"  # Then the run looks for its papers by itself.
    inputs = asked(form(topic="sleep and memory"), runner)
    assert inputs == RefineInputs.model_validate(
        {"topic": "sleep and memory", "play": {"goals": [NOVELTY]}}
    )


def test_an_empty_topic_gets_a_sentence_and_starts_nothing(runner):
    assert "The topic is empty" in refused(form(), runner)


def test_a_cap_below_nothing_gets_a_sentence_and_starts_nothing(runner):
    app = form(topic="sleep")
    app.number_input(key="refine:cap").set_value(-5.0).run()
    assert "A cap of -5 dollars would let nothing begin" in said(app)
    assert "leave the field empty" in refused(app, runner)


def test_a_second_click_of_the_same_button_starts_no_second_run(runner, monkeypatch):
    app = form(topic="sleep")
    go(app)
    for clicks in (1, 2):
        del app.query_params["run"]
        settled(app.run())
        go(app)
        assert len(runner.store.runs.listed()) == clicks
        monkeypatch.setattr("components.shell.clicks.TWICE", 0.0)


def test_an_idea_that_is_typed_is_begun_with_and_needs_no_topic(runner):
    app = form()
    app.button_group(key="refine:start").set_value("An idea I type").run()
    app.text_area(key="refine:idea").set_value("Naps restore memory.").run()
    inputs = asked(app, runner)
    assert inputs.idea == Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."})
    assert inputs.topic == "Naps restore memory."


def test_an_address_brings_the_idea_of_a_run_with_its_papers(runner):
    done = chain(runner)
    assert runner.work(done.id) == "done"
    inputs = asked(form(**{"from": done.id}), runner)
    assert (inputs.from_run, len(inputs.context)) == (done.id, 5)
    assert inputs.idea
    assert inputs.idea.title.startswith("Idea 1")


def test_a_run_that_is_not_there_is_said_and_no_other_is_taken_for_it(runner):
    done = chain(runner)
    assert runner.work(done.id) == "done"
    app = form(**{"from": "nope"})
    assert "There is no run nope here" in said(app)
    assert app.selectbox(key="refine:from").value is None
    assert "Choose a finished run" in refused_beside(app, runner, done.id)
    settled(app.selectbox(key="refine:from").set_value(done.id).run())
    assert "There is no run nope here" not in said(app)
    assert asked(app, runner).from_run == done.id


def test_of_a_run_with_several_ideas_one_is_chosen_and_an_address_may_name_it(runner):
    done = refinement(runner, idea=None, lines=3)
    assert runner.work(done.id) == "done"
    app = form(**{"from": done.id, "line": "2"})
    assert app.radio(key="refine:line").value == 2
    app.radio(key="refine:line").set_value(3).run()
    assert asked(app, runner).from_run == done.id


def test_the_case_studies_that_come_with_the_program_can_be_refined_further(runner):
    app = form()
    app.button_group(key="refine:start").set_value("A run's idea").run()
    case = next(
        one for one in app.selectbox(key="refine:from").options if one.startswith("Case study")
    )
    settled(app.selectbox(key="refine:from").select(case).run())
    inputs = asked(app, runner)
    assert inputs.idea
    assert str(inputs.from_run).startswith("case-")


def test_a_run_without_an_idea_says_so_and_nothing_starts(runner):
    empty = chain(runner)
    app = form(**{"from": empty.id})
    assert "has no idea to refine yet" in said(app)
    assert "has no idea to refine yet" in refused_beside(app, runner, empty.id)


def test_the_built_in_model_says_before_the_start_that_it_ranks_nothing(runner, monkeypatch):
    runner.store.places.choose("model-main", "builtin")
    app = form(topic="sleep")
    assert "cannot do this part" not in said(app)
    app.button_group(key="refine:target").set_value("A text").run()
    assert "The built-in model cannot do this part: ranking the idea with the target" in said(app)


def test_every_actor_plays_with_the_main_model_unless_one_is_given_its_own(runner, monkeypatch):
    monkeypatch.setattr(asking, "known_models", lambda role: ["scripted:two"])
    app = form(topic="sleep")
    assert all(app.selectbox(key=f"refine:model-{role}").value == asking.AS_MAIN for role in ACTORS)
    runner.workshop.named["scripted:two"] = runner.workshop.named["scripted:one"]
    app.selectbox(key="refine:model-judge").set_value("scripted:two").run()
    asked(app, runner)
    models = runner.store.runs.listed()[0].config.models
    assert models == {
        "generator": "scripted:one",
        "optimizer": "scripted:one",
        "discriminator": "scripted:one",
        "judge": "scripted:two",
    }


def test_every_prompt_of_every_method_has_a_role_a_model_can_be_chosen_for():
    assert {role_of(prompt) for method in METHODS.values() for prompt in method.prompts} <= set(
        asking.DOES
    )


def test_what_was_typed_is_there_again_after_another_page(runner):
    app = form(topic="sleep")
    app.button_group(key="refine:goals").set_value(["feasibility", "a new one"])
    app.radio(key="refine:variant").set_value("review-rebuttal")
    app.radio(key="refine:background").set_value("Abstracts I paste")
    app.number_input(key="refine:rounds").set_value(4).run()
    app.text_input(key="refine:own").set_value("clinical relevance")
    app.text_area(key="refine:abstracts").set_value("Naps").run()
    settled(app.switch_page("pages/library.py").run())
    settled(app.switch_page("pages/refine.py").run())
    assert app.button_group(key="refine:goals").value == ["feasibility", "a new one"]
    assert app.text_input(key="refine:own").value == "clinical relevance"
    assert app.text_area(key="refine:abstracts").value == "Naps"
    assert (app.radio(key="refine:variant").value, app.number_input(key="refine:rounds").value) == (
        "review-rebuttal",
        4,
    )
    assert app.text_area(key="refine:topic").value == "sleep"


def test_refinements_there_are_say_for_which_quality_they_were_made(runner):
    refinement(runner, goals=(NOVELTY, FEASIBILITY), lines=2)
    assert "novelty, feasibility · 2 ideas" in said(form())


def test_an_idea_of_the_page_ideas_is_refined_from_its_card_in_its_own_form(runner):
    ideas = runner.store.ideas
    mine = ideas.save(idea("Mine."), None, "written by hand")
    entry_ = entry(runner.store, "chain", "naps and memory", idea("Theirs."))
    runner.store.entries.add(((entry_, "from a file"),))
    theirs = entry_.sha[:16]
    assert sorted(ways_on(visit("ideas"))) == sorted([mine, theirs])
    app = form(idea=theirs)
    assert app.button_group(key="refine:start").value == "From Ideas"
    inputs = asked(app, runner)
    assert inputs.idea == idea("Theirs.")
    assert inputs.topic == "naps and memory"


def ways_on(app) -> list[str]:
    """Return the ideas that the cards of the page Ideas lead on with, to Refine."""
    return [
        parse_qs(one.query_string)["idea"][0]
        for one in links(app)
        if (one.label, one.page) == ("Refine this idea", "refine")
    ]


def test_an_idea_beyond_those_offered_is_begun_with_and_a_lost_one_is_not_replaced(
    runner, monkeypatch
):
    monkeypatch.setattr("components.shell.idea_names.OFFERED", 2)
    named = [runner.store.ideas.save(idea(f"N {n}."), None, "written by hand") for n in range(5)]
    # Which come first is chance where all were kept at one moment.
    first = {one.id for one in runner.store.ideas.listed(limit=2)}
    beyond = next(one for one in named if one not in first)
    app = form(idea=beyond)
    assert app.selectbox(key="refine:kept").value == beyond
    assert "3 of 5 ideas are offered" in said(app)
    assert form().session_state["refine:start"] != "From Ideas"
    lost = form(idea="gone")
    assert "There is no idea 'gone'" in said(lost)
    assert lost.selectbox(key="refine:kept").value is None
    assert "Choose an idea of the page Ideas" in refused(lost, runner)


def test_without_any_idea_the_page_ideas_is_named(runner):
    app = form()
    settled(app.button_group(key="refine:start").set_value("From Ideas").run())
    assert "There is no idea yet" in said(app)
