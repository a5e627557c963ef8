"""A ratio of totals over units (sets, pairs of ideas), with an interval that knows that the answers to one unit belong together."""
from collections.abc import Callable

from core.agreement.figures import Statistic, between, refused, shown
from core.judging.intervals import FEWEST, RESAMPLES, Floats, percentiles, ratio, resampled, wilson


def pooled(name: str, about: str, sums: Floats, said: Callable[[str], str], unit: str, raters: int = 0, chance: float | None = None) -> Statistic:
    """Return a statistic that is one total by another, (units, 2), with its 95 % interval from a bootstrap over units.

    Units whose second number is 0 say nothing and are left out. `said` makes the reading from value and interval in words. Refused on fewer than 10 units.
    """
    sums = sums[sums[:, 1] > 0]
    n = len(sums)
    if n < FEWEST:
        return too_few(name, about, n, unit, raters)
    value = float(ratio(sums.sum(axis=0)))
    ends, how = percentiles(ratio(resampled(sums, RESAMPLES, 0)), n), f"bootstrap over {n} {unit}"
    if ends is None or ends[0] == ends[1]:
        ends, how = None, f"no interval: all {n} {unit} give the same figure, so they do not show how sure it is"
    low, high = ends or (None, None)
    return Statistic(name=name, about=about, value=value, low=low, high=high, n=n, unit=unit, raters=raters, chance=chance, how=how,
                     reading=said(f"{shown(value)}{between(low, high)}"))


def described(
    name: str, about: str, sums: Floats, said: Callable[[str], str], unit: str, raters: int = 0, chance: float | None = None,
) -> Statistic:
    """Return what `pooled` returns; on fewer than 10 units the figure alone, without an interval or a verdict.

    Refused where no unit says anything.
    """
    used = sums[sums[:, 1] > 0]
    if not 0 < len(used) < FEWEST:
        return pooled(name, about, sums, said, unit, raters, chance)
    value, n = float(ratio(used.sum(axis=0))), len(used)
    over = f"1 {unit.removesuffix('s')}" if n == 1 else f"{n} {unit}"
    return Statistic(
        name=name, about=about, value=value, n=n, unit=unit, raters=raters, chance=chance, few=True,
        how=f"{over} only: no interval, since {FEWEST} are needed to say how sure it is",
        reading=f"{shown(value)} over {over}: too few to conclude anything from; {FEWEST} are needed.")


def pooled_share(name: str, about: str, sums: Floats, said: Callable[[str], str], unit: str, raters: int = 0, chance: float | None = None) -> Statistic:
    """Return what `pooled` returns of a share; at none and at all, where resampling shows no spread, with Wilson's interval over the units."""
    found = pooled(name, about, sums, said, unit, raters, chance)
    if found.value not in (0.0, 1.0):
        return found
    low, high = wilson(found.value * found.n, found.n)
    reading = said(f"{shown(found.value)}{between(low, high)}")
    return found.model_copy(update={"low": low, "high": high, "how": f"Wilson's over {found.n} {unit}", "reading": reading})


def between_raters(name: str, about: str, sums: Floats, said: Callable[[str], str], unit: str, raters: int, chance: float | None = None) -> Statistic:
    """Return what `pooled` returns of raters held against each other; refused with fewer than 2."""
    return too_few_raters(name, about, unit, raters) if raters < 2 else pooled(name, about, sums, said, unit, raters, chance)


def described_between(
    name: str, about: str, sums: Floats, said: Callable[[str], str], unit: str, raters: int, chance: float | None = None,
) -> Statistic:
    """Return what `described` returns of raters held against each other; refused with fewer than 2."""
    if raters < 2:
        return too_few_raters(name, about, unit, raters)
    return described(name, about, sums, said, unit, raters, chance)


def too_few(name: str, about: str, n: int, unit: str, raters: int = 0) -> Statistic:
    """Return the statistic refused because there are fewer than 10 units."""
    have = "there is 1" if n == 1 else f"there are {n}" if n else "there are none"
    return refused(name, about, n, f"{name} needs {FEWEST} {unit} to be taken over; {have}.", unit, raters)


def too_few_raters(name: str, about: str, unit: str, raters: int) -> Statistic:
    """Return the statistic refused because there are not two to be held against each other."""
    return refused(name, about, 0, f"{name} needs answers of 2 raters or more; there {'is 1' if raters else 'are none'}.", unit, raters)
