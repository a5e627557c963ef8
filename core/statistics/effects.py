"""Effect sizes with 95 % intervals: differences by the standard deviation, and how often one source
beats the other.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import optimize, special  # type: ignore[import-untyped]

from core.statistics.intervals import LEVEL, Floats, Z, noncentral_t

TAIL = (1 - LEVEL) / 2


class EffectSize(NamedTuple):
    """An effect size with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float


def standardised_difference(x: Floats, y: Floats) -> EffectSize:
    """Return Cohen's d of two independent samples: the difference of their means by the root of
    their mean variance, which need not be equal.

    Source: Bonett (2008), Confidence intervals for standardized linear contrasts of means, formulas
    10 to 12.
    """
    of_x = float(x.var(ddof=1))
    of_y = float(y.var(ddof=1))
    mean_variance = (of_x + of_y) / 2
    free_x = len(x) - 1
    free_y = len(y) - 1
    d = float(x.mean() - y.mean()) / mean_variance**0.5
    of_spread = (of_x**2 / free_x + of_y**2 / free_y) / (8 * mean_variance**2)
    of_means = (of_x / free_x + of_y / free_y) / mean_variance
    half = Z * (d**2 * of_spread + of_means) ** 0.5
    return EffectSize("d", d, d - half, d + half)


def paired_difference(differences: Floats) -> EffectSize:
    """Return Cohen's d_z of paired differences that are not all alike: their mean by their standard
    deviation; the interval is that of t's noncentrality.

    Source: Steiger and Fouladi (1997), Noncentrality interval estimation, section 3.
    """
    n = len(differences)
    d = float(differences.mean() / differences.std(ddof=1))
    t = d * n**0.5
    low = _noncentrality(t, n - 1, 1 - TAIL)
    high = _noncentrality(t, n - 1, TAIL)
    return EffectSize("d_z", d, low / n**0.5, high / n**0.5)


def _noncentrality(t: float, df: int, chance: float) -> float:
    """Return the noncentrality at which Student's t is at most so large with this chance."""

    def less(noncentrality: float) -> float:
        return noncentral_t(t, df, noncentrality) - chance

    # Of two pairs the end lies at 2.24 times t and a little more.
    reach = 8.0 + 3 * abs(t)
    return float(optimize.brentq(less, t - reach, t + reach, xtol=1e-7))


def superiority(x: Floats, y: Floats) -> EffectSize:
    """Return how often a value of x exceeds one of y, ties counted half (Mann-Whitney's U by the
    number of pairs).

    The interval is Newcombe's fifth (2006), Confidence intervals for an effect size measure based
    on the Mann-Whitney statistic, part 2, with the variance lowered for ties as in the test: at one
    half it is the test's own.
    """
    n, m = len(x), len(y)
    ordered = np.sort(y)
    below = np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right")
    above = float(below.sum()) / 2
    theta = above / (n * m)
    _, times = np.unique(np.concatenate([x, y]), return_counts=True)
    every = n + m
    tied = 1 - float((times**3 - times).sum()) / (every**3 - every)
    more = every / 2 - 1

    def far(at: float, side: float) -> float:
        growth = 1 + more * ((1 - at) / (2 - at) + at / (1 + at))
        variance = at * (1 - at) * growth / (n * m) * tied
        return theta - at + side * Z * math.sqrt(variance)

    low = 0.0 if theta == 0 else _root(far, -1.0, 0.0, theta)
    high = 1.0 if theta == 1 else _root(far, 1.0, theta, 1.0)
    return EffectSize("probability of superiority", theta, low, high)


def _root(far: Callable[[float, float], float], side: float, low: float, high: float) -> float:
    return float(optimize.brentq(far, low + 1e-12, high - 1e-12, args=(side,)))


def rank_biserial(differences: Floats) -> EffectSize:
    """Return the matched-pairs rank-biserial correlation of differences that are not all 0: the
    share of Wilcoxon's ranks that speak for x, less that which speaks against.

    The interval is a score interval, as Wilson's of a share: it holds every value from which the
    found one is no further than 1.96 standard errors there. At 0 these are the signed-rank test's
    own; elsewhere they shrink as they do for normal differences, whose mean of two is above 0 with
    the chance that (1 + r) / 2 is (the bivariate normal by Owen's T).
    """
    apart = differences[differences != 0]
    ranks = _ranks(np.abs(apart))
    whole = float(ranks.sum())
    r = float((np.sign(apart) * ranks).sum()) / whole
    at_zero = float((ranks**2).sum()) / whole**2

    def far(at: float, side: float) -> float:
        share = (1 + at) / 2
        spread = share - share**2 - 2 * special.owens_t(special.ndtri(share), 3**-0.5)
        return r - at + side * Z * math.sqrt(12 * at_zero * max(spread, 0.0))

    low = -1.0 if r <= -1 else _root(far, -1.0, -1.0, r)
    high = 1.0 if r >= 1 else _root(far, 1.0, r, 1.0)
    return EffectSize("rank-biserial r", r, low, high)


def _ranks(values: Floats) -> Floats:
    """Return ranks from 1, equal values sharing their mean rank."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    middle: Floats = (ends - (times - 1) / 2)[place]
    return middle
