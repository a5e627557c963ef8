"""What a refinement can be told before it starts: qualities, variant, people, background,
target.
"""

import pytest

from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Indicator, Paper
from tests.support.screens.refine_form_kit import asked, form, refused, runner
from tests.support.scripted import FIRST, PAPERS
from tests.support.visiting import said, settled

__all__ = ["runner"]
RELEVANCE = Indicator(name="clinical relevance", traits=("helps patients", "fits a ward"))


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


@pytest.mark.parametrize(
    ("picked", "name", "says"),
    [
        ([], "", "Pick at least one quality"),
        (["a new one"], "", "Name the new quality"),
        (["a new one"], "Novelty", "There is a quality called “Novelty” already"),
    ],
)
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
    assert "5 qualities are picked; one refinement takes 4" in refused(app, runner)


def test_a_variant_brings_its_own_defaults_but_leaves_what_was_typed(runner):
    app = form(topic="sleep")
    rounds, patience = (
        (lambda: app.number_input(key="refine:rounds")),
        (lambda: app.number_input(key="refine:patience")),
    )
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
    assert "Slower: four calls per round" in said(app)
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


def given(app, paper: str):
    return next(one for one in app.checkbox if one.key.endswith(f":{paper}"))


def test_the_papers_that_will_be_given_are_said_and_those_of_another_field_are_left_out(
    runner, monkeypatch
):
    def like(text, others):
        return [0.3 if "2014" in one else 0.6 for one in others]

    monkeypatch.setattr(runner.workshop.embedder, "similarities", like, raising=False)
    app = form(topic="sleep")
    app.number_input(key="refine:k").set_value(3).run()
    assert [given(app, one.id).value for one in PAPERS[:3]] == [False, True, True]
    assert "2 papers. 1 paper found seems to be of another field and is left out" in said(app)
    assert "unticked" not in said(app)
    assert f"- {PAPERS[1].title}" in said(app)
    given(app, PAPERS[2].id).uncheck().run()
    assert "1 that you unticked is left out." in said(app)
    given(app, PAPERS[0].id).check().run()
    assert asked(app, runner).context == (PAPERS[0], PAPERS[1])


def test_where_nothing_fits_no_papers_are_given_and_the_form_says_so(runner, monkeypatch):
    monkeypatch.setattr(
        runner.workshop.embedder, "similarities", lambda _, others: [0.2] * len(others)
    )
    app = form(topic="sleep")
    assert "The actors draw on no papers: none is ticked" in said(app)
    inputs = asked(app, runner)
    assert (inputs.k, inputs.context) == (0, ())


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
    runner.store.library.add_papers(
        "some run", [*PAPERS, Paper(id="bare", title="Bare", year=2030)]
    )
    kept = runner.store.ideas.save(FIRST, None, "typed")
    app = form(topic="sleep")
    app.number_input(key="refine:lines").set_value(3)
    app.button_group(key="refine:target").set_value("A paper of the library").run()
    assert "Pick the paper that is the target" in refused(app, runner)
    app.selectbox(key="refine:target:paper").set_value("bare").run()
    assert "There is no abstract of “Bare”" in refused(app, runner)
    app.button_group(key="refine:target").set_value("A text").run()
    assert "The idea is empty" in refused(app, runner)
    app.button_group(key="refine:target").set_value("From Ideas").run()
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
