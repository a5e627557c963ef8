"""Rankings with ties, as ranks that figures can be made of."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.statistics.intervals import Floats


class RankedSet(NamedTuple):
    """Ideas that raters put in order, one of them perhaps a hidden target."""

    name: str
    rankings: Mapping[str, tuple[tuple[str, ...], ...]]
    """By rater: groups of idea ids, best first; the ideas of a group are tied."""
    target: str = ""
    """The idea whose place Q counts; empty where the set hides none."""


def named_once(sets: Iterable[RankedSet]) -> dict[str, RankedSet]:
    """Return sets by name; raises BadInput where two share one, since the second would take the
    first's place.
    """
    held = list(sets)
    if doubled := [name for name, times in Counter(one.name for one in held).items() if times > 1]:
        raise BadInput(f"Two sets are called {doubled[0]!r}; give each a name of its own.")
    return {one.name: one for one in held}


def items_of(ranked: RankedSet) -> list[str]:
    """Return the ideas of a set in the order of the alphabet."""
    return sorted(
        {item for groups in ranked.rankings.values() for group in groups for item in group}
    )


def mean_ranks(ranked: RankedSet) -> dict[str, Floats]:
    """Return every rater's ranks of the ideas, in the order of `items_of`: 1 for the best, and for
    tied ideas the mean of the places they share.

    Raises BadInput where the rankings are not of the same two or more ideas, each named once.
    """
    items = items_of(ranked)
    if len(items) < 2:
        raise BadInput(
            f"Set {ranked.name!r} has {len(items)} ideas to rank; an order needs two or more."
        )
    return {
        rater: _ranks(ranked.name, rater, groups, items)
        for rater, groups in sorted(ranked.rankings.items())
    }


def _ranks(name: str, rater: str, groups: tuple[tuple[str, ...], ...], items: list[str]) -> Floats:
    if sorted(item for group in groups for item in group) != items:
        raise BadInput(
            f"The ranking of set {name!r} by {rater!r} must name each of the set's {len(items)}"
            " ideas once. Complete it, or leave it out."
        )
    places: dict[str, float] = {}
    before = 0
    for group in groups:
        places |= dict.fromkeys(group, before + (len(group) + 1) / 2)
        before += len(group)
    return np.array([places[item] for item in items])
