"""Where papers stand on a time axis."""

from collections.abc import Sequence
from itertools import accumulate
from math import inf

from core.records import Paper


def positions(papers: tuple[Paper, ...], gap: float) -> dict[str, float]:
    """Return each paper's place on the time axis in years; papers too near to tell apart are moved
    apart, as little as can be, in their order.
    """
    known, before = {}, 0.0
    for paper in papers:
        known[paper.id] = before = when(paper) or before
    undated = min((moment for paper in papers if (moment := when(paper))), default=0.0)
    in_time = sorted((spot or undated, n, name) for n, (name, spot) in enumerate(known.items()))
    spots = spread([spot for spot, _, _ in in_time], [gap] * (len(in_time) - 1))
    return {name: spot for (_, _, name), spot in zip(in_time, spots, strict=True)}


def spread(
    wanted: Sequence[float], gaps: Sequence[float], within: tuple[float, float] = (-inf, inf)
) -> list[float]:
    """Return places near those wanted, in their order, at least `gaps` apart from one to the next,
    the first and the last `within` bounds as far as there is room.
    """
    offsets = list(accumulate(gaps, initial=0.0))
    # Pools of neighbours around their common middle: isotonic regression of the places, less the
    # gaps.
    pools: list[tuple[float, int]] = []
    for spot, offset in zip(wanted, offsets, strict=False):
        pools.append((spot - offset, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (a, many), (b, more) = pools[-2], pools.pop()
            pools[-1] = ((a * many + b * more) / (many + more), many + more)
    low, high = within[0], within[1] - offsets[-1]
    flat = [max(low, min(high, middle)) for middle, many in pools for _ in range(many)]
    return [middle + offset for middle, offset in zip(flat, offsets, strict=False)]


def when(paper: Paper) -> float | None:
    """Return the publication time in years; a bare year counts as its middle, a bare month as its
    beginning and a little.
    """
    if paper.published:
        parts = [int(part) for part in paper.published.split("-")]
        return (
            parts[0]
            + ((parts[1] - 1) / 12 if len(parts) > 1 else 0.5)
            + ((parts[2] - 1) / 365 if len(parts) > 2 else 0.04)
        )
    return paper.year + 0.5 if paper.year else None
