"""Which text of a pair stands left, so that every source stands left as often as right on a seat's
list.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping

Pair = tuple[str, str]
"""Labels, left and right."""


def oriented(
    pairs: Mapping[str, Pair],
    sources: Mapping[str, str],
    fixed: Iterable[Pair],
    chance: random.Random,
) -> dict[str, tuple[str, ...]]:
    """Return the pairs, by name, with their sides drawn so that over these and the fixed ones each
    source's lefts and rights differ least.

    From sides drawn by chance, pairs are turned along a way from a source that stands left too
    often to one that stands right too often, until no such way is left: sides are flows, and the
    sum of squared differences is then as small as it can be. With nothing fixed every difference is
    0 or 1 (an Eulerian orientation; Diestel, Graph Theory, theorem 1.8.1).
    """
    sides = {
        name: pair if chance.random() < 0.5 else pair[::-1] for name, pair in sorted(pairs.items())
    }
    more = _more(sources, [*fixed, *sides.values()])
    while way := _way(sides, sources, more):
        for name in way:
            left, right = (sources.get(label, label) for label in sides[name])
            more[left] -= 2
            more[right] += 2
            sides[name] = sides[name][::-1]
    return dict(sides)


def _more(sources: Mapping[str, str], pairs: Iterable[Pair]) -> Counter[str]:
    """Return how much more often each source stands left than right."""
    more: Counter[str] = Counter()
    for left, right in pairs:
        more[sources.get(left, left)] += 1
        more[sources.get(right, right)] -= 1
    return more


def _way(sides: Mapping[str, Pair], sources: Mapping[str, str], more: Counter[str]) -> list[str]:
    """Return pairs to turn, left to right from a source with more lefts to one with more rights;
    nothing where no turning helps.
    """
    beside: dict[str, list[tuple[str, str]]] = {}
    for name, (left, right) in sides.items():
        beside.setdefault(sources.get(left, left), []).append((name, sources.get(right, right)))
    for start in sorted(more, key=lambda source: (-more[source], source)):
        came: dict[str, list[str]] = {start: []}
        queue = [start]
        while queue:
            here = queue.pop(0)
            for name, there in beside.get(here, ()):
                if there not in came:
                    came[there] = [*came[here], name]
                    if more[start] - more[there] > 2:
                        return came[there]
                    queue.append(there)
    return []
