"""Tables of figures as files: Markdown beside CSV and LaTeX, one of them or all as an archive."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from core.errors import BadInput
from core.export.blocks import Block, Heading, prose, table_of
from core.export.markdown import written
from core.export.writing import zip_files
from core.records import Table
from core.tables.latex import latex
from core.tables.sheets import sheet


def markdown(table: Table) -> str:
    """Return the table as Markdown, under its title."""
    blocks: list[Block] = [Heading(table.title), table_of(table)]
    if table.note:
        blocks.append(prose(table.note))
    return written(tuple(blocks))


WRITERS: dict[str, Callable[[Table], str]] = {".csv": sheet, ".tex": latex, ".md": markdown}
"""What writes a table, by the ending of the file's name."""


def table_files(tables: Iterable[Table]) -> dict[str, str]:
    """Return every table as CSV, LaTeX and Markdown, by file name."""
    return {
        f"{table.name}{ending}": write(table)
        for table in tables
        for ending, write in WRITERS.items()
    }


def archive(tables: Iterable[Table], more: Mapping[str, str | bytes] | None = None) -> bytes:
    """Return a ZIP archive with every table as CSV, LaTeX and Markdown, and more files by name."""
    return zip_files({**table_files(tables), **(more or {})})


def write_table(table: Table, to: Path) -> None:
    """Write a table as .csv, .tex or .md; raises BadInput."""
    _require_ending(to)
    _write(to, WRITERS[to.suffix](table).encode())


def write_tables(tables: Iterable[Table], to: Path, name: str | None, hint: str = "") -> None:
    """Write the table of this name as .csv, .tex or .md, or all of them as .zip; raises BadInput,
    with a hint where there is no table of the name.
    """
    if to.suffix == ".zip":
        _write(to, archive(tables))
        return
    _require_ending(to, ", or in .zip for all tables")
    by_name = {table.name: table for table in tables}
    chosen = by_name.get(name or "")
    if chosen is None:
        wanted = f"There is no table {name!r}" if name else "Say which table, with --table"
        raise BadInput(f"{wanted}; there are {', '.join(by_name)}. {hint}".rstrip())
    _write(to, WRITERS[to.suffix](chosen).encode())


def _require_ending(to: Path, otherwise: str = "") -> None:
    if to.suffix not in WRITERS:
        raise BadInput(
            f"{to} is no file that a table can be written to; its name must end in"
            f" {', '.join(WRITERS)}{otherwise}."
        )


def _write(to: Path, data: bytes) -> None:
    try:
        to.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{to} cannot be written ({error.strerror}).") from None


def rows_by_head(table: Table) -> list[dict[str, str]]:
    """Return the rows of a table as they are printed, each cell by the head of its column."""
    return [
        {head: value.said for head, value in zip(table.head, row, strict=True)}
        for row in table.rows
    ]
