"""Statistics as tables, for screen, CSV and LaTeX alike."""

from collections.abc import Iterable, Sequence

from core.records import NOTHING, Table
from core.statistics.statistic import Statistic
from core.tables.cells import Cell, cell, make_table, number, p_of, slug

HEAD = ("Figure", "Of", "Value", "Chance", "p", "n", "Counted", "How", "In words")
NOTE = (
    "Values with 95 % intervals. A figure that cannot be given says why. Low agreement on single"
    " ideas is usual among experts, and no failure of theirs."
)


def statistics(
    name: str, title: str, found: Iterable[Statistic], caption: str = "", note: str = NOTE
) -> Table:
    """Return statistics as a table, a row each, in the order given."""
    rows = []
    for one in found:
        spelled = f"{one.name} (also printed as {one.label})" if one.label else one.name
        chance = NOTHING if one.chance is None else number(one.chance, 2)
        how = one.refused or one.how
        rows.append((spelled, one.about, one, chance, p_of(one), one.n, one.unit, how, one.reading))
    return make_table(slug(name), title, HEAD, rows, note, caption)


def grid(
    name: str, title: str, names: Sequence[str], cells: dict[tuple[str, str], Statistic], note: str
) -> Table:
    """Return figures of every two as a square table; the same on both sides of the diagonal."""
    rows = list[list[Cell]]()
    for one in names:
        figures = [cells.get((one, other)) or cells.get((other, one)) for other in names]
        rows.append([one, *(cell(figure, 2) for figure in figures)])
    return make_table(slug(name), title, ["Rater", *names], rows, note)
