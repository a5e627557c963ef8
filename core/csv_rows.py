"""Rows of a CSV file, one by one: what stands within quotation marks is never read as rows, and a
quotation mark too many costs no more than the row it stands in, or runs on through.
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
IN_DOUBT = 20
"""Lines after a broken row that may be pieces of it."""
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

    What follows a broken row may be a piece of it: up to the first row that is as wide as rows are
    here, within so many lines, none is taken.
    """
    read_again, in_doubt_until = 0, 0
    widths = set[int]()
    while start < len(lines):
        row, read = _row(lines, start, separator)
        if row.cells is not None and widths and any(map(str.strip, row.cells)):
            row = _as_wide_as_others(row, widths, separator, start < in_doubt_until)
        if row.cells is None:
            read_again += read if row.after == start + 1 else 0
            if read_again > MOST_READ_AGAIN:
                raise BadInput(
                    "The file has quotation marks that are never closed, the last of them in line"
                    f" {start + 1}, and finding its rows would take too long. Save it as CSV again."
                )
            if start >= in_doubt_until and row.after == start + 1:
                in_doubt_until = start + 1 + IN_DOUBT
        elif any(map(str.strip, row.cells)):
            in_doubt_until = 0
            widths.add(len(row.cells))
        yield row
        start = row.after


def _as_wide_as_others(row: CsvRow, widths: set[int], separator: str, in_doubt: bool) -> CsvRow:
    """Refuse a row that only a quotation mark too many may have made: spreadsheets leave empty
    cells at an end out, so that another width alone says little.
    """
    cells = row.cells or []
    filled = len(cells)
    while filled and not cells[filled - 1].strip():
        filled -= 1
    if widths & {len(cells), filled}:
        return row
    common = min(widths)
    wide = f"{len(cells):,} cell{'s' * (len(cells) != 1)} where others have {common:,}"
    lines = "\n".join(cell for cell in cells if "\n" in cell).split("\n")
    if row.after > row.line + 1 and any(line.count(separator) >= common - 1 for line in lines):
        trouble = f"it goes on to line {row.after} and has {wide}; a quotation mark may be missing"
    elif in_doubt:
        trouble = f"it comes after a broken row, and has {wide}"
    else:
        return row
    return row._replace(cells=None, trouble=trouble)


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
