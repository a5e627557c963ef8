"""How two raters' scores of the same items go together, and how far apart they are: a model against
the mean of experts, one rater against another.
"""

import math

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.statistics.intervals import FEWEST, FREE, LEVEL, Floats, Scale, t_chance
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


def pearson(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Pearson's r over the items both scored (nan where missing), `whose` in the reading,
    with Fisher's z interval and the two-sided p of Student's t.

    Refused with a reason under 10 items, and where one gave the same score to all. Source: Fisher
    (1921), Metron 1, 3-32.
    """
    x, y = _both(one, other)
    blank = Statistic(name="Pearson's r", about=about, n=len(x), raters=raters)
    if reason := _reason(x, y):
        return _refused(blank, reason)
    r = correlation(x, y)
    return _with_interval(
        blank, r, _chance(r, len(x)), 1 / (len(x) - 3), "Fisher's z", f"{whose} correlate at r"
    )


def spearman(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Spearman's rho over the items both scored (nan where missing), with Bonett and
    Wright's interval and the two-sided p of Student's t.

    Refused as Pearson's r. Source: Bonett and Wright (2000), Psychometrika 65, 23-28: Fisher's z
    with variance (1 + rho^2 / 2) / (n - 3).
    """
    x, y = _both(one, other)
    blank = Statistic(name="Spearman's rho", about=about, n=len(x), raters=raters)
    if reason := _reason(x, y):
        return _refused(blank, reason)
    rho = correlation(midranks(x), midranks(y))
    variance = (1 + rho**2 / 2) / (len(x) - 3)
    how = "Fisher's z with the variance of Bonett and Wright (2000)"
    return _with_interval(
        blank, rho, _chance(rho, len(x)), variance, how, f"{whose} order ideas alike at rho"
    )


def kendall(
    one: Floats, other: Floats, about: str, whose: str = "They", raters: int = 2
) -> Statistic:
    """Return Kendall's tau-b over the items both scored (nan where missing), with scipy's two-sided
    p.

    Refused as Pearson's r. The interval is Fisher's z with variance 0.437 / (n - 4), from Fieller,
    Hartley and Pearson (1957), Biometrika 44, 470-481, derived for scores without ties.
    """
    x, y = _both(one, other)
    blank = Statistic(name="Kendall's tau-b", about=about, n=len(x), raters=raters)
    if reason := _reason(x, y):
        return _refused(blank, reason)
    # Half a second to import, which pages without tests should not wait for.
    from scipy import stats

    found = stats.kendalltau(x, y)
    tau = float(np.clip(found.statistic, -1, 1))
    how = "Fisher's z with the variance of Fieller et al. (1957), for scores without ties"
    variance = 0.437 / (len(x) - 4)
    what = f"{whose} order ideas alike at tau-b"
    return _with_interval(blank, tau, float(found.pvalue), variance, how, what)


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
    name, (x, y) = "mean absolute error", _both(one, other)
    if len(x) < FEWEST:
        return refused(name, about, len(x), _few(len(x)), raters=raters)
    found = mean_ci(np.abs(x - y).tolist(), Scale(0.0, scale.high - scale.low), "ideas")
    ends = between(found.low, found.high)
    reading = f"{whose} differ by {shown(found.value or 0.0)} points on average{ends}."
    return of_figure(found, name, about, raters=raters, reading=reading)


def correlation(x: Floats, y: Floats) -> float:
    """Return Pearson's r of two columns that both vary."""
    left = x - x.mean()
    right = y - y.mean()
    # Roots apart: the product of two sums of squares may be too large, or too small, to be held.
    return float(
        np.clip(
            left @ right / math.sqrt(float(left @ left)) / math.sqrt(float(right @ right)), -1, 1
        )
    )


def midranks(values: Floats) -> Floats:
    """Return ranks from 1 in rising order, equal values sharing their mean rank."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[at]
    return ranks


def alike(values: Floats) -> bool:
    """Return whether all values are equal, but for rounding; of no value too."""
    return len(values) == 0 or float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max())


def _both(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    kept = np.isfinite(one) & np.isfinite(other)
    return one[kept], other[kept]


def _few(n: int) -> str:
    have = {0: "No idea has", 1: "Only 1 idea has"}.get(n, f"Only {n} ideas have")
    return f"{have} a score of both: {FEWEST} are needed."


def _reason(x: Floats, y: Floats) -> str:
    if len(x) < FEWEST:
        return _few(len(x))
    if alike(x) or alike(y):
        return "One side gave all ideas the same score, so that nothing can go together with it."
    return ""


def _refused(blank: Statistic, reason: str) -> Statistic:
    return blank.model_copy(update={"reading": reason, "refused": reason})


def _chance(r: float, n: int) -> float:
    """Return the two-sided p of a correlation, by Student's t."""
    if abs(r) > 1 - 1e-12:
        return 0.0
    return t_chance(r * math.sqrt((n - 2) / (1 - r * r)), n - 2)


def _with_interval(
    blank: Statistic, value: float, p: float, variance: float, how: str, what: str
) -> Statistic:
    """Return the statistic with its value, and the interval of Fisher's z with this variance."""
    low, high = None, None
    if abs(value) > 1 - 1e-12:
        how = (
            "the order is the same, or turned round, without exception, so no interval can be given"
        )
    else:
        z = math.atanh(value)
        half = _Z * math.sqrt(variance)
        low = math.tanh(z - half)
        high = math.tanh(z + half)
    chance = "" if p < SIGNIFICANT else ": chance alone could give it"
    reading = f"{what} = {shown(value)}{between(low, high)}, {significance(p)}{chance}."
    return blank.model_copy(
        update={"value": value, "low": low, "high": high, "p": p, "how": how, "reading": reading}
    )
