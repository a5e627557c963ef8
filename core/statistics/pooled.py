"""A ratio of totals over units (sets, pairs of ideas), with an interval that knows that the answers
to one unit belong together.
"""

from collections.abc import Callable

from core.statistics.intervals import (
    ALIKE,
    FEWEST,
    SHARE,
    Figure,
    Floats,
    Scale,
    of_alike,
    percentiles,
    ratio,
    resampled,
)
from core.statistics.statistic import Statistic, between, of_figure, raters_there, refused, shown


def pooled(
    name: str,
    about: str,
    sums: Floats,
    reading: Callable[[str], str],
    unit: str,
    raters: int = 0,
    chance: float | None = None,
    scale: Scale = SHARE,
    *,
    of_raters: bool = False,
    few_alone: bool = False,
) -> Statistic:
    """Return a statistic that is one total by another, (units, 2), with its 95 % interval from a
    bootstrap over units.

    Where all units give the same figure, which resampling cannot tell the sureness of, the interval
    is Wilson's over units on the statistic's scale. Units whose second number is 0 say nothing and
    are left out. `reading` words the value with its interval. Refused on fewer than 10 units, or,
    with `few_alone`, given without an interval and a verdict where there is one at least. Where it
    holds raters against each other (`of_raters`) it is refused with fewer than 2.
    """
    if of_raters and raters < 2:
        return too_few_raters(name, about, unit, raters)
    sums = sums[sums[:, 1] > 0]
    n = len(sums)
    if n < FEWEST and not (few_alone and n):
        return too_few(name, about, n, unit, raters)
    value = float(ratio(sums.sum(axis=0)))
    if n < FEWEST:
        over = f"1 {unit.removesuffix('s')}" if n == 1 else f"{n} {unit}"
        how = f"{over} only: no interval, since {FEWEST} are needed to say how sure it is"
        figure = Figure(value, None, None, n, how)
        words = (
            f"{shown(value)} over {over}: too few to conclude anything from; {FEWEST} are needed."
        )
        found = of_figure(figure, name, about, unit, raters, words, chance)
        return found.model_copy(update={"few": True})
    ends = percentiles(ratio(resampled(sums)), n)
    if ends and ends[1] - ends[0] > ALIKE:
        figure = Figure(value, *ends, n, f"bootstrap over {n} {unit}")
    else:
        figure = of_alike(value, n, scale, n, unit)
    words = reading(f"{shown(value)}{between(figure.low, figure.high)}")
    return of_figure(figure, name, about, unit, raters, words, chance)


def too_few(name: str, about: str, n: int, unit: str, raters: int = 0) -> Statistic:
    """Return the statistic refused because there are fewer than 10 units."""
    have = f"there are {n}" if n > 1 else raters_there(n)
    reason = f"{name} needs {FEWEST} {unit} to be taken over; {have}."
    return refused(name, about, n, reason, unit, raters)


def too_few_raters(name: str, about: str, unit: str, raters: int) -> Statistic:
    """Return the statistic refused because there are not two to be held against each other."""
    reason = f"{name} needs answers of 2 raters or more; {raters_there(raters)}."
    return refused(name, about, 0, reason, unit, raters)
