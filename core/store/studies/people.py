"""Names, addresses and ids of experts: apart from seats and answers, and erased one by one."""

from core.errors import BadInput
from core.records import PersonDetails
from core.store.connection import Connections
from core.store.places import OF_A_SEAT
from core.store.studies.register import note

ERASED = "name erased"
"""What a seat is called whose person was erased."""
PICK = "seat, name, address, prolific, prolific_study, prolific_session, recruited"


class People:
    def __init__(self, connections: Connections):
        self._db = connections

    def of(self, study: str) -> dict[str, PersonDetails]:
        """Return who sits at a study, by seat; who was erased is not there."""
        find = f"SELECT {PICK} FROM people WHERE study = ?"
        return {one.seat: one for one in self._db.build(PersonDetails, find, study)}

    def address(self, seat: str, address: str) -> None:
        """Keep where an expert gets mail."""
        self._db.write("UPDATE people SET address = ? WHERE seat = ?", address, seat)

    def came(self, seat: str, prolific: str, study: str, session: str) -> bool:
        """Keep the ids under which a recruiting service sent an expert, and say whether they came
        for the first time; the first ids stay.
        """
        first = self._db.write(
            "UPDATE people SET prolific = ?, prolific_study = ?, prolific_session = ? WHERE seat ="
            " ? AND prolific = ''",
            prolific,
            study,
            session,
            seat,
        )
        return bool(first)

    # -- recruited participants ----------------------------------------------------------------

    def keep_place(self, seat: str) -> None:
        """Keep a seat for whoever comes by the recruiting link."""
        self._db.write("UPDATE people SET recruited = 1 WHERE seat = ?", seat)

    def recruit(self, study: str, token: str) -> None:
        """Let a link with this hash lead to a study's places, in place of an earlier one."""
        with self._db.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO recruiting VALUES (?,?)", (study, token))
            note(connection, study, "recruiting link made")

    def recruits_for(self, token: str) -> str:
        """Return the study that a recruiting link with this hash leads to; empty for none."""
        return str(self._db.value("SELECT study FROM recruiting WHERE token = ?", token) or "")

    def place_of(self, study: str, prolific: str) -> str:
        """Return the place of a participant, or else the first that nobody has taken; empty where
        all are. Whoever was invited may say any id at their own seat, which is nobody's place.
        """
        return str(
            self._db.value(
                "SELECT seat FROM people JOIN seats ON seats.id = seat WHERE people.study = ? AND"
                " recruited AND (prolific = ? OR (prolific = '' AND step = 'consent' AND begun ="
                " '')) ORDER BY prolific = '', created, seats.rowid",
                study,
                prolific,
            )
            or ""
        )

    def erase(self, seat: str) -> None:
        """Erase who sits at a seat, for good and from the file itself; the seat and its answers
        stay. Raises BadInput where nobody is kept there (any more), StoreFailed.
        """
        with self._db.writing() as writing:
            row = writing.execute(
                "DELETE FROM people WHERE seat = ? RETURNING study", (seat,)
            ).fetchone()
            if row is None:
                raise BadInput(
                    f"Nobody's name is kept for seat {seat!r}: it was erased before, or it is"
                    " a model's."
                )
            note(writing, row["study"], "name erased", seat)
            # What is half said may name who says it.
            writing.execute("DELETE FROM choices WHERE name = ?", (OF_A_SEAT.format(seat),))
            writing.execute("DELETE FROM study_drafts WHERE seat = ?", (seat,))
            # A row that grew was moved, and where it stood before, earlier versions left it: all
            # are written anew.
            others = writing.execute(f"SELECT study, {PICK} FROM people ORDER BY rowid").fetchall()
            writing.execute("DELETE FROM people")
            writing.executemany(
                f"INSERT INTO people (study, {PICK}) VALUES (?,?,?,?,?,?,?,?)", map(tuple, others)
            )
        # The log holds what the table held, until it is written into the database.
        self._db.empty_log()
