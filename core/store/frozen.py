"""Frozen copies: what is judged never changes under those who judge it; found by the hash of its
content.
"""

from typing import TypeVar

from core import records
from core.errors import BadInput
from core.records import Record
from core.store.connection import Connections, now

T = TypeVar("T", bound=Record)
BATCH = 500
"""Hashes looked up at once: SQLite takes a limited number of values."""


class Frozen:
    def __init__(self, connections: Connections):
        self._db = connections

    def keep(self, record: Record) -> str:
        """Keep a copy of a record and return its SHA-256; keeping it again changes nothing."""
        return self.keep_all((record,))[0]

    def keep_all(self, several: "tuple[Record, ...]") -> tuple[str, ...]:
        """Keep copies of records in one transaction and return the SHA-256 of each."""
        named = [
            (record.digest(), type(record).__name__, record.model_dump_json(), now())
            for record in several
        ]
        with self._db.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO frozen VALUES (?,?,?,?)", named)
        return tuple(sha for sha, *_ in named)

    def get(self, sha: str, kind: type[T]) -> T:
        """Return the frozen record with that hash; raises BadInput where there is none, or where it
        is of another kind.
        """
        row = self._db.row("SELECT kind, data FROM frozen WHERE sha = ?", sha)
        if row is None or not issubclass(getattr(records, row["kind"]), kind):
            named = "text" if kind is Record else kind.__name__.lower()
            raise BadInput(
                f"There is no frozen {named} {sha[:12]!r}. It was kept in another data folder;"
                " bring it in again."
            )
        found: T = getattr(records, row["kind"]).model_validate_json(row["data"])
        return found

    def several(self, shas: tuple[str, ...], kind: type[T]) -> dict[str, T]:
        """Return the frozen records with these hashes, in their order; raises BadInput as `get`
        does, for the first that is not there.
        """
        found: dict[str, T] = {}
        for start in range(0, len(shas), BATCH):
            some = shas[start : start + BATCH]
            rows = self._db.rows(
                f"SELECT sha, kind, data FROM frozen WHERE sha IN ({','.join('?' * len(some))})",
                *some,
            )
            held = {
                row["sha"]: getattr(records, row["kind"]).model_validate_json(row["data"])
                for row in rows
            }
            found |= {
                sha: held[sha] if isinstance(held.get(sha), kind) else self.get(sha, kind)
                for sha in some
            }
        return found

    def forms(self, originals: tuple[str, ...], kind: str) -> dict[str, str]:
        """Return the hash of the common form of each original that has one."""
        found: dict[str, str] = {}
        for start in range(0, len(originals), BATCH):
            some = originals[start : start + BATCH]
            rows = self._db.rows(
                "SELECT original, sha FROM forms WHERE kind = ? AND original IN"
                f" ({','.join('?' * len(some))})",
                kind,
                *some,
            )
            found |= {row["original"]: row["sha"] for row in rows}
        return found

    def form(self, original: str, kind: str) -> str | None:
        """Return the hash of an original in a common form, if it was ever made."""
        row = self._db.row("SELECT sha FROM forms WHERE original = ? AND kind = ?", original, kind)
        return row["sha"] if row else None

    def keep_form(self, original: str, kind: str, made: Record, run: str) -> str:
        """Keep an original's common form beside it, with the run that made it; the first one made
        stays. Return the hash of the one that is kept.
        """
        sha = self.keep(made)
        self._db.write("INSERT OR IGNORE INTO forms VALUES (?,?,?,?)", original, kind, sha, run)
        return self.form(original, kind) or sha
