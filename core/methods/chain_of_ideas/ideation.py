"""From one chain to one idea: trend, entities, direction, draft, idea, and the check that it is new
(Chain of Ideas, section 2.3).
"""

from functools import partial
from itertools import pairwise
from typing import NamedTuple

from core.desk import Desk
from core.errors import NoUsableAnswer, attempt, standing_for
from core.judging import selection
from core.methods.chain_of_ideas.novelty import check_novelty, look_for, repeats
from core.methods.chain_of_ideas.reading import read_missing
from core.methods.inputs import ChainInputs
from core.records import (
    Chain,
    ChainIdea,
    Direction,
    Draft,
    Entities,
    Entity,
    Idea,
    IdeaChoice,
    Link,
    Lost,
    NextStep,
    NoveltyCheck,
    Outlook,
    Record,
    RepeatedDirection,
    Trend,
    Unordered,
    digest,
)

DIRECTIONS = 3
"""How many candidate directions are asked for, at least."""
ANOTHERS = "another idea of this branch, which goes on from it"
"""What a direction is said to repeat that an idea beside this one was begun with."""


class Beside(NamedTuple):
    """Which of a branch's ideas one is, and the directions they were all begun with."""

    k: int = 1
    of: int = 1
    begun: tuple[RepeatedDirection, ...] = ()

    def turn(self, candidates: tuple[NextStep, ...], n: int) -> NextStep:
        """Return the candidate that is this idea's in round `n`, the best first: the ideas of a
        branch draw in turn, so that two that are sent back do not become one.
        """
        place = self.k - 1 + max(n - 2, 0) * (self.of - 1)
        return candidates[min(place, len(candidates) - 1)]


ALONE = Beside()


class Thought(Record):
    """What one branch came to: its chain as it was read, what matters in it, its idea, and the last
    check of it.
    """

    chain: Chain
    entities: tuple[Entity, ...] = ()
    direction: Direction | None = None
    idea: Idea
    check: NoveltyCheck


def think(desk: Desk, rules: ChainInputs, chain: Chain, seed: int) -> Thought:
    """Settle and read the chain, see what it shows, then invent until an idea is new or the rounds
    are used up.
    """
    settled = desk.settle("chain", chain)
    chain = settled.model_copy(update={"links": read_missing(desk, rules, settled.links)})
    desk.at("chain").show(chain)
    if desk.edition == 1:
        read = shown = shuffle(chain, seed, Chain) if "chain" in rules.without else chain
    else:
        read = shuffle(chain, seed, Unordered) if "order" in rules.without else chain
        shown = keep_ideas(read)

    def trend_of(here: Desk) -> Trend | None:
        if not shown.ordered:
            return None
        return here.spare("trend", lambda d: see_trend(d, rules.topic, shown))

    def entities_of(here: Desk) -> tuple[Entity, ...]:
        if "entities" in rules.without:
            return ()
        merged = here.spare("entities", lambda d: merge_entities(d, rules.topic, read))
        return merged or ()

    trend, entities = desk.all(trend_of, entities_of)
    thought = best_of(desk, rules, shown, trend, entities)
    return thought.model_copy(update={"chain": read})


def shuffle(chain: Chain, seed: int, kind: type[Chain]) -> Chain:
    """Return the same papers without their order."""
    links = sorted(chain.links, key=lambda link: digest([seed, link.paper.id]))
    return kind.model_validate({**dict(chain), "links": tuple(links), "ordered": False})


def keep_ideas(chain: Chain) -> Chain:
    """Return the chain with each paper's idea alone: entities reach a prompt merged, experiments
    where one is designed.
    """

    def alone(link: Link) -> Link:
        if link.reading is None:
            return link
        reading = link.reading.model_copy(update={"entities": (), "experiments": ()})
        return link.model_copy(update={"reading": reading})

    return chain.model_copy(update={"links": tuple(map(alone, chain.links))})


def see_trend(desk: Desk, topic: str, chain: Chain) -> Trend:
    """Say how each idea led to the next, one entry per neighbouring pair."""
    pairs = list(pairwise(paper.id for paper in chain.papers))

    def one_entry_per_pair(trend: Trend) -> None:
        if [(step.earlier, step.later) for step in trend.steps] != pairs:
            wanted = "; ".join(f"from {earlier} to {later}" for earlier, later in pairs)
            raise ValueError(
                "give exactly one step for each of these neighbouring pairs, in this order, with"
                f" the ids as written: {wanted}"
            )

    trend = desk.ask("trend", Trend, check=one_entry_per_pair, topic=topic, chain=chain)
    desk.at("trend").show(trend)
    return trend


def merge_entities(desk: Desk, topic: str, chain: Chain) -> tuple[Entity, ...]:
    """Merge the entities of the chain's papers."""
    readings = [link.reading for link in chain.links if link.reading]
    if desk.edition > 1:
        readings = [reading.model_copy(update={"experiments": ()}) for reading in readings]
    merged = desk.ask("entities", Entities, topic=topic, readings=tuple(readings))
    desk.at("entities").show(merged)
    return merged.entities


def best_of(
    desk: Desk, rules: ChainInputs, chain: Chain, trend: Trend | None, entities: tuple[Entity, ...]
) -> Thought:
    """Return the branch's result (direction, idea and check): the only one or, of several, the one
    that is chosen.

    The others stand under `direction-2`, `direction-3`, ...; the chosen one's direction, idea and
    check are shown last.
    """
    if rules.ideas == 1:
        return invent(desk, rules, chain, trend, entities, ())
    first: tuple[NextStep, ...] = ()
    if "future" not in rules.without:
        first = predict(desk.at("idea-1"), rules, chain, trend, entities, rules.known)
    most = min(rules.ideas, len(first) or rules.ideas)
    begun = tuple(
        RepeatedDirection(direction=one.direction, overlap=ANOTHERS) for one in first[:most]
    )

    def pursue(here: Desk, k: int) -> Thought | NoUsableAnswer:
        place = here if k == 1 else here.at(f"direction-{k}")
        past = place.past(*here.passed, NoUsableAnswer)
        direction = first[k - 1 : k]
        beside = Beside(k, most, begun) if desk.edition > 2 else ALONE
        return attempt(
            (NoUsableAnswer,), invent, past, rules, chain, trend, entities, direction, beside
        )

    pursuits = [partial(pursue, k=k) for k in range(1, most + 1)]
    thoughts, lost = dict[int, Thought](), dict[int, NoUsableAnswer]()
    for k, end in enumerate(desk.all(*pursuits), 1):
        if isinstance(end, Thought):
            thoughts[k] = end
        else:
            lost[k] = end
    if not thoughts:
        raise standing_for(tuple(lost.values()))
    for k, error in lost.items():
        desk.at(f"lost-idea-{k}").show(Lost(part=f"idea {k}", reason=str(error)))
    ideas = {k: thought.idea for k, thought in not_yet_known(thoughts).items()}
    choice = selection.select(desk.at("choice"), rules.topic, ideas, "idea")
    desk.at("choice").show(IdeaChoice(**dict(choice)))
    best = thoughts[choice.best]
    if best.direction:
        desk.at("chosen/direction").show(best.direction)
    desk.at("chosen/idea").show(best.idea)
    desk.at("chosen/novelty").show(best.check)
    return best


def not_yet_known(thoughts: dict[int, Thought]) -> dict[int, Thought]:
    """Return the thoughts whose idea is not known already; all where every idea is."""
    fresh = {n: thought for n, thought in thoughts.items() if thought.check.state != "similar"}
    return fresh or thoughts


def invent(
    desk: Desk,
    rules: ChainInputs,
    chain: Chain,
    trend: Trend | None,
    entities: tuple[Entity, ...],
    first: tuple[NextStep, ...],
    beside: Beside = ALONE,
) -> Thought:
    """Predict (unless the `first` direction is given), draft, write and check; a known idea sends
    it back with the case added, `novelty_rounds` times at most, in another direction than those of
    the ideas `beside` it.

    Three calls in series per round before the verdict: what is searched for follows from the draft,
    while the idea is written.
    """
    taken: tuple[RepeatedDirection, ...] = rules.known
    tried = set[str]()
    for n in range(1, rules.novelty_rounds + 1):
        here = desk.at(f"idea-{n}")
        steps = first if n == 1 else ()
        if not steps and "future" not in rules.without:
            others = tuple(one for one in beside.begun if one.direction not in tried)
            steps = predict(here, rules, chain, trend, entities, (*taken, *others))
        direction = None
        if steps:
            step = steps[0] if n == 1 else beside.turn(steps, n)
            direction = settle_direction(here, rules, step.as_direction())
        draft = here.ask(
            "draft",
            Draft,
            topic=rules.topic,
            chain=chain,
            trend=trend,
            direction=direction,
            entities=entities,
            taken=taken,
        )
        here.at("draft").show(draft)
        idea, searches = here.all(
            lambda d: write(d, rules.topic, chain, draft, direction, entities, taken),
            lambda d: look_for(d.at("novelty"), rules, draft),
        )
        check = check_novelty(here.at("novelty"), idea, searches, chain.papers, n)
        here.at("novelty").show(check)
        if check.state != "similar":
            break
        known = direction.direction if direction else draft.novelty
        tried.add(known)
        taken += repeats(check, known, chain.papers)
    return Thought(chain=chain, entities=entities, direction=direction, idea=idea, check=check)


def predict(
    desk: Desk,
    rules: ChainInputs,
    chain: Chain,
    trend: Trend | None,
    entities: tuple[Entity, ...],
    taken: tuple[RepeatedDirection, ...],
) -> tuple[NextStep, ...]:
    """Return possible next steps, the best first; one reply holds them together with the choice."""
    ask = partial(
        desk.ask,
        "future",
        topic=rules.topic,
        chain=chain,
        trend=trend,
        entities=entities,
        taken=taken,
    )
    if desk.edition == 1:
        single: Direction = ask(returns=Direction)
        return (NextStep(direction=single.direction, reasoning=single.reasoning),)
    outlook: Outlook = ask(returns=Outlook, most=max(DIRECTIONS, rules.ideas))
    desk.at("directions").show(outlook)
    return outlook.candidates


def settle_direction(desk: Desk, rules: ChainInputs, direction: Direction) -> Direction:
    """Show the direction that is drafted; a person confirms or changes it first, where that was
    asked for.
    """
    if rules.confirm:
        direction = desk.person(
            "direction", Direction, topic=rules.topic, proposed=direction.model_dump(mode="json")
        )
    desk.at("direction").show(direction)
    return direction


def write(
    desk: Desk,
    topic: str,
    chain: Chain,
    draft: Draft,
    direction: Direction | None,
    entities: tuple[Entity, ...],
    taken: tuple[RepeatedDirection, ...],
) -> Idea:
    """Turn the draft into a complete idea."""
    idea = desk.ask(
        "idea",
        ChainIdea,
        topic=topic,
        chain=chain,
        draft=draft,
        direction=direction,
        entities=entities,
        taken=taken,
    ).as_idea()
    desk.at("idea").show(idea)
    return idea
