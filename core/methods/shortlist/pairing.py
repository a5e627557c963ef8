"""Who meets whom where there are too many ideas for every pair: Swiss rounds."""

from collections.abc import Sequence
from math import ceil, log2

from core.records import digest

MOST_ROUND_ROBIN = 8
"""Ideas up to which every two meet."""
MORE_ROUNDS = 2
"""Rounds beyond those that a knock-out would take."""
Pair = tuple[int, int]


def swiss_rounds(ideas: int) -> int:
    """Return how many rounds so many ideas play."""
    return ceil(log2(ideas)) + MORE_ROUNDS


def drawn(numbers: Sequence[int], seed: int) -> list[int]:
    """Return the numbers in an order that the seed decides: that of the first round."""
    return sorted(numbers, key=lambda n: digest([seed, n]))


def pair_up(order: Sequence[int], met: set[Pair], idled: set[int]) -> tuple[Pair, ...]:
    """Pair ideas that stand `order`, best first, each with the next it has not met; an idea is left
    out where the number is odd, the lowest that never was, and more only where no other pairing is
    free of repeats. Each pair has the lower number first.
    """
    for idle in range(len(order) % 2, len(order) + 1, 2):
        for spared in (idled, set[int]()):
            found = _pair(list(order), met, spared, idle)
            if found is not None:
                return tuple(found)
    return ()


def _pair(order: list[int], met: set[Pair], idled: set[int], idle: int) -> list[Pair] | None:
    if not order:
        return []
    first, rest = order[0], order[1:]
    for other in rest:
        pair = (min(first, other), max(first, other))
        if pair not in met:
            left = [n for n in rest if n != other]
            if (found := _pair(left, met, idled, idle)) is not None:
                return [pair, *found]
    if idle and first not in idled:
        return _pair(rest, met, idled, idle - 1)
    return None
