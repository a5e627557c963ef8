"""Studies: how they are held, the texts under their labels, the units to judge, and what happened
in them.
"""

import sqlite3
from collections.abc import Iterable

from core.errors import BadInput
from core.records import (
    ItemKey,
    Study,
    StudyEvent,
    StudyItem,
    StudyPlan,
    StudyState,
    StudyUnit,
    UnitKey,
)
from core.store.connection import Connections, Row, now

PICK = "id, plan, state, sha, created, opened, closed, unblinded"
OF_A_STUDY = (
    "study_items",
    "study_units",
    "study_keys",
    "seats",
    "seat_units",
    "study_answers",
    "text_openings",
    "study_events",
)
MOMENTS: dict[StudyState, str] = {"open": "opened", "closed": "closed"}


def _study(row: Row) -> Study:
    return Study(**(row | {"plan": StudyPlan.model_validate_json(row["plan"])}))


def note(
    connection: sqlite3.Connection, study: str, what: str, seat: str = "", detail: str = ""
) -> None:
    """Write down what happened, within the caller's transaction."""
    connection.execute(
        "INSERT INTO study_events (study, seat, what, detail, at) VALUES (?,?,?,?,?)",
        (study, seat, what, detail, now()),
    )


class Studies:
    def __init__(self, connections: Connections):
        self._db = connections

    # -- setting up ----------------------------------------------------------------------------

    def add(self, study: Study) -> None:
        """Keep a new study."""
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO studies (id, name, task, plan, state, created) VALUES (?,?,?,?,?,?)",
                (
                    study.id,
                    study.plan.name,
                    study.plan.task,
                    study.plan.model_dump_json(),
                    study.state,
                    study.created,
                ),
            )
            note(connection, study.id, "created")

    def replan(self, study: str, plan: StudyPlan) -> None:
        """Change how a draft is held; raises BadInput once it has opened."""
        changed = self._db.write(
            "UPDATE studies SET name = ?, task = ?, plan = ? WHERE id = ? AND state = 'draft'",
            plan.name,
            plan.task,
            plan.model_dump_json(),
            study,
        )
        if not changed:
            raise BadInput(
                f"Session {study} is open or closed, and its configuration is frozen. Copy it to"
                " hold it in another way."
            )

    def fill(
        self,
        study: str,
        items: tuple[StudyItem, ...],
        units: tuple[StudyUnit, ...],
        item_keys: Iterable[ItemKey],
        unit_keys: Iterable[UnitKey],
    ) -> None:
        """Put texts, units and what their labels hide into a draft, in place of those it had;
        raises BadInput once it has opened.
        """
        with self._db.writing() as connection:
            row = connection.execute("SELECT state FROM studies WHERE id = ?", (study,)).fetchone()
            if row is None or row["state"] != "draft":
                raise BadInput(
                    f"Session {study} is open or closed, and its texts are frozen. Copy it to hold"
                    " it with others."
                )
            for table in ("study_items", "study_units", "study_keys"):
                connection.execute(f"DELETE FROM {table} WHERE study = ?", (study,))
            connection.executemany(
                "INSERT INTO study_items VALUES (?,?,?)",
                [(study, one.label, one.sha) for one in items],
            )
            connection.executemany(
                "INSERT INTO study_units VALUES (?,?,?)",
                [(study, one.id, one.model_dump_json()) for one in units],
            )
            connection.executemany(
                "INSERT INTO study_keys VALUES (?,'item',?,?)",
                [(study, key.label, key.model_dump_json()) for key in item_keys],
            )
            connection.executemany(
                "INSERT INTO study_keys VALUES (?,'unit',?,?)",
                [(study, key.unit, key.model_dump_json()) for key in unit_keys],
            )

    def turn(self, study: str, before: StudyState, after: StudyState, sha: str = "") -> None:
        """Open or close a study, once; raises BadInput where it is not in the state it should be
        left from.
        """
        with self._db.writing() as connection:
            changed = connection.execute(
                f"UPDATE studies SET state = ?, {MOMENTS[after]} = ?, sha = CASE WHEN ? = '' THEN"
                " sha ELSE ? END WHERE id = ? AND state = ?",
                (after, now(), sha, sha, study, before),
            ).rowcount
            if not changed:
                raise BadInput(
                    f"Session {study} is not {'a draft' if before == 'draft' else before}; somebody"
                    " may have been quicker. Look at it again."
                )
            note(connection, study, MOMENTS[after], detail=sha)

    def unblind(self, study: str, by: str) -> None:
        """Write down that the key of a closed study is looked at; raises BadInput while answers may
        still come.
        """
        with self._db.writing() as connection:
            changed = connection.execute(
                "UPDATE studies SET unblinded = CASE WHEN unblinded = '' THEN ? ELSE unblinded END"
                " WHERE id = ? AND state = 'closed'",
                (now(), study),
            ).rowcount
            if not changed:
                raise BadInput(
                    "Close the study first: sources stay hidden, from you too, while answers may"
                    " still come."
                )
            note(connection, study, "unblinded", detail=by)

    def remove(self, study: str) -> None:
        """Delete a study with its seats and answers; frozen texts stay."""
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM study_drafts WHERE seat IN (SELECT id FROM seats WHERE study = ?)",
                (study,),
            )
            for table in OF_A_STUDY:
                connection.execute(f"DELETE FROM {table} WHERE study = ?", (study,))
            connection.execute("DELETE FROM studies WHERE id = ?", (study,))

    # -- reading -------------------------------------------------------------------------------

    def get(self, study: str) -> Study:
        """Return a study; raises BadInput."""
        row = self._db.row(f"SELECT {PICK} FROM studies WHERE id = ?", study)
        if row is None:
            raise BadInput(
                f"There is no session {study!r} here. It was removed, or it is kept in another data"
                " folder."
            )
        return _study(row)

    def listed(self) -> list[Study]:
        """Return every study, newest first."""
        rows = self._db.rows(f"SELECT {PICK} FROM studies ORDER BY created DESC, id")
        return [_study(row) for row in rows]

    def items(self, study: str) -> dict[str, str]:
        """Return the hash of every frozen text by its label."""
        find = "SELECT label, sha FROM study_items WHERE study = ? ORDER BY label"
        return dict(self._db.tuples(find, study))

    def units(self, study: str) -> tuple[StudyUnit, ...]:
        """Return the units of a study."""
        find = "SELECT data FROM study_units WHERE study = ? ORDER BY unit"
        return tuple(self._db.records(StudyUnit, find, study))

    def unit(self, study: str, unit: str) -> StudyUnit:
        """Return one unit; raises BadInput."""
        find = "SELECT data FROM study_units WHERE study = ? AND unit = ?"
        found = self._db.record(StudyUnit, find, study, unit)
        if found is None:
            raise BadInput(f"This session has no unit {unit!r}.")
        return found

    # -- what happened -------------------------------------------------------------------------

    def happened(self, study: str, what: str, seat: str = "", detail: str = "") -> None:
        """Write down what happened."""
        with self._db.writing() as connection:
            note(connection, study, what, seat, detail)

    def events(self, study: str) -> list[StudyEvent]:
        """Return what happened, oldest first."""
        find = "SELECT * FROM study_events WHERE study = ? ORDER BY id"
        return self._db.build(StudyEvent, find, study)


class StudyKeys:
    """The key of a study: what its labels hide and what is known of its units.

    Nothing on an expert's side reads this table (a test says so).
    """

    def __init__(self, connections: Connections):
        self._db = connections

    def items(self, study: str) -> dict[str, ItemKey]:
        """Return what every label hides."""
        return {name: ItemKey.model_validate_json(data) for name, data in self._of(study, "item")}

    def units(self, study: str) -> dict[str, UnitKey]:
        """Return what is known of units; those of which nothing is known are not there."""
        return {name: UnitKey.model_validate_json(data) for name, data in self._of(study, "unit")}

    def _of(self, study: str, kind: str) -> list[tuple[str, str]]:
        return self._db.tuples(
            "SELECT name, data FROM study_keys WHERE study = ? AND kind = ? ORDER BY name",
            study,
            kind,
        )
