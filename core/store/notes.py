"""Margin notes on what a run made: added and taken away by people, never read by a method."""

from pydantic import ValidationError

from core.errors import BadInput
from core.records import Note
from core.store.connection import Connections, now
from core.store.packed import unpacked


class Notes:
    def __init__(self, connections: Connections):
        self._db = connections

    def add(self, run: str, about: str, text: str, by: str) -> Note:
        """Keep a note on one place of a run; raises BadInput for one without a text or a name, and
        in a case study.
        """
        unpacked(self._db, run)
        at = now()
        try:
            note = Note(id=0, run=run, about=about, text=text, by=by, at=at)
        except ValidationError:
            raise BadInput(
                "A note needs a text of at most 20,000 characters and the name of whoever"
                " writes it."
            ) from None
        with self._db.writing() as connection:
            made = connection.execute(
                "INSERT INTO notes (run, about, text, by, at) VALUES (?,?,?,?,?)",
                (run, about, note.text, note.by, at),
            )
        return note.model_copy(update={"id": made.lastrowid})

    def of(self, run: str) -> tuple[Note, ...]:
        """Return the notes of a run, oldest first."""
        find = "SELECT id, run, about, text, by, at FROM notes WHERE run = ? ORDER BY id"
        return tuple(self._db.build(Note, find, run))

    def remove(self, run: str, note: int) -> None:
        """Take a note away; raises BadInput in a case study."""
        unpacked(self._db, run)
        self._db.write("DELETE FROM notes WHERE run = ? AND id = ?", run, note)
