"""A person's seat on the pages of ranking and checklist: blind, nothing preselected, nothing lost,
and what is not whole is told before it is handed in.
"""

import re

import pytest

from components.shell import in_view
from core.judging.ranked_sets import RankInputs
from core.methods.evolution import EvolveInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Evolved, Standing
from core.runs.planning import validated
from core.story import Story
from tests.core.judging.test_checklist_person import OWN, P0, SEVEN
from tests.core.judging.test_ranking_person import IDEAS, ONE
from tests.support.evolving import WELL, evolving
from tests.support.scripted import configured, runner_of
from tests.support.sweep_kit import runner_of as several
from tests.support.visiting import host, said, settled, visit


@pytest.fixture
def hosting(monkeypatch):
    def hosted(runner):
        host(monkeypatch, runner)
        real = type(runner.workshop).__mro__[1].builtin
        runner.workshop.named["builtin"] = real(runner.workshop)
        return runner

    return hosted


@pytest.fixture
def ranks(tmp_path, hosting):
    return hosting(several(tmp_path)[0])


@pytest.fixture
def judges(tmp_path, hosting):
    return hosting(runner_of(tmp_path, evolving())[0])


def click(app, key):
    return settled(app.button(key=key).click().run())


# -- ranking -----------------------------------------------------------------------------------


def order_asked(runner, by="person", goals=(NOVELTY,)):
    inputs = validated(RankInputs, topic="Mine", goals=goals, sets=(ONE,), repeats=2, judged_by=by)
    run = runner.begin(
        configured(runner, "rank", inputs, models={"judge": "scripted:judge"}), "Mine"
    )
    assert runner.work(run.id) == "waiting"
    return run


def seat(run, goal="novelty"):
    return f"ranks:seat:{run.id}:person/final/{goal}/repeat-1/rank"


def test_with_the_built_in_model_alone_one_ranks_oneself(ranks):
    ranks.store.places.choose("model-judge", "builtin")
    app = visit("ranking")
    settled(app.text_area(key="ranks:typed").set_value("Naps help.\n---\nLight harms.").run())
    assert "1 order by you, free; no model is asked" in said(app)
    app = click(app, "ranks:go")
    (run,) = ranks.store.runs.listed(method="rank")
    ranks.wait(run.id, 20)
    assert ranks.store.runs.get(run.id).state == "waiting"
    assert run.config.inputs["judged_by"] == "person"
    assert "Which has most novelty?" in said(visit("ranking", run=run.id))


def test_a_judge_that_cannot_rank_is_replaced_by_oneself_at_a_press(ranks):
    ranks.store.places.choose("model-judge", "scripted:judge")
    app = visit("ranking")
    settled(app.multiselect(key="ranks:judges").set_value(["builtin"]).run())
    app = click(app, "ranks:myself")
    assert app.session_state["ranks:by"] == "person"
    assert "cannot rank ideas" not in said(app)


def test_the_seat_is_blind_and_preselects_nothing(ranks):
    run = order_asked(ranks, by="both")
    app = visit("ranking", run=run.id)
    text = said(app)
    assert not any(name in text for name in IDEAS)
    assert "The candidates" not in text
    assert app.button(key=f"{seat(run)}:go").disabled
    assert "4 candidates without a place yet" in text


def test_an_order_is_given_by_buttons_taken_back_outlives_a_reload_and_is_handed_in(ranks):
    run = order_asked(ranks)
    app, key = visit("ranking", run=run.id), seat(run)
    for letter in "CAB":
        app = click(app, f"{key}:take:{letter}")
    app = click(app, f"{key}:undo")
    app = settled(app.text_input(key=f"{key}:why:C").set_value("It is new.").run())
    app = visit("ranking", run=run.id)
    assert app.session_state[f"{key}:order"] == ["C", "A"]
    box = app.text_input(key=f"{key}:why:C")
    assert box.value == "It is new."
    assert re.fullmatch(r"Place \d: C, .{3,70}\. Why \(optional\)", box.label)
    for letter in "BD":
        app = click(app, f"{key}:take:{letter}")
    app = click(app, f"{key}:go")
    assert app.session_state[in_view.WISH][0] == in_view.TOP, "the result stands on top"
    ranks.wait(run.id, 20)
    (stand,) = Story.of(ranks.store, run.id).all(Standing)
    (ranked,) = stand.rankings
    assert [ranked.shown.index(name) for name in ranked.best_first] == [2, 0, 1, 3]
    assert ranked.reasons == ("It is new.", "", "", "")
    assert ranks.store.places.choice(f"draft:{run.id}:person/final/novelty/repeat-1/rank") is None
    text = said(visit("ranking", run=run.id))
    assert "no reason given" in text
    assert "The candidates" in text


def test_one_order_after_another_is_asked_for_and_only_then_what_came_out_is_shown(ranks):
    run = order_asked(ranks, by="both", goals=(NOVELTY, FEASIBILITY))
    app = visit("ranking", run=run.id)
    for n, goal in ((1, "feasibility"), (2, "novelty")):
        assert f"[{n} of 2]" in said(app)
        for letter in "ABCD":
            app = click(app, f"{seat(run, goal)}:take:{letter}")
        click(app, f"{seat(run, goal)}:go")
        ranks.wait(run.id, 20)
        app = visit("ranking", run=run.id)
    text = said(app)
    assert "A(Q) with scripted:judge" in text
    assert "agree 0.58 on average" in text
    assert [one.label.replace("\\", "").split(" by ")[1].split(":")[0] for one in app.metric] == [
        "scripted",
        "you",
    ] * 2


# -- checklist ---------------------------------------------------------------------------------


def judging(runner, **asked):
    run = runner.begin(
        configured(
            runner, "evolve", validated(EvolveInputs, **(P0 | {"idea": OWN, "steps": 1} | asked))
        ),
        "replay",
    )
    assert runner.work(run.id) == "waiting"
    return run


def sitting(run, n=0):
    return f"checklist:seat:{run.id}:step-{n}/checklist/judge"


def satisfied(app, key, but=()):
    for item in SEVEN:
        app.radio(key=f"{key}:score:{item}").set_value(int(item not in but))
    return settled(app.run())


def test_an_idea_of_ones_own_is_judged_without_a_language_model(judges):
    for role in ("main", "generator", "judge"):
        judges.store.places.choose(f"model-{role}", "builtin")
    app = visit("checklist")
    app = click(app, "checklist:myself")
    app = settled(app.text_area(key="checklist:idea").set_value(WELL).run())
    assert "You will be asked to judge 1 idea, free." in said(app)
    assert "No model is asked." in said(app)
    click(app, "checklist:go")
    (run,) = judges.store.runs.listed(method="evolve")
    judges.wait(run.id, 20)
    assert judges.store.runs.get(run.id).state == "waiting"
    assert "You judge this idea, item by item" in said(visit("checklist", run=run.id))


def test_nothing_is_preselected_and_an_open_item_is_told(judges):
    run = judging(judges)
    app = visit("checklist", run=run.id)
    assert {app.radio(key=f"{sitting(run)}:score:{item}").value for item in SEVEN} == {None}
    assert "7 items not judged yet" in said(app)
    assert "still open" in said(click(app, f"{sitting(run)}:go"))
    assert judges.store.answers.open(run.id)


def test_what_is_quoted_and_not_in_the_text_is_told_before_and_refused(judges):
    run = judging(judges)
    app, key = visit("checklist", run=run.id), sitting(run)
    app = satisfied(app, key, but=("risk",))
    assert "say what is wrong" in said(click(app, f"{key}:go"))
    app.text_area(key=f"{key}:span:risk").set_value("Nobody ever wrote these words here")
    app.text_area(key=f"{key}:issue:risk").set_value("No plan B")
    app = settled(app.text_area(key=f"{key}:suggestion:risk").set_value("Name one").run())
    assert "These words are not in the text" in said(app)
    assert "are not in the text" in said(click(app, f"{key}:go"))
    app = settled(app.text_area(key=f"{key}:span:risk").set_value("The gate may not learn").run())
    assert "Found in the text" in said(app)
    app = visit("checklist", run=run.id)
    assert app.text_area(key=f"{key}:issue:risk").value == "No plan B"
    app.text_input(key=f"{key}:by").set_value("Ada")
    click(app, f"{key}:go")
    judges.wait(run.id, 20)
    (step,) = Story.of(judges.store, run.id).all(Evolved)
    (risk,) = step.scores.unsatisfied
    assert (risk.by, risk.passage.state, risk.directive.suggestion) == (
        "Ada",
        "verbatim",
        "Name one",
    )
    assert "Judged by Ada" in said(visit("checklist", run=run.id))


def test_each_revision_is_judged_in_its_turn(judges):
    run = judging(judges, steps=2)
    key = sitting(run)
    app = satisfied(visit("checklist", run=run.id), key, but=("risk",))
    app = settled(app.run())
    app.text_area(key=f"{key}:issue:risk").set_value("No plan B")
    app.text_area(key=f"{key}:suggestion:risk").set_value("Name one")
    click(settled(app.run()), f"{key}:go")
    judges.wait(run.id, 20)
    app = visit("checklist", run=run.id)
    assert {app.radio(key=f"{sitting(run, 1)}:score:{item}").value for item in SEVEN} == {None}
    click(satisfied(app, sitting(run, 1)), f"{sitting(run, 1)}:go")
    judges.wait(run.id, 20)
    assert len(Story.of(judges.store, run.id).all(Evolved)) == 2
