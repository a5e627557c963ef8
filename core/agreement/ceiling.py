"""How well one expert meets the others, which is the most to expect of a model: each against the
mean of the rest, and the mean of them all.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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
    """From one column, the other, and how often each item is drawn (resamples, items): the measure
    in every resample, nan where it is undefined.
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
    error = _KINDS["error"]._replace(measure=partial(mean_absolute_error, scale=scale))
    return Ceilings(
        **{
            field: _ceiling(kind, ratings, rest, about, who, seed, resamples)
            for field, kind in (_KINDS | {"error": error}).items()
        }
    )


def rests(values: Floats) -> Floats:
    """Return, in every cell (items, raters), the mean score of all other raters of the item; nan
    where there is none.
    """
    rated = np.isfinite(values)
    known = np.where(rated, values, 0.0)
    others = rated.sum(axis=1, keepdims=True) - rated
    with np.errstate(invalid="ignore", divide="ignore"):
        return settled(
            np.where(others > 0, (known.sum(axis=1, keepdims=True) - known) / others, np.nan)
        )


def _ceiling(
    kind: _AgreementKind,
    ratings: Matrix,
    rest: Floats,
    about: str,
    who: str,
    seed: int,
    resamples: int,
) -> Ceiling:
    each = {
        rater: kind.measure(
            ratings.values[:, at],
            rest[:, at],
            f"{about}, {rater} against the rest",
            f"{rater} and the mean of the other {who}",
            len(ratings.raters),
        )
        for at, rater in enumerate(ratings.raters)
    }
    known = [at for at, one in enumerate(each.values()) if one.value is not None]
    name = f"human ceiling ({kind.name})"
    items = len(ratings.items)
    if len(known) < 2:
        reason = _reason(each, who)
        return Ceiling(each=each, mean=refused(name, about, items, reason, raters=len(each)))
    value = float(np.mean([one.value for one in each.values() if one.value is not None]))

    def mean(drawn: Floats) -> Floats:
        by_rater = [kind.resampled(ratings.values[:, at], rest[:, at], drawn) for at in known]
        over_raters: Floats = np.mean(by_rater, axis=0)
        return over_raters

    figure = bca(mean, value, items, seed=seed, resamples=resamples)
    left_out = len(each) - len(known)
    note = (
        f"{left_out} of the {len(each)} {who} left out, who have no figure of their own"
        if left_out
        else ""
    )
    reading = kind.reading.format(
        value=shown(value), ends=between(figure.low, figure.high), k=len(known), who=who
    )
    figure = figure._replace(note=note)
    return Ceiling(
        each=each, mean=of_figure(figure, name, about, raters=len(known), reading=reading)
    )


def _reason(each: dict[str, Statistic], who: str) -> str:
    if len(each) < 2:
        there = raters_there(len(each))
        return f"One of the {who} is held against the rest: 2 or more are needed; {there}."
    first = next(one.refused for one in each.values() if one.refused)
    return f"Fewer than 2 of the {len(each)} {who} can be held against the rest. {first}"


def _r(x: Floats, y: Floats, drawn: Floats) -> Floats:
    kept = np.isfinite(x) & np.isfinite(y)
    if not kept.any():
        return np.full(len(drawn), np.nan)
    # Centred and in units of the range, so that sums of squares neither cancel nor run away.
    left, right = ((one - one.mean()) / (np.ptp(one) or 1) for one in (x[kept], y[kept]))
    n, one, other, ones, others, both = (
        drawn[:, kept]
        @ np.stack([np.ones_like(left), left, right, left**2, right**2, left * right], axis=1)
    ).T
    n = np.maximum(n, 1)
    return _ratio(both - one * other / n, ones - one**2 / n, others - other**2 / n)


def _rho(x: Floats, y: Floats, drawn: Floats) -> Floats:
    kept = np.isfinite(x) & np.isfinite(y)
    drawn = drawn[:, kept]
    (at, left, ones), (other, right, others) = (_ranks(one[kept], drawn) for one in (x, y))
    both = (drawn * right.take(other, axis=1)) @ (at[:, None] == np.arange(left.shape[1])).astype(
        np.float64
    )
    return _ratio((both * left).sum(axis=1), ones, others)


def _error(x: Floats, y: Floats, drawn: Floats) -> Floats:
    kept = np.isfinite(x) & np.isfinite(y)
    n = drawn[:, kept].sum(axis=1)
    found: Floats = np.where(n > 0, drawn[:, kept] @ np.abs(x - y)[kept] / np.maximum(n, 1), np.nan)
    return found


def _ranks(values: Floats, drawn: Floats) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Return which of the different values each item has, their midranks about the mean in every
    resample (resamples, values), and the sum of squares.
    """
    levels, at = np.unique(values, return_inverse=True)
    totals = drawn @ (at[:, None] == np.arange(len(levels))).astype(np.float64)
    ranks = np.cumsum(totals, axis=1) - totals / 2 - totals.sum(axis=1, keepdims=True) / 2
    return at, ranks, (totals * ranks**2).sum(axis=1)


def _ratio(both: Floats, one: Floats, other: Floats) -> Floats:
    """Return Pearson's r from sums of products and of squares; nan where one side does not vary."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(
            (one > 1e-12) & (other > 1e-12), both / np.sqrt(one) / np.sqrt(other), np.nan
        )
    return found


_KINDS = {
    "pearson": _AgreementKind(
        "Pearson's r",
        pearson,
        _r,
        "On average, one of {k} {who} and the mean of the others correlate at r = {value}{ends}:"
        " hold a model to this.",
    ),
    "spearman": _AgreementKind(
        "Spearman's rho",
        spearman,
        _rho,
        "On average, one of {k} {who} and the mean of the others order ideas alike at rho ="
        " {value}{ends}: hold a model to this.",
    ),
    "error": _AgreementKind(
        "mean absolute error",
        mean_absolute_error,
        _error,
        "On average, one of {k} {who} and the mean of the others differ by {value} points{ends}:"
        " hold a model to this.",
    ),
}
