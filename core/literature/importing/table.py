"""CSV with a line of column names: read row by row, so that a quotation mark too many costs one
row.
"""

import re
from collections.abc import Iterator
from typing import Any

from core.csv_rows import read_rows
from core.errors import BadInput
from core.literature.importing.entries import FileEntry

COLUMNS: dict[str, tuple[str, ...]] = {
    "key": ("id", "key", "eid"),
    "title": ("title", "article title", "document title"),
    "authors": ("authors", "author", "author full names"),
    "year": ("year", "publication year", "pubyear"),
    "date": ("date", "published", "publication date"),
    "doi": ("doi",),
    "arxiv": ("arxiv", "arxiv id"),
    "abstract": ("abstract", "abstract note"),
    "venue": ("venue", "journal", "source title", "publication title", "conference"),
    "url": ("url", "link"),
    "pdf": ("pdf",),
    "citations": ("citations", "cited by", "times cited", "citation count"),
    "references": ("references", "cites"),
}
"""What a column may be called, in any case; the first that is there counts."""


def entries(text: str) -> Iterator[FileEntry]:
    """Give the rows of a CSV file as entries, broken ones with what is wrong; raises BadInput where
    no column is named title.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    head = next((number for number, line in enumerate(lines) if line.strip()), 0)
    comma = max(",;\t", key=lines[head].count)
    rows = read_rows(lines, comma, head)
    first = next(rows)
    if first.cells is None:
        raise BadInput(f"Line {head + 1}, which must name the columns: {first.trouble}.")
    columns, wide = _columns(first.cells), len(first.cells)
    for number, cells, _, broken in rows:
        where, trouble = f"line {number + 1}", ""
        if cells is None:
            trouble = broken
        elif any(map(str.strip, cells[wide:])):
            trouble = (
                f"it has {len(cells)} cells under {wide} column names; quote those that hold"
                f" {comma!r}"
            )
        elif any(map(str.strip, cells)):
            given = {name: cells[at].strip() for name, at in columns.items() if at < len(cells)}
            yield _read(where, given)
        if trouble:
            yield FileEntry(where=where, title=lines[number][:80], trouble=trouble)


def _columns(names: list[str]) -> dict[str, int]:
    plain = [" ".join(name.lower().replace("_", " ").split()) for name in names]
    found = {
        field: plain.index(name)
        for field, known in COLUMNS.items()
        if (name := next((alias for alias in known if alias in plain), None))
    }
    if "title" not in found:
        raise BadInput(
            "No column is named title. The first line must name the columns: title, and as far as"
            f" known {', '.join(name for name in COLUMNS if name not in ('title', 'key'))}. A list"
            " of DOIs goes into a .txt file."
        )
    return found


def _read(where: str, given: dict[str, Any]) -> FileEntry:
    authors = _names(given.pop("authors", ""))
    references = given.pop("references", "").split(";")
    cites = tuple(filter(None, map(str.strip, references)))
    return FileEntry(where=where, authors=authors, cites=cites, **given)


def _names(text: str) -> tuple[str, ...]:
    """Return names set apart by `;` or `and`, else by commas; `Last, First` only where another sign
    sets them apart.
    """
    if ";" not in text and " and " not in text:
        return tuple(name for name in text.split(",") if name.strip())
    names = []
    for name in filter(str.strip, re.split(r";| and ", text)):
        last, _, first = name.partition(",")
        names.append(f"{first.strip()} {last.strip()}".strip())
    return tuple(names)
