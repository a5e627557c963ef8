"""Putting texts into a collection: each a frozen copy and an entry, in batches; what is there
already, or comes twice, is said row by row.
"""

from collections.abc import Iterable, Sequence

from core.errors import BadInput
from core.importing.making import Offered, offer
from core.importing.mapping import Mapping
from core.importing.own import entries_in
from core.importing.sheets import RefusedRow, Sheet, refused, require_columns
from core.records import Entry, Kind, Record
from core.store import Store
from core.store.connection import now
from core.store.entries import entry_id

BATCH = 500
LONGEST_COLLECTION = 200


class Taken(Record):
    """A text that is in the collection now."""

    where: str
    entry: str
    kind: Kind
    method: str
    topic: str
    title: str


class FilingReport(Record):
    """What became of every row."""

    name: str
    collection: str
    format: str = ""
    encoding: str = ""
    taken: tuple[Taken, ...] = ()
    known: tuple[RefusedRow, ...] = ()
    """Rows that the collection has already."""
    refused: tuple[RefusedRow, ...] = ()

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """One row each: where, what became of it, its title, why."""
        return [
            *(
                (row.where, "taken", row.title, f"{row.kind} by {row.method} on {row.topic}")
                for row in self.taken
            ),
            *((row.where, "known already", row.title, row.reason) for row in self.known),
            *((row.where, "refused", row.title, row.reason) for row in self.refused),
        ]


def bring_in(store: Store, sheet: Sheet, mapping: Mapping, collection: str) -> FilingReport:
    """Take the rows of a sheet into a collection as the mapping says, and report each of them;
    raises BadInput, StoreFailed.
    """
    require_columns(sheet, mapping.used)
    parts = [*sheet.refused, *(offer(row, mapping, sheet.name) for row in sheet.rows)]
    return file_entries(store, sheet.name, collection, parts, sheet.format, sheet.encoding)


def collection_name(text: str) -> str:
    """Return the name of a collection as it is kept; raises BadInput."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_COLLECTION or not name.isprintable():
        raise BadInput(f"Name the collection, in at most {LONGEST_COLLECTION} plain characters.")
    return name


def file_entries(
    store: Store,
    name: str,
    collection: str,
    parts: Iterable[Offered | RefusedRow],
    format_: str = "",
    encoding: str = "",
) -> FilingReport:
    """Put what is offered into a collection and report every row; raises BadInput for a collection
    without a name, StoreFailed.

    Batches are written one by one, each whole: the same file brought in again goes on where a
    broken off one ended.
    """
    collection = collection_name(collection)
    there = {
        (one.kind, one.sha, one.method, one.topic): one.source
        for one, _ in entries_in(store, collection)
    }
    before: dict[tuple[str, str, str, str], str] = {}
    fresh: list[tuple[Offered, Entry]] = []
    known: list[RefusedRow] = []
    bad: list[RefusedRow] = []
    for part in parts:
        if isinstance(part, RefusedRow):
            bad.append(part)
            continue
        entry = _entry(part, collection)
        same = entry.kind, entry.sha, entry.method, entry.topic
        if same in before:
            bad.append(
                refused(
                    part.where,
                    part.title,
                    f"it is {before[same]} again: the same text, method and topic",
                )
            )
        elif same in there:
            known.append(
                refused(
                    part.where, part.title, f"the collection has it already, from {there[same]}"
                )
            )
        else:
            fresh.append((part, entry))
        before.setdefault(same, part.where)
    return FilingReport(
        name=name,
        collection=collection,
        format=format_,
        encoding=encoding,
        taken=_keep(store, fresh),
        known=tuple(known),
        refused=tuple(bad),
    )


def _entry(part: Offered, collection: str) -> Entry:
    about = part.said
    return Entry(
        id="",
        kind=part.kind,
        sha=part.record.digest(),
        method=about["method"],
        model=about.get("model", ""),
        topic=about["topic"],
        category=about.get("category", ""),
        source=about.get("source", "") or part.where,
        collection=collection,
    )


def _keep(store: Store, fresh: Sequence[tuple[Offered, Entry]]) -> tuple[Taken, ...]:
    """Write frozen copies and entries, batch by batch."""
    taken: list[Taken] = []
    at = now()
    for start in range(0, len(fresh), BATCH):
        batch = [
            (part, entry.model_copy(update={"id": entry_id(entry)}))
            for part, entry in fresh[start : start + BATCH]
        ]
        with store.connections.writing():
            store.frozen.keep_all(tuple(part.record for part, _ in batch))
            store.entries.add(tuple((entry, part.title) for part, entry in batch), at)
        taken += [
            Taken(
                where=part.where,
                entry=entry.id,
                kind=entry.kind,
                method=entry.method,
                topic=entry.topic,
                title=part.title,
            )
            for part, entry in batch
        ]
    return tuple(taken)
