"""Statistics as cells of tables, and the names of these."""

import re
from collections.abc import Iterable

from core.records import NOTHING, Unit, Value, digest
from core.statistics.statistic import Statistic


def cell(one: Statistic | None, digits: int = 3, unit: Unit = "") -> Value:
    """Return a statistic as a cell; one that could not be given says why in its note, and where
    there is none there is a dash.
    """
    if one is None:
        return Value(text=NOTHING)
    return Value(
        mean=one.value,
        low=one.low,
        high=one.high,
        n=one.n,
        counted=one.unit,
        unit=unit,
        digits=digits,
        note=one.refused or one.how,
    )


def p_of(one: Statistic) -> Value:
    """Return a statistic's p-value as a cell."""
    return Value(text=NOTHING) if one.p is None else Value(mean=one.p, unit="p", digits=4)


def count(n: int) -> Value:
    """Return a whole number as a cell."""
    return Value(mean=float(n), digits=0)


def told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return heads of columns with a number after one that another has already: a rater may be
    called "Rater".
    """
    seen: dict[str, None] = {}
    for name in names:
        spelled, n = name, 1
        while spelled in seen:
            n += 1
            spelled = f"{name} ({n})"
        seen[spelled] = None
    return tuple(seen)


def slug(name: str) -> str:
    """Return a name as a part of a table's: small letters, digits and hyphens; two names never
    share one.
    """
    plain = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:60].strip("-")
    return plain if plain == name else f"{plain}-{digest(name)[:6]}".lstrip("-")
