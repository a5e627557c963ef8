"""A table of figures as a picture for papers: a panel for each column of figures, a row for each of
the table's, intervals as bars; published figures in open marks below, named as such.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from matplotlib.figure import Figure

from core.charts.pictures import INK, RUST, TEAL, cut, draw_interval, name_rows, quiet, saved
from core.records import NOTHING, Table, Value

PANEL, LABELS, ROW, FOOT = 2.6, 2.4, 0.24, 0.8
"""Inches: width of a panel and of the names beside, height of a row, what is left above and
below.
"""
MOST_PANELS, MOST_ROWS, LONGEST = 6, 60, 44


def picture(table: Table, published: Table | None = None, kind: str = "svg") -> bytes | None:
    """Return a table as `svg` or `png`; None where it has no column of figures."""
    drawn = figure(table, published)
    return saved(drawn, kind) if drawn else None


def figure(table: Table, published: Table | None = None) -> Figure | None:
    """Return the picture of a table; columns of the published one stand in those of the same
    heading.
    """
    figures = _figures(table)
    columns = figures[:MOST_PANELS]
    if not columns:
        return None
    mine = [(_label(table, row), row, False) for row in table.rows[:MOST_ROWS]]
    theirs = [
        (f"{_label(published, row)} (as published)", row, True)
        for row in (published.rows[:MOST_ROWS] if published else ())
    ]
    rows = [*mine, *theirs]
    size = (LABELS + PANEL * len(columns), FOOT + ROW * max(3, len(rows)))
    whole = Figure(figsize=size, layout="constrained")
    # Ratings beside each other are read on one scale.
    alike = len({_scale(table, column) for column in columns}) == 1
    panels = whole.subplots(1, len(columns), sharex=alike, sharey=True, squeeze=False).ravel()
    for axes, column in zip(panels, columns, strict=True):
        _panel(axes, table, published, column, rows)
    name_rows(panels[0], _names([label for label, _, _ in rows]))
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    left_out = _left_out(len(figures), len(table.rows))
    if left_out:
        whole.supxlabel(left_out, fontsize=7, color=INK)
    return whole


def _left_out(figures: int, rows: int) -> str:
    """Say how much of a table is not drawn; empty where all is."""
    parts = [
        f"the first {most} of {held} {things}"
        for held, most, things in (
            (figures, MOST_PANELS, "columns of figures"),
            (rows, MOST_ROWS, "rows"),
        )
        if held > most
    ]
    return f"Drawn: {' and '.join(parts)}." if parts else ""


def _names(labels: Sequence[str]) -> list[str]:
    """Return names that fit beside a row; where cutting would make them alike, what they begin with
    in common is left out.
    """
    short = [cut(label, LONGEST) for label in labels]
    if len({*short}) == len({*labels}):
        return short
    parts = [label.split(", ") for label in labels]
    same = takewhile(lambda column: len({*column}) == 1, zip(*parts, strict=False))
    shared = sum(1 for _ in same)
    named = [", ".join(("…", *own[shared:])) if len(own) > shared else own[-1] for own in parts]
    return [cut(name, LONGEST) for name in named]


def _figures(table: Table) -> list[int]:
    """Return the columns that hold figures."""
    return [
        n
        for n in range(len(table.head))
        if any(row[n].mean is not None and not row[n].text for row in table.rows)
    ]


def _scale(table: Table, column: int) -> tuple[str, int, str]:
    """Return how the figures of a column are written: those of one kind share an axis."""
    found = next(row[column] for row in table.rows if row[column].mean is not None)
    return found.unit, found.digits, found.counted


def _label(table: Table | None, row: Sequence[Value]) -> str:
    assert table
    figures = _figures(table)
    texts = [value.number for n, value in enumerate(row) if n not in figures]
    named = [text for text in texts if text not in ("", NOTHING)]
    return ", ".join(named[:3])


def _panel(
    axes: Any,
    table: Table,
    published: Table | None,
    column: int,
    rows: Sequence[tuple[str, Sequence[Value], bool]],
) -> None:
    heading = table.head[column]
    for at, (_, row, theirs) in enumerate(rows):
        where = column
        if theirs:
            assert published
            if heading not in published.head:
                continue
            where = published.head.index(heading)
        value = row[where]
        if value.mean is None or value.text:
            continue
        colour = RUST if theirs else TEAL
        draw_interval(axes, value.low, value.high, at, colour)
        face = "white" if theirs else colour
        axes.plot(
            [value.mean], [at], "o", color=colour, markerfacecolor=face, markersize=4.5, zorder=3
        )
    text = axes.set_xlabel(cut(heading, LONGEST), fontsize=8, color=INK)
    text.set_parse_math(False)
    quiet(axes)
