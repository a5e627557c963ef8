"""Seats: who sits at a study. A link's secret is never kept, only its hash; an expert's name lies
in a table of its own (core.store.studies.people).
"""

import json

from core.errors import BadInput
from core.records import ENDS, Afterwards, SeatStep, StudySeat
from core.store.connection import Connections, Row, now
from core.store.places import OF_A_SEAT
from core.store.studies.people import ERASED
from core.store.studies.register import note

LEFT: tuple[SeatStep, ...] = ("declined", "withdrawn", "revoked")
"""Steps from which nobody goes on."""
REST = "model, run, step, criteria, created, begun, ended"
PICK = f"id, study, CASE WHEN model = '' THEN id ELSE name END AS name, {REST}"
"""A seat without whose it is: the name of an expert's is its id."""
NAMED = (
    f"seats.id, seats.study, CASE WHEN model = '' THEN coalesce(people.name, '{ERASED}') ELSE"
    f" seats.name END AS name, {REST}"
)
FROM = "seats LEFT JOIN people ON people.seat = seats.id"


def _seat(row: Row) -> StudySeat:
    return StudySeat(**(row | {"criteria": tuple(json.loads(row["criteria"]))}))


class Seats:
    def __init__(self, connections: Connections):
        self._db = connections

    def add(self, seat: StudySeat, token: str | None) -> None:
        """Keep a new seat; `token` is the SHA-256 of its link's secret, None for a model judge."""
        with self._db.writing() as connection:
            connection.execute(
                "INSERT INTO seats (id, study, name, token, model, run, step, criteria, created)"
                " VALUES (?,?,?,?,?,?,?,?,?)",
                (
                    seat.id,
                    seat.study,
                    seat.name if seat.model else "",
                    token,
                    seat.model,
                    seat.run,
                    seat.step,
                    json.dumps(seat.criteria),
                    seat.created,
                ),
            )
            if not seat.model:
                connection.execute(
                    "INSERT INTO people (seat, study, name) VALUES (?,?,?)",
                    (seat.id, seat.study, seat.name),
                )
            note(connection, seat.study, "seat added", seat.id)

    def relink(self, seat: str, token: str | None, *, told: bool = True) -> None:
        """Give a seat another link, or none; the old one opens nothing any more. `told` puts that
        on record.
        """
        with self._db.writing() as connection:
            (study,) = connection.execute(
                "UPDATE seats SET token = ? WHERE id = ? RETURNING study", (token, seat)
            ).fetchone()
            if told:
                note(connection, study, "link changed" if token else "link taken back", seat)

    def move(
        self, seat: str, step: SeatStep, detail: str = "", leaving: tuple[SeatStep, ...] = ()
    ) -> StudySeat:
        """Bring a seat to a step, with the moment, and only from the steps in `leaving` where these
        are named; what has ended stays ended. What was half said is forgotten as it ends.

        It is returned without whose it is. Raises BadInput for a seat that is not there.
        """
        with self._db.writing() as connection:
            row = connection.execute(
                "SELECT study, step, begun FROM seats WHERE id = ?", (seat,)
            ).fetchone()
            if row is None:
                raise BadInput(f"There is no seat {seat!r}.")
            before = row["step"]
            if before in leaving if leaving else before not in LEFT:
                consented = before == "consent" and step != "consent" and step not in LEFT
                begun = row["begun"] or (now() if consented else "")
                connection.execute(
                    "UPDATE seats SET step = ?, begun = ?, ended = ? WHERE id = ?",
                    (step, begun, now() if step in ENDS else "", seat),
                )
                note(connection, row["study"], step, seat, detail)
                if step in LEFT:
                    connection.execute("DELETE FROM study_drafts WHERE seat = ?", (seat,))
                if step in ENDS:
                    half_said = OF_A_SEAT.format(seat)
                    connection.execute("DELETE FROM choices WHERE name = ?", (half_said,))
        return self.at(seat)

    def arrange(self, seat: str, criteria: tuple[str, ...]) -> None:
        """Say in which order a seat sees the criteria."""
        self._db.write("UPDATE seats SET criteria = ? WHERE id = ?", json.dumps(criteria), seat)

    def fill(self, seat: str, run: str) -> None:
        """Say which run fills a model's seat."""
        self._db.write("UPDATE seats SET run = ? WHERE id = ?", run, seat)

    def say_afterwards(self, seat: str, said: Afterwards) -> None:
        """Keep what an expert says at the end."""
        self._db.write("UPDATE seats SET afterwards = ? WHERE id = ?", said.model_dump_json(), seat)

    # -- reading -------------------------------------------------------------------------------

    def get(self, seat: str) -> StudySeat:
        """Return a seat with whose it is, for an organiser; raises BadInput."""
        row = self._db.row(f"SELECT {NAMED} FROM {FROM} WHERE seats.id = ?", seat)
        if row is None:
            raise BadInput(f"There is no seat {seat!r}.")
        return _seat(row)

    def at(self, seat: str) -> StudySeat:
        """Return a seat without whose it is; raises BadInput."""
        row = self._db.row(f"SELECT {PICK} FROM seats WHERE id = ?", seat)
        if row is None:
            raise BadInput(f"There is no seat {seat!r}.")
        return _seat(row)

    def held(self, token: str) -> StudySeat | None:
        """Return the seat whose link's secret has this SHA-256, without whose it is."""
        row = self._db.row(f"SELECT {PICK} FROM seats WHERE token = ?", token)
        return _seat(row) if row else None

    def of(self, study: str) -> tuple[StudySeat, ...]:
        """Return the seats of a study with whose they are, in the order they were made."""
        find = (
            f"SELECT {NAMED} FROM {FROM} WHERE seats.study = ? ORDER BY seats.created, seats.rowid"
        )
        return tuple(map(_seat, self._db.rows(find, study)))

    def linked(self, study: str) -> frozenset[str]:
        """Return the ids of the seats whose link opens something."""
        find = "SELECT id FROM seats WHERE study = ? AND token IS NOT NULL"
        return frozenset(self._db.column(find, study))

    def afterwards(self, study: str) -> dict[str, Afterwards]:
        """Return what experts said at the end, by seat."""
        find = "SELECT id, afterwards FROM seats WHERE study = ? AND afterwards != ''"
        rows = self._db.tuples(find, study)
        return {seat: Afterwards.model_validate_json(afterwards) for seat, afterwards in rows}
