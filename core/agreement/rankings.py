"""Rankings with ties, as ranks that figures can be made of."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
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
    sets = list(sets)
    times = Counter(ranked.name for ranked in sets)
    for name, n in times.items():
        if n > 1:
            raise BadInput(f"Two sets are called {name!r}; give each a name of its own.")
    return {ranked.name: ranked for ranked in sets}


def items_of(ranked: RankedSet) -> list[str]:
    """Return the ideas of a set in the order of the alphabet."""
    groups = chain.from_iterable(ranked.rankings.values())
    return sorted(set(chain.from_iterable(groups)))


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
    if sorted(chain.from_iterable(groups)) != items:
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
