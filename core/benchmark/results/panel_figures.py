"""The judges of a benchmark: who scores above and below the others, and how far they agree."""

from collections.abc import Mapping

import numpy as np

from core.records import BENCH_DIMENSIONS, BenchDimension, GroupDetail, Record
from core.statistics.bootstrap import SKEWED, over_items
from core.statistics.clusters import SEED, Spread, gathered, over_keywords, spread
from core.statistics.intervals import FEWEST, SCORE, Floats, percentiles, totals
from core.statistics.statistic import Statistic, between, refused, shown
from core.wording.numbers import counted

ALPHA = "Krippendorff's alpha (interval)"
Details = Mapping[tuple[int, int], GroupDetail]


class JudgeFigure(Record):
    """How one judge scores beside the others on one dimension."""

    judge: str
    dimension: BenchDimension
    deviation: Spread
    """The mean of (its score - the mean of the other judges' scores of that idea), in points: above
    0 is lenient, below 0 strict. Its `n` counts judgments.
    """
    keywords: int


def severity(details: Details) -> tuple[JudgeFigure, ...]:
    """Return how every judge scores beside the others, by name and dimension, with 95 % intervals
    from resampling keywords.

    Only ideas with two judgments or more count. A judge is held against those who were drawn beside
    it, not against the whole panel.
    """
    judges = sorted({name for one in details.values() for name in one.judges})
    column = {name: at for at, name in enumerate(judges)}
    sums = gathered(
        (
            (keyword, column[name], *four)
            for (_, keyword), one in details.items()
            for name, four in one.judges.items()
        ),
        len(column),
        4,
    )
    value = _deviations(sums.sum(axis=0))
    found = over_keywords(lambda drawn: _deviations(totals(sums, drawn)), len(sums))
    heard = (sums[..., 0] > 0).sum(axis=0)
    return tuple(
        JudgeFigure(
            judge=name,
            dimension=dimension,
            keywords=int(heard[j]),
            deviation=spread(
                float(value[j, d]),
                found[:, j, d],
                int(heard[j]),
                int(sums[:, j, 0].sum()),
                SCORE.differences,
            ),
        )
        for name, j in column.items()
        for d, dimension in enumerate(BENCH_DIMENSIONS)
    )


def agreement(details: Details) -> tuple[Statistic, ...]:
    """Return Krippendorff's alpha (interval) of each dimension, over ideas with two judgments or
    more, with 95 % intervals from resampling keywords.

    `n` counts judgments. Refused with a reason under 10 keywords, and where all scores are equal.
    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    """
    sums = gathered(
        (
            (keyword, d, one.n, one.x[d], one.xx[d], one.within[d])
            for (_, keyword), one in details.items()
            if one.n
            for d in range(len(BENCH_DIMENSIONS))
        ),
        len(BENCH_DIMENSIONS),
        4,
    )
    judges = len({name for one in details.values() for name in one.judges})
    return tuple(
        _alpha(dimension, sums[:, d], judges) for d, dimension in enumerate(BENCH_DIMENSIONS)
    )


def alphas(sums: Floats) -> Floats:
    """Return alpha from sums over ideas, (..., [judgments, x, x^2, 2 m SS / (m - 1)]); nan where
    all scores are equal.
    """
    n, x, xx, within = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = 2 * (n * xx - x * x) / (n * (n - 1))
        observed = within / n
        alpha: Floats = np.where(expected > 1e-12, 1 - observed / expected, np.nan)
    return alpha


def _deviations(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = sums[..., 1:] / sums[..., :1]
    return found


def _alpha(dimension: BenchDimension, sums: Floats, judges: int) -> Statistic:
    n, keywords = int(sums[:, 0].sum()), len(sums)
    value = float(alphas(sums.sum(axis=0)))
    reason = ""
    if keywords < FEWEST:
        reason = (
            f"Only {counted(keywords, 'keyword')} with an idea that got two judgments or more:"
            f" alpha takes {FEWEST}."
        )
    elif not np.isfinite(value):
        reason = "All scores are equal, so that agreement cannot be told from chance."
    if reason:
        return refused(ALPHA, dimension, n, reason, "judgments", judges)
    low, high = _interval(sums) or (None, None)
    how = (
        f"{judges} judges; {'BCa ' if keywords <= SKEWED else ''}bootstrap over {keywords:,}"
        " keywords"
        if low is not None
        else "nearly all resamples are alike or undefined, so no interval can be given"
    )
    reading = (
        f"The {judges} judges agree to {shown(value)}{between(low, high)} beyond chance, severity"
        " counted as disagreement; 0 is chance, 1 full agreement."
    )
    if low is not None and high is not None and low <= 0:
        reading += (
            " The interval includes 0, so chance is not ruled out."
            if high >= 0
            else " That is less than chance gives: judges contradict each other."
        )
    return Statistic(
        name=ALPHA,
        about=dimension,
        value=value,
        low=low,
        high=high,
        n=n,
        unit="judgments",
        raters=judges,
        how=how,
        reading=reading,
    )


def _interval(sums: Floats) -> tuple[float, float] | None:
    def measure(drawn: Floats) -> Floats:
        return alphas(drawn @ sums)

    keywords = len(sums)
    if keywords <= SKEWED:
        return over_items(measure, keywords, SEED)
    return percentiles(over_keywords(measure, keywords), keywords)
