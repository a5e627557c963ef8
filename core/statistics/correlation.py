"""How two raters' scores of the same items go together, and how far apart they are: a model against
the mean of experts, one rater against another.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.statistics.intervals import FEWEST, FREE, LEVEL, Figure, Floats, Scale, t_chance
from core.statistics.paired import mean_ci
from core.statistics.statistic import (
    SIGNIFICANT,
    Statistic,
    between,
    of_figure,
    refused,
    shown,
    significance,
)

_Z = float(special.ndtri((1 + LEVEL) / 2))
_SAME_ORDER = (
    "the order is the same, or turned round, without exception, so no interval can be given"
)


class _Correlation(NamedTuple):
    """A coefficient as it is measured, and what its interval is made of."""

    value: float
    p: float
    variance: float
    """Of Fisher's z."""
    how: str


def pearson(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Pearson's r over the items both scored (nan where missing), `whose` in the reading,
    with Fisher's z interval and the two-sided p of Student's t.

    Refused with a reason under 10 items, and where one gave the same score to all. Source: Fisher
    (1921), Metron 1, 3-32.
    """

    def measure(x: Floats, y: Floats) -> _Correlation:
        r = correlation(x, y)
        n = len(x)
        return _Correlation(r, _p_of_t(r, n), 1 / (n - 3), "Fisher's z")

    what = f"{whose} correlate at r"
    return _correlate("Pearson's r", one, other, about, raters, measure, what)


def spearman(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Spearman's rho over the items both scored (nan where missing), with Bonett and
    Wright's interval and the two-sided p of Student's t.

    Refused as Pearson's r. Source: Bonett and Wright (2000), Psychometrika 65, 23-28: Fisher's z
    with variance (1 + rho^2 / 2) / (n - 3).
    """

    def measure(x: Floats, y: Floats) -> _Correlation:
        rho = correlation(midranks(x), midranks(y))
        n = len(x)
        variance = (1 + rho**2 / 2) / (n - 3)
        how = "Fisher's z with the variance of Bonett and Wright (2000)"
        return _Correlation(rho, _p_of_t(rho, n), variance, how)

    what = f"{whose} order ideas alike at rho"
    return _correlate("Spearman's rho", one, other, about, raters, measure, what)


def kendall(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Kendall's tau-b over the items both scored (nan where missing), with scipy's two-sided
    p.

    Refused as Pearson's r. The interval is Fisher's z with variance 0.437 / (n - 4), from Fieller,
    Hartley and Pearson (1957), Biometrika 44, 470-481, derived for scores without ties.
    """

    def measure(x: Floats, y: Floats) -> _Correlation:
        # Half a second to import, which pages without tests should not wait for.
        from scipy import stats

        found = stats.kendalltau(x, y)
        tau = float(np.clip(found.statistic, -1, 1))
        how = "Fisher's z with the variance of Fieller et al. (1957), for scores without ties"
        return _Correlation(tau, float(found.pvalue), 0.437 / (len(x) - 4), how)

    what = f"{whose} order ideas alike at tau-b"
    return _correlate("Kendall's tau-b", one, other, about, raters, measure, what)


def mean_absolute_error(
    one: Floats,
    other: Floats,
    about: str,
    whose: str = "They",
    raters: int = 2,
    scale: Scale = FREE,
) -> Statistic:
    """Return the mean absolute difference, in points of the scale, over the items both scored (nan
    where missing), with its interval.

    The interval is Student's t, cut at 0 and at the width of the scale; where all differences are
    equal, Wilson's. Refused with a reason under 10 items.
    """
    name = "mean absolute error"
    x, y = _both(one, other)
    n = len(x)
    if n < FEWEST:
        return refused(name, about, n, _few(n), raters=raters)
    differences = np.abs(x - y).tolist()
    found = mean_ci(differences, Scale(0.0, scale.high - scale.low), "ideas")
    apart = shown(found.value or 0.0)
    ends = between(found.low, found.high)
    reading = f"{whose} differ by {apart} points on average{ends}."
    return of_figure(found, name, about, raters=raters, reading=reading)


def correlation(x: Floats, y: Floats) -> float:
    """Return Pearson's r of two columns that both vary."""
    left = x - x.mean()
    right = y - y.mean()
    # Roots apart: the product of two sums of squares may be too large, or too small, to be held.
    by_left = left @ right / math.sqrt(float(left @ left))
    r = by_left / math.sqrt(float(right @ right))
    return float(np.clip(r, -1, 1))


def midranks(values: Floats) -> Floats:
    """Return ranks from 1 in rising order, equal values sharing their mean rank."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = last - (counts - 1) / 2
    return ranks[at]


def alike(values: Floats) -> bool:
    """Return whether all values are equal, but for rounding; of no value too."""
    return len(values) == 0 or float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max())


def _both(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    kept = np.isfinite(one) & np.isfinite(other)
    return one[kept], other[kept]


def _few(n: int) -> str:
    have = {0: "No idea has", 1: "Only 1 idea has"}.get(n, f"Only {n} ideas have")
    return f"{have} a score of both: {FEWEST} are needed."


def _p_of_t(r: float, n: int) -> float:
    """Return the two-sided p of a correlation, by Student's t."""
    if abs(r) > 1 - 1e-12:
        return 0.0
    t = r * math.sqrt((n - 2) / (1 - r * r))
    return t_chance(t, n - 2)


def _correlate(
    name: str,
    one: Floats,
    other: Floats,
    about: str,
    raters: int,
    measure: Callable[[Floats, Floats], _Correlation],
    what: str,
) -> Statistic:
    """Return a coefficient over the items both scored, with the interval of Fisher's z; `what`
    begins its reading.
    """
    x, y = _both(one, other)
    n = len(x)
    if n < FEWEST:
        return refused(name, about, n, _few(n), raters=raters)
    if alike(x) or alike(y):
        reason = "One side gave all ideas the same score, so that nothing can go together with it."
        return refused(name, about, n, reason, raters=raters)
    value, p, variance, how = measure(x, y)
    low, high = None, None
    if abs(value) > 1 - 1e-12:
        how = _SAME_ORDER
    else:
        z = math.atanh(value)
        half = _Z * math.sqrt(variance)
        low = math.tanh(z - half)
        high = math.tanh(z + half)
    by_chance = "" if p < SIGNIFICANT else ": chance alone could give it"
    ends = between(low, high)
    reading = f"{what} = {shown(value)}{ends}, {significance(p)}{by_chance}."
    figure = Figure(value, low, high, n, how)
    found = of_figure(figure, name, about, raters=raters, reading=reading)
    return found.model_copy(update={"p": p})
