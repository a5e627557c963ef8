"""What a file of ideas holds before anybody has said which of it is what: rows under column
names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.errors import BadInput
from core.literature.importing.text import plain
from core.records import Record

MOST_ROWS = 10_000
MOST_COLUMNS = 200
LONGEST_NAME = 120
"""Characters of a column name that are kept."""


class RefusedRow(Record):
    """A row that was not taken: where it stands and why."""

    where: str
    title: str = ""
    reason: str


class Row(NamedTuple):
    """One row: where it stands in its file, and its cells by column name."""

    where: str
    cells: dict[str, str]


@dataclass(frozen=True)
class Sheet:
    """The rows of a file, its broken ones with what is wrong."""

    name: str
    format: str
    encoding: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    refused: tuple[RefusedRow, ...] = ()
    system: str = ""
    """Whose file it looks like, where that is known."""


def refused(where: str, title: str, reason: str) -> RefusedRow:
    """Return a row that is not taken, with a title anybody can be shown."""
    text = plain(reason)
    return RefusedRow(
        where=where,
        title=plain(title[:2_000])[:120],
        reason=f"{text[:1].upper()}{text[1:].rstrip('.')}.",
    )


def gathered(
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
            rows.append(part)
    if not rows and not broken:
        raise BadInput(f"{name} holds no idea ({format_}). Is it the right file, and not empty?")
    return Sheet(name, format_, encoding, tuple(known), tuple(rows), tuple(broken), system)


def named(names: Iterable[str]) -> Iterator[str]:
    """Give every column a name of its own that can be shown: an empty one its number, a second one
    of the same name a number after it.
    """
    seen: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        clean = column(name) or f"column {number}"
        seen[clean] = seen.get(clean, 0) + 1
        yield clean if seen[clean] == 1 else f"{clean} ({seen[clean]})"


def column(name: str) -> str:
    """Return a column name as it can be shown."""
    return plain(name[: LONGEST_NAME * 2])[:LONGEST_NAME]
