"""Entries: what can be judged, with where it comes from; each points to a frozen copy."""

import json
from collections.abc import Sequence

from core.errors import BadInput
from core.records import Entry, Record, digest
from core.store.connection import AMONG, Connections, now
from core.wording.numbers import counted

COLUMNS = "id, kind, sha, method, model, topic, category, source, collection"
ALL = -1
"""No limit, as SQLite has it."""


class Bunch(Record):
    """A collection of entries in numbers."""

    name: str
    kind: str
    entries: int
    methods: int
    topics: int
    at: str


def entry_id(entry: Entry) -> str:
    """Return the id of an entry, made from what it says and where it is from."""
    return digest(entry.model_dump(mode="json", exclude={"id"}))[:16]


class Entries:
    def __init__(self, connections: Connections):
        self._db = connections

    def add(self, entries: tuple[tuple[Entry, str], ...], at: str | None = None) -> int:
        """Add entries, each with its title, all or none, and return how many were new; an entry
        that is there already stays one. They came at one time, which is now if none is given.
        """
        at = at or now()
        columns = COLUMNS.removeprefix("id, ").split(", ")
        rows = [
            (one.id or entry_id(one), *(getattr(one, name) for name in columns), title, at)
            for one, title in entries
        ]
        return self._db.write_all(
            f"INSERT OR IGNORE INTO entries ({COLUMNS}, title, at) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            rows,
        )

    def get(self, entry: str) -> Entry:
        """Return an entry; raises BadInput."""
        row = self._db.row(f"SELECT {COLUMNS} FROM entries WHERE id = ?", entry)
        if row is None:
            raise BadInput(f"There is no entry {entry!r}.")
        return Entry(**row)

    def of(
        self, collections: tuple[str, ...], kind: str = "idea", limit: int = ALL, skip: int = 0
    ) -> list[tuple[Entry, str]]:
        """Return the entries of these collections with their titles, by topic and method; so many
        at most.
        """
        rows = self._db.rows(
            f"SELECT {COLUMNS}, title FROM entries WHERE collection {AMONG} AND kind = ?"
            " ORDER BY topic, method, id LIMIT ? OFFSET ?",
            json.dumps(collections),
            kind,
            limit,
            skip,
        )
        titles = [row.pop("title") for row in rows]
        return [(Entry(**row), title) for row, title in zip(rows, titles, strict=True)]

    def holding(self, source: str) -> list[Bunch]:
        """Return the collections with ideas whose source begins so, in numbers of these ideas,
        newest first.
        """
        return self._bunches(
            "WHERE kind = 'idea' AND substr(source, 1, ?) = ?", len(source), source
        )

    def bunches(self) -> list[Bunch]:
        """Return every collection in numbers, newest first."""
        return self._bunches("")

    def _bunches(self, where: str, *values: object) -> list[Bunch]:
        return self._db.build(
            Bunch,
            "SELECT collection AS name, kind, count(*) AS entries, count(DISTINCT method) AS"
            f" methods, count(DISTINCT topic) AS topics, max(at) AS at FROM entries {where}"
            " GROUP BY collection, kind ORDER BY at DESC, name",
            *values,
        )

    def remove(self, collection: str, seen: Sequence[Bunch] | None = None) -> int:
        """Remove a collection and return how many entries it had; frozen copies stay, and so does
        what was said of them. Raises BadInput where it is no longer what was `seen` of it.
        """
        with self._db.writing() as connection:
            held = [one for one in self.bunches() if one.name == collection]
            # A second click finds none.
            if held and seen is not None and list(seen) != held:
                raise BadInput(
                    "Nothing was removed: the collection was changed since you were asked, and has"
                    f" {counted(sum(one.entries for one in held), 'entry')} now. Look inside, then"
                    " remove it if you still want to."
                )
            return connection.execute(
                "DELETE FROM entries WHERE collection = ?", (collection,)
            ).rowcount
