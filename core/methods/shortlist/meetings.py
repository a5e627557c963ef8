"""Two texts beside one another, blind and in both orders: by a model in an arena of its own, or by
the rules of the built-in model, which understand nothing and are said to be that.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from core.desk import Desk
from core.errors import CannotAnswer, ModelFailed
from core.judging.arena.competition import ArenaInputs
from core.records import (
    IDEA_CRITERIA,
    Ballot,
    ComparedBy,
    Comparison,
    Contest,
    Entry,
    Idea,
    Worked,
)
from core.store import Store
from core.store.entries import entry_id

ARENA = "arena-ideas"
RULES = "select"
JUDGE = "judge"
UNJUDGED = (ModelFailed, CannotAnswer)
LONGEST_TOPIC = 200
"""Characters of a topic's name in an arena."""
COLLECTION = "shortlist"


class Met(NamedTuple):
    """How two texts came out of a meeting: criteria won over both orders, a tie counting half."""

    won_a: float = 0
    won_b: float = 0
    run: str = ""
    reason: str = ""
    failed: bool = False

    def turned(self) -> "Met":
        """Return the same meeting with the texts named the other way round."""
        return self._replace(won_a=self.won_b, won_b=self.won_a)


class Meetings(NamedTuple):
    """What was compared: the pairs with how they came out, over how many rounds."""

    met: dict[tuple[int, int], Met]
    rounds: int = 1


def compared_by(desk: Desk) -> ComparedBy:
    """Return who can compare ideas here."""
    judge = desk.bench.models[JUDGE]
    if judge.answers(ARENA):
        return "model"
    return "rules" if judge.provider == "builtin" and judge.answers(RULES) else "nobody"


def arena(desk: Desk, name: str, topic: str, ideas: Mapping[str, Idea], title: str) -> Worked:
    """Have ideas, by the names they compete under, judged pair by pair in a run of its own."""
    store = desk.bench.store
    store.frozen.keep_all(tuple(ideas.values()))
    short = " ".join(topic.split())[:LONGEST_TOPIC].strip()
    entries = tuple(_entry(method, idea, short) for method, idea in ideas.items())
    inputs = ArenaInputs(topic=title, entries=entries)
    models = {JUDGE: desk.bench.config.models[JUDGE]}
    return desk.run(name, "arena", inputs, models, title)


def _entry(method: str, idea: Idea, topic: str) -> Entry:
    made = Entry(
        id="",
        kind="idea",
        sha=idea.digest(),
        method=method,
        topic=topic,
        collection=COLLECTION,
    )
    return made.model_copy(update={"id": entry_id(made)})


def met_in(store: Store, worked: Worked, names: Sequence[str]) -> dict[tuple[str, str], Met]:
    """Return how every two of these names, in alphabetical order, came out of an arena; a meeting
    of which an order is missing has failed.
    """
    pairs = list(combinations(sorted(names), 2))
    if worked.state == "failed":
        lost = Met(run=worked.run, reason=worked.reason or "The arena failed.", failed=True)
        return dict.fromkeys(pairs, lost)
    held: dict[tuple[str, str], list[Ballot]] = {pair: [] for pair in pairs}
    judge = store.runs.get(worked.run).config.models[JUDGE]
    for ballot in store.ballots.of(worked.run, person=False):
        # What people say in it later, or bring into it, is no part of this shortlist.
        if ballot.judge == judge and _pair(ballot.contest) in held:
            held[_pair(ballot.contest)].append(ballot)
    return {pair: _met(pair, ballots, worked.run) for pair, ballots in held.items()}


def _pair(contest: Contest) -> tuple[str, str]:
    return contest.a, contest.b


def _met(pair: tuple[str, str], ballots: Sequence[Ballot], run: str) -> Met:
    if len({ballot.first for ballot in ballots}) < 2:
        missing = "no order" if not ballots else "only one order"
        return Met(run=run, reason=f"The judge gave a usable answer in {missing}.", failed=True)
    a, b = pair
    won_a = sum(_won(ballot, a) for ballot in ballots)
    won_b = sum(_won(ballot, b) for ballot in ballots)
    return Met(won_a, won_b, run)


def _won(ballot: Ballot, name: str) -> float:
    """Return how many criteria one of both has won in one order."""
    mine = "first" if ballot.first == name else "second"
    return sum(points(side, mine) for side in ballot.sides.values())


def points(side: str, mine: str) -> float:
    """Return what one criterion brings to the text that stood at `mine`."""
    return 0.5 if side == "tie" else float(side == mine)


def by_rules(desk: Desk, topic: str, a: Idea, b: Idea) -> Met:
    """Have the built-in model's rules compare two ideas in both orders."""
    values = {"in-order": (a, b), "turned": (b, a)}

    def ask(here: Desk, shown: tuple[Idea, Idea]) -> Comparison | ModelFailed:
        first, second = shown
        try:
            return here.ask(
                RULES,
                Comparison,
                role=JUDGE,
                recorded=UNJUDGED,
                topic=topic,
                first=first,
                second=second,
            )
        except UNJUDGED as error:
            return error

    answers = dict(zip(values, desk.at_each(ask, values), strict=True))
    won_a = won_b = 0.0
    reasons = []
    for order, said in answers.items():
        if isinstance(said, ModelFailed):
            return Met(reason=str(said), failed=True)
        mine, theirs = ("first", "second") if order == "in-order" else ("second", "first")
        sides = [getattr(said, name) for name in IDEA_CRITERIA]
        won_a += sum(points(side, mine) for side in sides)
        won_b += sum(points(side, theirs) for side in sides)
        reasons.append(said.reason)
    return Met(won_a, won_b, reason=reasons[0])
