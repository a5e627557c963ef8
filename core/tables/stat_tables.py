"""Statistics as tables, for screen, CSV and LaTeX alike."""

from collections.abc import Iterable, Sequence

from core.records import NOTHING, Table, Value
from core.statistics.statistic import Statistic
from core.tables.cells import cell, count, p_of, slug

HEAD = ("Figure", "Of", "Value", "Chance", "p", "n", "Counted", "How", "In words")
NOTE = (
    "Values with 95 % intervals. A figure that cannot be given says why. Low agreement on single"
    " ideas is usual among experts, and no failure of theirs."
)


def statistics(
    name: str, title: str, found: Iterable[Statistic], caption: str = "", note: str = NOTE
) -> Table:
    """Return statistics as a table, a row each, in the order given."""
    return Table(
        name=slug(name),
        title=title,
        caption=caption,
        head=HEAD,
        rows=tuple(map(_row, found)),
        note=note,
    )


def _row(one: Statistic) -> tuple[Value, ...]:
    named = f"{one.name} (also printed as {one.label})" if one.label else one.name
    chance = Value(mean=one.chance, digits=2) if one.chance is not None else Value(text=NOTHING)
    return (
        Value(text=named),
        Value(text=one.about),
        cell(one),
        chance,
        p_of(one),
        count(one.n),
        Value(text=one.unit),
        Value(text=one.refused or one.how),
        Value(text=one.reading),
    )


def grid(
    name: str, title: str, names: Sequence[str], cells: dict[tuple[str, str], Statistic], note: str
) -> Table:
    """Return figures of every two as a square table; the same on both sides of the diagonal."""
    rows = tuple(
        (
            Value(text=one),
            *(cell(cells.get((one, other)) or cells.get((other, one)), 2) for other in names),
        )
        for one in names
    )
    return Table(name=slug(name), title=title, head=("Rater", *names), rows=rows, note=note)
