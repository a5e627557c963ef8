"""Several branches: distinct anchors, no shared papers, none taken down by another, and what an
ablation leaves out.
"""

import itertools
import re

import pytest

from core import prompts
from core.errors import BadInput, ModelFailed, SourceFailed
from core.methods import baselines, chain_of_ideas
from core.records import (
    Chain,
    DesignRound,
    GivenUp,
    Lost,
    Map,
    Outcome,
    Outlook,
    Paper,
    Selection,
    Trend,
)
from core.story import Story
from tests.conftest import SmallSource
from tests.support.scripted import (
    chain,
    mark,
    prompts_asked,
    resumed,
    runner_of,
    wide_script,
    wide_source,
)


def worked(folder, script=None, source=None, topic="sleep 2018", branches=3, **inputs):
    runner, model = runner_of(folder, script or wide_script(), source or wide_source())
    run = chain(runner, topic=topic, branches=branches, **inputs)
    return runner, model, run.id, runner.work(run.id)


def story_of(folder, **given):
    runner, model, run, state = worked(folder, **given)
    assert state == "done", runner.store.runs.get(run).reason
    return Story.of(runner.store, run), model


def chains(story) -> list[list[str]]:
    return [[paper.id for paper in branch.chain.papers] for branch in story.branches]


def test_each_branch_follows_a_line_of_its_own(tmp_path):
    story, _ = story_of(tmp_path)
    assert chains(story) == [
        [f"{line}{year}" for year in range(2016, 2021)] for line in ("memory", "light", "food")
    ]
    assert all(branch.idea and branch.checks[-1].state == "novel" for branch in story.branches)


def test_three_branches_of_five_take_sixty_one_calls(tmp_path):
    _, model = story_of(tmp_path)
    asked = prompts_asked(model)
    assert len(asked) == 61
    assert {
        name: asked.count(name)
        for name in ("queries", "relevance", "choose-reference", "extract", "select")
    } == {"queries": 1, "relevance": 9, "choose-reference": 6, "extract": 15, "select": 6}


def test_all_anchors_are_chosen_before_a_branch_grows(tmp_path):
    runner, _, run, _ = worked(tmp_path)
    keys = [step.key for step in runner.store.steps.outline(run)]
    assert max(n for n, key in enumerate(keys) if "/anchor-" in key) < min(
        n for n, key in enumerate(keys) if "/forward-" in key or "/backward-" in key
    )


def test_one_branch_that_fails_leaves_the_others_alone(tmp_path):
    script = wide_script()
    away = script | {
        "trend": lambda r: (
            ModelFailed("The model is away.")
            if r.values["chain"].papers[0].id.startswith("light")
            else script["trend"](r)
        )
    }
    story, _ = story_of(tmp_path, script=away)
    given_up = {branch.n: branch.given_up for branch in story.branches}
    assert given_up == {1: None, 2: GivenUp(reason="The model is away.", failed=True), 3: None}
    assert story.last(Selection).points.keys() == {1, 3}
    assert story.last(Outcome).branch in (1, 3)


def test_when_every_branch_fails_the_run_fails_and_resuming_tries_again(tmp_path):
    script = wide_script()
    runner, model, run, state = worked(
        tmp_path, script=script | {"trend": lambda _: ModelFailed("The model is away.")}
    )
    assert (state, runner.store.runs.get(run).reason) == (
        "failed",
        "None of the 3 branches came through. Of one: The model is away.",
    )
    model.script = script
    model.requests.clear()
    runner.store.runs.enqueue(run, "me|1|1")
    assert runner.work(run) == "done"
    assert prompts_asked(model).count("trend") == 3
    assert "extract" not in prompts_asked(model)


def test_branches_that_meet_are_parted(tmp_path):
    source = wide_source(("memory", "light"))
    for year in range(
        2019, 2023
    ):  # All of what follows light2018 follows memory2018 too, and nothing else does.
        source.cites.pop(f"memory{year}")
    source.cites["light2019"] = ["light2018", "memory2018"]
    story, _ = story_of(tmp_path, source=source, branches=2)
    papers = [paper for one in chains(story) for paper in one]
    assert len(papers) == len(set(papers)) == 10
    assert all(
        a.before(b) for branch in story.branches for a, b in itertools.pairwise(branch.chain.papers)
    )


def test_fewer_anchors_than_branches_is_said(tmp_path):
    story, _ = story_of(
        tmp_path,
        script=wide_script()
        | {
            "relevance": lambda r: {
                "relevant": "food" not in r.values["paper"].id,
                "reason": "Judged.",
            }
        },
    )
    lost = story.branches[2].given_up
    assert (lost.failed, "is not another branch's anchor" in lost.reason) == (False, True)


def test_the_best_branch_wins_most_criteria_in_both_orders(tmp_path):
    story, _ = story_of(tmp_path)
    chosen = story.last(Selection)
    assert len(chosen.matches) == 6
    assert sum(chosen.points.values()) == 30
    assert chosen.best == max(chosen.points, key=chosen.points.get)
    assert story.best.n == story.last(Outcome).branch == chosen.best


def test_an_idea_that_is_known_stands_back(tmp_path):
    script = wide_script()

    def verdict(request):
        known = (
            "from light" in request.values["idea"].title
            or "from memory" in request.values["idea"].title
        )
        return {
            "similar": known,
            "nearest": request.values["papers"][0].id,
            "overlap": "The same." if known else "",
            "reason": "Compared.",
        }

    story, model = story_of(
        tmp_path, script=script | {"novelty-verdict": verdict}, novelty_rounds=1
    )
    assert story.last(Outcome).branch == 3
    assert "select" not in prompts_asked(model), "there is only one to choose"


def test_without_order_no_trend_is_seen_and_the_papers_are_the_same(tmp_path):
    whole, _ = story_of(tmp_path / "whole")
    story, model = story_of(tmp_path / "without", without=("order",))
    assert chains(story) == chains(whole), "what is shown is the chain that grew"
    assert "trend" not in prompts_asked(model)
    shown = next(request for request in model.requests if request.prompt == "draft").text
    assert "In no particular order:" in shown
    assert "Oldest first" not in shown
    for request in model.requests:
        if request.prompt in ("entities", "future", "draft", "idea"):
            between = request.text.partition("<chain>")[2].partition("</chain>")[0]
            assert "2018-05-01" not in between, "a date would give the order away"
            assert "memory2018" not in between, "and so would an id that counts on"


def test_without_the_chain_papers_are_retrieved_and_no_hop_is_made(tmp_path):
    """The ablation of table 2: what is left is retrieval, one branch of papers in no order."""
    story, model = story_of(tmp_path, without=("chain",))
    assert [link.hop for link in story.last(Chain).links] == ["retrieved"] * 5
    assert {"relevance", "choose-reference", "trend"}.isdisjoint(prompts_asked(model))


def test_entities_reach_a_prompt_merged_and_experiments_where_one_is_designed(tmp_path):
    def extract(request):
        return {
            "entities": [{"name": "single-nap", "meaning": "one short sleep"}],
            "idea": {"novelty": request.values["paper"].title},
            "experiments": [{"setup": "forty sleepers"}],
        }

    for place, more in (("whole", {}), ("without", {"without": ("entities",)})):
        _, model = story_of(tmp_path / place, script={**wide_script(), "extract": extract}, **more)
        holding = {request.prompt for request in model.requests if "single-nap" in request.text}
        assert holding == (set() if more else {"entities"})
        assert {
            request.prompt for request in model.requests if "forty sleepers" in request.text
        } == {"experiment-design"}
        merged = {
            request.prompt for request in model.requests if "nap: short sleep" in request.text
        }
        assert merged == (set() if more else {"future", "draft", "idea", "experiment-design"})


def test_the_idea_sees_direction_entities_and_what_not_to_repeat(tmp_path):
    _, model = story_of(tmp_path, script=wide_script(similar=1), branches=1)
    second = [request for request in model.requests if request.prompt == "idea"][1].text
    assert "Direction 2" in second
    assert "nap: short sleep" in second
    assert "Direction 1 (repeats: The same mechanism.)" in second


def test_no_prompt_of_a_chain_or_a_baseline_asks_for_what_can_be_done_within_a_year():
    asked = {
        name: prompts.text(name)
        for name in (*chain_of_ideas.PROMPTS, *baselines.DIRECT, *baselines.RAG)
    }
    assert [name for name, text in asked.items() if re.search(r"\byear\b|small group", text)] == []


def test_several_directions_come_in_one_reply_and_the_best_is_taken(tmp_path):
    def outlook(request):
        steps = [
            {
                "direction": f"Direction {n} of {mark(request)}",
                "reasoning": "It follows.",
                "beyond": "Much.",
            }
            for n in (1, 2, 3)
        ]
        return {"candidates": steps, "choice": "It goes furthest."}

    story, model = story_of(tmp_path, script=wide_script() | {"future": outlook}, branches=1)
    assert prompts_asked(model).count("future") == 1
    drafted = [
        request.values["direction"].direction
        for request in model.requests
        if request.prompt == "draft"
    ]
    assert [one.split(" of ")[0] for one in drafted] == ["Direction 1"]
    assert [len(seen.candidates) for seen in story.all(Outlook)] == [3]

    story, model = story_of(
        tmp_path / "two", script=wide_script() | {"future": outlook}, branches=1, ideas=2
    )
    assert prompts_asked(model).count("future") == 1, "ideas of one branch share what was predicted"
    drafted = [
        request.values["direction"].direction
        for request in model.requests
        if request.prompt == "draft"
    ]
    assert sorted(one.split(" of ")[0] for one in drafted) == ["Direction 1", "Direction 2"]
    assert prompts_asked(model).count("select") == 2, "the better of a branch's ideas stands for it"
    (branch,) = story.branches
    assert branch.idea == story.last(Outcome).idea


@pytest.mark.parametrize(("part", "prompt"), [("future", "future"), ("entities", "entities")])
def test_an_ablation_asks_one_prompt_less_per_branch(tmp_path, part, prompt):
    _, model = story_of(tmp_path, without=(part,))
    assert prompt not in prompts_asked(model)
    assert len(model.requests) == 58


def test_length_nought_takes_retrieved_papers_in_no_order(tmp_path):
    story, model = story_of(tmp_path, length=0)
    chain_ = story.last(Chain)
    assert (len(chain_.links), chain_.ordered, story.last(Trend)) == (5, False, None)
    assert {"relevance", "choose-reference", "trend"}.isdisjoint(prompts_asked(model))


@pytest.mark.parametrize("width", [1, 2, 8])
def test_there_are_as_many_branches_as_asked(tmp_path, width):
    lines = ("memory", "light", "food", "noise", "travel", "heat", "screen", "stress")
    script = wide_script() | {"queries": lambda _: {"queries": list(lines[:5])}}
    story, _ = story_of(
        tmp_path, script=script, source=wide_source(lines), branches=width, length=2
    )
    assert len(story.branches) == width
    assert (
        len({branch.chain.links[0].paper.id for branch in story.branches if branch.chain}) == width
    )


def test_a_branch_may_start_from_a_paper_instead_of_a_search(tmp_path):
    source = wide_source()
    story, model = story_of(
        tmp_path, source=source, branches=1, anchors=(source.known["food2019"],)
    )
    assert chains(story) == [[f"food{year}" for year in range(2017, 2022)]]
    assert "queries" not in prompts_asked(model)


def test_an_anchor_that_breaks_the_cut_off_is_refused(tmp_path):
    with pytest.raises(
        BadInput,
        match=(
            "'Sleep food study 2019' is on the ban list, given twice, or not known to be older than"
            " 2018"
        ),
    ):
        worked(tmp_path, anchors=(wide_source().known["food2019"],), before="2018-01-01")


def test_one_paper_under_two_ids_counts_once(tmp_path):
    source = wide_source()
    twin = source.known["food2019"].model_copy(update={"id": "twin", "doi": "10.1/food"})
    source.known |= {
        "twin": twin,
        "food2019": source.known["food2019"].model_copy(update={"doi": "10.1/FOOD"}),
    }
    source.cites["twin"] = ["food2018"]
    story, _ = story_of(tmp_path, source=source, branches=1, anchors=(source.known["food2018"],))
    assert sum(paper.same(twin) for paper in story.last(Chain).papers) == 1


def test_the_design_is_reviewed_looked_up_and_refined_as_often_as_asked(tmp_path):
    story, model = story_of(tmp_path, refinements=2)
    rounds = story.all(DesignRound)
    assert [one.n for one in rounds] == [1, 2]
    assert all(search.state == "found" for one in rounds for search in one.searches)
    refined = [request for request in model.requests if request.prompt == "design-refine"]
    assert all("Name the dataset." in request.text for request in refined)


def test_the_map_holds_every_paper_and_every_idea(tmp_path):
    story, _ = story_of(tmp_path)
    spots = story.last(Map).spots
    assert {spot.id for spot in spots if spot.kind == "idea"} == {"idea-1", "idea-2", "idea-3"}
    assert {spot.id for spot in spots if spot.kind == "chain"} == {
        paper for one in chains(story) for paper in one
    }


def test_a_person_may_confirm_or_change_each_direction_first(tmp_path):
    runner, model, run, state = worked(
        tmp_path,
        confirm=True,
        branches=1,
        source=SmallSource([Paper(id="a", title="sleep memory", year=2018, abstract="sleep")], {}),
    )
    assert (state, "draft" in prompts_asked(model)) == ("waiting", False)
    asked = runner.store.answers.open(run)[0]
    assert asked.question["shown"]["proposed"]["direction"] == "Direction 1"
    runner.store.answers.answer(
        run, asked.key, {"direction": "Mine", "reasoning": "I know."}, "Ada"
    )
    runner.store.runs.enqueue(run, "me|1|1")
    assert runner.work(run) == "done"
    assert Story.of(runner.store, run).branches[0].direction.direction == "Mine"
    assert "Mine" in next(request for request in model.requests if request.prompt == "draft").text


def test_a_source_that_fails_everywhere_ends_each_way_and_is_said(tmp_path):
    source = wide_source()

    def down(*_):
        raise SourceFailed("The source did not answer (503).")

    source.citations = source.references = down
    story, _ = story_of(tmp_path, source=source)
    assert [len(one) for one in chains(story)] == [1, 1, 1]
    assert all(stop.failed for branch in story.branches for stop in branch.chain.stops)


def test_where_none_of_a_branchs_ideas_can_be_used_the_run_fails_and_resuming_asks_again(tmp_path):
    runner, model, run, state = worked(
        tmp_path, script=wide_script() | {"draft": lambda _: "A story."}, branches=1, ideas=2
    )
    assert state == "failed"
    model.script["draft"] = wide_script()["draft"]
    assert resumed(runner, run) == "done"
    assert not Story.of(runner.store, run).all(Lost)
