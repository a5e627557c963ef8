"""What people say to a run: answers it waits for, and wishes it takes when it can."""
import json
import sqlite3

from pydantic import ValidationError

from core.errors import BadInput
from core.records import Record, Wish
from core.store.connection import Connections, now


class Question(Record):
    """What a run waits to be told, under the key of the step that asks."""

    run: str
    key: str
    question: dict[str, object]


def wished(text: str, by: str) -> Wish:
    """Take a wish; raises BadInput for one without a text or a name."""
    try:
        return Wish(text=text, by=by)
    except ValidationError:
        raise BadInput("A wish needs a text of at most 20,000 characters and the name of whoever files it.") from None


class Answers:
    def __init__(self, connections: Connections):
        self._db = connections

    def ask(self, run: str, key: str, question: dict[str, object]) -> None:
        """Put a question up, once."""
        self._db.write("INSERT OR IGNORE INTO questions (run, key, question) VALUES (?,?,?)", run, key, json.dumps(question, ensure_ascii=False))

    def open(self, run: str | None = None) -> list[Question]:
        """Return the questions nobody has answered, of one run or of all."""
        rows = self._db.rows("SELECT run, key, question FROM questions WHERE answer IS NULL AND (? IS NULL OR run = ?) ORDER BY run, key", run, run)
        return [Question(**(row | {"question": json.loads(row["question"])})) for row in rows]

    def answer(self, run: str, key: str, answer: dict[str, object], by: str) -> None:
        """Answer a question; the first answer stands. Raises BadInput if there is none open."""
        done = self._db.write("UPDATE questions SET answer = ?, by = ?, at = ? WHERE run = ? AND key = ? AND answer IS NULL",
                              json.dumps(answer, ensure_ascii=False), by, now(), run, key)
        if not done:
            raise BadInput(f"Run {run} has no open question {key!r}; it may have been answered already.")

    def given(self, run: str, key: str) -> tuple[dict[str, object], str] | None:
        """Return the answer and who gave it, or None while the question is open."""
        row = self._db.row("SELECT answer, by FROM questions WHERE run = ? AND key = ? AND answer IS NOT NULL", run, key)
        return (json.loads(row["answer"]), row["by"]) if row else None

    def answered(self, run: str) -> int:
        """Return how many questions of a run were answered so far."""
        row = self._db.row("SELECT count(*) AS n FROM questions WHERE run = ? AND answer IS NOT NULL", run)
        return int(row["n"]) if row else 0

    def wish(self, run: str, text: str, by: str) -> None:
        """File a wish; the run takes it at its next chance, and a round that was paid is never changed by it."""
        wish = wished(text, by)
        self._db.write("INSERT INTO wishes (run, text, by, at) VALUES (?,?,?,?)", run, wish.text, wish.by, now())

    def pending(self, run: str) -> tuple[Wish, ...]:
        """Return the wishes no step has taken yet."""
        return tuple(Wish(text=row["text"], by=row["by"])
                     for row in self._db.rows("SELECT text, by FROM wishes WHERE run = ? AND taken_by IS NULL ORDER BY id", run))

    @staticmethod
    def take(connection: sqlite3.Connection, run: str, key: str) -> tuple[Wish, ...]:
        """Take what is pending for the step `key`, inside the transaction that stores the step."""
        rows = connection.execute("SELECT id, text, by FROM wishes WHERE run = ? AND taken_by IS NULL ORDER BY id", (run,)).fetchall()
        connection.executemany("UPDATE wishes SET taken_by = ? WHERE id = ?", [(key, row["id"]) for row in rows])
        return tuple(Wish(text=row["text"], by=row["by"]) for row in rows)
