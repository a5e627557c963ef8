"""Links by which a run is read without a sign-in: of each its secret's hash, never the secret."""

import secrets

from core.errors import BadInput
from core.records import Record
from core.store.connection import Connections, now


class ReadingLink(Record):
    """A link to read a run."""

    id: str
    run: str
    created: str


class Readings:
    def __init__(self, connections: Connections):
        self._db = connections

    def add(self, run: str, token: str) -> None:
        """Keep a new link to a run; `token` is the SHA-256 of its secret."""
        self._db.write(
            "INSERT INTO reading_links (id, run, token, created) VALUES (?,?,?,?)",
            secrets.token_hex(4),
            run,
            token,
            now(),
        )

    def of(self, run: str) -> list[ReadingLink]:
        """Return the links to a run that open something, the oldest first."""
        find = "SELECT id, run, created FROM reading_links WHERE run = ? ORDER BY created, rowid"
        return self._db.build(ReadingLink, find, run)

    def run_of(self, token: str) -> str:
        """Return the run that a link with this hash opens; raises BadInput where it opens none."""
        row = self._db.row("SELECT run FROM reading_links WHERE token = ?", token)
        if row is None:
            raise BadInput("There is no such link.")
        return str(row["run"])

    def take_back(self, link: str) -> None:
        """Let a link open nothing any more."""
        self._db.write("DELETE FROM reading_links WHERE id = ?", link)
