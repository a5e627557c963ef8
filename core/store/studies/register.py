"""Studies: how they are held, the texts under their labels, the units to judge, and what happened
in them.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping

from core.errors import BadInput
from core.records import (
    ItemKey,
    SourceGrouping,
    Study,
    StudyEvent,
    StudyItem,
    StudyPlan,
    StudyState,
    StudyUnit,
    UnitKey,
)
from core.store.connection import AMONG, Connections, Row, dump, now
from core.store.places import forget_at_seats

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
    "study_terms",
    "study_consents",
    "seat_terms",
    "people",
    "recruiting",
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
        keep: Iterable[str] = (),
    ) -> None:
        """Put texts, units and what their labels hide into a draft, in place of those it had; what
        the labels in `keep` hide stays as it is. Raises BadInput once it has opened.
        """
        with self._db.writing() as connection:
            row = connection.execute("SELECT state FROM studies WHERE id = ?", (study,)).fetchone()
            if row is None or row["state"] != "draft":
                raise BadInput(
                    f"Session {study} is open or closed, and its texts are frozen. Copy it to hold"
                    " it with others."
                )
            for table in ("study_items", "study_units"):
                connection.execute(f"DELETE FROM {table} WHERE study = ?", (study,))
            kept = frozenset(keep)
            connection.execute(
                f"DELETE FROM study_keys WHERE study = ? AND NOT (kind = 'item' AND name {AMONG})",
                (study, dump(sorted(kept))),
            )
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
                [
                    (study, key.label, key.model_dump_json())
                    for key in item_keys
                    if key.label not in kept
                ],
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

    def regroup(self, study: str, grouping: SourceGrouping) -> None:
        """Keep a grouping, and write down that it was drawn; raises BadInput before the study is
        unblinded.
        """
        with self._db.writing() as connection:
            row = connection.execute(
                "SELECT unblinded FROM studies WHERE id = ?", (study,)
            ).fetchone()
            if row is None or not row["unblinded"]:
                raise BadInput("Sources are grouped once they are revealed: reveal them first.")
            [(n,)] = connection.execute(
                "SELECT count(*) FROM study_keys WHERE study = ? AND kind = 'grouping'", (study,)
            ).fetchall()
            connection.execute(
                "INSERT INTO study_keys VALUES (?,'grouping',?,?)",
                (study, f"{n:06}", grouping.model_dump_json()),
            )
            # Which label is in which group stays beside the key: events are in files without it.
            detail = f"by {grouping.by}, p corrected by {grouping.correction}: {grouping.who}"
            note(connection, study, "sources grouped", detail=detail)

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
            forget_at_seats(connection)

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

    def deadlines_set(self, study: str) -> list[tuple[str, str]]:
        """Return when a deadline was set, and which, oldest first."""
        find = (
            "SELECT at, detail FROM study_events WHERE study = ? AND what = 'deadline set' ORDER BY"
            " id"
        )
        return self._db.tuples(find, study)

    def pay_set(self, study: str) -> list[tuple[str, str]]:
        """Return when the pay was set, and to what, oldest first; at no moment, where it was set
        before this was on record.
        """
        find = (
            "SELECT CASE what WHEN 'pay set' THEN at ELSE '' END, detail FROM study_events WHERE"
            " study = ? AND what IN ('pay set', 'pay until then') ORDER BY id"
        )
        return self._db.tuples(find, study)


class StudyKeys:
    """The key of a study: what its labels hide and what is known of its units.

    Nothing on an expert's side reads this table; and before a study is unblinded nothing on the
    organiser's side reads a label together with its source (tests say so): until then there are
    sources without labels, for the blinding report, and labels with a number for each source, for
    handing units out.
    """

    def __init__(self, connections: Connections):
        self._db = connections

    def items(self, study: str) -> dict[str, ItemKey]:
        """Return what every label hides: for studies that are unblinded."""
        return {name: ItemKey.model_validate_json(data) for name, data in self._of(study, "item")}

    def units(self, study: str) -> dict[str, UnitKey]:
        """Return what is known of units; those of which nothing is known are not there."""
        return {name: UnitKey.model_validate_json(data) for name, data in self._of(study, "unit")}

    def texts(self, study: str) -> list[tuple[str, ItemKey]]:
        """Return the hash of every text with what is known of it, and an empty label."""
        rows = self._db.tuples(
            "SELECT sha, json_set(data, '$.label', '') FROM study_keys JOIN study_items ON"
            " study_items.study = study_keys.study AND label = name WHERE study_keys.study = ? AND"
            " kind = 'item' ORDER BY sha, data",
            study,
        )
        return [(sha, ItemKey.model_validate_json(data)) for sha, data in rows]

    def sources(self, study: str) -> list[str]:
        """Return where the texts of a study come from, each place once: run and place, or file and
        row.
        """
        return self._db.column(
            "SELECT DISTINCT json_extract(data, '$.source') FROM study_keys WHERE study = ? AND"
            " kind = 'item' ORDER BY 1",
            study,
        )

    def groups(self, study: str) -> dict[str, int]:
        """Return a number for each label, the same for labels of one method and model; 0 where
        neither is known.
        """
        return dict(
            self._db.tuples(
                "SELECT name, iif(source = '/', 0, dense_rank() OVER (ORDER BY source)) FROM"
                " (SELECT name, json_extract(data, '$.method') || '/' || json_extract(data,"
                " '$.model') AS source FROM study_keys WHERE study = ? AND kind = 'item')",
                study,
            )
        )

    def copy(self, study: str, to: str, anew: Mapping[str, str]) -> None:
        """Give another study what labels hide, under other labels, and what is known of units;
        nothing of it is read.
        """
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO study_keys SELECT ?, kind, value, json_set(data, '$.label', value)"
                " FROM study_keys JOIN json_each(?) ON key = name WHERE study = ? AND kind ="
                " 'item'",
                (to, json.dumps(anew), study),
            )
            connection.execute(
                "INSERT INTO study_keys SELECT ?, kind, name, data FROM study_keys WHERE study = ?"
                " AND kind = 'unit'",
                (to, study),
            )

    def groupings(self, study: str) -> list[SourceGrouping]:
        """Return how sources were grouped, oldest first: the last is in force."""
        return [SourceGrouping.model_validate_json(data) for _, data in self._of(study, "grouping")]

    def _of(self, study: str, kind: str) -> list[tuple[str, str]]:
        return self._db.tuples(
            "SELECT name, data FROM study_keys WHERE study = ? AND kind = ? ORDER BY name",
            study,
            kind,
        )
