"""Frozen copies: what is judged never changes under those who judge it; found by the hash of its
content.
"""

from core import records
from core.errors import BadInput
from core.records import Record
from core.store.connection import AMONG, Connections, T, dump, now


class Frozen:
    def __init__(self, connections: Connections):
        self._db = connections

    def keep(self, record: Record) -> str:
        """Keep a copy of a record and return its SHA-256; keeping it again changes nothing."""
        return self.keep_all((record,))[0]

    def keep_all(self, several: "tuple[Record, ...]") -> tuple[str, ...]:
        """Keep copies of records in one transaction and return the SHA-256 of each."""
        rows = [
            (record.digest(), type(record).__name__, record.model_dump_json(), now())
            for record in several
        ]
        self._db.write_all("INSERT OR IGNORE INTO frozen VALUES (?,?,?,?)", rows)
        return tuple(sha for sha, *_ in rows)

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
        copies: dict[str, Record] = {}
        find = f"SELECT sha, kind, data FROM frozen WHERE sha {AMONG}"
        for sha, name, data in self._db.tuples(find, dump(shas)):
            copies[sha] = getattr(records, name).model_validate_json(data)
        found: dict[str, T] = {}
        for sha in shas:
            copy = copies.get(sha)
            found[sha] = copy if isinstance(copy, kind) else self.get(sha, kind)
        return found

    def forms(self, originals: tuple[str, ...], kind: str) -> dict[str, str]:
        """Return the hash of the common form of each original that has one."""
        find = f"SELECT original, sha FROM forms WHERE kind = ? AND original {AMONG}"
        return dict(self._db.tuples(find, kind, dump(originals)))

    def forms_of(self, run: str) -> set[str]:
        """Return the hashes of the originals whose common form a run made."""
        return set(self._db.column("SELECT original FROM forms WHERE run = ?", run))

    def form(self, original: str, kind: str) -> str | None:
        """Return the hash of an original in a common form, if it was ever made."""
        return self._db.value(
            "SELECT sha FROM forms WHERE original = ? AND kind = ?", original, kind
        )

    def keep_form(self, original: str, kind: str, made: Record, run: str) -> str:
        """Keep an original's common form beside it, with the run that made it; the first one made
        stays. Return the hash of the one that is kept.
        """
        sha = self.keep(made)
        self._db.write("INSERT OR IGNORE INTO forms VALUES (?,?,?,?)", original, kind, sha, run)
        return self.form(original, kind) or sha
