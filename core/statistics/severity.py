"""Who scores strictly, and what items are worth once that is taken out: the additive model score =
quality of the item - severity of the rater + noise.
"""

import math
from typing import NamedTuple

import numpy as np

from core.records import Record
from core.statistics.intervals import FEWEST, FREE, Floats, Scale, cut_at, t_width
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic, between, raters_there, shown
from core.wording.numbers import counted


class Severities(Record):
    """Raters' severities and items' adjusted quality on the scale of the scores; empty, with a
    reason, where they cannot be told apart.
    """

    raters: dict[str, Statistic] = {}
    """By rater, points by which it scores below the mean of all raters on the same items: above 0
    is strict, below 0 lenient; they sum to 0.
    """
    items: dict[str, Statistic] = {}
    """By item, the mean score that all raters together would give it."""
    noise: float | None = None
    """Standard deviation of a score around quality and severity; None where there are no more
    scores than effects.
    """
    refused: str = ""


class _Ends(NamedTuple):
    value: float
    low: float | None
    high: float | None
    cut: str
    """That it is cut at the ends of the scale, where it is."""


def severities(
    ratings: Matrix, about: str, who: str = "experts", scale: Scale = FREE
) -> Severities:
    """Return what the two-way additive model gives by least squares, with t intervals, where some
    raters may not have rated some items.

    Figures that the model puts beyond the scale are cut at its ends. Item and rater effects are
    fixed, raters' sum to 0, and noise has one variance for all. Refused with a reason under 2
    raters or 10 items, and where raters fall into groups that share no item: then strict raters
    cannot be told from poor items.
    Source: Searle (1971), Linear Models, chapter 7 (two-way crossed classification, unbalanced,
    without interaction).
    """
    rated = ratings.rated
    if reason := _reason(ratings, who):
        return Severities(refused=reason)
    scores = np.where(rated, ratings.values, 0.0)
    cells = rated.astype(np.float64)
    per_item = cells.sum(axis=1)
    per_rater = cells.sum(axis=0)
    means = scores.sum(axis=1) / per_item
    share = cells / per_item[:, None]
    # Items are eliminated first, which leaves one small symmetric system over raters. Its
    # pseudo-inverse gives the solution that sums to 0; its null space is known (all raters alike),
    # so that no tolerance has to find it, which numpy's own misses by rounding.
    alike = np.full((len(per_rater), len(per_rater)), 1 / len(per_rater))
    inverse = np.linalg.inv(np.diag(per_rater) - cells.T @ share + alike) - alike
    effects = inverse @ (scores.sum(axis=0) - cells.T @ means)
    quality = means - share @ effects
    left = np.where(rated, scores - quality[:, None] - effects, 0.0)
    freedom = int(cells.sum()) - len(quality) - len(effects) + 1
    noise = math.sqrt(float((left**2).sum()) / freedom) if freedom > 0 else None
    of_raters = np.sqrt(np.maximum(np.diag(inverse), 0))
    of_items = np.sqrt(1 / per_item + np.einsum("ij,jk,ik->i", share, inverse, share))
    how = f"{_how(noise, freedom)}, {len(effects)} {who}"
    raters = {}
    items = {}
    rows = zip(ratings.raters, effects, _halves(of_raters, noise, freedom), per_rater, strict=True)
    for rater, effect, half, n in rows:
        ends = _cut(-float(effect), half, scale.differences)
        raters[rater] = _severity(rater, about, ends, int(n), len(effects), how)
    rows = zip(ratings.items, quality, _halves(of_items, noise, freedom), per_item, strict=True)
    for item, value, half, n in rows:
        ends = _cut(float(value), half, scale)
        items[item] = _quality(item, about, ends, int(n), how)
    return Severities(raters=raters, items=items, noise=noise)


def groups(ratings: Matrix) -> list[tuple[str, ...]]:
    """Return raters in groups that are linked by items they share, straight or through others; one
    group is a connected design.
    """
    cells = ratings.rated.astype(np.float64)
    linked = (cells.T @ cells > 0) | np.eye(len(ratings.raters), dtype=bool)
    for _ in ratings.raters:
        linked = linked.astype(np.float64) @ linked > 0
    names = np.array(ratings.raters, dtype=object)
    return sorted({tuple(names[row]) for row in linked})


def _reason(ratings: Matrix, who: str) -> str:
    raters = len(ratings.raters)
    items = len(ratings.items)
    if raters < 2:
        there = raters_there(raters)
        return f"Severity is measured against others: 2 {who} or more are needed; {there}."
    if items < FEWEST:
        have = "has" if items == 1 else "have"
        return f"Only {counted(items, 'idea')} {have} scores: severity needs {FEWEST}."
    given = zip(ratings.raters, ratings.rated.sum(axis=0), strict=True)
    if silent := [rater for rater, n in given if not n]:
        return f"There is no score by {', '.join(silent)}; leave them out."
    if len(parts := groups(ratings)) > 1:
        named = " | ".join(", ".join(part) for part in parts)
        return (
            f"The {who} fall into {len(parts)} groups that share no idea ({named}), so that strict"
            f" {who} cannot be told from poor ideas. Have one of each group rate an idea of"
            " another."
        )
    return ""


def _halves(spread: Floats, noise: float | None, freedom: int) -> list[float | None]:
    """Return half the width of each interval; None where there is no noise to measure it by."""
    if noise is None or noise < 1e-9:
        return [None] * len(spread)
    return [float(one) for one in t_width(freedom) * noise * spread]


def _how(noise: float | None, freedom: int) -> str:
    if noise is None:
        return "least squares; there are no more scores than effects, so no interval can be given"
    if noise < 1e-9:
        return "least squares; quality and severity explain all scores, so no interval can be given"
    return f"least squares, t interval with {freedom} degrees of freedom"


def _cut(value: float, half: float | None, scale: Scale) -> _Ends:
    """Return a figure with its ends, all three on the scale."""
    if half is None:
        cut = scale.cut(value)
        return _Ends(cut, None, None, f", {cut_at(scale)}" if cut != value else "")
    ends = value, value - half, value + half
    middle, low, high = map(scale.cut, ends)
    return _Ends(middle, low, high, f", {cut_at(scale)}" if (middle, low, high) != ends else "")


def _severity(rater: str, about: str, found: _Ends, n: int, raters: int, how: str) -> Statistic:
    value, low, high, cut = found
    way = "below" if value > 0 else "above"
    ends = between(low, high) if value > 0 or low is None or high is None else between(-high, -low)
    unsure = (
        " The interval includes 0: it may score as others do."
        if low is not None and high is not None and low <= 0 <= high
        else ""
    )
    return Statistic(
        name="severity",
        about=f"{about}, {rater}",
        value=value,
        low=low,
        high=high,
        n=n,
        raters=raters,
        how=how + cut,
        reading=(
            f"{rater} scores {shown(abs(value))} points{ends} {way} the mean of all on the same "
            f"ideas.{unsure}"
        ),
    )


def _quality(item: str, about: str, found: _Ends, n: int, how: str) -> Statistic:
    value, low, high, cut = found
    return Statistic(
        name="adjusted quality",
        about=f"{about}, {item}",
        value=value,
        low=low,
        high=high,
        n=n,
        unit="scores",
        raters=n,
        how=how + cut,
        reading=f"Had all rated it, {item!r} would score {shown(value)}{between(low, high)}.",
    )
