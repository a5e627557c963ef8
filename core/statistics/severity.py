"""Who scores strictly, and what items are worth once that is taken out: the additive model score =
quality of the item - severity of the rater + noise.
"""

import math

import numpy as np

from core.records import Record
from core.statistics.intervals import FEWEST, FREE, Figure, Scale, cut_at, t_width
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic, between, of_figure, raters_there, shown
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
    if reason := _refuse(ratings, who):
        return Severities(refused=reason)
    rated = ratings.rated
    scores = np.where(rated, ratings.values, 0.0)
    cells = rated.astype(np.float64)
    per_item = cells.sum(axis=1)
    per_rater = cells.sum(axis=0)
    means = scores.sum(axis=1) / per_item
    share = cells / per_item[:, None]
    # Items are eliminated first, which leaves one small symmetric system over raters. Its
    # pseudo-inverse gives the solution that sums to 0; its null space is known (all raters alike),
    # so that no tolerance has to find it, which numpy's own misses by rounding.
    raters = len(per_rater)
    alike = np.full((raters, raters), 1 / raters)
    system = np.diag(per_rater) - cells.T @ share
    inverse = np.linalg.inv(system + alike) - alike
    effects = inverse @ (scores.sum(axis=0) - cells.T @ means)
    quality = means - share @ effects
    residuals = np.where(rated, scores - quality[:, None] - effects, 0.0)
    freedom = int(cells.sum()) - len(quality) - raters + 1
    squares = float((residuals**2).sum())
    noise = math.sqrt(squares / freedom) if freedom > 0 else None
    rater_errors = np.sqrt(np.maximum(np.diag(inverse), 0))
    item_errors = np.sqrt(1 / per_item + np.einsum("ij,jk,ik->i", share, inverse, share))
    how, width = _interval(noise, freedom)
    how += f", {raters} {who}"
    by_rater = {}
    for at, rater in enumerate(ratings.raters):
        error = float(rater_errors[at])
        figure = Figure(-float(effects[at]), None, None, int(per_rater[at]), how)
        figure = _with_ends(figure, width, error, scale.differences)
        by_rater[rater] = _severity(rater, about, figure, raters)
    by_item = {}
    for at, item in enumerate(ratings.items):
        error = float(item_errors[at])
        figure = Figure(float(quality[at]), None, None, int(per_item[at]), how)
        by_item[item] = _quality(item, about, _with_ends(figure, width, error, scale))
    return Severities(raters=by_rater, items=by_item, noise=noise)


def groups(ratings: Matrix) -> list[tuple[str, ...]]:
    """Return raters in groups that are linked by items they share, straight or through others; one
    group is a connected design.
    """
    raters = ratings.raters
    cells = ratings.rated.astype(np.float64)
    shared = cells.T @ cells
    linked = (shared > 0) | np.eye(len(raters), dtype=bool)
    for _ in raters:
        paths = linked.astype(np.float64) @ linked
        linked = paths > 0
    names = np.array(raters, dtype=object)
    return sorted({tuple(names[row]) for row in linked})


def _refuse(ratings: Matrix, who: str) -> str:
    raters = len(ratings.raters)
    items = len(ratings.items)
    if raters < 2:
        there = raters_there(raters)
        return f"Severity is measured against others: 2 {who} or more are needed; {there}."
    if items < FEWEST:
        have = "has" if items == 1 else "have"
        return f"Only {counted(items, 'idea')} {have} scores: severity needs {FEWEST}."
    scores = zip(ratings.raters, ratings.rated.sum(axis=0), strict=True)
    if silent := [rater for rater, n in scores if not n]:
        return f"There is no score by {', '.join(silent)}; leave them out."
    if len(parts := groups(ratings)) > 1:
        named = " | ".join(", ".join(part) for part in parts)
        return (
            f"The {who} fall into {len(parts)} groups that share no idea ({named}), so that strict"
            f" {who} cannot be told from poor ideas. Have one of each group rate an idea of"
            " another."
        )
    return ""


def _interval(noise: float | None, freedom: int) -> tuple[str, float | None]:
    """Say how intervals are made, and return how far one reaches by unit of an effect's error; None
    where there is no noise to measure it by.
    """
    if noise is None:
        lacking = "there are no more scores than effects, so no interval can be given"
        return f"least squares; {lacking}", None
    if noise < 1e-9:
        lacking = "quality and severity explain all scores, so no interval can be given"
        return f"least squares; {lacking}", None
    how = f"least squares, t interval with {freedom} degrees of freedom"
    return how, t_width(freedom) * noise


def _with_ends(figure: Figure, width: float | None, error: float, scale: Scale) -> Figure:
    """Return a value with the ends of its interval, all three on the scale."""
    value = figure.value
    if value is not None and width is not None:
        half = width * error
        figure = figure._replace(low=value - half, high=value + half)
    inside = figure.through(scale.cut)
    if inside == figure:
        return figure
    return inside._replace(how=f"{figure.how}, {cut_at(scale)}")


def _severity(rater: str, about: str, figure: Figure, raters: int) -> Statistic:
    value, low, high = figure[:3]
    assert value is not None
    way, ends, unsure = "below", between(low, high), ""
    if value <= 0:
        way = "above"
        ends = "" if low is None or high is None else between(-high, -low)
    if low is not None and high is not None and low <= 0 <= high:
        unsure = " The interval includes 0: it may score as others do."
    reading = (
        f"{rater} scores {shown(abs(value))} points{ends} {way} the mean of all on the same "
        f"ideas.{unsure}"
    )
    about = f"{about}, {rater}"
    return of_figure(figure, "severity", about, raters=raters, reading=reading)


def _quality(item: str, about: str, figure: Figure) -> Statistic:
    ends = between(figure.low, figure.high)
    reading = f"Had all rated it, {item!r} would score {shown(figure.value or 0.0)}{ends}."
    about = f"{about}, {item}"
    return of_figure(figure, "adjusted quality", about, "scores", figure.n, reading)
