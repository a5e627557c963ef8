"""Who meets whom in an arena, and what a person sees next, blind."""

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from core.errors import BadInput
from core.records import (
    DESIGN_CRITERIA,
    FIVE_WAY,
    IDEA_CRITERIA,
    Ballot,
    Contest,
    HalfBallot,
    Kind,
    Lineup,
    Side,
    digest,
    part,
)
from core.store import Store

CRITERIA: dict[Kind, tuple[str, ...]] = {"idea": IDEA_CRITERIA, "design": DESIGN_CRITERIA}

NO_PAIR = (
    "No match can be played: no topic is left with texts of two methods. Add a method, or texts on "
    "the same topics."
)


class VoterProgress(NamedTuple):
    """How far a person is in an arena."""

    done: int
    whole: int


def contests(places: Iterable[tuple[str, str]]) -> tuple[Contest, ...]:
    """Return every pair of methods on every topic both have a text on, from (topic, method), by
    topic.
    """
    methods: dict[str, set[str]] = {}
    for topic, method in places:
        methods.setdefault(topic, set()).add(method)
    return tuple(
        Contest(topic=topic, a=a, b=b)
        for topic in sorted(methods)
        for a, b in combinations(sorted(methods[topic]), 2)
    )


def count_contests(places: Iterable[tuple[str, str]]) -> int:
    """Return how many contests there are, from (topic, method), without making them: of a thousand
    texts on one topic there are half a million.
    """
    methods = Counter(topic for topic, _ in set(places))
    return sum(math.comb(n, 2) for n in methods.values())


def unmatched(places: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the methods that meet no other, from (topic, method): no topic of theirs has another
    method's text.
    """
    held = set(places)
    methods = Counter(topic for topic, _ in held)
    meeting = {method for topic, method in held if methods[topic] > 1}
    return tuple(sorted({method for _, method in held} - meeting))


def unmatched_said(methods: Sequence[str]) -> str:
    """Say that methods play no match and why; nothing where all do."""
    if not methods:
        return ""
    play, has = ("play", "have") if len(methods) > 1 else ("plays", "has")
    return (
        f"{', '.join(methods)} {play} no match and {has} no rating: no other method has a text on"
        " the same topic."
    )


def contested(lineup: Lineup) -> tuple[Contest, ...]:
    """Return the contests of an arena: between texts that are there to be shown."""
    return contests((seat.topic, seat.method) for seat in lineup.seats if seat.sha)


def differing(lineup: Lineup, among: Iterable[Contest]) -> tuple[Contest, ...]:
    """Return the contests whose texts are not the same word for word: what people are asked."""
    shown = {(seat.topic, seat.method): seat.sha for seat in lineup.seats}
    return tuple(one for one in among if shown[one.topic, one.a] != shown[one.topic, one.b])


def place(contest: Contest) -> str:
    """Return a contest as a part of a path; it does not depend on what else is in the arena."""
    return f"{part(contest.topic)}/{part(contest.a)}--{part(contest.b)}"


def deal(store: Store, arena: str, whole: Sequence[Contest], person: str) -> HalfBallot | None:
    """Return the contest a person is to judge, with what of it is half filled in; None once the
    person has judged every one.

    It is kept, so that a reload or a second tab shows the same one in the same order. Contests on
    which few people voted come first, then topics this person has seen little of; the rest is the
    luck of arena and name.
    """
    mine = store.ballots.by(arena, person)
    times = Counter(one.contest for one in mine)
    half, known = store.ballots.half(arena, person), set(whole)
    if half and half.contest in known and half.n >= times[half.contest]:
        return half
    left = [contest for contest in known if not times[contest]]
    if not left:
        return None
    left.sort(key=lambda contest: (contest.topic, contest.a, contest.b))
    chosen = _next(store, arena, person, left, mine)
    first = _first(arena, person, chosen, mine)
    dealt = HalfBallot(arena=arena, judge=person, contest=chosen, first=first)
    return store.ballots.deal_half(dealt, half)


def _next(
    store: Store, arena: str, person: str, left: list[Contest], mine: Sequence[Ballot]
) -> Contest:
    random.Random(digest([arena, person])).shuffle(left)
    people = store.ballots.people(arena)
    topics = Counter(ballot.contest.topic for ballot in mine)

    def rank(contest: Contest) -> tuple[int, int]:
        voters = people.get((contest.topic, contest.a, contest.b), 0)
        return voters, topics[contest.topic]

    return min(left, key=rank)


def _first(arena: str, person: str, contest: Contest, mine: Sequence[Ballot]) -> str:
    """Return whose text stands first: that of the method this person has seen first less often,
    else by the luck of arena, name and contest.
    """

    def lead(method: str) -> int:
        return sum(
            1 if one.first == method else -1
            for one in mine
            if method in (one.contest.a, one.contest.b)
        )

    ahead = lead(contest.a) - lead(contest.b)
    heads = int(digest([arena, person, contest.model_dump()])[:8], 16) % 2 == 0
    return contest.b if ahead > 0 or (ahead == 0 and heads) else contest.a


def again(store: Store, ballot: Ballot) -> HalfBallot:
    """Open a person's ballot again, as it was filled in; filed anew, it takes the place of what was
    said before.
    """
    n = sum(one.contest == ballot.contest for one in store.ballots.by(ballot.arena, ballot.judge))
    half = HalfBallot(
        arena=ballot.arena,
        judge=ballot.judge,
        contest=ballot.contest,
        first=ballot.first,
        strength=ballot.strength,
        why=ballot.why,
        n=n,
    )
    store.ballots.keep_half(half)
    return half


def ballot_of(half: HalfBallot, kind: Kind) -> Ballot:
    """Return the ballot a person has filled in; the same half gives the same key, so that sent
    twice it is kept once. Raises BadInput for a gap.
    """
    if missing := [name for name in CRITERIA[kind] if name not in half.strength]:
        raise BadInput(
            "Say of each quality which text is better; still open:"
            f" {', '.join(one.replace('_', ' ') for one in missing)}."
        )
    if set(half.strength) - set(CRITERIA[kind]) or set(half.strength.values()) - set(FIVE_WAY):
        raise BadInput(
            f"An answer is one of {', '.join(map(str, FIVE_WAY))}, for {', '.join(CRITERIA[kind])}."
        )
    return Ballot(
        arena=half.arena,
        contest=half.contest,
        first=half.first,
        judge=half.judge,
        person=True,
        why=half.why,
        strength=half.strength,
        sides={name: side(strength) for name, strength in half.strength.items()},
        key=f"person/{half.judge}/{digest(half.contest.model_dump())[:16]}/{half.n}",
    )


def side(strength: int) -> Side:
    """Return which text a five-way answer is for."""
    return "first" if strength > 0 else "second" if strength < 0 else "tie"


def progress(store: Store, arena: str, whole: Sequence[Contest], person: str) -> VoterProgress:
    """Return how many of an arena's contests a person has judged."""
    return VoterProgress(
        len({one.contest for one in store.ballots.by(arena, person)} & set(whole)), len(whole)
    )
