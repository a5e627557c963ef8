"""What can be looked at of a chain run: branches, comparison, choice, experiment, map; each
restored by a link.
"""

import re

import pytest

from components.chains.design import changes
from components.chains.map import figure
from components.shell import address
from core.errors import SourceFailed
from core.methods.chain_of_ideas.editing import drop, insert
from core.records import Map, Spot
from core.story import Story
from tests.support.scripted import (
    PAPERS,
    chain,
    finished_chain,
)
from tests.support.visiting import host, links, said, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _, _ = finished_chain(tmp_path, branches=3)
    host(monkeypatch, runner)
    return runner


@pytest.fixture
def run(runner):
    (run,) = runner.store.runs.listed()
    return run


def view_of(app, run) -> str:
    return app.session_state[f"chains:view:{run.id}"]


def asked_for(app) -> dict[str, str]:
    """Return what the address says."""
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in app.query_params.items()
    }


def test_a_link_restores_the_view_and_the_paper(run):
    app = visit("chains", run=run.id, view="branch-2", paper="light2019")
    assert app.radio(key=f"chains:paper:{run.id}:2").value == "light2019"
    assert "Sleep and light in athletes, part 2019." in said(app)
    assert asked_for(app) == {"run": run.id, "view": "branch-2", "paper": "light2019"}


def test_what_a_person_picks_goes_into_the_address(run):
    app = visit("chains", run=run.id)
    assert asked_for(app) == {"run": run.id}, (
        "what goes without saying would be one more page to go back through"
    )
    assert app.radio(key=f"chains:paper:{run.id}:1").value == "memory2018"
    app.radio(key=f"chains:paper:{run.id}:1").set_value("memory2020").run()
    assert asked_for(app) == {"run": run.id, "paper": "memory2020"}
    app.button_group(key=f"chains:view:{run.id}").set_value("map").run()
    assert asked_for(app) == {"run": run.id, "view": "map"}


def test_whatever_is_looked_at_the_chosen_idea_is_one_step_away(run):
    app = visit("chains", run=run.id, view="branch-3")
    assert (
        ":green[:material/travel_explore:] Not found among 20 papers searched in"
        " Built-in papers" in said(app)
    )
    assert re.search(r"Branch 1 was chosen of 3 with \d+ points; branch \d has \d", said(app))
    assert [link.query_string for link in links(app) if link.label == "Refine this idea"] == [
        f"from={run.id}"
    ]
    app.button(key="chains:see").click().run()
    assert view_of(app, run) == "branch-1"
    assert "Save as case study" in [one.label for one in app.button]


@pytest.mark.parametrize(
    "query",
    [
        {"view": "branch-9"},
        {"view": "nonsense", "paper": "x"},
        {"view": "branch-1", "paper": "gone"},
    ],
)
def test_an_address_that_asks_for_what_is_not_there_gets_the_chosen_branch(run, query):
    app = visit("chains", run=run.id, **query)
    assert (view_of(app, run), app.radio(key=f"chains:paper:{run.id}:1").value) == (
        "branch-1",
        "memory2018",
    )
    assert asked_for(app) == {"run": run.id}


def test_going_back_in_the_browser_goes_back_on_the_page(run, monkeypatch):
    app = visit("chains", run=run.id, view="choice")
    app.query_params["view"] = "experiment"
    app.run()
    assert view_of(app, run) == "experiment"
    monkeypatch.setattr(address, "LATE", 60)
    app.button_group(key=f"chains:view:{run.id}").set_value("map").run()
    app.query_params["view"] = "experiment"
    assert (view_of(app.run(), run), asked_for(app)["view"]) == ("map", "map"), (
        "sent a moment after it was left, it is not somebody's wish"
    )
    monkeypatch.setattr(address, "LATE", 0)
    app.query_params["view"] = "experiment"
    assert (view_of(app.run(), run), asked_for(app)["view"]) == ("experiment", "experiment")


def test_the_choice_shows_points_both_orders_and_what_differs_with_them(run):
    app = visit("chains", run=run.id, view="choice")
    shown = said(app)
    assert (
        "Criteria won over 6 comparisons (a tie counts half): branch 1: 16, branch 2: 10, branch"
        " 3: 4." in shown
    )
    assert (
        "Branch 1 against branch 2: 8 to 2 · 1 of 5 criteria changes with the order shown" in shown
    )
    assert "Branch 2 shown first: The second idea goes further." in shown
    rows = app.dataframe[0].value
    assert list(rows["Criterion"]) == [
        "Novelty",
        "Significance",
        "Clarity",
        "Feasibility",
        "Effectiveness",
    ]
    assert list(rows["Branch 1 shown first"]) == [
        "Branch 1",
        "Branch 1",
        "level",
        "Branch 1",
        "Branch 1",
    ]
    assert list(rows["Branch 2 shown first"]) == [
        "Branch 1",
        "Branch 1",
        "level",
        "Branch 2",
        "Branch 1",
    ]


def test_level_points_are_said(runner):
    runner.workshop.named["scripted:one"].script["select"] = lambda _: (
        dict.fromkeys(("novelty", "significance", "clarity", "feasibility", "effectiveness"), "tie")
        | {"reason": "Nothing sets them apart."}
    )
    run = chain(runner, topic="sleep 2018", branches=2)
    runner.work(run.id)
    assert "Branches 1 and 2 are level; the first of them goes on." in said(
        visit("chains", run=run.id, view="choice")
    )


def test_the_experiment_shows_its_review_the_look_up_and_what_was_refined(run):
    shown = said(visit("chains", run=run.id, view="experiment"))
    for text in (
        "refined once",
        "1. Sleep.",
        "not complete",
        "data, models and metrics named",
        "reproducible",
        "Name the dataset.",
        "“sleep study”: 20 papers",
        "What was refined: setup, models, datasets",
    ):
        assert text in shown, text


@pytest.mark.parametrize(
    ("answer", "words"),
    [((), "nothing found"), (None, ":red-badge[source failed] The source did not answer (503)")],
)
def test_a_look_up_that_found_nothing_is_no_failed_one(runner, answer, words):
    source, real = runner.workshop.shelf_like, runner.workshop.shelf_like.search

    def search(query):
        if query.text != "power analysis":
            return real(query)
        if answer is None:
            raise SourceFailed("The source did not answer (503).")
        return answer

    source.search = search
    script = runner.workshop.named["scripted:one"].script
    plain = script["design-review"]
    script["design-review"] = lambda request: plain(request) | {"queries": ["power analysis"]}
    run = chain(runner, topic="sleep 2018", branches=1)
    assert runner.work(run.id) == "done"
    assert f"“power analysis”: {words}" in said(
        visit("chains", run=run.id, view="experiment")
    ).replace(":gray-badge[", "")


def test_words_that_changed_are_marked_and_stay_text():
    assert (
        changes("ten mice sleep", "ten rats sleep")
        == "ten :gray[~~mice~~] :green-background[rats] sleep"
    )
    assert "**" not in changes("a", "a **b**").replace(r"\*\*", "")


def test_branches_stand_side_by_side(run):
    shown = said(visit("chains", run=run.id, view="compare"))
    for text in (
        "2019 · Sleep light study 2019",
        "2016 · Sleep food study 2016",
        "16 points",
        "10 points",
        "Idea 1 from food2016",
        ":green-badge[not found among 20 papers searched]",
    ):
        assert text in shown, text
    assert "There is no other chain to compare with yet." in shown


def edited(runner, run):
    """Return a fork whose first branch lacks one paper and has another."""
    settled = Story.of(runner.store, run.id).branches[0].chain
    other = PAPERS[0].model_copy(update={"id": "own", "title": "A paper a person knows"})
    fork = runner.fork_edited(
        run.id, "branch-1/chain", insert(drop(settled, "memory2017"), other, "It matters.")
    )
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    return fork


def test_a_fork_is_compared_with_its_parent_and_papers_that_differ_are_marked(runner, run):
    fork = edited(runner, run)
    app = visit("chains", run=fork.id, view="compare")
    assert run.id in app.selectbox(key=f"chains:with-run:{fork.id}").options[0]
    app.selectbox(key=f"chains:with-run:{fork.id}").select_index(0).run()
    shown = said(app)
    assert "4 papers in both, 1 only here, 1 only there; direction the same." in shown
    assert ":orange-badge[only here] 2014 · A paper a person knows" in shown
    assert ":orange-badge[only there] 2017 · Sleep memory study 2017" in shown
    assert asked_for(app)["with"] == f"1-{run.id}-1"


def test_a_link_restores_a_comparison_with_another_run(runner, run):
    fork = edited(runner, run)
    app = visit("chains", run=run.id, view="compare", **{"with": f"2-{fork.id}-3"})
    shown = said(app)
    assert "Here: branch 2" in shown
    assert "There: branch 3" in shown
    assert "0 papers in both, 5 only here, 5 only there" in shown


def test_a_comparison_with_a_run_that_is_gone_asks_to_pick_another(runner, run):
    edited(runner, run)
    app = visit("chains", run=run.id, view="compare", **{"with": "1-gone-1"})
    assert app.selectbox(key=f"chains:with-run:{run.id}").value is None


def test_a_fork_names_where_it_came_from(runner, run):
    fork = edited(runner, run)
    shown = said(visit("chains", run=fork.id))
    assert f"Edited from run {run.id} (its papers), which stays as it is" in shown
    assert "Edited from" not in said(visit("chains", run=run.id))


def test_the_name_of_an_idea_on_the_map_stands_away_from_what_is_near_it():
    places = {"a": (0.0, 0.0), "b": (0.0, 0.1), "c": (1.0, 1.0), "d": (1.1, 1.0)}
    spots = tuple(
        Spot(id=name, label=name, kind="idea", branch=n, x=x, y=y)
        for n, (name, (x, y)) in enumerate(places.items(), 1)
    )
    stars = figure(Map(spots=spots, explained=(0.5, 0.2))).data
    sides = [trace.textposition[0] for trace in stars if trace.name.startswith("Idea of")]
    assert sides == ["bottom center", "top center", "middle left", "middle right"]


def test_the_map_shows_every_paper_and_idea_and_how_much_it_leaves_out(runner, run):
    found = Story.of(runner.store, run.id).last(Map)
    graph = figure(found)
    names = {trace.name: len(trace.x) for trace in graph.data}
    assert {name: names[name] for name in names if "branch" in name} == {
        **{f"Papers of branch {n}": 5 for n in (1, 2, 3)},
        **{f"Idea of branch {n}": 1 for n in (1, 2, 3)},
    }
    assert (
        names["Found by a novelty check"] == sum(spot.kind == "found" for spot in found.spots) > 0
    )
    assert graph.layout.xaxis.title.text == "First direction of difference (50% of the variance)"
    assert "Near means alike in meaning." in said(visit("chains", run=run.id, view="map"))
