"""Chain of ideas: how the chain grows, why it stops, and what the novelty loop may say."""

import itertools

import pytest

from core.errors import ModelFailed, SourceFailed
from core.literature.port import Query
from core.literature.ranking import let_through
from core.prompts.wording import worded
from core.records import (
    Chain,
    Direction,
    Entity,
    Idea,
    NoveltyCheck,
    Outcome,
    Paper,
    PaperIdea,
    Reading,
)
from core.story import Story
from tests.conftest import SmallSource
from tests.support.scripted import chain, chain_script, prompts_asked, runner_of, small_source


def told(folder, script=None, source=None, **inputs):
    """Work a chain to its end and return its story, the model and the run."""
    runner, model = runner_of(folder, script or chain_script(), source)
    run = chain(runner, **inputs)
    state = runner.work(run.id)
    assert state == "done", runner.store.runs.get(run.id).reason
    return Story.of(runner.store, run.id), model, runner.store.runs.get(run.id)


def ids(story) -> list[str]:
    return [paper.id for paper in story.last(Chain).papers]


def test_a_chain_runs_forward_in_time_through_its_anchor(tmp_path):
    story, _, _ = told(tmp_path, chain_script(relevant=[f"p{year}" for year in range(2016, 2021)]))
    chain = story.last(Chain)
    assert ids(story) == [f"p{year}" for year in range(2016, 2021)]
    assert all(a.before(b) for a, b in itertools.pairwise(chain.papers))
    assert [link.hop for link in chain.links].count("anchor") == 1
    assert all(link.reading and link.reason for link in chain.links)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8])
def test_a_chain_is_as_long_as_asked_where_the_papers_allow(tmp_path, length):
    story, _, _ = told(tmp_path, length=length)
    assert len(ids(story)) == length


def test_what_one_side_leaves_goes_to_the_other(tmp_path):
    story, _, _ = told(tmp_path, topic="sleep memory 2022")
    assert ids(story) == [f"p{year}" for year in range(2018, 2023)], (
        "nothing cites the newest, so all four come from behind"
    )
    other, _, _ = told(tmp_path / "other", topic="sleep memory 2014")
    assert ids(other) == [f"p{year}" for year in range(2014, 2019)]


def test_the_chain_says_why_each_direction_stopped(tmp_path):
    story, _, _ = told(tmp_path, chain_script(relevant=["p2017", "p2018"]))
    stops = {stop.hop: stop.reason for stop in story.last(Chain).stops}
    assert "of the nearest 1 that can follow it, none bears on the topic" in stops["forward"]


def test_a_milestone_ends_the_way_back(tmp_path):
    source = small_source()
    source.known["p2016"] = source.known["p2016"].model_copy(update={"citations": 5000})
    story, _, _ = told(tmp_path, chain_script(relevant=["p2017", "p2018", "p2016"]), source)
    chain = story.last(Chain)
    assert "milestone (5000 citations, more than 1000)" in next(
        stop.reason for stop in chain.stops if stop.hop == "backward"
    )
    assert [link.paper.id for link in chain.links if link.milestone] == ["p2016"]


def test_banned_papers_and_papers_after_the_cut_off_never_appear(tmp_path):
    story, _, _ = told(tmp_path, before="2019-01-01", ban=("p2016",))
    assert "p2016" not in ids(story)
    assert all(paper.published < "2019-01-01" for paper in story.last(Chain).papers)


def test_no_paper_is_in_a_chain_twice(tmp_path):
    undated = [
        Paper(id=f"u{n}", title=f"Sleep memory {n}", abstract=f"Sleep {n}", source="shelf")
        for n in range(3)
    ]
    tangle = SmallSource(undated, {"u0": ["u1", "u2"], "u1": ["u0", "u2"], "u2": ["u0", "u1"]})
    story, _, _ = told(tmp_path, source=tangle)
    assert len(ids(story)) == len(set(ids(story)))


def test_nothing_found_is_not_a_failure_of_the_source(tmp_path):
    runner, _ = runner_of(
        tmp_path, chain_script() | {"queries": lambda _: {"queries": ["quantum gravity"]}}
    )
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    assert runner.store.runs.get(run.id).reason.startswith(
        "Nothing was found on this topic (1 query asked, all answered)"
    )


def test_a_topic_nothing_bears_on_is_said_with_what_was_tried(tmp_path):
    runner, model = runner_of(tmp_path, chain_script(relevant=["none"]))
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    assert (
        "none of the nearest bears on the topic (Sleep memory study"
        in runner.store.runs.get(run.id).reason
    )
    assert prompts_asked(model).count("relevance") == 3


def test_one_search_that_fails_is_passed_over(tmp_path):
    source = small_source()
    search = source.search
    source.search = lambda query: _down() if query.text == "memory study" else search(query)
    runner, _ = runner_of(tmp_path, chain_script(), source)
    run = chain(runner)
    assert runner.work(run.id) == "done"
    assert runner.store.steps.get(run.id, "anchors/search-2/search").status == "failed"


def _down():
    raise SourceFailed("The source did not answer (503).")


def test_a_source_that_fails_on_the_way_is_a_stop_marked_as_failed(tmp_path):
    source = small_source()
    source.citations = lambda *_: _down()
    story, _, _ = told(tmp_path, source=source)
    stop = next(stop for stop in story.last(Chain).stops if stop.hop == "forward")
    assert (stop.failed, "did not answer" in stop.reason) == (True, True)


def test_a_paper_nobody_could_read_stays_in_the_chain(tmp_path):
    script = chain_script()
    story, _, _ = told(
        tmp_path,
        script
        | {
            "extract": lambda r: (
                ModelFailed("no") if r.values["paper"].id == "p2016" else script["extract"](r)
            )
        },
    )
    readings = {link.paper.id: link.reading for link in story.last(Chain).links}
    assert readings["p2016"] is None
    assert all(reading for name, reading in readings.items() if name != "p2016")


def test_a_reference_that_was_not_shown_is_asked_for_again(tmp_path):
    script = chain_script()
    plain = script["choose-reference"]

    def insists(request):
        return plain(request) if request.corrections else {"id": "made up", "reason": "Why not."}

    story, model, _ = told(tmp_path, script | {"choose-reference": insists})
    corrections = [
        r.corrections[0][1]
        for r in model.requests
        if r.prompt == "choose-reference" and r.corrections
    ]
    assert corrections
    assert all("'made up' is not one of the ids shown" in said for said in corrections)
    assert "made up" not in ids(story)


def test_the_novelty_loop_goes_round_with_the_case_added(tmp_path):
    story, model, _ = told(tmp_path, chain_script(similar=2))
    assert [check.state for check in story.all(NoveltyCheck)] == ["similar", "similar", "novel"]
    assert story.last(Outcome).converged
    assert len(story.all(Direction)) == len(story.all(Idea)) == 3
    asked = [request for request in model.requests if request.prompt == "future"]
    assert "Direction 1 (repeats: The same mechanism.)" in asked[1].text


def test_the_novelty_loop_is_capped_and_says_so(tmp_path):
    story, _, _ = told(tmp_path, chain_script(similar=9), novelty_rounds=2)
    assert len(story.all(NoveltyCheck)) == 2
    assert (story.last(Outcome).converged, "still overlaps" in story.last(Outcome).reason) == (
        False,
        True,
    )


def test_an_idea_is_never_new_because_a_source_failed(tmp_path):
    source = small_source()
    search = source.search
    source.search = lambda query: _down() if query.text == "sleep study" else search(query)
    story, _, _ = told(tmp_path, source=source)
    check = story.last(NoveltyCheck)
    assert (check.state, check.searches[0].state) == ("source failed", "source failed")
    assert "could not be checked" in story.last(Outcome).reason


def test_nothing_found_near_an_idea_is_no_proof(tmp_path):
    story, _, _ = told(
        tmp_path, chain_script() | {"novelty-queries": lambda _: {"queries": ["quantum gravity"]}}
    )
    assert story.last(NoveltyCheck).state == "nothing found"
    assert (story.last(Outcome).converged, "no proof" in story.last(Outcome).reason) == (
        False,
        True,
    )


def test_papers_the_run_met_are_in_the_library(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner)
    runner.work(run.id)
    assert runner.store.library.runs_with("p2018") == [run.id]
    assert runner.store.library.met_count() == 5


def test_links_show_while_the_chain_still_grows(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script() | {"extract": lambda _: AssertionError("down")})
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    branch = Story.of(runner.store, run.id).branches[0]
    assert len(branch.chain.links) == 5


def test_one_failed_query_and_an_empty_one_are_a_failed_source_not_nothing_found(tmp_path):
    source = small_source()
    real = source.search

    def half_down(query):
        source.down = query.text == "sleep memory"
        try:
            return () if not source.down else real(query)
        finally:
            source.down = False

    source.search = half_down
    runner, _ = runner_of(tmp_path, chain_script(), source)
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    reason = runner.store.runs.get(run.id).reason
    assert "did not answer" in reason
    assert "Nothing was found" not in reason


def test_a_paper_older_than_the_anchor_does_not_follow_one_of_rough_date(tmp_path):
    papers = [
        Paper(
            id="a", title="sleep memory 2018", year=2023, published="2023-05-01", abstract="sleep"
        ),
        Paper(id="b", title="sleep memory rough", year=2023, abstract="sleep"),
        Paper(
            id="c", title="sleep memory older", year=2023, published="2023-02-01", abstract="sleep"
        ),
    ]
    source = SmallSource(papers, {"b": ["a"], "c": ["b"]})
    runner, _ = runner_of(
        tmp_path, chain_script() | {"queries": lambda _: {"queries": ["2018"]}}, source
    )
    run = chain(runner, length=3)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert [paper.id for paper in Story.of(runner.store, run.id).last(Chain).papers] == ["a", "b"]


@pytest.mark.parametrize("name", ["c1", "ARXIV:2301.00001", "doi:10.1/X"])
def test_a_ban_list_may_call_a_paper_by_any_of_its_names(name):
    paper = Paper(id="c1", title="t", arxiv="2301.00001", doi="10.1/x", year=2020)
    assert let_through((paper,), Query(text="q", ban=(name,))) == ()


def test_what_was_read_reaches_the_prompt_with_its_entities():
    reading = Reading(
        entities=(Entity(name="nap", meaning="short sleep"),), idea=PaperIdea(novelty="new")
    )
    assert "nap: short sleep" in worded(reading)
