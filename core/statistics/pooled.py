"""A ratio of totals over units (sets, pairs of ideas), with an interval that knows that the answers
to one unit belong together.
"""

from collections.abc import Callable

from core.statistics.intervals import (
    ALIKE,
    FEWEST,
    RESAMPLES,
    SHARE,
    Figure,
    Floats,
    Scale,
    of_alike,
    percentiles,
    ratio,
    resampled,
)
from core.statistics.statistic import Statistic, between, of_figure, refused, shown


def pooled(
    name: str,
    about: str,
    sums: Floats,
    said: Callable[[str], str],
    unit: str,
    raters: int = 0,
    chance: float | None = None,
    scale: Scale = SHARE,
) -> Statistic:
    """Return a statistic that is one total by another, (units, 2), with its 95 % interval from a
    bootstrap over units.

    Where all units give the same figure, which resampling cannot tell the sureness of, the interval
    is Wilson's over units on the statistic's scale. Units whose second number is 0 say nothing and
    are left out. `said` makes the reading from value and interval in words. Refused on fewer than
    10 units.
    """
    sums = sums[sums[:, 1] > 0]
    n = len(sums)
    if n < FEWEST:
        return too_few(name, about, n, unit, raters)
    value = float(ratio(sums.sum(axis=0)))
    ends = percentiles(ratio(resampled(sums, RESAMPLES, 0)), n)
    found = (
        Figure(value, *ends, n, f"bootstrap over {n} {unit}")
        if ends and ends[1] - ends[0] > ALIKE
        else of_alike(value, n, scale, n, unit)
    )
    return of_figure(
        found,
        name,
        about,
        unit,
        raters,
        said(f"{shown(value)}{between(found.low, found.high)}"),
        chance,
    )


def described(
    name: str,
    about: str,
    sums: Floats,
    said: Callable[[str], str],
    unit: str,
    raters: int = 0,
    chance: float | None = None,
    scale: Scale = SHARE,
) -> Statistic:
    """Return what `pooled` returns; on fewer than 10 units the figure alone, without an interval or
    a verdict.

    Refused where no unit says anything.
    """
    used = sums[sums[:, 1] > 0]
    if not 0 < len(used) < FEWEST:
        return pooled(name, about, sums, said, unit, raters, chance, scale)
    value, n = float(ratio(used.sum(axis=0))), len(used)
    over = f"1 {unit.removesuffix('s')}" if n == 1 else f"{n} {unit}"
    return Statistic(
        name=name,
        about=about,
        value=value,
        n=n,
        unit=unit,
        raters=raters,
        chance=chance,
        few=True,
        how=f"{over} only: no interval, since {FEWEST} are needed to say how sure it is",
        reading=(
            f"{shown(value)} over {over}: too few to conclude anything from; {FEWEST} are needed."
        ),
    )


def between_raters(
    name: str,
    about: str,
    sums: Floats,
    said: Callable[[str], str],
    unit: str,
    raters: int,
    chance: float | None = None,
    scale: Scale = SHARE,
) -> Statistic:
    """Return what `pooled` returns of raters held against each other; refused with fewer than 2."""
    if raters < 2:
        return too_few_raters(name, about, unit, raters)
    return pooled(name, about, sums, said, unit, raters, chance, scale)


def described_between(
    name: str,
    about: str,
    sums: Floats,
    said: Callable[[str], str],
    unit: str,
    raters: int,
    chance: float | None = None,
    scale: Scale = SHARE,
) -> Statistic:
    """Return what `described` returns of raters held against each other; refused with fewer than
    2.
    """
    if raters < 2:
        return too_few_raters(name, about, unit, raters)
    return described(name, about, sums, said, unit, raters, chance, scale)


def too_few(name: str, about: str, n: int, unit: str, raters: int = 0) -> Statistic:
    """Return the statistic refused because there are fewer than 10 units."""
    have = "there is 1" if n == 1 else f"there are {n}" if n else "there are none"
    return refused(
        name, about, n, f"{name} needs {FEWEST} {unit} to be taken over; {have}.", unit, raters
    )


def too_few_raters(name: str, about: str, unit: str, raters: int) -> Statistic:
    """Return the statistic refused because there are not two to be held against each other."""
    return refused(
        name,
        about,
        0,
        f"{name} needs answers of 2 raters or more; there {'is 1' if raters else 'are none'}.",
        unit,
        raters,
    )
