"""CSV with any of the usual separators, read row by row."""

from collections.abc import Iterator
from typing import NamedTuple

from core.csv_rows import CsvRow, read_rows
from core.errors import BadInput
from core.importing.decoding import lost_in
from core.importing.sheets import (
    MOST_COLUMNS,
    RefusedRow,
    Row,
    Sheet,
    gather,
    name_columns,
    refused,
)

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
HEAD = 200
"""Lines that the column names may go over."""
ALONE = "\x1f"
"""Separates the cells of a table with one column: a sign no text has, so that commas in it need no
quotation marks.
"""
MOST_LINES = 1_000_000


class Headed(NamedTuple):
    """A table whose columns are known and whose rows are still to be read."""

    format: str
    columns: tuple[str, ...]
    parts: Iterator[Row | RefusedRow]


def table(name: str, text: str, encoding: str) -> Sheet:
    """Read rows under a line of column names; raises BadInput for one that is none."""
    found = read_table(name, text)
    return gather(name, found.format, encoding, found.parts, found.columns)


def read_table(name: str, text: str, each: str = "an idea") -> Headed:
    """Read the line of column names, and the rows below it one by one; `each` says what a row is.
    Raises BadInput for a table that is none.
    """
    if text.count("\n") > MOST_LINES:
        raise BadInput(
            f"{name} has more than {MOST_LINES:,} lines. Split it; nothing was taken yet."
        )
    lines = text.split("\n")
    head = next((number for number, line in enumerate(lines) if line.strip()), None)
    if head is None:
        raise BadInput(
            f"{name} is empty. Its first line names the columns, and each further row is {each}."
        )
    separator = _separator(lines, head)
    parts = read_rows(lines, separator, head)
    first = next(parts)
    if (names := first.cells) is None:
        raise BadInput(
            f"{name}, line {head + 1}: {first.trouble}. The first line must name the columns."
        )
    if what := lost_in("".join(names)):
        raise BadInput(f"{name}, line {head + 1}: {what}.")
    if len(names) > MOST_COLUMNS:
        raise BadInput(
            f"{name} has {len(names):,} columns; {MOST_COLUMNS} are read at most. Leave out what is"
            " not needed."
        )
    columns = name_columns(names)
    format_ = "CSV, " + (
        f"separated by {SEPARATORS[separator]}" if separator != ALONE else "one column"
    )
    return Headed(format_, columns, _rows(lines, parts, separator, columns))


def _separator(lines: list[str], head: int) -> str:
    """Return the separator under which the first row has most columns."""
    best, most, beginning = ALONE, 1, lines[: head + HEAD]
    for sign in SEPARATORS:
        width = len(next(read_rows(beginning, sign, head)).cells or ())
        if width > most:
            best, most = sign, width
    return best


def _rows(
    lines: list[str], parts: Iterator[CsvRow], separator: str, columns: tuple[str, ...]
) -> Iterator[Row | RefusedRow]:
    for number, cells, _, trouble in parts:
        where = f"line {number + 1}"
        if cells is None:
            yield refused(where, lines[number], trouble)
        elif any(cell.strip() for cell in cells[len(columns) :]):
            yield refused(
                where,
                lines[number],
                f"it has {len(cells):,} cells under {len(columns)} column names; quote those that"
                f" hold {separator!r}",
            )
        elif any(cell.strip() for cell in cells):
            yield Row(where, dict(zip(columns, cells, strict=False)))
