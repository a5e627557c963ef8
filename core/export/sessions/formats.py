"""A session's answers in files that other programs read with their labels: a workbook (XLSX), SPSS;
the key of a session as a workbook of its own.
"""

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from core.export.blocks import printable
from core.export.sessions import rows
from core.export.sessions.wide import Variable, WideTable, wide
from core.export.writing import UNDATED, UndatedZip
from core.studies.filed import Filed
from core.tables.sheets import harmless

Sheets = Mapping[str, tuple[Iterable[str], Iterable[Iterable[object]]]]
"""Heads and rows by the name of a sheet."""
LONGEST_LABEL = 250
"""Letters of a variable's label: SPSS has 256 bytes."""
LONGEST_VALUE_LABEL = 115
LONGEST_CELL = 32_000
WIDTHS = (10, 60)
SAV_DATED = 92
"""Where an SPSS file says when it was made, in so many bytes as the next: the date and the time."""
SAV_UNDATED = b"01 Jan 8000:00:00"


def workbook(filed: Filed, more: Sheets) -> bytes:
    """Return a session as an XLSX workbook: a row for each answer with a column for everything that
    was asked, what the columns mean, and the sheets that are given.
    """
    table = wide(filed)
    heads = ("variable", "label", "measure", "values", "missing")
    sheets: Sheets = {
        "wide": ([one.name for one in table.variables], _numbers(table)),
        "variables": (heads, map(_described, table.variables)),
        **more,
    }
    return as_workbook(sheets)


def key_workbook(key: rows.Rows) -> bytes:
    """Return what labels hide, the rows of `key.csv`, as a workbook of its own."""
    return as_workbook({"key": (rows.KEY, key)})


def _numbers(table: WideTable) -> Iterable[Iterable[object]]:
    """Yield rows with missing values empty, so that a mean in a spreadsheet is one of answers."""
    for row in table.rows:
        cells = zip(row, table.variables, strict=True)
        yield [None if cell in one.missing else cell for cell, one in cells]


def _described(one: Variable) -> tuple[str, ...]:
    values = "; ".join(f"{at} = {said}" for at, said in one.points.items() if at not in one.missing)
    missing = "empty: cannot judge, or skipped" if one.missing else ""
    return one.name, one.label, one.measure if one.number else "text", values, missing


def as_workbook(sheets: Sheets) -> bytes:
    """Return sheets as XLSX, the same for the same content. Text stays text: no cell is a formula,
    whatever it begins with. Lines are taken one at a time, and no sheet is in memory as a whole:
    each lies unpacked in a temporary file until it is packed.
    """
    # Imported here: half a second that no other command should wait for.
    from openpyxl import Workbook  # type: ignore[import-untyped]
    from openpyxl.writer.excel import ExcelWriter  # type: ignore[import-untyped]

    book = Workbook(write_only=True)
    packed = io.BytesIO()
    try:
        for title, (heads, lines) in sheets.items():
            _fill(book.create_sheet(title), tuple(heads), lines)
        book.properties.created = book.properties.modified = datetime(*UNDATED)
        # `book.save` would say that the workbook was modified now.
        ExcelWriter(book, UndatedZip(packed, "w", zipfile.ZIP_DEFLATED)).save()
    finally:
        _forget(book)
    return packed.getvalue()


def _fill(page: Any, heads: tuple[str, ...], lines: Iterable[Iterable[object]]) -> None:
    """Write a sheet. What stands before its rows in the file is set before the first of them."""
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]
    from openpyxl.styles import Font  # type: ignore[import-untyped]
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    page.freeze_panes = "A2"
    first = []
    for column, head in enumerate(heads, 1):
        width = min(max(len(head) + 2, WIDTHS[0]), WIDTHS[1])
        page.column_dimensions[get_column_letter(column)].width = width
        cell = WriteOnlyCell(page)
        _say(cell, _fitting(head))
        cell.font = Font(bold=True)
        first.append(cell)
    try:
        page.append(first)
        for line in lines:
            page.append([_cell(page, value) for value in line])
    finally:
        page.close()


def _cell(page: Any, value: object) -> object:
    """Return what a sheet is given for a value: the value itself where it is taken for nothing
    else, which is a sixth faster than a cell of its own for every text.
    """
    if not isinstance(value, str):
        return value
    text = _fitting(value)
    # Words for errors, such as #N/A, begin with this.
    if not text.startswith("#") and harmless(text) == text:
        return text
    # Imported here, as above, and not for every cell.
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(page)
    _say(cell, text)
    return cell


def _fitting(text: str) -> str:
    return printable(text)[:LONGEST_CELL]


def _say(cell: Any, text: str) -> None:
    """Write a text into a cell as text."""
    cell.value = text
    cell.data_type = "s"
    if harmless(text) != text:
        # A spreadsheet that is asked to edit the cell keeps it text, too.
        cell.quotePrefix = True


def _forget(book: Any) -> None:
    """Remove the files of sheets that did not get into an archive, since a line of them failed;
    they would lie there until the process ends.
    """
    for page in book.worksheets:
        if page._writer and Path(page._writer.out).exists():
            page._writer.cleanup()


def spss(filed: Filed) -> bytes:
    """Return the wide table as an SPSS file: labels of variables and of values, measures, and
    "cannot judge" and skipped units as missing values.
    """
    # Imported here: pandas takes a second.
    import pandas as pd
    import pyreadstat

    table = wide(filed)
    columns: dict[str, Any] = {}
    for n, one in enumerate(table.variables):
        cells = [row[n] for row in table.rows]
        columns[one.name] = (
            pd.array(cells, dtype="Float64").astype("float64")
            if one.number
            else pd.array([_cut(str(cell or ""), LONGEST_CELL) for cell in cells], dtype=object)
        )
    numbers = [one for one in table.variables if one.number]
    values: dict[str, dict[int | float, str]] = {
        one.name: {at: _cut(said, LONGEST_VALUE_LABEL) for at, said in one.points.items()}
        for one in numbers
        if one.points
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.sav"
        pyreadstat.write_sav(
            pd.DataFrame(columns),
            path,
            file_label=_cut(filed.study.plan.title, 60),
            column_labels={one.name: _cut(one.label, LONGEST_LABEL) for one in table.variables},
            variable_value_labels=values,
            missing_ranges={one.name: list(one.missing) for one in numbers if one.missing},
            variable_measure={one.name: one.measure for one in table.variables},
            # Each text takes as much room as the longest of its column.
            row_compress=True,
        )
        with path.open("r+b") as file:
            file.seek(SAV_DATED)
            file.write(SAV_UNDATED)
        return path.read_bytes()


def _cut(text: str, most: int) -> str:
    """Return a text of so many bytes at most, which SPSS counts."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
