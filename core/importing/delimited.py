"""CSV with any of the usual separators: read row by row, so that a quotation mark too many costs
one row.
"""

import csv
from collections.abc import Iterator
from typing import NamedTuple

from core.errors import BadInput
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
ALONE = "\x1f"
"""Separates the cells of a table with one column: a sign no text has, so that commas in it need no
quotation marks.
"""
LONGEST_ROW = 1_000
"""Lines one row may go over."""
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
    names, start, trouble = _row(lines, head, separator)
    if names is None:
        raise BadInput(f"{name}, line {head + 1}: {trouble}. The first line must name the columns.")
    if len(names) > MOST_COLUMNS:
        raise BadInput(
            f"{name} has {len(names):,} columns; {MOST_COLUMNS} are read at most. Leave out what is"
            " not needed."
        )
    columns = name_columns(names)
    format_ = "CSV, " + (
        f"separated by {SEPARATORS[separator]}" if separator != ALONE else "one column"
    )
    return Headed(format_, columns, _rows(lines, start, separator, columns))


def _separator(lines: list[str], head: int) -> str:
    """Return the separator under which the first row has most columns."""
    best, most = ALONE, 1
    for sign in SEPARATORS:
        names, *_ = _row(lines, head, sign)
        if len(names or ()) > most:
            best, most = sign, len(names or ())
    return best


def _rows(
    lines: list[str], number: int, separator: str, columns: tuple[str, ...]
) -> Iterator[Row | RefusedRow]:
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        cells, following, trouble = _row(lines, number, separator)
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
        number = following


def _row(lines: list[str], start: int, separator: str) -> tuple[list[str] | None, int, str]:
    """Return the cells of the row that begins at a line, None where it is broken, the line the next
    row begins at, and what is wrong.
    """
    whole = "\n".join(lines[start : start + LONGEST_ROW]) if '"' in lines[start] else lines[start]
    reader = csv.reader(
        (line + "\n" for line in whole.split("\n")), delimiter=separator, strict=True
    )
    try:
        cells = next(reader)
    except csv.Error as error:
        large = "larger than" in str(error)
        return (
            None,
            start + 1,
            (
                f"a cell has more than {csv.field_size_limit():,} characters"
                if large
                else "a quotation mark is missing or one too many"
            ),
        )
    return cells, start + reader.line_num, ""
