"""A table as CSV: figures in full, each with its interval and what it is made of, and nothing a
spreadsheet would run.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator

from core.records import Table, Value

PARTS: tuple[tuple[str, Callable[[Value], float | int | None]], ...] = (
    ("95 % low", lambda value: value.low),
    ("95 % high", lambda value: value.high),
    ("n", lambda value: value.n),
    ("n planned", lambda value: value.of),
)
"""What stands beside a figure, where a column has it at all."""


def sheet(table: Table) -> str:
    """Return the table as CSV: shares as 0 to 1, changes in percent, costs in US dollars, unknown
    figures empty.
    """
    columns = [
        column
        for n, heading in enumerate(table.head)
        for column in _columns(heading, [row[n] for row in table.rows])
    ]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow([harmless(heading) for heading, _ in columns])
    lines.writerows(zip(*(cells for _, cells in columns), strict=True))
    return out.getvalue()


def rows_as_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV, a line of column names first; no text in them runs in a spreadsheet."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return out.getvalue()


def harmless(text: str) -> str:
    """Return a text so that no spreadsheet takes it for a formula."""
    if text.lstrip().startswith(("=", "+", "-", "@")) or text.startswith(("\t", "\r")):
        return f"'{text}"
    return text


def _figure(value: Value) -> str:
    """Write a figure in full; a count is written as one."""
    assert value.mean is not None
    return (
        str(int(value.mean)) if not value.digits and value.mean.is_integer() else repr(value.mean)
    )


def _columns(heading: str, values: list[Value]) -> Iterator[tuple[str, list[str]]]:
    yield (
        heading,
        [
            harmless(value.text) if value.text or value.mean is None else _figure(value)
            for value in values
        ],
    )
    for part, of in PARTS:
        if any(of(value) is not None for value in values):
            yield (
                f"{heading} ({part})",
                ["" if (said := of(value)) is None else repr(said) for value in values],
            )
