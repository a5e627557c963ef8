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
    columns = list[list[object]]()
    for n, heading in enumerate(table.head):
        columns += _columns(heading, [row[n] for row in table.rows])
    return rows_as_csv(zip(*columns, strict=True))


def rows_as_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV, a line of column names first; no text in them runs in a spreadsheet."""
    return "".join(csv_lines(rows))


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the same row by row, for what is too long to be held as one text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def harmless(text: str) -> str:
    """Return a text so that no spreadsheet takes it for a formula."""
    if text.lstrip().startswith(tuple("=+-@＝＋－＠")) or text.startswith(("\t", "\r")):
        return f"'{text}"
    return text


def _in_full(value: Value) -> str | float:
    """Return words, or a figure with all its digits, a count as a whole number."""
    if value.text or value.mean is None:
        return value.text
    if not value.digits and value.mean.is_integer():
        return int(value.mean)
    return value.mean


def _columns(heading: str, values: list[Value]) -> Iterator[list[object]]:
    """Yield the column of a heading, then those of its intervals and counts, each under its own."""
    yield [heading, *map(_in_full, values)]
    for part, read in PARTS:
        numbers = list(map(read, values))
        if numbers.count(None) < len(numbers):
            yield [f"{heading} ({part})", *numbers]
