"""A session's answers in files that other programs read with their labels: a workbook (XLSX), SPSS;
the key of a session as a workbook of its own.
"""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from core.export.blocks import printable
from core.export.sessions import rows
from core.export.sessions.wide import Variable, WideTable, wide
from core.export.writing import zip_files
from core.studies.filed import Filed
from core.tables.sheets import harmless

Sheets = Mapping[str, tuple[Iterable[str], Iterable[Iterable[object]]]]
"""Heads and rows by the name of a sheet."""
LONGEST_LABEL = 250
"""Letters of a variable's label: SPSS has 256 bytes."""
LONGEST_VALUE_LABEL = 115
LONGEST_CELL = 32_000
WIDTHS = (10, 60)
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")
UNDATED = b"1980-01-01T00:00:00Z"
SAV_DATED = slice(92, 109)
"""Where an SPSS file says when it was made: 9 bytes of the date and 8 of the time."""
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
    """Return sheets as XLSX. Text stays text: no cell is a formula, whatever it begins with."""
    # Imported here: half a second that no other command should wait for.
    from openpyxl import Workbook  # type: ignore[import-untyped]
    from openpyxl.styles import Font  # type: ignore[import-untyped]
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    book = Workbook()
    book.remove(book.active)
    for title, (heads, lines) in sheets.items():
        page = book.create_sheet(title)
        widths = list[int]()
        for at, line in enumerate((tuple(heads), *lines), 1):
            for column, value in enumerate(line, 1):
                cell = page.cell(at, column)
                if isinstance(value, str):
                    text = printable(value)[:LONGEST_CELL]
                    cell.value = text
                    if text:
                        cell.data_type = "s"
                        # A spreadsheet that is asked to edit the cell keeps it text, too.
                        cell.quotePrefix = harmless(text) != text
                elif value is not None:
                    cell.value = value
                if at == 1:
                    cell.font = Font(bold=True)
                    widths.append(min(max(len(str(value)) + 2, WIDTHS[0]), WIDTHS[1]))
        page.freeze_panes = "A2"
        for column, width in enumerate(widths, 1):
            page.column_dimensions[get_column_letter(column)].width = width
    return _undated(book)


def _undated(book: Any) -> bytes:
    """Return a workbook that is the same for the same content, whenever it was made."""
    packed = io.BytesIO()
    book.save(packed)
    with zipfile.ZipFile(packed) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    core = files["docProps/core.xml"]
    core = re.sub(rb"(<dcterms:created[^>]*>)[^<]*", rb"\g<1>" + UNDATED, core)
    files["docProps/core.xml"] = MODIFIED.sub(rb"\g<1>" + UNDATED, core)
    return zip_files(files)


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
        )
        content = bytearray(path.read_bytes())
    content[SAV_DATED] = SAV_UNDATED
    return bytes(content)


def _cut(text: str, most: int) -> str:
    """Return a text of so many bytes at most, which SPSS counts."""
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
