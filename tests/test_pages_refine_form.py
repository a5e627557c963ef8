"""Starting a refinement on screen: one topic and one button, and everything else it can be told."""
import pytest

from components import asking, refine_form
from core.estimates import role_of
from core.methods import ACTORS, METHODS, RefineInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Idea, Indicator, Paper
from tests.scripted import FIRST, PAPERS, chain, chain_script, refine_script, refinement, runner_of
from tests.visiting import host, said, settled, visit

RELEVANCE = Indicator(name="clinical relevance", traits=("helps patients", "fits a ward"))


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]) | chain_script())
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "selector"):
        runner.store.places.choose(f"model-{role}", "scripted:one")
    return runner


def form(**address):
    return visit("refine", **address)


def go(app):
    return settled(app.button(key="refine:go").click().run())


def asked(app, runner) -> RefineInputs:
    """Press the button and return what the run it began is asked for."""
    go(app)
    runs = runner.store.runs.listed(states=("queued",))
    assert len(runs) == 1, said(app)
    assert app.query_params["run"] in (runs[0].id, [runs[0].id])
    return RefineInputs.model_validate(runs[0].config.inputs)


def refused(app, runner) -> str:
    """Press the button and return what the page says; nothing may have started."""
    go(app)
    assert not runner.store.runs.listed(states=("queued",))
    return said(app)


def test_a_topic_and_one_button_start_the_game_as_the_paper_plays_it(runner):
    inputs = asked(form(topic="sleep and memory"), runner)
    assert inputs == RefineInputs.model_validate({"topic": "sleep and memory", "play": {"goals": [NOVELTY]}})


def test_an_empty_topic_gets_a_sentence_and_starts_nothing(runner):
    assert "The topic is empty" in refused(form(), runner)


def test_a_second_click_of_the_same_button_starts_no_second_run(runner, monkeypatch):
    app = form(topic="sleep")
    go(app)
    for clicks in (1, 2):
        del app.query_params["run"]
        settled(app.run())
        go(app)
        assert len(runner.store.runs.listed()) == clicks
        monkeypatch.setattr(refine_form, "TWICE", 0.0)


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
    case = next(one for one in app.selectbox(key="refine:from").options if one.startswith("Case study"))
    settled(app.selectbox(key="refine:from").select(case).run())
    inputs = asked(app, runner)
    assert inputs.idea
    assert str(inputs.from_run).startswith("case-")


def test_a_run_without_an_idea_says_so_and_nothing_starts(runner):
    empty = chain(runner)
    app = form(**{"from": empty.id})
    assert "has no idea to refine yet" in said(app)
    assert "has no idea to refine yet" in refused_beside(app, runner, empty.id)


def refused_beside(app, runner, other: str) -> str:
    go(app)
    assert [run.id for run in runner.store.runs.listed()] == [other]
    return said(app)


def test_several_qualities_are_played_in_the_order_that_is_chosen(runner):
    app = form(topic="sleep")
    app.button_group(key="refine:goals").set_value(["novelty", "feasibility"]).run()
    assert "disruptiveness" in said(app)
    assert "scalability" in said(app)
    app.button_group(key="refine:order").set_value("taking turns").run()
    play = asked(app, runner).play
    assert (play.goals, play.order) == ((NOVELTY, FEASIBILITY), "taking turns")


def test_a_new_quality_is_kept_when_the_run_starts_and_can_be_forgotten(runner):
    app = form(topic="sleep")
    app.button_group(key="refine:goals").set_value(["a new one"]).run()
    app.text_input(key="refine:own").set_value(RELEVANCE.name)
    app.text_area(key="refine:traits").set_value("helps patients\n\n fits a ward ").run()
    assert runner.store.indicators.all() == ()
    assert asked(app, runner).play.goals == (RELEVANCE,)
    assert runner.store.indicators.all() == (RELEVANCE,)
    del app.query_params["run"]
    settled(app.run())
    assert app.button_group(key="refine:goals").value == [RELEVANCE.name]
    settled(app.button(key=f"refine:goals:forget:{RELEVANCE.name}").click().run())
    assert runner.store.indicators.all() == ()


@pytest.mark.parametrize(("picked", "name", "says"), [
    ([], "", "Pick at least one quality"), (["a new one"], "", "Name the new quality"),
    (["a new one"], "Novelty", "There is a quality called “Novelty” already"),
])
def test_a_quality_that_is_missing_or_half_told_is_a_sentence(runner, picked, name, says):
    app = form(topic="sleep")
    app.button_group(key="refine:goals").set_value(picked).run()
    if name:
        app.text_input(key="refine:own").set_value(name)
        app.text_area(key="refine:traits").set_value("a trait")
    assert says in refused(app, runner)
    assert app.text_area(key="refine:topic").value == "sleep"


def test_a_fifth_quality_is_refused(runner):
    for n in range(5):
        runner.store.indicators.keep(Indicator(name=f"quality {n}", traits=("t",)))
    app = form(topic="sleep")
    app.button_group(key="refine:goals").set_value([f"quality {n}" for n in range(5)]).run()
    assert "5 qualities are picked; one game takes 4" in refused(app, runner)


def test_a_variant_brings_its_own_defaults_but_leaves_what_was_typed(runner):
    app = form(topic="sleep")
    rounds, patience = (lambda: app.number_input(key="refine:rounds")), (lambda: app.number_input(key="refine:patience"))
    assert (rounds().value, patience().value) == (10, 2)
    app.radio(key="refine:variant").set_value("no-discriminator").run()
    assert rounds().value == 7
    app.radio(key="refine:variant").set_value("self-reflection").run()
    assert (rounds().value, patience().value) == (10, 1)
    rounds().set_value(4).run()
    app.radio(key="refine:variant").set_value("no-discriminator").run()
    assert rounds().value == 4
    play = asked(app, runner).play
    assert (play.variant, play.rules.max_rounds) == ("no-discriminator", 4)


def test_the_printed_algorithm_stops_at_the_first_quiet_verdict_whatever_was_typed_before(runner):
    app = form(topic="sleep")
    app.number_input(key="refine:patience").set_value(3).run()
    app.checkbox(key="refine:person:optimizer").check().run()
    app.checkbox(key="refine:printed").check().run()
    assert "Slower: four calls a round" in said(app)
    play = asked(app, runner).play
    assert (play.printed, play.rules.patience, play.people) == (True, 1, ())


def test_what_another_variant_has_no_use_for_waits_and_does_no_harm(runner):
    app = form(topic="sleep")
    app.checkbox(key="refine:printed").check().run()
    app.radio(key="refine:variant").set_value("initial").run()
    assert app.checkbox(key="refine:printed").disabled
    assert asked(app, runner).play.most == 0


def test_people_in_roles_are_told_before_the_start_that_the_run_will_wait(runner):
    app = form(topic="sleep")
    app.radio(key="refine:variant").set_value("review-rebuttal").run()
    assert app.checkbox(key="refine:person:discriminator").label.endswith("Area chair")
    app.checkbox(key="refine:person:discriminator").check()
    app.checkbox(key="refine:step-in").check().run()
    assert "The run will wait for you as area chair, and before every revision" in said(app)
    play = asked(app, runner).play
    assert (play.people, play.step_in) == (("discriminator",), True)


def background(app, way):
    return settled(app.radio(key="refine:background").set_value(way).run())


def test_without_papers_the_form_says_so_and_none_are_looked_for(runner):
    app = background(form(topic="sleep"), "None at all")
    assert "The actors draw on no papers" in said(app)
    inputs = asked(app, runner)
    assert (inputs.k, inputs.context) == (0, ())


def test_papers_picked_from_the_library_become_the_background(runner):
    runner.store.library.add_papers("some run", PAPERS)
    app = background(form(topic="sleep"), "Papers of the library")
    assert "Pick at least one paper of the library" in refused(app, runner)
    app.text_input(key="refine:papers:text").set_value("2015").run()
    app.multiselect(key="refine:papers").set_value(["p2015"]).run()
    app.text_input(key="refine:papers:text").set_value("2020").run()
    assert app.multiselect(key="refine:papers").value == ["p2015"]
    assert asked(app, runner).context == (PAPERS[1],)


def test_pasted_abstracts_become_the_background(runner):
    app = background(form(topic="sleep"), "Abstracts I paste")
    assert "Paste at least one abstract" in refused(app, runner)
    app.text_area(key="refine:abstracts").set_value("Naps\nThey help.\n\nLight\nIt wakes.").run()
    assert [paper.title for paper in asked(app, runner).context] == ["Naps", "Light"]


def test_a_target_is_a_paper_a_text_or_a_kept_idea(runner):
    runner.store.library.add_papers("some run", [*PAPERS, Paper(id="bare", title="Bare", year=2030)])
    kept = runner.store.ideas.save(FIRST, None, "typed")
    app = form(topic="sleep")
    app.number_input(key="refine:lines").set_value(3)
    app.button_group(key="refine:target").set_value("A paper of the library").run()
    assert "Pick the paper that is the target" in refused(app, runner)
    app.selectbox(key="refine:target:paper").set_value("bare").run()
    assert "There is no abstract of “Bare”" in refused(app, runner)
    app.button_group(key="refine:target").set_value("A text").run()
    assert "The idea is empty" in refused(app, runner)
    app.button_group(key="refine:target").set_value("A kept idea").run()
    app.selectbox(key="refine:target:kept").set_value(kept)
    app.number_input(key="refine:repeats").set_value(5)
    app.checkbox(key="refine:same-form").uncheck().run()
    inputs = asked(app, runner)
    assert (inputs.target, inputs.lines, inputs.repeats, inputs.same_form) == (FIRST, 3, 5, False)


def test_a_paper_as_target_brings_its_title_and_abstract(runner):
    runner.store.library.add_papers("some run", PAPERS)
    app = form(topic="sleep")
    app.button_group(key="refine:target").set_value("A paper of the library").run()
    app.selectbox(key="refine:target:paper").set_value("p2015").run()
    target = asked(app, runner).target
    assert target
    assert PAPERS[1].title in target.text
    assert PAPERS[1].abstract in target.text


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
    assert models == {"generator": "scripted:one", "optimizer": "scripted:one", "discriminator": "scripted:one", "judge": "scripted:two"}


def test_every_prompt_of_every_method_has_a_role_a_model_can_be_chosen_for():
    assert {role_of(prompt) for method in METHODS.values() for prompt in method.prompts} <= set(asking.DOES)


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
    assert (app.radio(key="refine:variant").value, app.number_input(key="refine:rounds").value) == ("review-rebuttal", 4)
    assert app.text_area(key="refine:topic").value == "sleep"


def test_refinements_there_are_say_for_which_quality_they_were_made(runner):
    refinement(runner, goals=(NOVELTY, FEASIBILITY), lines=2)
    assert "novelty, feasibility · 2 ideas" in said(form())
