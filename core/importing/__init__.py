"""Import ideas from files of any system, from runs and from the shelf, as entries of a collection
with frozen copies; every row is accounted for.

    sheet = read("ideas.csv", data)
    report = bring_in(store, sheet, proposed(sheet), "my collection")

Other files are read by `ratings`, `votes`, `judgments` and `answers` (judgements, put together in
`analysis`), `keywords`, `rankings` and `targets`.
"""

from collections.abc import Iterable

from core.errors import BadInput
from core.importing.decoding import LARGEST, within
from core.importing.filing import FilingReport, Taken, collection_name, filed
from core.importing.gathering import entries_of_run, entries_of_shelf
from core.importing.making import Offered, offered
from core.importing.mapping import Mapping, proposed, system_of
from core.importing.names import FIELDS, PLACES, Place, first_few
from core.importing.own import entries_in, taken_along
from core.importing.reading import ENDINGS, read
from core.importing.sheets import RefusedRow, Row, Sheet
from core.store import Store

__all__ = [
    "ENDINGS",
    "FIELDS",
    "LARGEST",
    "PLACES",
    "FilingReport",
    "Mapping",
    "Offered",
    "Place",
    "RefusedRow",
    "Row",
    "Sheet",
    "Taken",
    "bring_in",
    "collection_name",
    "entries_in",
    "entries_of_run",
    "entries_of_shelf",
    "filed",
    "mapped",
    "proposed",
    "read",
    "system_of",
    "taken_along",
    "within",
]


def bring_in(store: Store, sheet: Sheet, mapping: Mapping, collection: str) -> FilingReport:
    """Take the rows of a sheet into a collection as the mapping says, and report each of them;
    raises BadInput, StoreFailed.
    """
    if unknown := [name for name in mapping.used if name not in sheet.columns]:
        raise BadInput(
            f"{sheet.name} has no column {', '.join(map(repr, unknown))}. It has"
            f" {first_few(sheet.columns)}."
        )
    parts: list[Offered | RefusedRow] = [*sheet.refused, *mapped(sheet, mapping)]
    return filed(store, sheet.name, collection, parts, sheet.format, sheet.encoding)


def mapped(sheet: Sheet, mapping: Mapping) -> Iterable[Offered | RefusedRow]:
    """Make of every row what the mapping says."""
    return (offered(row, mapping, sheet.name) for row in sheet.rows)
