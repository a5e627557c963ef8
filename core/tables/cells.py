"""Cells of tables, and tables from what stands in each column."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from core.records import NOTHING, Table, Unit, Value, digest
from core.statistics.clusters import Spread
from core.statistics.statistic import Statistic

T = TypeVar("T")
Cell = Value | Statistic | str | int | None
"""What may stand in a cell: a figure, words, a count, or nothing."""


def make_table(
    name: str,
    title: str,
    head: Iterable[str],
    rows: Iterable[Iterable[Cell]],
    note: str = "",
    caption: str = "",
) -> Table:
    """Return a table from what stands in its cells, row by row."""
    values = tuple(tuple(map(value, row)) for row in rows)
    return Table(name=name, title=title, caption=caption, head=tuple(head), rows=values, note=note)


def tabulated(
    name: str,
    title: str,
    found: Iterable[T],
    columns: Mapping[str, Callable[[T], Cell]],
    note: str = "",
    caption: str = "",
) -> Table:
    """Return a table with a row for each thing found; columns are what they are headed by, and what
    of a thing stands in them.
    """
    rows = []
    for thing in found:
        rows.append([read(thing) for read in columns.values()])
    return make_table(name, title, columns, rows, note, caption)


def value(stands: Cell) -> Value:
    """Return what stands in a cell; words stay words, a whole number is a count."""
    match stands:
        case Value():
            return stands
        case Statistic():
            return cell(stands)
        case int():
            return count(stands)
    return Value(text=stands or "")


def number(mean: float | None, digits: int, unit: Unit = "") -> Value:
    """Return a figure without an interval as a cell, empty where there is none."""
    return Value(mean=mean, digits=digits, unit=unit)


def spread(one: Spread, counted: str = "", digits: int = 2, unit: Unit = "") -> Value:
    """Return a figure with its interval as a cell; `counted` is what its `n` counts."""
    return Value(
        mean=one.value,
        low=one.low,
        high=one.high,
        n=one.n or None,
        counted=counted,
        digits=digits,
        unit=unit,
    )


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
