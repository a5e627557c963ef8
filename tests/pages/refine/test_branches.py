"""The branches of a refinement: made with other settings, drawn as a tree, compared version by
version.
"""

import json

import pytest

from components.refine import branch as refine_branch
from components.refine import family as refine_family
from components.refine import tree as refine_tree
from components.shell.text import inline
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import ACTORS, Wish
from core.runs.branching import branch
from core.runs.planning import played
from core.story import Story
from tests.conftest import ScriptedModel
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False, True]))
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def done(runner):
    run = refinement(runner, rounds=2)
    assert runner.work(run.id) == "done"
    return run


def worked(runner, *args, **more):
    made = branch(runner, *args, **more)
    assert runner.work(made.id) in ("done", "waiting"), runner.store.runs.get(made.id).reason
    return made


@pytest.fixture
def family(runner, done):
    """The first run, a branch of it for another quality, and a branch of that with a remark."""
    other = worked(runner, done.id, 1, played("no-discriminator", (FEASIBILITY,), 2, 1))
    return (
        done,
        other,
        worked(runner, other.id, 2, wishes=[Wish(text="Use <b>wearables</b>.", by="Ada")]),
    )


def key(run, after: int, name: str) -> str:
    return f"refine:branch:{run.id}:1:{after}:{name}"


# -- making one --------------------------------------------------------------------------------


def test_a_branch_is_played_as_it_was_asked_for_and_opens(runner, done):
    app = visit("refine", run=done.id, round="1")
    app.multiselect(key=key(done, 1, "goals")).set_value(["feasibility", "novelty"])
    app.toggle(key=key(done, 1, "turns")).set_value(True)
    app.selectbox(key=key(done, 1, "variant")).set_value("review-rebuttal").run()
    app.number_input(key=key(done, 1, "rounds")).set_value(1)
    app.number_input(key=key(done, 1, "patience")).set_value(1)
    app.text_area(key=key(done, 1, "wish")).set_value("Use wearables.")
    app.text_input(key=key(done, 1, "by")).set_value("Ada")
    app = settled(app.button(key=key(done, 1, "go")).click().run())
    made = runner.store.runs.children(done.id)[0]
    assert app.query_params["run"] == made.id
    runner.wait(made.id, 20)
    rounds, before = (Story.of(runner.store, run.id).lines[0].rounds for run in (made, done))
    assert rounds[0] == before[0]
    assert [one.goal for one in rounds[1:]] == ["feasibility", "novelty"]
    assert [wish.text for wish in rounds[1].wishes] == ["Use wearables."]
    assert made.config.inputs["play"] == played(
        "review-rebuttal", (FEASIBILITY, NOVELTY), 1, 1, order="taking turns"
    ).model_dump(mode="json")
    assert made.config.models == done.config.models


def test_a_branch_can_be_played_by_another_model_and_a_person(runner, done):
    runner.workshop.named["builtin"] = runner.workshop.named["scripted:one"]
    app = visit("refine", run=done.id, round="0")
    app.selectbox(key=key(done, 0, "model")).set_value("builtin")
    app.multiselect(key=key(done, 0, "people:infal")).set_value(["optimizer"])
    runner.start = lambda run_id: None
    settled(app.button(key=key(done, 0, "go")).click().run())
    made = runner.store.runs.children(done.id)[0]
    assert {made.config.models[role] for role in ("generator", "optimizer", "discriminator")} == {
        "builtin"
    }
    assert made.config.inputs["play"]["people"] == ["optimizer"]


def test_a_branch_without_a_quality_is_a_sentence_and_a_double_click_makes_one(runner, done):
    app = visit("refine", run=done.id, round="1")
    app.multiselect(key=key(done, 1, "goals")).set_value([])
    app = settled(app.button(key=key(done, 1, "go")).click().run())
    assert "Choose at least one quality" in said(settled(app.run()))
    app.multiselect(key=key(done, 1, "goals")).set_value(["novelty"])
    app = settled(app.button(key=key(done, 1, "go")).click().run())
    app.query_params.update(
        {"run": done.id, "round": "1"}
    )  # The second press arrives while the page is still the old one.
    settled(settled(app.run()).button(key=key(done, 1, "go")).click().run())
    assert len(runner.store.runs.children(done.id)) == 1


def test_what_was_chosen_for_a_branch_outlives_a_visit_to_another_page(done):
    app = visit("refine", run=done.id, round="1")
    app.text_area(key=key(done, 1, "wish")).set_value("Half a thought").run()
    settled(app.switch_page("pages/runs.py").run())
    app = app.switch_page("pages/refine.py")
    app.query_params.update({"run": done.id, "round": "1"})
    assert settled(app.run()).text_area(key=key(done, 1, "wish")).value == "Half a thought"


# -- the tree ----------------------------------------------------------------------------------


def test_every_branch_is_named_by_what_differs_and_starts_where_it_left(family):
    lanes = refine_family.lanes(family[1])
    assert [(lane.run.id, lane.name, lane.shared, lane.left) for lane in lanes] == [
        (family[0].id, "The first run", 0, None),
        (family[1].id, "Feasibility, Without discriminator, patience 1", 1, 1),
        (family[2].id, "A remark by Ada", 2, 2),
    ]
    assert [[one.n for one in lane.own] for lane in lanes] == [[1, 2], [2, 3], [3, 4]]


def test_a_branch_of_a_branch_hangs_on_the_run_that_played_the_round(runner, family):
    first, other, _ = family
    deep = worked(runner, other.id, 1, played("infal", (NOVELTY,), 1, 2))
    lane = next(lane for lane in refine_family.lanes(first) if lane.run.id == deep.id)
    assert (lane.shared, lane.left) == (1, 1)


def test_a_fork_at_a_step_stands_in_the_tree_too(runner, done):
    forked = runner.fork(done.id, "round-2/verdict", lambda config: config)
    runner.work(forked.id)
    lane = next(lane for lane in refine_family.lanes(done) if lane.run.id == forked.id)
    assert (lane.name, lane.shared, lane.left) == ("The same settings, continued", 1, 1)


def test_of_several_ideas_each_has_its_lane_and_a_branch_goes_on_from_its_own(runner):
    run = refinement(runner, rounds=1, lines=2)
    runner.work(run.id)
    made = worked(runner, run.id, 1, played("infal", (FEASIBILITY,), 1), 2)
    assert [
        (lane.run.id, lane.line.n, lane.name, lane.left) for lane in refine_family.lanes(run)
    ] == [
        (run.id, 1, "Idea 1", None),
        (run.id, 2, "Idea 2", None),
        (made.id, 2, "Idea 2, feasibility", 2),
    ]


def test_the_tree_draws_each_round_once_and_rings_the_outcomes(family):
    drawn = json.loads(
        refine_tree.figure(refine_family.lanes(family[0]), f"{family[0].id}:1").to_json()
    )["data"]
    marks = [trace for trace in drawn if trace.get("customdata")]
    spots = [(0, 0), (0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4)]
    assert [spot for trace in marks for spot in trace["customdata"]] == [
        [family[k].id, 1, n] for k, n in spots
    ]
    assert marks[0]["marker"]["symbol"] == ["diamond", "circle", "circle-open"]
    assert set(marks[1]["marker"]["symbol"]) == {"square"}
    assert drawn[-1]["marker"]["symbol"] == "circle-open"
    assert drawn[-1]["x"] == [1, 3, 4]


def test_the_list_below_the_tree_leads_to_every_round(family):
    app = visit("refine", run=family[0].id, view="branches")
    shown = said(app)
    assert "2. Feasibility, Without discriminator, patience 1" in shown
    assert "Branched off branch 2 after round 2." in shown
    assert {f"run={family[1].id}&round=3", f"run={family[2].id}"} <= {
        link.query_string for link in links(app)
    }


def test_a_mark_that_is_clicked_opens_its_run_and_round(family):
    app = visit("refine", run=family[0].id, view="branches")
    app.session_state[refine_branch.OPEN] = refine_branch.address(family[1].id, 1, 2)
    app = settled(app.run())
    assert app.query_params["run"] == family[1].id
    assert "2" in app.query_params["round"]


def test_a_family_of_one_says_how_to_branch(done):
    assert "This run has no branches yet" in said(visit("refine", run=done.id, view="branches"))


def test_names_that_people_and_models_wrote_stay_text(runner, done):
    worked(runner, done.id, 1, wishes=[Wish(text="t", by="<b>*Eve*</b>")])
    assert "A remark by <b>*Eve*</b>" in said(visit("refine", run=done.id, view="branches"))
    figure = refine_tree.figure(refine_family.lanes(done), "")
    assert "&lt;b&gt;" in figure.to_json().replace("\\u0026", "&").replace("\\u003c", "<")


def test_a_branch_says_of_what_it_is_one_and_what_was_improved_before(family):
    app = visit("refine", run=family[1].id)
    shown = said(app)
    assert f"Branch of {family[0].title} after round 1" in shown
    assert "Improving **novelty** up to round 1, then **feasibility**" in shown


# -- comparing ---------------------------------------------------------------------------------


def compared(app) -> dict[str, object]:
    return {
        box.key.rpartition("compare:")[2].partition(":")[2]: box.value
        for box in app.selectbox
        if "refine:compare" in str(box.key)
    }


def test_first_and_newest_are_compared_unless_others_are_chosen(done):
    app = visit("refine", run=done.id, view="compare")
    assert compared(app) == {"a:round": 0, "b:round": 2}
    shown = said(app)
    assert "words removed, " in shown
    assert "The idea the refinement began with." in shown
    assert "**Title** :gray[new]\nVersion 2" in shown
    assert "Verdict on version 2" in shown
    app.selectbox(key=f"refine:compare:{done.id}:a:round").set_value(1)
    app = settled(app.run())
    assert "Verdict on version 1" in said(app)
    assert app.query_params["a"] == f"{done.id}:1:1"
    app = settled(app.button(key=f"refine:compare:{done.id}:swap").click().run())
    assert compared(app) == {"a:round": 2, "b:round": 1}


def test_a_link_restores_what_was_compared_across_branches_with_their_settings(family):
    app = visit(
        "refine", run=family[0].id, view="compare", a=f"{family[0].id}:1:2", b=f"{family[1].id}:1:3"
    )
    assert compared(app) == {
        "a:lane": f"{family[0].id}:1",
        "a:round": 2,
        "b:lane": f"{family[1].id}:1",
        "b:round": 3,
    }
    table = app.table[0].value
    rows = {row.iloc[0]: (row.iloc[1], row.iloc[2]) for _, row in table.iterrows()}
    assert rows["Quality"] == ("**novelty**", "**feasibility**")
    assert rows["Variant"] == ("**InfAL**", "**Without discriminator**")
    assert rows["Human actors"] == ("none", "none")
    assert rows["Verdict"] == ("no improvement", "–")


@pytest.mark.parametrize(("n", "by"), [(1, "scripted:one"), (2, "scripted:two")])
def test_a_round_that_a_branch_took_over_is_by_the_models_that_played_it(runner, done, n, by):
    script = runner.workshop.named["scripted:one"].script
    runner.workshop.named["scripted:two"] = ScriptedModel(script, "scripted:two")
    made = worked(runner, done.id, 1, models=dict.fromkeys(ACTORS, "scripted:two"))
    app = visit("refine", run=done.id, view="compare", a=f"{done.id}:1:2", b=f"{made.id}:1:{n}")
    table = app.table[0].value
    (models,) = (
        (row.iloc[1], row.iloc[2]) for _, row in table.iterrows() if row.iloc[0] == "Models"
    )
    one, other = inline("scripted:one"), inline(by)
    assert models == ((one, other) if one == other else (f"**{one}**", f"**{other}**"))


@pytest.mark.parametrize("asked", ["nonsense", "gone:1:2", "{run}:1:x", "{run}:9:1"])
def test_an_address_of_no_version_falls_back_to_first_and_newest(done, asked):
    app = visit("refine", run=done.id, view="compare", a=asked.format(run=done.id))
    assert compared(app) == {"a:round": 0, "b:round": 2}


def test_versions_that_are_the_same_say_so(done):
    app = visit("refine", run=done.id, view="compare", a=f"{done.id}:1:1", b=f"{done.id}:1:1")
    assert "The two are the same, word for word" in said(app)


def test_an_unfinished_run_is_compared_as_far_as_it_is(runner):
    run = refinement(runner, rounds=2, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    assert compared(visit("refine", run=run.id, view="compare")) == {"a:round": 0, "b:round": 0}


def test_what_a_recording_has_not_reached_is_no_version_yet(runner, done):
    until = runner.store.steps.place(done.id, "round-2/verdict")
    lane = refine_family.lanes(done, Story.of(runner.store, done.id, lambda place: place < until))[
        0
    ]
    assert (lane.line.newest, lane.line.outcome) == (1, None)


def test_two_ideas_of_one_run_are_compared(runner):
    run = refinement(runner, rounds=1, lines=2)
    runner.work(run.id)
    app = visit("refine", run=run.id, view="compare", a=f"{run.id}:1:1", b=f"{run.id}:2:1")
    assert compared(app) == {
        "a:lane": f"{run.id}:1",
        "a:round": 1,
        "b:lane": f"{run.id}:2",
        "b:round": 1,
    }
