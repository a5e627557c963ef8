"""Several texts of a method on a topic: each competes under a name of its own, and what it wins
counts for its method as well.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from core.judging.arena.ballots import CastBallots
from core.judging.arena.competition import ArenaInputs
from core.records import Entry

LONGEST_METHOD, LONGEST_TITLE = 60, 100


class Contestants(NamedTuple):
    """Who competes: each entry's method is the name it competes under."""

    entries: tuple[Entry, ...]
    method_of: dict[str, str]
    """The method behind each name that is not the method's own."""


def enter(
    entries: Sequence[Entry], titles: Mapping[str, str], before: ArenaInputs | None = None
) -> Contestants:
    """Give each text of a method that has several on a topic a name of its own: its title where all
    compete on one topic, else a number.

    `titles` are by the ids of entries. Texts that compete in the arena `before` are left out, and
    the names there stay as they are.
    """
    there = before.entries if before else ()
    behind = before.method_of if before else {}
    taken = {(one.topic, one.method) for one in there}
    methods = [(one.topic, behind.get(one.method, one.method), one.sha) for one in there]
    known = set(methods)
    fresh: dict[tuple[str, str, str], Entry] = {}
    for one in entries:
        place = (one.topic, one.method, one.sha)
        if place not in known:
            fresh.setdefault(place, one)
    real = {method for _, method, _ in (*methods, *fresh)}
    times = Counter((topic, method) for topic, method, _ in (*methods, *fresh))
    one_topic = len({topic for topic, _ in times}) == 1
    named: list[Entry] = []
    method_of: dict[str, str] = {}
    next_free: dict[tuple[str, str], int] = {}
    for one in fresh.values():
        name = one.method
        if times[one.topic, one.method] > 1:
            stem = _stem(one, titles[one.id]) if one_topic else f"{one.method[:180]}, {one.kind}"
            begun = next_free.get((one.topic, stem), 1)
            name, next_free[one.topic, stem] = _free(
                stem, one.topic, taken, real, numbered=not one_topic, begun=begun
            )
            method_of[name] = one.method
        taken.add((one.topic, name))
        named.append(one.model_copy(update={"method": name}))
    return Contestants(tuple(named), method_of)


def _stem(entry: Entry, title: str) -> str:
    short = " ".join(title.split())[:LONGEST_TITLE].strip()
    return f"{entry.method[:LONGEST_METHOD].strip()}: {short}"


def _free(
    stem: str,
    topic: str,
    taken: set[tuple[str, str]],
    real: set[str],
    *,
    numbered: bool,
    begun: int,
) -> tuple[str, int]:
    """Return a name nobody has on the topic, and no method has at all, and the number after its
    own: the stem with the first number from `begun` on that is free, or the stem itself where no
    number is needed.
    """
    between = " " if numbered else ", "
    names = ((n, stem if n == 1 and not numbered else f"{stem}{between}{n}") for n in count(begun))
    return next(
        (name, n + 1) for n, name in names if (topic, name) not in taken and name not in real
    )


def by_method(held: CastBallots, method_of: Mapping[str, str]) -> CastBallots:
    """Return the ballots as between methods: those on two texts of one method are left out."""
    behind = [method_of.get(player, player) for player in held.players]
    methods = sorted(set(behind))
    at = np.array([methods.index(method) for method in behind], dtype=np.int64)
    first, second = at[held.first], at[held.second]
    between = first != second
    # Two pairs of texts are two matches of the same methods: as repeats they stay apart.
    low = np.minimum(held.first, held.second)
    pair = low * len(held.players) + np.maximum(held.first, held.second)
    repeat = held.repeat * len(held.players) ** 2 + pair
    return held._replace(
        players=tuple(methods),
        topic=held.topic[between],
        first=first[between],
        second=second[between],
        judge=held.judge[between],
        repeat=repeat[between],
        said=held.said[between],
    )


def first_of_each(entries: Sequence[Entry]) -> list[Entry]:
    """Return the first text of each method on each topic."""
    ones: dict[tuple[str, str], Entry] = {}
    for one in entries:
        ones.setdefault((one.topic, one.method), one)
    return list(ones.values())
