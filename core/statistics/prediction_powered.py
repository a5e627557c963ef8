"""Prediction-powered means: a judge scored everything, experts some of it; their scores take out
the judge's error, and the judge's scores make the interval narrower.

Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Prediction-powered inference,
algorithm 1; Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient prediction-powered inference,
example 1 for the weight of the judge's scores.
"""

from typing import NamedTuple

import numpy as np

from core.statistics.intervals import Figure, Floats, Scale, t_width
from core.statistics.paired import mean_ci


class PoweredMean(NamedTuple):
    """A mean over all units, and what experts alone say."""

    figure: Figure
    """n is the number of units that experts scored."""
    alone: Figure
    """The mean of the experts' scores, without the judge's."""
    weight: float
    """Of the judge's scores: 0 leaves them out, 1 takes them as they are."""
    judged: int
    """Units that only the judge scored."""
    error: float


def powered_mean(
    experts: Floats, judge: Floats, alone: Floats, scale: Scale, weight: float | None = None
) -> PoweredMean:
    """Return the mean score over units of which experts scored some: their scores and the judge's
    on the same units, and the judge's on all others.

    Units are independent, and those that experts scored are drawn by chance from all. Without a
    `weight` it is the one that makes the interval narrowest, from 0 to 1. The interval is Student's
    t over the experts' units where the source takes the normal distribution, cut at the ends of the
    scale.
    """
    n, more = len(experts), len(alone)
    if weight is None:
        weight = _narrowest(experts, judge, alone)
    left = experts - weight * judge
    value = float(left.mean() + weight * alone.mean())
    variance = float(left.var()) / n + weight**2 * float(alone.var()) / more
    error = variance**0.5
    half = t_width(n - 1) * error
    how = f"prediction-powered over {n} units of experts and {more} of the judge alone"
    figure = Figure(value, value - half, value + half, n, how).within(scale)
    return PoweredMean(figure, mean_ci(experts.tolist(), scale, "units"), weight, more, error)


def _narrowest(experts: Floats, judge: Floats, alone: Floats) -> float:
    """Return the weight of the judge's scores that makes the variance least."""
    n, more = len(experts), len(alone)
    spread = float(np.concatenate([judge, alone]).var(ddof=1))
    if not spread:
        return 0.0
    together = float(((experts - experts.mean()) * (judge - judge.mean())).mean())
    return min(max(together / ((1 + n / more) * spread), 0.0), 1.0)
