"""The work at seats: what is on each list, drafts, and answers, which are only ever added. Claims
and submits hold the write lock from their first read.
"""

import json
import sqlite3
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from core.errors import BadInput, Outdated, SeatClosed
from core.records import ENDS, Answer, Assignment, SeatStep, StudyAnswer
from core.store.connection import Connections, Row, now
from core.wording.catalogue import say

PICK = "seat, unit, time, position, shown, called, stage, stages, version, opened, active, seen"
GAP = 120.0
"""Seconds between two signs of life that count as work at most: who is gone longer was reading this
long, or was away.
"""
BEFORE: tuple[SeatStep, ...] = ("consent", "instructions", "practice")
"""Steps at which no unit is open yet."""
ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
MOST_CHANGES = 24
"""Changes of an answer that are kept, each whole; nobody in earnest makes as many."""
AT = "seat = ? AND unit = ? AND time = ?"
LAST = "id IN (SELECT max(id) FROM study_answers WHERE study = ? GROUP BY seat, unit, time, stage)"
"""Answers are looked up first: each may be long, and those before the last are not read."""


class ListedUnit(NamedTuple):
    """A unit on a seat's list; `time` 2 is its repeat."""

    seat: str
    unit: str
    time: int = 1


class Receipt(NamedTuple):
    """What became of a submit: `new` is False where this very one had been filed before."""

    assignment: Assignment
    at: str
    new: bool


class ListStanding(NamedTuple):
    """What stands on a list and how far it is, in plain columns."""

    seat: str
    unit: str
    time: int
    position: int
    shown: tuple[str, ...]
    done: bool
    opened: str
    active: float
    seen: str


class LastAnswer(NamedTuple):
    """The last answer given at a place, as the JSON it was filed as."""

    seat: str
    unit: str
    time: int
    stage: int
    answer: dict[str, Any]
    at: str = ""


def _assignment(row: Row) -> Assignment:
    labels = {name: tuple(json.loads(row[name])) for name in ("shown", "called")}
    return Assignment(**(row | labels))


def _answer(row: Row) -> StudyAnswer:
    return StudyAnswer(**(row | {"answer": ANSWER.validate_json(row["answer"])}))


class StudyWork:
    def __init__(self, connections: Connections):
        self._db = connections

    # -- lists ---------------------------------------------------------------------------------

    def deal(
        self, study: str, new: tuple[Assignment, ...], gone: tuple[ListedUnit, ...] = ()
    ) -> None:
        """Put units on lists, and take others off that nobody has opened (those that were opened
        meanwhile stay).
        """
        with self._db.writing() as connection:
            connection.executemany(f"DELETE FROM seat_units WHERE {AT} AND opened = ''", gone)
            connection.executemany(
                "INSERT INTO seat_units (seat, unit, time, study, position, shown, called, stages)"
                " VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
                [
                    (
                        *(a.seat, a.unit, a.time, study, a.position),
                        *(json.dumps(a.shown), json.dumps(a.called), a.stages),
                    )
                    for a in new
                ],
            )

    def of(self, seat: str) -> tuple[Assignment, ...]:
        """Return a seat's list, in its order."""
        find = f"SELECT {PICK} FROM seat_units WHERE seat = ? ORDER BY position, time"
        return tuple(map(_assignment, self._db.rows(find, seat)))

    def all(self, study: str) -> tuple[Assignment, ...]:
        """Return the lists of all seats of a study."""
        find = f"SELECT {PICK} FROM seat_units WHERE study = ? ORDER BY seat, position"
        return tuple(map(_assignment, self._db.rows(find, study)))

    def listed(self, study: str) -> tuple[tuple[str, int], ...]:
        """Return how many units are on each list of a study, each as often as it stands there."""
        find = "SELECT seat, count(*) FROM seat_units WHERE study = ? GROUP BY seat ORDER BY seat"
        return tuple((str(seat), int(units)) for seat, units in self._db.tuples(find, study))

    def so_far(self, seat: str) -> tuple[int, int]:
        """Return how many units on a seat's list are done, and how many there are."""
        ((done, whole),) = self._db.tuples(
            "SELECT count(*) FILTER (WHERE stage >= stages), count(*) FROM seat_units WHERE seat ="
            " ?",
            seat,
        )
        return done, whole

    # -- working -------------------------------------------------------------------------------

    def claim(self, spot: ListedUnit) -> Assignment:
        """Write down that a unit is on the screen, and return it; raises SeatClosed, and BadInput
        where it is not on this seat's list.

        It stores no answer and no draft; looking again, or in a second tab, changes nothing but the
        sign of life.
        """
        with self._db.writing() as connection:
            row = self._row(connection, spot)
            self._open(row)
            self._alive(connection, spot, row)
            return self._at(connection, spot)

    def open_text(self, spot: ListedUnit, label: str) -> None:
        """Write down that a text of a unit was opened, the first time; raises SeatClosed."""
        with self._db.writing() as connection:
            row = self._row(connection, spot)
            self._open(row)
            self._alive(connection, spot, row)
            connection.execute(
                "INSERT INTO text_openings (study, seat, unit, time, label, at) VALUES"
                " (?,?,?,?,?,?) ON CONFLICT DO NOTHING",
                (row["study"], *spot, label, now()),
            )

    def opened(self, spot: ListedUnit) -> frozenset[str]:
        """Return the labels of the texts that a seat has opened, in any unit; in a repeat those of
        the repeat alone, which would be known for one by its texts that are open already.
        """
        seat, unit, time = spot
        rows = self._db.tuples(
            "SELECT DISTINCT label FROM text_openings WHERE seat = ? AND (? = 1 OR (unit = ? AND"
            " time = ?))",
            *(seat, time, unit, time),
        )
        return frozenset(label for (label,) in rows)

    def openings(self, study: str) -> dict[tuple[str, str, int, str], str]:
        """Return when texts were first opened, by seat, unit, time and label."""
        rows = self._db.tuples(
            "SELECT seat, unit, time, label, at FROM text_openings WHERE study = ?", study
        )
        return {(seat, unit, time, label): at for seat, unit, time, label, at in rows}

    def keep_draft(self, spot: ListedUnit, stage: int, draft: dict[str, Any]) -> str:
        """Keep what is half said and return the moment; an empty draft is taken away. Raises
        SeatClosed; a stage that is locked keeps none.
        """
        with self._db.writing() as connection:
            row = self._row(connection, spot)
            self._open(row)
            self._alive(connection, spot, row)
            if stage != (row["stage"] + 1 if row["stages"] > 1 else 1):
                return now()
            moment = now()
            if draft:
                connection.execute(
                    "INSERT OR REPLACE INTO study_drafts VALUES (?,?,?,?,?,?)",
                    (*spot, stage, json.dumps(draft, ensure_ascii=False), moment),
                )
            else:
                connection.execute(
                    f"DELETE FROM study_drafts WHERE {AT} AND stage = ?", (*spot, stage)
                )
            return moment

    def submit(
        self, spot: ListedUnit, stage: int, answer: Answer, key: str, version: int
    ) -> Receipt:
        """File an answer and return what became of it; sent twice under one key, it is kept once.

        `version` is the one the form was drawn at: raises Outdated where another tab filed since,
        and for another answer under a key that was used; SeatClosed where the seat or the study has
        ended, and BadInput for a stage that is locked or not yet reached.
        """
        with self._db.writing() as connection:
            row = self._row(connection, spot)
            if known := connection.execute(
                "SELECT * FROM study_answers WHERE seat = ? AND key = ?", (spot.seat, key)
            ).fetchone():
                place = (known["unit"], known["time"], known["stage"])
                same = ANSWER.validate_json(known["answer"]) == answer
                if place != (spot.unit, spot.time, stage) or not same:
                    raise Outdated(say("error.other_answer"))
                return Receipt(self._at(connection, spot), known["at"], False)
            self._open(row)
            if version != row["version"]:
                raise Outdated(say("error.elsewhere"))
            following = row["stage"] + 1
            first = max(1, row["stage"] if row["stages"] == 1 else following)
            if not first <= stage <= min(following, row["stages"]):
                raise BadInput(say("error.stage"))
            (filed,) = connection.execute(
                f"SELECT count(*) FROM study_answers WHERE study = ? AND {AT} AND stage = ?",
                (row["study"], *spot, stage),
            ).fetchone()
            if filed > MOST_CHANGES:
                raise BadInput(say("error.often", n=MOST_CHANGES))
            moment = now()
            connection.execute(
                "INSERT INTO study_answers (study, seat, unit, time, stage, key, answer, at) VALUES"
                " (?,?,?,?,?,?,?,?)",
                (row["study"], *spot, stage, key, answer.model_dump_json(), moment),
            )
            connection.execute(
                f"UPDATE seat_units SET version = version + 1, stage = max(stage, ?) WHERE {AT}",
                (stage, *spot),
            )
            connection.execute(f"DELETE FROM study_drafts WHERE {AT} AND stage = ?", (*spot, stage))
            self._alive(connection, spot, row)
            return Receipt(self._at(connection, spot), moment, True)

    @staticmethod
    def _row(connection: sqlite3.Connection, spot: ListedUnit) -> Row:
        found = connection.execute(
            "SELECT seat_units.*, seats.step, seats.model, studies.state, deadline, late FROM"
            " seat_units JOIN seats ON seats.id = seat JOIN studies ON studies.id ="
            " seat_units.study LEFT JOIN study_terms ON study_terms.study = seat_units.study WHERE"
            " seat = ? AND unit = ? AND time = ?",
            spot,
        ).fetchone()
        if found is None:
            raise BadInput(say("error.gone"))
        return dict(found)

    @staticmethod
    def _open(row: Row) -> None:
        if row["state"] != "open":
            raise SeatClosed(say("error.closed"))
        if row["step"] == "done":
            raise SeatClosed(say("error.finished"))
        if row["step"] in ENDS:
            raise SeatClosed(say("error.no_seat"))
        if row["deadline"] and not row["late"] and not row["model"] and row["deadline"] <= now():
            raise SeatClosed(say("error.too_late"))
        if row["step"] in BEFORE:
            raise BadInput(say("error.before"))

    @staticmethod
    def _alive(connection: sqlite3.Connection, spot: ListedUnit, row: Row) -> None:
        moment = now()
        # Whoever looked at another unit meanwhile was not at work on this one; what was seen later
        # than now was seen before the clock was set back.
        last = connection.execute(
            "SELECT max(seen) AS seen FROM seat_units WHERE seat = ? AND seen <= ?",
            (spot.seat, moment),
        ).fetchone()["seen"]
        gap = 0.0
        if row["seen"] and row["seen"] == last:
            away = datetime.fromisoformat(moment) - datetime.fromisoformat(last)
            gap = away.total_seconds()
        connection.execute(
            "UPDATE seat_units SET opened = CASE WHEN opened = '' THEN ? ELSE opened END, seen ="
            f" ?, active = active + ? WHERE {AT}",
            (moment, moment, min(max(gap, 0.0), GAP), *spot),
        )

    @staticmethod
    def _at(connection: sqlite3.Connection, spot: ListedUnit) -> Assignment:
        return _assignment(
            dict(connection.execute(f"SELECT {PICK} FROM seat_units WHERE {AT}", spot).fetchone())
        )

    # -- reading -------------------------------------------------------------------------------

    def draft(self, spot: ListedUnit, stage: int) -> tuple[dict[str, Any], str]:
        """Return what is half said and when it was kept; nothing where nothing is."""
        row = self._db.row(
            f"SELECT data, at FROM study_drafts WHERE {AT} AND stage = ?", *spot, stage
        )
        return (json.loads(row["data"]), row["at"]) if row else ({}, "")

    def said(self, spot: ListedUnit) -> tuple[StudyAnswer, ...]:
        """Return all that was answered at a spot, revisions too, oldest first."""
        rows = self._db.rows(f"SELECT * FROM study_answers WHERE {AT} ORDER BY id", *spot)
        return tuple(map(_answer, rows))

    def answers(self, study: str) -> tuple[StudyAnswer, ...]:
        """Return every answer of a study, revisions too, oldest first."""
        rows = self._db.rows("SELECT * FROM study_answers WHERE study = ? ORDER BY id", study)
        return tuple(map(_answer, rows))

    def filed(self, study: str) -> int:
        """Return how many answers a study has, revisions too."""
        return self._db.number("SELECT count(*) FROM study_answers WHERE study = ?", study)

    def done(self, study: str) -> list[ListedUnit]:
        """Return what is done on the lists of a study."""
        find = "SELECT seat, unit, time FROM seat_units WHERE study = ? AND stage >= stages"
        return self._db.build(ListedUnit, find, study)

    def skipped(self, study: str) -> frozenset[ListedUnit]:
        """Return what was skipped on the lists of a study: units with a part whose last answer says
        so.
        """
        find = (
            f"SELECT seat, unit, time FROM study_answers WHERE {LAST} AND"
            " json_extract(answer, '$.task') = 'skip'"
        )
        return frozenset(self._db.build(ListedUnit, find, study))

    def far(self, study: str) -> dict[str, tuple[int, int]]:
        """Return how many units are done and how many there are, by seat; a seat without a list is
        not there.
        """
        rows = self._db.tuples(
            "SELECT seat, sum(stage >= stages), count(*) FROM seat_units WHERE study = ? GROUP BY"
            " seat",
            study,
        )
        return {seat: (done, n) for seat, done, n in rows}

    def standing(self, study: str) -> tuple[list[ListStanding], list[LastAnswer]]:
        """Return every list and the last answer at every place, in plain columns: what is polled
        while a study runs must be quick to read.
        """
        standings = self.lists(study)
        last = self._db.tuples(
            f"SELECT seat, unit, time, stage, answer, at FROM study_answers WHERE {LAST}"
            " ORDER BY seat, unit, time, stage",
            study,
        )
        answers = _parse([row[4] for row in last])
        return standings, [
            LastAnswer._make((*row[:4], answer, row[5]))
            for row, answer in zip(last, answers, strict=True)
        ]

    def lists(self, study: str) -> list[ListStanding]:
        """Return every list as `all` does, in plain columns: many times as quick to read."""
        lists = self._db.tuples(
            "SELECT seat, unit, time, position, shown, stage >= stages, opened, active, seen FROM"
            " seat_units WHERE study = ? ORDER BY seat, position",
            study,
        )
        shown = _parse([row[4] for row in lists])
        return [
            ListStanding._make((*row[:4], tuple(labels), bool(row[5]), *row[6:]))
            for row, labels in zip(lists, shown, strict=True)
        ]


def _parse(documents: list[str]) -> list[Any]:
    # Thousands of small documents are read several times as fast as one.
    found: list[Any] = json.loads(f"[{','.join(documents)}]")
    return found
