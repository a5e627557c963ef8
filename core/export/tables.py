"""Tables of figures as Markdown, and all of them as one archive."""

import io
import zipfile
from collections.abc import Iterable, Mapping

from core.export.blocks import Block, Heading, Paragraph, Span
from core.export.blocks import Table as Grid
from core.export.markdown import written
from core.records import Table
from core.tables.latex import latex
from core.tables.sheets import sheet

UNDATED = (1980, 1, 1, 0, 0, 0)
"""The same tables make the same archive, whenever."""


def markdown(table: Table) -> str:
    """Return the table as Markdown, under its title."""
    blocks: list[Block] = [
        Heading(table.title),
        Grid(table.head, tuple(tuple(value.said for value in row) for row in table.rows)),
    ]
    return written((*blocks, Paragraph((Span(table.note),))) if table.note else tuple(blocks))


def archive(tables: Iterable[Table], more: Mapping[str, str | bytes] | None = None) -> bytes:
    """Return a ZIP archive with every table as CSV, LaTeX and Markdown, and more files by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for table in tables:
            for ending, text in (
                ("csv", sheet(table)),
                ("tex", latex(table)),
                ("md", markdown(table)),
            ):
                file.writestr(
                    zipfile.ZipInfo(f"{table.name}.{ending}", UNDATED), text, zipfile.ZIP_DEFLATED
                )
        for name, content in (more or {}).items():
            file.writestr(zipfile.ZipInfo(name, UNDATED), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
