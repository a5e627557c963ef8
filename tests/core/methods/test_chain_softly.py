"""A hop that comes to nothing ends its direction, with the reason, and neither the branch nor the
run; a milestone ends the way back.
"""

import pytest

from core.errors import ModelFailed
from core.export.markdown import markdown
from tests.support.hop_kit import ANCHOR, Hops, cited_paper, graph
from tests.support.servers.scholar_server import ScholarServer, paper_id
from tests.support.world_kit import WORLD, chains, story, world_chain, world_runner, world_script

EARLIER = [cited_paper(n) for n in range(3)]
UNUSABLE = "I would rather not answer in JSON."


@pytest.fixture
def server():
    with ScholarServer(graph(4, EARLIER)) as running:
        yield running


def test_an_unusable_choice_of_a_reference_ends_the_way_back_alone(tmp_path, server):
    hops = Hops(tmp_path, server, {"choose-reference": lambda _: UNUSABLE}, length=3)
    assert [link.hop for link in hops.chain.links] == ["anchor", "forward"]
    [stop] = [one for one in hops.chain.stops if one.hop == "backward"]
    assert (stop.failed, stop.failing) == (True, "model")
    assert stop.reason.startswith(
        f"Which reference of {hops.anchor.title!r} to follow was not decided: "
    )
    step = hops.runner.store.steps.get(hops.run.id, "branch-1/backward-1/choose-reference")
    assert (step.status, step.reply["kind"]) == ("failed", "NoUsableAnswer")
    considered = hops.considered("backward")
    assert [one.relevant for one in considered.candidates] == [None] * 3
    assert f"backward (model failed): {stop.reason[:30]}" in markdown(
        hops.runner.store, hops.run.id
    ).replace("\\", "")


def test_an_unusable_verdict_loses_that_candidate_and_the_next_is_tried(tmp_path, server):
    seen: list[str] = []

    def first_is_lost(request):
        seen.append(request.values["paper"].id)
        return (
            UNUSABLE
            if request.values["paper"].id == seen[0]
            else {"relevant": True, "reason": "About it."}
        )

    hops = Hops(tmp_path, server, {"relevance": first_is_lost}, length=2)
    assert [link.hop for link in hops.chain.links] == ["anchor", "forward"]
    lost, taken = hops.considered("forward").candidates[:2]
    assert (lost.paper.id, lost.relevant) == (seen[0], None)
    assert lost.reason.startswith("Not judged: ")
    assert (taken.relevant, taken.paper.id) == (True, hops.chain.papers[-1].id)


def test_where_no_candidate_could_be_judged_the_way_ahead_ends_as_failed(tmp_path, server):
    hops = Hops(tmp_path, server, {"relevance": lambda _: UNUSABLE}, length=3)
    assert [link.hop for link in hops.chain.links] == ["backward", "anchor"]
    failed, reason = hops.stop("forward")
    assert failed
    assert "of the nearest 3 that can follow it, 3 could not be judged. Not judged: " in reason


def test_in_a_run_of_the_first_edition_it_still_ends_the_branch(tmp_path, server):
    hops = Hops(tmp_path, server, {"choose-reference": lambda _: UNUSABLE}, length=3, edition=1)
    assert hops.run.state == "failed"


def test_a_model_that_cannot_be_reached_still_loses_the_branch(tmp_path, server):
    hops = Hops(
        tmp_path,
        server,
        {"choose-reference": lambda _: ModelFailed("The model is down.")},
        length=3,
    )
    assert hops.run.state == "failed"
    assert "The model is down." in hops.run.reason


def test_an_unusable_verdict_on_an_anchor_loses_that_paper_and_not_the_branch(tmp_path):
    lost: list[str] = []

    def first_is_lost(request):
        if not lost:
            lost.append(request.values["paper"].id)
        return (
            UNUSABLE
            if request.values["paper"].id == lost[0]
            else world_script()["relevance"](request)
        )

    with ScholarServer(WORLD.papers) as server:
        runner = world_runner(tmp_path, server, world_script(relevance=first_is_lost))
        run = world_chain(runner, topic=WORLD.topics[5], branches=2)
    assert len(chains(runner, run)) == 2
    assert lost[0] not in [
        link.paper.id
        for chain in chains(runner, run)
        for link in chain.links
        if link.hop == "anchor"
    ]


def test_where_no_anchor_could_be_judged_the_run_says_so_and_resuming_asks_again(tmp_path):
    usable: list[bool] = []

    def verdict(request):
        return world_script()["relevance"](request) if usable else UNUSABLE

    with ScholarServer(WORLD.papers) as server:
        runner = world_runner(tmp_path, server, world_script(relevance=verdict))
        run = world_chain(runner, topic=WORLD.topics[5], branches=1)
        assert run.state == "failed"
        assert "3 of the papers to start from could not be judged" in run.reason
        usable.append(True)
        runner.resume(run.id)
        runner.wait(run.id, 60)
        assert runner.store.runs.get(run.id).state == "done"
        assert len(story(runner, run).branches) == 1


# -- milestones --------------------------------------------------------------------------------


def test_an_anchor_that_is_a_milestone_stops_the_way_back_at_once_and_says_why(tmp_path):
    with ScholarServer(graph(8, EARLIER, citationCount=4_000)) as server:
        hops = Hops(tmp_path, server, length=3)
        assert hops.sent("references") == []
    assert hops.stop("backward") == (
        False,
        f"{hops.anchor.title!r} is a milestone (4000 citations, more than 1000).",
    )
    assert hops.chain.papers[0].id == f"s2:{paper_id(ANCHOR)}"
    assert [link.hop for link in hops.chain.links][:2] == ["anchor", "forward"]


def test_in_a_run_of_the_first_edition_the_way_back_goes_on_from_it(tmp_path):
    with ScholarServer(graph(8, EARLIER, citationCount=4_000)) as server:
        hops = Hops(tmp_path, server, length=3, edition=1)
    assert "backward" in [link.hop for link in hops.chain.links]
