"""What a file of ideas holds before anybody has said which of it is what: rows under column
names.
"""

from collections.abc import Iterable
from typing import NamedTuple

from core.errors import BadInput
from core.gaps import narrow
from core.importing.names import first_few
from core.literature.importing.text import plain
from core.records import Record
from core.tables.cells import told_apart

MOST_ROWS = 10_000
MOST_COLUMNS = 200
LONGEST_NAME = 120
"""Characters of a column name that are kept."""


class RefusedRow(Record):
    """A row that was not taken: where it stands and why."""

    where: str
    title: str = ""
    reason: str

    @property
    def clause(self) -> str:
        """The reason as a part of another sentence."""
        return self.reason[:1].lower() + self.reason[1:].rstrip(".")


class Row(NamedTuple):
    """One row: where it stands in its file, and its cells by column name."""

    where: str
    cells: dict[str, str]


class Sheet(NamedTuple):
    """The rows of a file before anybody has said what its columns are, and its broken ones with
    what is wrong.
    """

    name: str
    format: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: tuple[RefusedRow, ...] = ()
    system: str = ""
    """Whose file it looks like, where that is known."""

    def values(self, column: str) -> list[str]:
        """Return the cells of a column that say something."""
        return [cell for row in self.rows if (cell := row.cells.get(column, "").strip())]


def require_columns(sheet: Sheet, names: Iterable[str]) -> None:
    """Raise BadInput for columns that a sheet does not have."""
    if unknown := [name for name in names if name not in sheet.columns]:
        raise BadInput(
            f"{sheet.name} has no column {', '.join(map(repr, unknown))}. It has"
            f" {first_few(sheet.columns)}."
        )


def refused(where: str, title: str, reason: str) -> RefusedRow:
    """Return a row that is not taken, with a title anybody can be shown."""
    text = plain(reason)
    return RefusedRow(
        where=where,
        title=plain(title[:2_000])[:120],
        reason=f"{text[:1].upper()}{text[1:].rstrip('.')}.",
    )


def gather(
    name: str,
    format_: str,
    encoding: str,
    parts: Iterable[Row | RefusedRow],
    columns: Iterable[str] = (),
    system: str = "",
) -> Sheet:
    """Put rows together under the columns they have; raises BadInput for too many of either, or
    where there is no row at all.
    """
    rows: list[Row] = []
    broken: list[RefusedRow] = []
    known = dict.fromkeys(columns)
    for part in parts:
        if len(rows) + len(broken) == MOST_ROWS:
            raise BadInput(
                f"{name} has more than {MOST_ROWS:,} rows. Split it, and bring the parts into the"
                " same collection; nothing was taken yet."
            )
        if isinstance(part, RefusedRow):
            broken.append(part)
        elif len(known) + len(part.cells.keys() - known.keys()) > MOST_COLUMNS:
            broken.append(
                refused(
                    part.where,
                    "",
                    f"with it there would be more than {MOST_COLUMNS} columns; leave out what is"
                    " not needed",
                )
            )
        else:
            known |= dict.fromkeys(part.cells)
            cells = {column: narrow(cell) for column, cell in part.cells.items()}
            rows.append(part._replace(cells=cells))
    if not rows and not broken:
        raise BadInput(f"{name} holds no idea ({format_}). Is it the right file, and not empty?")
    return Sheet(name, format_, encoding, tuple(known), tuple(rows), tuple(broken), system)


def name_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Give every column a name of its own that can be shown: an empty one its number, a second one
    of the same name a number after it.
    """
    return told_apart(column(name) or f"column {n}" for n, name in enumerate(names, 1))


def column(name: str) -> str:
    """Return a column name as it can be shown."""
    return plain(name[: LONGEST_NAME * 2])[:LONGEST_NAME]
