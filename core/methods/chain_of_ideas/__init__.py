"""Chain of Ideas: order literature into chains, see where each is heading, draft the idea that
comes next, choose the best, design its test.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import TypeVar

from core.desk import Desk
from core.errors import FoundryError, NothingFound, attempt, standing_for
from core.judging import selection
from core.methods import experiment
from core.methods.chain_of_ideas.anchors import LOST, choose_anchors, retrieve_nearest
from core.methods.chain_of_ideas.growth import anchor_of, grow, read_start
from core.methods.chain_of_ideas.ideation import not_yet_known, think
from core.methods.chain_of_ideas.mapping import draw_map
from core.methods.chain_of_ideas.offers import names_of
from core.methods.inputs import ChainInputs
from core.records import (
    Chain,
    Design,
    DesignRound,
    GivenUp,
    Link,
    Map,
    Outcome,
    Selection,
    Start,
    Stop,
)

PROMPTS = (
    "queries",
    "relevance",
    "choose-reference",
    "extract",
    "trend",
    "entities",
    "future",
    "draft",
    "idea",
    "novelty-queries",
    "novelty-verdict",
    *selection.PROMPTS,
    *experiment.PROMPTS,
)
Product = Selection | Design | DesignRound | Map | Outcome
A = TypeVar("A")
B = TypeVar("B")


def ideate(desk: Desk, rules: ChainInputs) -> Iterator[Product]:
    """Grow the branches, think about each, and yield which idea is best, how it could be tested,
    where it lies, and how it ended.

    Longest series: queries, anchors, one choice a hop, a last reading, trend, direction, draft,
    idea, verdict, selection, design, review, refinement.
    """
    seed = desk.bench.config.seed
    chains = part(desk, rules, grow_all(desk, rules))
    thoughts = each(desk, chains, lambda d, chain: think(d, rules, chain, seed))
    ideas = {n: thought.idea for n, thought in not_yet_known(thoughts).items()}
    chosen = selection.select(desk.at("selection"), rules.topic, ideas)
    yield chosen
    best = thoughts[chosen.best]
    if rules.design:
        # The papers' own experiments are shown where one is designed, and nowhere else.
        readings = [link.reading for link in best.chain.links if link.reading]
        examples = tuple(experiment for reading in readings for experiment in reading.experiments)
        yield from experiment.design(
            desk.at("experiment"), rules, best.idea, examples, best.entities, rules.refinements
        )
    branches = {n: (thought.chain, thought.idea, thought.check) for n, thought in thoughts.items()}
    if spread := draw_map(desk.at("map"), branches):
        yield spread
    check = best.check
    yield Outcome(
        reason=ENDINGS[check.state].format(rounds=check.round),
        idea=best.idea,
        round=check.round,
        converged=check.state == "novel",
        branch=chosen.best,
    )


ENDINGS = {
    "novel": "No paper that was found does the same.",
    "similar": (
        "After {rounds} rounds the idea still overlaps with published work; see the evidence."
    ),
    "nothing found": "No paper near the idea was found at all, which is no proof that it is new.",
    "source failed": "Whether the idea is new could not be checked: a literature source failed.",
    "not judged": "Whether the idea is new could not be checked: the model gave no usable answer.",
}


def grow_all(desk: Desk, rules: ChainInputs) -> dict[int, Chain]:
    """Choose all anchors, then grow every branch from its own, side by side; none takes another's
    anchor.
    """
    no_hops = "chain" in rules.without and desk.edition > 1
    if rules.length == 0 or no_hops:
        nearest = Start(links=retrieve_nearest(desk, rules))
        links = read_start(desk.at("branch-1"), rules, nearest)
        return {1: Chain(topic=rules.topic, links=links, ordered=False)}
    anchors = dict(enumerate(choose_anchors(desk, rules), 1))
    chosen = {n: anchor for n, anchor in anchors.items() if isinstance(anchor, Link)}
    for n, anchor in chosen.items():
        desk.at(f"branch-{n}/anchor").show(anchor)

    def branch(here: Desk, anchor: Link) -> Chain:
        others = [link.paper for link in chosen.values() if link is not anchor]
        start = Start(links=(anchor,))
        settled = here.settle("start", start)
        return grow(here, rules, settled, names_of(others))

    return each(desk, anchors, branch)


def each(
    desk: Desk, items: Mapping[int, A | FoundryError], work: Callable[[Desk, A], B]
) -> dict[int, B]:
    """Do a piece of work for every branch that was not lost before, side by side; a lost branch is
    shown with its reason, and raised only if all are lost.
    """

    def unless_lost(here: Desk, item: A | FoundryError) -> B | FoundryError:
        if isinstance(item, FoundryError):
            return item
        return attempt((*LOST, NothingFound), work, here.past(*LOST), item)

    results = desk.at_each(unless_lost, {f"branch-{n}": item for n, item in items.items()})
    done = dict(zip(items, results, strict=True))
    lost = {n: error for n, error in done.items() if isinstance(error, FoundryError)}
    if len(lost) == len(done):
        # Earlier failures stay recorded once later work has begun, which may depend on them.
        errors = list(lost.values())
        lost_now = [error for n, error in lost.items() if items[n] is not error]
        raise all_lost(errors, lost_now or errors)
    for n, error in lost.items():
        failed = not isinstance(error, NothingFound)
        desk.at(f"branch-{n}/given-up").show(GivenUp(reason=str(error), failed=failed))
    return {n: result for n, result in done.items() if not isinstance(result, FoundryError)}


def all_lost(lost: list[FoundryError], again: list[FoundryError]) -> FoundryError:
    """Return the failure that ends the run if every branch failed, preferably one of a source or a
    model; resuming asks `again`.
    """
    failures = [error for error in lost if not isinstance(error, NothingFound)]
    worst = (failures or lost)[0]
    if len(lost) > 1:
        worst = type(worst)(f"None of the {len(lost)} branches came through. Of one: {worst}")
    return standing_for(again, worst)


def part(desk: Desk, rules: ChainInputs, chains: dict[int, Chain]) -> dict[int, Chain]:
    """Part branches that met in a paper: the first keeps it, the other regrows from what came
    before.
    """

    def made_by_code(n: int) -> bool:
        return not any(link.hop == "person" or link.pinned for link in chains[n].links)

    parted, earlier = dict(chains), frozenset[str]()
    # A branch a person had a hand in comes first: what they put in stays.
    for n in sorted(sorted(chains), key=made_by_code):
        if not earlier.isdisjoint(names_of(chains[n].papers)):
            parted[n] = grow_apart(desk.at(f"branch-{n}/again"), rules, n, parted, earlier)
        earlier |= names_of(parted[n].papers)
    return parted


def grow_apart(
    desk: Desk, rules: ChainInputs, n: int, chains: dict[int, Chain], taken: frozenset[str]
) -> Chain:
    """Return branch `n` cut where another branch has its papers, and grown another way from
    there.
    """
    own = own_part(chains[n].links, taken)
    others = (paper for k, chain in chains.items() if k != n for paper in chain.papers)
    try:
        return grow(desk.past(*LOST), rules, Start(links=own), names_of(others))
    except LOST as error:
        reason = f"Cut where it met another branch. {error}"
        stop = Stop(hop="forward", reason=reason, failed=True)
        return Chain(topic=chains[n].topic, links=own, stops=(stop,))


def own_part(links: tuple[Link, ...], taken: frozenset[str]) -> tuple[Link, ...]:
    """Return the links around the anchor up to the first, on either side, that another branch has;
    what a person put in stays.
    """

    def free(link: Link) -> bool:
        return link.hop in ("anchor", "person") or link.pinned or taken.isdisjoint(link.paper.names)

    anchor = anchor_of(links)
    middle = links.index(anchor)
    before = list(takewhile(free, reversed(links[:middle])))
    after = takewhile(free, links[middle + 1 :])
    return (*reversed(before), anchor, *after)
