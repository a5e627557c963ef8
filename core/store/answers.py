"""What people say to a run: answers it waits for, and wishes it takes when it can."""

import json
import sqlite3

from pydantic import ValidationError

from core.errors import BadInput
from core.records import Record, Wish
from core.store.connection import Connections, Row, now
from core.store.packed import unpacked


class OpenQuestion(Record):
    """What a run waits to be told, under the key of the step that asks."""

    run: str
    key: str
    question: dict[str, object]


class FiledWish(Record):
    """A wish no step has taken yet, by the number under which it can be withdrawn."""

    number: int
    wish: Wish


def wished(text: str, by: str, line: int = 1) -> Wish:
    """Take a remark of a person's own; raises BadInput for one without a text or a name."""
    if not text.strip():
        raise BadInput("Write the remark first.")
    try:
        return Wish(text=text, by=by, line=line)
    except ValidationError as error:
        long = any("text" in wrong["loc"] for wrong in error.errors())
        raise BadInput(
            "A remark takes at most 20,000 characters."
            if long
            else "Say whose remark it is, by name."
        ) from None


class Answers:
    def __init__(self, connections: Connections):
        self._db = connections

    def ask(self, run: str, key: str, question: dict[str, object]) -> None:
        """Put a question up, once."""
        self._db.write(
            "INSERT OR IGNORE INTO questions (run, key, question) VALUES (?,?,?)",
            run,
            key,
            json.dumps(question, ensure_ascii=False),
        )

    def open(self, run: str | None = None) -> list[OpenQuestion]:
        """Return the questions nobody has answered, of one run or of all."""
        rows = self._db.rows(
            "SELECT run, key, question FROM questions WHERE answer IS NULL AND (? IS NULL OR run ="
            " ?) ORDER BY run, key",
            run,
            run,
        )
        return [OpenQuestion(**(row | {"question": json.loads(row["question"])})) for row in rows]

    def answer(self, run: str, key: str, answer: dict[str, object], by: str) -> None:
        """Answer a question; the first answer stands. Raises BadInput if there is none open."""
        done = self._db.write(
            "UPDATE questions SET answer = ?, by = ?, at = ? WHERE run = ? AND key = ? AND answer"
            " IS NULL",
            json.dumps(answer, ensure_ascii=False),
            by,
            now(),
            run,
            key,
        )
        if not done:
            raise BadInput(
                f"Run {run} has no open question {key!r}; it may have been answered already."
            )

    def given(self, run: str, key: str) -> tuple[dict[str, object], str] | None:
        """Return the answer and who gave it, or None while the question is open."""
        row = self._db.row(
            "SELECT answer, by FROM questions WHERE run = ? AND key = ? AND answer IS NOT NULL",
            run,
            key,
        )
        return (json.loads(row["answer"]), row["by"]) if row else None

    def answered(self, run: str) -> int:
        """Return how many questions of a run were answered so far."""
        return self._db.number(
            "SELECT count(*) FROM questions WHERE run = ? AND answer IS NOT NULL", run
        )

    def wish(self, run: str, wish: Wish) -> None:
        """File a wish; the run takes it at its next chance, and a round that was paid is never
        changed by it. Raises BadInput in a case study.
        """
        unpacked(self._db, run)
        self._db.write(
            "INSERT INTO wishes (run, text, by, at, line, data) VALUES (?,?,?,?,?,?)",
            run,
            wish.text,
            wish.by,
            now(),
            wish.line,
            wish.model_dump_json(include={"decline", "idea", "of"}, exclude_defaults=True),
        )

    def pending(self, run: str) -> tuple[FiledWish, ...]:
        """Return the wishes no step has taken yet, oldest first."""
        rows = self._db.rows(
            "SELECT id, text, by, line, data FROM wishes WHERE run = ? AND taken_by IS NULL ORDER"
            " BY id",
            run,
        )
        return tuple(FiledWish(number=row["id"], wish=_wish(row)) for row in rows)

    def withdraw(self, run: str, number: int) -> None:
        """Take back a wish nobody has taken up; raises BadInput for one that was."""
        if not self._db.write(
            "DELETE FROM wishes WHERE run = ? AND id = ? AND taken_by IS NULL", run, number
        ):
            raise BadInput(
                "That wish was taken up already, or withdrawn; a round that was paid stays as"
                " it is."
            )

    @staticmethod
    def take(connection: sqlite3.Connection, run: str, key: str, line: int = 1) -> tuple[Wish, ...]:
        """Take what is pending for a line of the run and its step `key`, inside the transaction
        that stores the step.
        """
        rows = connection.execute(
            "SELECT id, text, by, line, data FROM wishes WHERE run = ? AND line = ? AND taken_by IS"
            " NULL ORDER BY id",
            (run, line),
        ).fetchall()
        connection.executemany(
            "UPDATE wishes SET taken_by = ? WHERE id = ?", [(key, row["id"]) for row in rows]
        )
        return tuple(map(_wish, rows))


def _wish(row: Row) -> Wish:
    return Wish(text=row["text"], by=row["by"], line=row["line"], **json.loads(row["data"]))
