"""From one chain to one idea: trend, entities, direction, draft, idea, and the check that it is new (Chain of Ideas, section 2.3)."""
from core.desk import Desk
from core.methods.chain_reading import read_missing
from core.methods.inputs import ChainInputs
from core.methods.novelty import Case, check_novelty, look_for
from core.records import Chain, ChainIdea, Direction, Draft, Entities, Entity, Idea, NoveltyCheck, Record, Trend, digest


class Thought(Record):
    """What one branch came to: its chain as it was read, what matters in it, its idea, and the last check of it."""

    chain: Chain
    entities: tuple[Entity, ...] = ()
    idea: Idea
    check: NoveltyCheck


def think(desk: Desk, rules: ChainInputs, chain: Chain, seed: int) -> Thought:
    """Settle and read the chain, see what it shows, then invent until an idea is new or the rounds are used up."""
    settled = desk.settle("chain", chain)
    chain = settled.model_copy(update={"links": read_missing(desk, rules, settled.links)})
    desk.at("chain").show(chain)
    if "chain" in rules.without:
        chain = unordered(chain, seed)
    trend, entities = desk.all(
        lambda d: see_trend(d, rules.topic, chain) if chain.ordered else None,
        lambda d: merge_entities(d, rules.topic, chain) if "entities" not in rules.without else (),
    )
    return invent(desk, rules, chain, trend, entities)


def unordered(chain: Chain, seed: int) -> Chain:
    """Return the same papers without their order (the ablation of section 4.2)."""
    mixed = sorted(chain.links, key=lambda link: digest([seed, link.paper.id]))
    return chain.model_copy(update={"links": tuple(mixed), "ordered": False})


def see_trend(desk: Desk, topic: str, chain: Chain) -> Trend:
    """Say how each idea led to the next, one entry per neighbouring pair."""
    pairs = [(a.id, b.id) for a, b in zip(chain.papers, chain.papers[1:], strict=False)]

    def one_entry_per_pair(trend: Trend) -> None:
        if [(step.earlier, step.later) for step in trend.steps] != pairs:
            raise ValueError(f"give exactly one step per neighbouring pair, in this order: {pairs}")

    trend = desk.ask("trend", Trend, check=one_entry_per_pair, topic=topic, chain=chain)
    desk.at("trend").show(trend)
    return trend


def merge_entities(desk: Desk, topic: str, chain: Chain) -> tuple[Entity, ...]:
    """Merge the entities of the chain's papers."""
    readings = tuple(link.reading for link in chain.links if link.reading)
    merged = desk.ask("entities", Entities, topic=topic, readings=readings)
    desk.at("entities").show(merged)
    return merged.entities


def invent(desk: Desk, rules: ChainInputs, chain: Chain, trend: Trend | None, entities: tuple[Entity, ...]) -> Thought:
    """Predict, draft, write and check; a known idea sends it back with the case added, `novelty_rounds` times at most.

    Three calls in series per round before the verdict: what is searched for follows from the draft, while the idea is written.
    """
    taken: tuple[Case, ...] = ()
    for n in range(1, rules.novelty_rounds + 1):
        here = desk.at(f"idea-{n}")
        direction = None if "future" in rules.without else predict(here, rules, chain, trend, entities, taken)
        draft = here.ask("draft", Draft, topic=rules.topic, chain=chain, trend=trend, direction=direction, entities=entities, taken=taken)
        here.at("draft").show(draft)
        idea, searches = here.all(lambda d: write(d, rules.topic, chain, draft), lambda d: look_for(d.at("novelty"), rules, draft))
        check = check_novelty(here.at("novelty"), idea, searches, chain.papers, n)
        here.at("novelty").show(check)
        if check.state != "similar":
            break
        taken += (Case(direction=direction.direction if direction else draft.novelty, overlap=check.overlap or check.reason),)
    return Thought(chain=chain, entities=entities, idea=idea, check=check)


def predict(desk: Desk, rules: ChainInputs, chain: Chain, trend: Trend | None, entities: tuple[Entity, ...], taken: tuple[Case, ...]) -> Direction:
    """Predict the next step; a person confirms or changes it first, where that was asked for."""
    direction = desk.ask("future", Direction, topic=rules.topic, chain=chain, trend=trend, entities=entities, taken=taken)
    if rules.confirm:
        direction = desk.person("direction", Direction, topic=rules.topic, proposed=direction.model_dump(mode="json"))
    desk.at("direction").show(direction)
    return direction


def write(desk: Desk, topic: str, chain: Chain, draft: Draft) -> Idea:
    """Turn the draft into a complete idea."""
    idea = desk.ask("idea", ChainIdea, topic=topic, chain=chain, draft=draft).as_idea()
    desk.at("idea").show(idea)
    return idea
