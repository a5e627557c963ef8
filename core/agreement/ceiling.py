"""How well one expert meets the others, which is the most to expect of a model: each against the
mean of the rest, and the mean of them all.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from core.records import Record
from core.statistics.bootstrap import bca
from core.statistics.correlation import mean_absolute_error, pearson, spearman
from core.statistics.intervals import FREE, RESAMPLES, Floats, Scale
from core.statistics.matrix import Matrix, settled
from core.statistics.statistic import (
    Statistic,
    between,
    of_figure,
    raters_there,
    refused,
    shown,
)

Measure = Callable[[Floats, Floats, str, str, int], Statistic]


class Ceiling(Record):
    """Each expert against the mean of the rest by one measure, and their mean."""

    each: dict[str, Statistic]
    """By expert."""
    mean: Statistic
    """The human ceiling."""


class Ceilings(Record):
    """The human ceiling by every measure that a model is held to."""

    pearson: Ceiling
    spearman: Ceiling
    error: Ceiling
    """Mean absolute error: here the ceiling is the least to expect."""

    @property
    def measures(self) -> tuple[Ceiling, ...]:
        """All of them."""
        return self.pearson, self.spearman, self.error


class _AgreementKind(NamedTuple):
    name: str
    measure: Measure
    resampled: Callable[[Floats, Floats, Floats], Floats]
    """From the scores of either side, and how often each item is drawn (resamples, items): the
    measure in every resample, nan where it is undefined.
    """
    reading: str


def ceilings(
    ratings: Matrix,
    about: str,
    who: str = "experts",
    scale: Scale = FREE,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Ceilings:
    """Return how each rater meets the mean of the rest, over the items that somebody else rated
    too, and the mean of that over raters.

    The mean's 95 % interval resamples items, all raters' scores of one together. Refused with a
    reason under 2 raters who rated 10 such items each. An expert is held against one expert fewer
    than a model is, which lowers the ceiling a little.
    """
    ratings = ratings.rows(ratings.rated.sum(axis=1) >= 2)
    rest = rests(ratings.values)
    error = _ERROR._replace(measure=partial(mean_absolute_error, scale=scale))

    def ceiling(kind: _AgreementKind) -> Ceiling:
        return _ceiling(kind, ratings, rest, about, who, seed, resamples)

    return Ceilings(pearson=ceiling(_PEARSON), spearman=ceiling(_SPEARMAN), error=ceiling(error))


def rests(values: Floats) -> Floats:
    """Return, in every cell (items, raters), the mean score of all other raters of the item; nan
    where there is none.
    """
    rated = np.isfinite(values)
    known = np.where(rated, values, 0.0)
    others = rated.sum(axis=1, keepdims=True) - rated
    sums = known.sum(axis=1, keepdims=True) - known
    return settled(np.where(others > 0, sums / np.maximum(others, 1), np.nan))


def _ceiling(
    kind: _AgreementKind,
    ratings: Matrix,
    rest: Floats,
    about: str,
    who: str,
    seed: int,
    resamples: int,
) -> Ceiling:
    raters = len(ratings.raters)
    each = {}
    measured = []
    for column, rater in enumerate(ratings.raters):
        stat = kind.measure(
            ratings.values[:, column],
            rest[:, column],
            f"{about}, {rater} against the rest",
            f"{rater} and the mean of the other {who}",
            raters,
        )
        each[rater] = stat
        if stat.value is not None:
            measured.append((column, stat.value))
    name = f"human ceiling ({kind.name})"
    items = len(ratings.items)
    k = len(measured)
    if k < 2:
        reason = _refuse(each, who)
        return Ceiling(each=each, mean=refused(name, about, items, reason, raters=raters))
    value = float(np.mean([figure for _, figure in measured]))

    def mean(drawn: Floats) -> Floats:
        by_rater = [
            _resample(kind, ratings.values[:, column], rest[:, column], drawn)
            for column, _ in measured
        ]
        over_raters: Floats = np.mean(by_rater, axis=0)
        return over_raters

    figure = bca(mean, value, items, seed=seed, resamples=resamples)
    if left_out := raters - k:
        note = f"{left_out} of the {raters} {who} left out, who have no figure of their own"
        figure = figure._replace(note=note)
    met = kind.reading.format(value=shown(value))
    ends = between(figure.low, figure.high)
    pair = f"one of {k} {who} and the mean of the others"
    reading = f"On average, {pair} {met}{ends}: hold a model to this."
    return Ceiling(each=each, mean=of_figure(figure, name, about, raters=k, reading=reading))


def _refuse(each: dict[str, Statistic], who: str) -> str:
    if len(each) < 2:
        there = raters_there(len(each))
        return f"One of the {who} is held against the rest: 2 or more are needed; {there}."
    first = next(stat.refused for stat in each.values() if stat.refused)
    return f"Fewer than 2 of the {len(each)} {who} can be held against the rest. {first}"


def _resample(kind: _AgreementKind, x: Floats, y: Floats, drawn: Floats) -> Floats:
    """Return a measure in every resample, over the items that have both scores; nan where it is
    undefined.
    """
    both = np.isfinite(x) & np.isfinite(y)
    if not both.any():
        return np.full(len(drawn), np.nan)
    return kind.resampled(x[both], y[both], drawn[:, both])


def _resample_r(x: Floats, y: Floats, drawn: Floats) -> Floats:
    # Centred and in units of the range, so that sums of squares neither cancel nor run away.
    x = (x - x.mean()) / (np.ptp(x) or 1)
    y = (y - y.mean()) / (np.ptp(y) or 1)
    columns = np.stack([np.ones_like(x), x, y, x**2, y**2, x * y], axis=1)
    n, sum_x, sum_y, squares_x, squares_y, products = (drawn @ columns).T
    n = np.maximum(n, 1)
    squares_x = squares_x - sum_x**2 / n
    squares_y = squares_y - sum_y**2 / n
    return _r_of_sums(products - sum_x * sum_y / n, squares_x, squares_y)


def _resample_rho(x: Floats, y: Floats, drawn: Floats) -> Floats:
    has_x, ranks_x, squares_x = _rank(x, drawn)
    has_y, ranks_y, squares_y = _rank(y, drawn)
    y_by_x = (drawn * (ranks_y @ has_y.T)) @ has_x
    products = (y_by_x * ranks_x).sum(axis=1)
    return _r_of_sums(products, squares_x, squares_y)


def _resample_error(x: Floats, y: Floats, drawn: Floats) -> Floats:
    n = drawn.sum(axis=1)
    totals = drawn @ np.abs(x - y)
    mean_errors: Floats = np.where(n > 0, totals / np.maximum(n, 1), np.nan)
    return mean_errors


def _rank(values: Floats, drawn: Floats) -> tuple[Floats, Floats, Floats]:
    """Return which of the different values each item has (items, values), their midranks about the
    mean in every resample (resamples, values), and the sum of squares.
    """
    has = (values[:, None] == np.unique(values)).astype(np.float64)
    times = drawn @ has
    middle = times.sum(axis=1, keepdims=True) / 2
    ranks = np.cumsum(times, axis=1) - times / 2 - middle
    squares = times * ranks**2
    return has, ranks, squares.sum(axis=1)


def _r_of_sums(products: Floats, squares_x: Floats, squares_y: Floats) -> Floats:
    """Return Pearson's r from sums of products and of squares; nan where one side does not vary."""
    vary = (squares_x > 1e-12) & (squares_y > 1e-12)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = products / np.sqrt(squares_x) / np.sqrt(squares_y)
    found: Floats = np.where(vary, r, np.nan)
    return found


_PEARSON = _AgreementKind("Pearson's r", pearson, _resample_r, "correlate at r = {value}")
_SPEARMAN = _AgreementKind(
    "Spearman's rho", spearman, _resample_rho, "order ideas alike at rho = {value}"
)
_ERROR = _AgreementKind(
    "mean absolute error", mean_absolute_error, _resample_error, "differ by {value} points"
)
