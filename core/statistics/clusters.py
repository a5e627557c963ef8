"""How sure a benchmark's figures are: keywords drawn anew with all that hangs on them, since ideas
and judgments of one keyword are alike.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np

from core.records import Record
from core.statistics.intervals import (
    FEWEST,
    FREE,
    RESAMPLES,
    Floats,
    Scale,
    of_alike,
    over_draws,
    percentiles,
)

SEED = 1
SAME = 1e-9
"""Figures of resamples that lie no further apart differ by rounding."""


class Spread(Record):
    """A figure with its 95 % interval; None where it could not be given."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """What it is taken over: keywords, unless its record says otherwise."""


def gathered(rows: Iterable[Sequence[float]], columns: int, width: int) -> Floats:
    """Return rows of (keyword, column, *values) summed by keyword and column: (keywords that have
    any, columns, width).
    """
    numbers = np.fromiter(chain.from_iterable(rows), dtype=np.float64)
    keyword, column, *values = numbers.reshape(-1, 2 + width).T
    keywords, row = np.unique(keyword, return_inverse=True)
    place = row * columns + column.astype(np.intp)
    sums = np.empty((len(keywords) * columns, width))
    for at, summed in enumerate(values):
        sums[:, at] = np.bincount(place, weights=summed, minlength=len(sums))
    return sums.reshape(len(keywords), columns, width)


def over_keywords(
    measure: Callable[[Floats], Floats], keywords: int, seed: int = SEED, resamples: int = RESAMPLES
) -> Floats:
    """Return a measure in every resample of keywords: (resamples, ...).

    `measure` takes how often each keyword is in each resample, (some of the resamples, keywords),
    and returns its values, (as many, ...). The cluster bootstrap: Davison and Hinkley (1997),
    Bootstrap methods and their application, section 3.8, with whole clusters drawn.
    """
    if not keywords:
        return measure(np.empty((0, 0)))
    return over_draws(measure, keywords, seed, resamples)


def spread(
    value: float, found: Floats, keywords: int, n: int | None = None, scale: Scale | None = FREE
) -> Spread:
    """Return a figure (nan where there is none) with the middle 95 % of its resamples; without an
    interval under 10 keywords, where it would be too narrow.

    Where all keywords give the same value, resampling says nothing about certainty: the interval is
    then Wilson's over keywords for a mean on a scale with ends, and missing for other figures.
    `scale` is None for a quantile, whose interval may well be a point.
    """
    n = keywords if n is None else n
    if not np.isfinite(value):
        return Spread(n=n)
    value = float(value)
    ends = percentiles(found, keywords) if keywords >= FEWEST else None
    if ends is None:
        return Spread(value=value, n=n)
    low, high = ends
    if scale and high - low <= SAME:
        figure = of_alike(value, n, scale, keywords, "keywords")
        return Spread(value=value, low=figure.low, high=figure.high, n=n)
    return Spread(value=value, low=low, high=high, n=n)
