"""Rows of a CSV file, one by one: a quotation mark too many costs its own row, and what stands
within quotation marks is never a row of its own.
"""

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.errors import BadInput

LARGEST_CELL = 131_072
"""Characters of a cell; a row with a larger one is read and refused, whole."""
MOST_READ_AGAIN = 20_000_000
"""Characters that are read behind quotation marks that are never closed, and then once more as rows
of their own.
"""
# The module's own limit, which holds for all of the process, would leave a row in its middle.
csv.field_size_limit(2**31 - 1)


class CsvRow(NamedTuple):
    """A row as it was read."""

    line: int
    """Where it begins, counted from 0."""
    cells: list[str] | None
    """None where it is broken."""
    after: int
    """The line the next row begins at."""
    trouble: str = ""
    """What is wrong with a broken one."""


def read_rows(lines: Sequence[str], separator: str, start: int = 0) -> Iterator[CsvRow]:
    """Read the rows of a file from its line of column names on; raises BadInput where so many
    quotation marks are never closed that finding out would take too long.

    What comes after a broken row may be a piece of it: until there is a row with as many cells as
    there are columns, no other is taken.
    """
    read_again, columns, in_doubt = 0, -1, False
    while start < len(lines):
        row, read = _row(lines, start, separator)
        if row.cells is None:
            read_again += read
            if read_again > MOST_READ_AGAIN:
                raise BadInput(
                    f"Line {start + 1} of the file, and lines before it, have a quotation mark"
                    " that is never closed. Save it as CSV again."
                )
            in_doubt = True
        elif columns < 0:
            columns = len(row.cells)
        elif in_doubt and any(map(str.strip, row.cells)):
            in_doubt = len(row.cells) != columns
            if in_doubt:
                trouble = f"it comes after a broken row, and has {len(row.cells):,} cells under"
                row = row._replace(cells=None, trouble=f"{trouble} {columns} column names")
        yield row
        start = row.after


def _row(lines: Sequence[str], start: int, separator: str) -> tuple[CsvRow, int]:
    """Return the row that begins at a line, and how many characters behind that line were read."""
    read = 0

    def following() -> Iterator[str]:
        nonlocal read
        yield lines[start] + "\n"
        for number in range(start + 1, len(lines)):
            read += len(lines[number]) + 1
            yield lines[number] + "\n"

    reader = csv.reader(following(), delimiter=separator, strict=True)
    try:
        cells = next(reader)
    except csv.Error:
        trouble = "a quotation mark is missing or one too many"
        return CsvRow(start, None, start + 1, trouble), read
    after = start + reader.line_num
    if max(map(len, cells), default=0) <= LARGEST_CELL:
        return CsvRow(start, cells, after), read
    trouble = f"a cell has more than {LARGEST_CELL:,} characters"
    if after > start + 1:
        trouble += f", and ends in line {after}; a quotation mark may be missing"
    return CsvRow(start, None, after, trouble), 0
