"""Chain of Ideas: order literature into a chain, see where it is heading, draft the idea that comes next, check that it is new."""
from collections.abc import Iterator

from core.desk import Desk
from core.methods.chain_growth import Rules, choose_anchor, grow
from core.methods.novelty import Case, check_novelty
from core.records import (
    Chain,
    ChainIdea,
    Direction,
    Draft,
    Entities,
    Entity,
    Idea,
    NoveltyCheck,
    Outcome,
    Trend,
)

PROMPTS = ("queries", "relevance", "choose-reference", "extract", "trend", "entities", "future", "draft", "idea", "novelty-queries",
           "novelty-verdict")
Product = Chain | Entities | Trend | Direction | Draft | Idea | NoveltyCheck | Outcome


def ideate(desk: Desk, rules: Rules, novelty_rounds: int) -> Iterator[Product]:
    """Yield the chain, what it shows, each idea with its novelty check, and how it ended (Chain of Ideas, section 3)."""
    branch = desk.at("branch-1")
    anchor = choose_anchor(branch, rules)
    branch.at("anchor").show(anchor)
    chain = grow(branch, rules, anchor)
    yield chain
    trend, entities = branch.all(lambda d: see_trend(d, rules.topic, chain), lambda d: merge_entities(d, rules.topic, chain))
    yield trend
    yield Entities(entities=entities)
    yield from invent(branch, rules, chain, trend, entities, novelty_rounds)


def invent(desk: Desk, rules: Rules, chain: Chain, trend: Trend, entities: tuple[Entity, ...], rounds: int) -> Iterator[Product]:
    """Predict, draft, write and check; a known idea sends it back with the case added, `rounds` times at most."""
    taken: tuple[Case, ...] = ()
    for n in range(1, rounds + 1):
        here = desk.at(f"idea-{n}")
        direction = here.ask("future", Direction, topic=rules.topic, chain=chain, trend=trend, entities=entities, taken=taken)
        yield direction
        draft = here.ask("draft", Draft, topic=rules.topic, chain=chain, direction=direction, entities=entities)
        yield draft
        idea = here.ask("idea", ChainIdea, topic=rules.topic, chain=chain, draft=draft).as_idea()
        yield idea
        check = check_novelty(here.at("novelty"), rules, idea, chain.papers, n)
        yield check
        if check.state != "similar":
            yield Outcome(reason=ENDINGS[check.state], idea=idea, round=n, converged=check.state == "novel")
            return
        taken += (Case(direction=direction.direction, overlap=check.overlap or check.reason),)
    yield Outcome(reason=f"After {rounds} rounds the idea still overlaps with published work; see the evidence.", idea=idea, round=rounds)


ENDINGS = {
    "novel": "No paper that was found does the same.",
    "nothing found": "No paper near the idea was found at all, which is no proof that it is new.",
    "source failed": "Whether the idea is new could not be checked: a literature source failed.",
}


def see_trend(desk: Desk, topic: str, chain: Chain) -> Trend:
    """Say how each idea led to the next, one entry per neighbouring pair."""
    pairs = [(a.id, b.id) for a, b in zip(chain.papers, chain.papers[1:], strict=False)]

    def one_entry_per_pair(trend: Trend) -> None:
        if [(step.earlier, step.later) for step in trend.steps] != pairs:
            raise ValueError(f"give exactly one step per neighbouring pair, in this order: {pairs}")

    return desk.ask("trend", Trend, check=one_entry_per_pair, topic=topic, chain=chain)


def merge_entities(desk: Desk, topic: str, chain: Chain) -> tuple[Entity, ...]:
    """Merge the entities of the chain's papers."""
    readings = tuple(link.reading for link in chain.links if link.reading)
    return desk.ask("entities", Entities, topic=topic, readings=readings).entities
