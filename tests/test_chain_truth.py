"""What chains claim of literature, checked against what is true of it: edges, time, twins, cut-off,
bans. On the shelf and over the made-up world.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core import settings
from core.methods import ChainInputs
from core.models.port import Request
from core.plans import validated
from core.records import Chain, DesignRound, NoveltyCheck, Paper, Run
from core.runner import Runner
from core.story import Story
from core.workshop import Workshop
from tests.builtin_kit import shared
from tests.conftest import ScriptedModel
from tests.scripted import chain_script, configured
from tests.world_kit import NUMBERED, SERVERS, WORLD, WorldShop, cited_by, world_chain, world_runner

FULL = {"semantic-scholar": range(0, 48, 12), "openalex": range(1, 48, 12)}
"""Topics of several fields on which no branch runs into a dead end."""


@dataclass(frozen=True)
class Told:
    """A finished run with what it says."""

    runner: Runner
    run: Run
    chains: tuple[Chain, ...]

    @property
    def papers(self) -> list[Paper]:
        return [paper for chain in self.chains for paper in chain.papers]

    def answered(self, ending: str) -> list[tuple[str, list[Paper]]]:
        """Return the key and the papers of every recorded answer of the source to a step that is
        called so.
        """
        steps = [
            step
            for step in self.runner.store.steps.of(self.run.id)
            if step.origin.kind == "source" and step.key.endswith(ending)
        ]
        return [
            (
                step.key,
                [
                    Paper.model_validate(one)
                    for one in (
                        step.reply["papers"] if isinstance(step.reply, dict) else step.reply
                    )
                ],
            )
            for step in steps
        ]


@cache
def told(runner: Runner, source: str, **inputs: object) -> Told:
    run = world_chain(runner, source, **inputs)
    assert run.state == "done", run.reason
    return Told(runner, run, Story.of(runner.store, run.id).all(Chain))


def real(paper: Paper) -> str:
    """Return the id a served paper has in the world."""
    source, _, name = paper.id.partition(":")
    return NUMBERED[name] if source == "openalex" else name


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=() if name == "semantic-scholar" else pytest.mark.soak)
        for name in SERVERS
    ],
)
def source(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def runner(source, tmp_path_factory) -> Iterator[Runner]:
    with SERVERS[source](WORLD.papers) as server:
        yield world_runner(tmp_path_factory.mktemp(source), server)


def test_three_branches_of_five_come_out_and_every_hop_is_a_true_edge_in_time_order(source, runner):
    for n in FULL[source]:
        found = told(runner, source, topic=WORLD.topics[n])
        assert [len(chain.papers) for chain in found.chains] == [5, 5, 5], WORLD.topics[n]
        assert_true(found)


def assert_true(found: Told) -> None:
    for chain in found.chains:
        assert all(
            WORLD.cites(real(later), real(earlier))
            for earlier, later in itertools.pairwise(chain.papers)
        )
        assert not [pair for pair in itertools.combinations(chain.papers, 2) if out_of_order(*pair)]
        assert [link.hop for link in chain.links].count("anchor") == 1
        assert chain.violations == ()
    originals = [WORLD.original(real(paper)) for paper in found.papers]
    assert len(set(originals)) == len(originals), "one paper under two ids is one paper"


def out_of_order(earlier: Paper, later: Paper) -> bool:
    """Say whether the later one is known to be the older one, each date taken as far as it goes."""
    a, b = (WORLD.by_id[real(paper)] for paper in (earlier, later))
    return a["year"] > b["year"] or (
        a["year"] == b["year"] and (b["publicationDate"] or "9") < (a["publicationDate"] or "0")
    )


@pytest.mark.soak
def test_on_every_topic_of_the_world_chains_are_true_and_a_short_one_says_why_on_both_sides(
    source, runner
):
    full = 0
    for topic in WORLD.topics:
        found = told(runner, source, topic=topic)
        assert_true(found)
        full += all(len(chain.papers) == 5 for chain in found.chains)
        assert all(
            {stop.hop for stop in chain.stops} == {"forward", "backward"}
            for chain in found.chains
            if len(chain.papers) < 5
        )
    assert full >= 40, f"three branches of five on {full} of 48 topics"


def test_twins_and_misdated_papers_were_there_to_be_taken(source, runner):
    """Without these, the checks above would prove nothing."""
    twins = [WORLD.lines[name] for name in WORLD.having("twin")]
    field, _, line = max(sorted(twins), key=twins.count).partition(" / ")
    found = told(runner, source, topic=f"{line} for {field}", branches=8, length=8)
    assert_true(found)
    offered = {
        real(paper)
        for ending in ("/citing", "/cited", "/search")
        for _, papers in found.answered(ending)
        for paper in papers
    }
    taken = {real(paper) for paper in found.papers}
    assert {WORLD.original(name) for name in offered & WORLD.having("twin")} & offered, (
        "both entries of a paper were offered"
    )
    assert (offered & WORLD.having("misdated")) - taken


def test_cut_off_and_ban_list_are_obeyed_at_every_hop_and_in_the_novelty_check(source, runner):
    topic = WORLD.topics[FULL[source][1]]
    free = told(runner, source, topic=topic)
    before = sorted(latest(paper) for paper in free.papers)[10]
    ban = {
        paper.id
        for chain in free.chains
        for paper in (chain.papers[1], chain.papers[2])
        if latest(paper) < before
    }
    ban |= {
        paper.id
        for _, papers in free.answered("/search")
        for paper in papers[:5]
        if latest(paper) < before
    }
    bound = told(runner, source, topic=topic, before=before, ban=tuple(sorted(ban)))
    assert_true(bound)
    met = [
        paper
        for ending in ("/citing", "/cited", "/search")
        for _, papers in bound.answered(ending)
        for paper in papers
    ]
    assert not ban & {paper.id for paper in [*met, *bound.papers, *looked_up(bound)]}
    assert not [
        paper.id for paper in [*met, *bound.papers, *looked_up(bound)] if latest(paper) >= before
    ]
    assert_needed(free, bound, before, ban)


def assert_needed(free: Told, bound: Told, before: str, ban: set[str]) -> None:
    """Check that at hops and in the novelty check alike there were papers to refuse, of either
    kind.
    """
    hops = [paper for chain in bound.chains for paper in chain.papers]
    around = [
        {name for edge in WORLD.edges if real(paper) in edge for name in edge} for paper in hops
    ]
    banned = {NUMBERED.get(name.partition(":")[2], name.partition(":")[2]) for name in ban}
    assert any(banned & near for near in around)
    assert any(
        WORLD.by_id[name]["year"] >= int(before[:4]) + 1
        for near in around
        for name in near
        if name in WORLD.by_id
    )
    first = [
        paper for key, papers in free.answered("/search") if "/novelty/" in key for paper in papers
    ]
    assert ban & {paper.id for paper in first}
    assert any(latest(paper) >= before for paper in first)
    assert ban & {
        paper.id
        for key, papers in free.answered("/search")
        if key.startswith("anchors/")
        for paper in papers
    }


def latest(paper: Paper) -> str:
    """Return the last day on which a paper may have come out, as far as its source says."""
    return (paper.published or f"{paper.year}-12-31") + "-31"[
        : 10 - len(paper.published or "YYYY-MM-DD")
    ]


def looked_up(found: Told) -> list[Paper]:
    """Return the papers that novelty checks and the look-up for the experiment came to show."""
    story = Story.of(found.runner.store, found.run.id)
    searches = [
        search
        for kind in (NoveltyCheck, DesignRound)
        for record in story.all(kind)
        for search in record.searches
    ]
    nearest = [check.nearest for check in story.all(NoveltyCheck) if check.nearest]
    assert all(check.searches for check in story.all(NoveltyCheck))
    return [*(paper for search in searches for paper in search.papers), *nearest]


@pytest.mark.parametrize(("before", "taken"), [("07-01", False), ("12-31", False), ("next", True)])
def test_a_paper_known_by_its_year_alone_is_too_new_for_any_cut_off_in_that_year(
    tmp_path, before, taken
):
    """The service counts such a paper as of January 1 and gives it; it may have come out on
    December 31.
    """
    name = next(
        one
        for one in sorted(WORLD.having("year only"))
        if len(cited_by(WORLD.by_id[one]["references"][0])) < 5
    )
    year, head = WORLD.by_id[name]["year"], WORLD.by_id[name]["references"][0]
    cut_off = f"{year + 1}-01-02" if before == "next" else f"{year}-{before}"
    with SERVERS["semantic-scholar"](WORLD.papers) as server:
        runner = world_runner(tmp_path, server)
        source = runner.workshop.source("semantic-scholar")
        [anchor] = source.papers((f"s2:{head}",))
        assert f"s2:{name}" in {paper.id for paper in source.citations(anchor, 200, cut_off)}, (
            "it is there to be taken"
        )
        field, _, line = WORLD.lines[name].partition(" / ")
        found = told(
            runner,
            "semantic-scholar",
            topic=f"{line} for {field}",
            branches=1,
            anchors=(anchor,),
            before=cut_off,
        )
    [(_, citing), *_] = found.answered("/forward-1/citing")
    assert (f"s2:{name}" in {paper.id for paper in citing}) is taken


def test_anchors_are_distinct_and_chosen_before_any_branch_grows(source, runner):
    found = told(runner, source, topic=WORLD.topics[FULL[source][2]], branches=5)
    anchors = [link.paper for chain in found.chains for link in chain.links if link.hop == "anchor"]
    assert len({WORLD.original(real(paper)) for paper in anchors}) == 5
    steps = found.runner.store.steps.of(found.run.id)
    chosen = max(step.ended for step in steps if "/anchor-" in step.key)
    assert all(step.asked >= chosen for step in steps if "ward-" in step.key)


def test_banning_a_doi_bans_every_entry_of_the_paper(source, runner):
    """A ban by DOI must hold for the twin too, which has another id."""
    topic = WORLD.topics[FULL[source][0]]
    free = told(runner, source, topic=topic)
    anchor = next(link.paper for link in free.chains[0].links if link.hop == "anchor")
    bound = told(runner, source, topic=topic, ban=(f"doi:{anchor.doi}",))
    assert anchor.doi
    assert anchor.doi not in [paper.doi for paper in bound.papers]


# -- on the shelf: real papers, and edges that were seen -------------------------------------------

TOPIC = "Encouraging divergent thinking in large language models through multi-agent debate"


def on_the_shelf(folder: Path, model: str, **inputs: object) -> Told:
    """Work a chain on the shelf with real embeddings, by the built-in model or one that takes every
    paper for relevant.
    """
    bench = shared()
    shop = (
        WorldShop(folder, ScriptedModel(willing_script()))
        if model == "scripted:one"
        else Workshop(settings.read({}, data=folder))
    )
    shop.embedder, shop.shelf = bench.embedder, bench.shelf
    runner = Runner(shop)
    asked = validated(ChainInputs, **({"topic": TOPIC} | inputs))
    run = runner.begin(
        configured(runner, "chain", asked, models=dict.fromkeys(("main", "cheap"), model)),
        "On the shelf",
    )
    runner.work(run.id)
    run = runner.store.runs.get(run.id)
    assert run.state == "done", run.reason
    return Told(runner, run, Story.of(runner.store, run.id).all(Chain))


def willing_script() -> dict:
    def halves(request: Request) -> object:
        words = request.values["topic"].split()
        return {
            "queries": [
                " ".join(words),
                " ".join(words[: len(words) // 2 + 1]),
                " ".join(words[len(words) // 2 :]),
            ]
        }

    return chain_script() | {"queries": halves, "novelty-queries": halves}


def assert_true_on_the_shelf(chains: tuple[Chain, ...]) -> None:
    for chain in chains:
        assert all(
            shared().shelf.edge(later.id, earlier.id)
            for earlier, later in itertools.pairwise(chain.papers)
        )
        assert not [
            pair for pair in itertools.combinations(chain.papers, 2) if pair[1].before(pair[0])
        ]
        assert len(chain.papers) == 5 or {stop.hop for stop in chain.stops} == {
            "forward",
            "backward",
        }
    ids = [paper.id for chain in chains for paper in chain.papers]
    assert len(ids) == len(set(ids))
    assert len(
        {link.paper.id for chain in chains for link in chain.links if link.hop == "anchor"}
    ) == len(chains)


def test_three_branches_of_five_come_out_on_the_shelf_where_every_paper_is_relevant(tmp_path):
    found = on_the_shelf(tmp_path, "scripted:one")
    assert [len(chain.papers) for chain in found.chains] == [5, 5, 5]
    assert_true_on_the_shelf(found.chains)


def test_cut_off_and_ban_list_are_obeyed_on_the_shelf(tmp_path):
    free = on_the_shelf(tmp_path / "free", "scripted:one")
    ban, before = (
        {chain.papers[2].id for chain in free.chains},
        sorted(latest(paper) for paper in free.papers)[-3],
    )
    bound = on_the_shelf(tmp_path / "bound", "scripted:one", ban=tuple(sorted(ban)), before=before)
    met = [
        paper
        for ending in ("/citing", "/cited", "/search")
        for _, papers in bound.answered(ending)
        for paper in papers
    ]
    assert {paper.id for paper in looked_up(free)} & ban
    assert not ban & {paper.id for paper in [*met, *bound.papers, *looked_up(bound)]}
    assert max(latest(paper) for paper in [*met, *bound.papers, *looked_up(bound)]) < before
    assert_true_on_the_shelf(bound.chains)


def test_the_built_in_model_follows_true_edges_and_says_why_where_the_shelf_ends(tmp_path):
    found = on_the_shelf(
        tmp_path, "builtin", topic=shared().shelf.neighbourhoods()[0].example_topics[0]
    )
    assert len(found.chains) == 3
    assert len(found.papers) >= 12
    assert_true_on_the_shelf(found.chains)
