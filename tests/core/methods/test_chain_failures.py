"""How chains fail where a source or an idea does: the run's state, what is on record, and the
sentence a person reads. Nothing is passed off as new.
"""

import itertools
import time
from collections.abc import Iterator

import pytest

from core.export.markdown import markdown, plain
from core.models.port import Request
from core.records import GivenUp, NoveltyCheck, Outcome, Paper, Selection
from tests.support.scripted import resumed
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.servers.scholar_server import ScholarServer
from tests.support.waiting import SOON
from tests.support.world_kit import (
    WORLD,
    chains,
    impatient,
    stop,
    story,
    world_chain,
    world_runner,
    world_script,
)

BUSY = "Semantic Scholar is busy (HTTP 503"


@pytest.fixture
def scholar() -> Iterator[ScholarServer]:
    with ScholarServer(WORLD.papers) as server:
        yield server


# -- the source is down ------------------------------------------------------------------------


def test_a_source_that_is_down_fails_the_run_by_its_name_and_the_run_goes_on_once_it_is_back(
    tmp_path, scholar
):
    scholar.fail("/", "503")
    runner = impatient(tmp_path, scholar)
    run = world_chain(runner)
    assert (run.state, run.reason.startswith(BUSY), "Try again later" in run.reason) == (
        "failed",
        True,
        True,
    )
    assert len(scholar.asked) == 3, "each query once"
    assert story(runner, run).records == ()
    scholar.faults.clear()
    assert resumed(runner, run.id) == "done"
    asked = [request.prompt for request in runner.workshop.scripted.requests]
    assert asked.count("queries") == 1, "what was paid before the failure is not paid again"


def test_the_second_choice_answers_where_the_first_is_down_and_every_answer_says_so(
    tmp_path, scholar
):
    scholar.fail("/", "503")
    with OpenAlexServer(WORLD.papers) as openalex:
        runner = impatient(tmp_path, scholar, openalex_url=openalex.url)
        run = world_chain(runner, "semantic-scholar|openalex", branches=1)
    assert all(
        paper.id.startswith("openalex:") for chain in chains(runner, run) for paper in chain.papers
    )
    asked = [
        step
        for step in runner.store.steps.of(run.id)
        if step.origin.kind == "source" and "full-text" not in step.key
    ]
    instead = {
        (step.origin.detail["answered_by"], step.origin.detail["instead_of"]) for step in asked
    }
    assert {step.key.rsplit("/", 1)[1] for step in asked} == {"search", "citing", "cited"}
    assert instead == {("openalex", "semantic-scholar")}
    assert all(BUSY in step.origin.detail["because"] for step in asked)


def test_when_both_choices_are_down_the_run_says_both_reasons(tmp_path, scholar):
    scholar.fail("/", "503")
    with OpenAlexServer(WORLD.papers) as openalex:
        openalex.fail("/", "503")
        run = world_chain(
            impatient(tmp_path, scholar, openalex_url=openalex.url), "semantic-scholar|openalex"
        )
    assert run.state == "failed"
    assert BUSY in run.reason
    assert "OpenAlex is busy (HTTP 503" in run.reason


def test_a_source_that_fails_at_the_hops_leaves_shorter_chains_that_say_it_failed(
    tmp_path, scholar
):
    scholar.fail("/citations", "503")
    runner = impatient(tmp_path, scholar)
    run = world_chain(runner, branches=1)
    for chain in chains(runner, run):
        assert {link.hop for link in chain.links} == {"backward", "anchor"}
        assert stop(chain, "forward")[0] is True
        assert stop(chain, "forward")[1].startswith(BUSY)
    assert f"forward (source failed): {plain(BUSY)}" in markdown(runner.store, run.id)


def test_a_source_that_fails_for_one_branch_leaves_the_others_whole(tmp_path, scholar):
    healthy = impatient(tmp_path / "healthy", scholar)
    [first, *_] = chains(healthy, world_chain(healthy, topic=WORLD.topics[5]))
    anchor = next(link.paper.id for link in first.links if link.hop == "anchor")
    scholar.fail(anchor.removeprefix("s2:"), "503")
    runner = impatient(tmp_path / "ill", scholar)
    ill, *others = chains(runner, world_chain(runner, topic=WORLD.topics[5]))
    assert [paper.id for paper in ill.papers] == [anchor]
    assert (stop(ill, "forward")[0], stop(ill, "backward")[0]) == (True, True)
    assert [len(chain.papers) for chain in others] == [5, 5]


def test_a_source_that_fails_in_the_novelty_check_is_never_read_as_new(tmp_path, scholar):
    def down(request: Request) -> object:
        scholar.fail("/search", "503")
        return {"queries": ["contrastive pretraining", "protein function"]}

    runner = impatient(tmp_path, scholar, world_script(**{"novelty-queries": down}))
    run = world_chain(runner, branches=1, novelty_rounds=3)
    checks, end = story(runner, run).all(NoveltyCheck), story(runner, run).last(Outcome)
    assert [(check.round, check.state) for check in checks] == [(1, "source failed")]
    assert all(
        search.state == "source failed" and BUSY in search.reason
        for check in checks
        for search in check.searches
    )
    assert (end.converged, end.reason) == (
        False,
        "Whether the idea is new could not be checked: a literature source failed.",
    )
    text = markdown(runner.store, run.id)
    assert "No paper was found by 2 queries searched in " in text
    assert "2 of 2 queries not answered: " in text
    assert "novelty-verdict" not in [
        request.prompt for request in runner.workshop.scripted.requests
    ], "there was nothing to judge by"


def test_the_chain_of_a_faulty_source_still_holds_only_true_edges(tmp_path, scholar):
    """Faults must shorten chains, never bend them."""
    scholar.fail("/references", "half", times=3)
    scholar.fail("/citations", "503", times=2)
    runner = impatient(tmp_path, scholar)
    for chain in chains(runner, world_chain(runner)):
        assert all(_cites(later, earlier) for earlier, later in itertools.pairwise(chain.papers))


def _cites(later: Paper, earlier: Paper) -> bool:
    return WORLD.cites(later.id.removeprefix("s2:"), earlier.id.removeprefix("s2:"))


# -- 429 ---------------------------------------------------------------------------------------


def test_a_short_storm_of_429_is_waited_out(tmp_path, scholar):
    scholar.fail("/citations", "429", times=2)
    runner = world_runner(tmp_path, scholar, patience=10)
    run = world_chain(runner)
    assert all(not one.failed for chain in chains(runner, run) for one in chain.stops)
    waited = [
        step.origin.detail["waited"]
        for step in runner.store.steps.of(run.id)
        if "citing" in step.key
    ]
    assert max(waited) >= 0.9, "a second asked for, less what passes between the reply and the wait"


def test_a_storm_of_429_without_end_is_bounded_in_time_and_in_requests(tmp_path, scholar):
    scholar.fail("/", "429")
    began = time.monotonic()
    run = world_chain(world_runner(tmp_path, scholar, patience=2.5))
    assert time.monotonic() - began < SOON
    assert len(scholar.asked) <= 6, "three queries, two tries each"
    assert run.state == "failed"
    assert "Semantic Scholar is busy (HTTP 429" in run.reason
    assert (
        "at most 2 s are waited in all. Try again later, or set SEMANTIC_SCHOLAR_API_KEY"
        in run.reason
    )


def test_a_storm_at_the_hops_costs_a_direction_its_patience_once(tmp_path, scholar):
    scholar.fail("/citations", "429")
    began = time.monotonic()
    runner = world_runner(tmp_path, scholar, patience=2.5)
    [chain] = chains(runner, world_chain(runner, topic=WORLD.topics[5], branches=1))
    assert time.monotonic() - began < SOON
    assert len([one for one in scholar.asked if one.path.endswith("/citations")]) == 2
    failed, reason = stop(chain, "forward")
    assert failed
    assert "HTTP 429" in reason
    assert [link.hop for link in chain.links][-1] == "anchor"


# -- nothing found -----------------------------------------------------------------------------


def test_nothing_found_is_said_as_such_with_what_to_do_and_no_failure_of_the_source(
    tmp_path, scholar
):
    runner = impatient(tmp_path, scholar)
    run = world_chain(runner, topic="zymurgy of quarks")
    assert run.state == "failed"
    assert run.reason.startswith("Nothing was found on this topic (")
    assert run.reason.endswith("Word the topic with fewer or other terms.")
    searches = [step for step in runner.store.steps.of(run.id) if step.key.endswith("/search")]
    assert [(step.status, step.reply) for step in searches] == [("done", [])] * len(searches)
    assert searches


def test_a_branch_without_an_anchor_of_its_own_is_given_up_and_the_others_go_on(tmp_path):
    line = [
        paper
        for paper in WORLD.papers
        if WORLD.lines[paper["paperId"]].endswith("/ premise selection")
    ]
    with ScholarServer(line[10:12]) as scholar:
        runner = impatient(tmp_path, scholar)
        run = world_chain(runner, topic="premise selection")
    assert run.state == "done", run.reason
    [lost] = story(runner, run).all(GivenUp)
    assert (lost.failed, lost.reason) == (
        False,
        "No further paper that was found bears on the topic and is not another branch's anchor.",
    )
    assert [branch.given_up is not None for branch in story(runner, run).branches] == [
        False,
        False,
        True,
    ]
    assert set(story(runner, run).last(Selection).points) == {1, 2}
    assert plain(lost.reason) in markdown(runner.store, run.id)


def test_a_novelty_check_that_finds_nothing_is_no_proof_that_the_idea_is_new(tmp_path, scholar):
    runner = impatient(
        tmp_path,
        scholar,
        world_script(**{"novelty-queries": lambda _: {"queries": ["zymurgy quarks"]}}),
    )
    run = world_chain(runner, branches=1)
    end = story(runner, run).last(Outcome)
    assert {check.state for check in story(runner, run).all(NoveltyCheck)} == {"nothing found"}
    assert (end.converged, end.reason) == (
        False,
        "No paper near the idea was found at all, which is no proof that it is new.",
    )


# -- the novelty cap ---------------------------------------------------------------------------


def known(request: Request) -> object:
    return {
        "similar": True,
        "nearest": request.values["papers"][0].id,
        "overlap": "The same mechanism.",
        "reason": "It was published.",
    }


def test_the_novelty_loop_ends_at_its_cap_and_says_that_the_idea_is_known(tmp_path, scholar):
    runner = impatient(tmp_path, scholar, world_script(**{"novelty-verdict": known}))
    run = world_chain(runner, branches=1, novelty_rounds=2)
    checks, end = story(runner, run).all(NoveltyCheck), story(runner, run).last(Outcome)
    assert [(check.round, check.state) for check in checks] == [(1, "similar"), (2, "similar")]
    assert all(
        check.nearest and check.searches and check.overlap == "The same mechanism."
        for check in checks
    ), "the evidence is kept"
    assert (end.converged, end.round) == (False, 2)
    assert (
        end.reason
        == "After 2 rounds the idea still overlaps with published work; see the evidence."
    )
    again = [
        request.values["taken"]
        for request in runner.workshop.scripted.requests
        if request.prompt == "future" and request.values["taken"]
    ]
    assert [str(case) for cases in again for case in cases] == [
        "Direction 1 (repeats: The same mechanism.)"
    ]
