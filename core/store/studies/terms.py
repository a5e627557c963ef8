"""What is agreed with experts beside a session's plan: deadlines, maxima and letters as they are
now, versions of the consent, and what each expert agreed to.
"""

from hashlib import sha256

from core.errors import BadInput
from core.records import ConsentVersion, SeatTerms, StudyTerms
from core.store.connection import Connections, Row, now
from core.store.studies.register import note

PICK = "seat, consent, units, at, refused"
SAID = {"deadline": "deadline", "late": "late answers", "most": "maximum of units"}
"""What changes how a session goes: when it did is on record."""
BINDING = set(SAID)


def _of_seat(row: Row) -> SeatTerms:
    return SeatTerms(**(row | {"refused": bool(row["refused"])}))


class Terms:
    def __init__(self, connections: Connections):
        self._db = connections

    def get(self, study: str) -> StudyTerms:
        """Return what holds for a study now."""
        find = "SELECT data FROM study_terms WHERE study = ?"
        return self._db.record(StudyTerms, find, study) or StudyTerms()

    def put(self, study: str, terms: StudyTerms) -> None:
        """Let this hold from now on; what changed is noted, without codes and letters. Raises
        BadInput for a study that is closed.
        """
        with self._db.writing() as connection:
            row = connection.execute("SELECT state FROM studies WHERE id = ?", (study,)).fetchone()
            if row is None:
                raise BadInput(f"There is no session {study!r} here.")
            before = self.get(study)
            if row["state"] == "closed" and before.model_dump(include=BINDING) != terms.model_dump(
                include=BINDING
            ):
                raise BadInput("This session is closed: its deadline and maximum stay as they are.")
            if terms == before:
                return
            connection.execute(
                "INSERT OR REPLACE INTO study_terms VALUES (?,?,?,?,?)",
                (study, terms.deadline, terms.late, terms.most, terms.model_dump_json()),
            )
            for name, said in SAID.items():
                value = getattr(terms, name)
                if value != getattr(before, name):
                    note(connection, study, f"{said} set", detail=str(value))
            if terms.pay != before.pay:
                # Sessions may be older than the record of it.
                known = connection.execute(
                    "SELECT 1 FROM study_events WHERE study = ? AND what = 'pay set'", (study,)
                ).fetchone()
                if before.pay and not known:
                    note(connection, study, "pay until then", detail=before.pay)
                note(connection, study, "pay set", detail=terms.pay)

    # -- consent -------------------------------------------------------------------------------

    def consents(self, study: str) -> tuple[ConsentVersion, ...]:
        """Return every text of consent that was in force, the first one first; none of a draft."""
        find = "SELECT version, sha, text, at FROM study_consents WHERE study = ? ORDER BY version"
        return tuple(self._db.build(ConsentVersion, find, study))

    def consent(self, study: str, text: str) -> ConsentVersion:
        """Put a text of consent in force, for those who have not agreed yet; the one in force stays
        where it is the same.
        """
        with self._db.writing() as connection:
            held = self.consents(study)
            if held and held[-1].text == text:
                return held[-1]
            sha = sha256(text.encode()).hexdigest()
            made = ConsentVersion(version=len(held) + 1, sha=sha, text=text, at=now())
            connection.execute(
                "INSERT INTO study_consents VALUES (?,?,?,?,?)",
                (study, made.version, made.sha, made.text, made.at),
            )
            if held:
                detail = f"version {made.version}, SHA-256 {made.sha}"
                note(connection, study, "consent text changed", detail=detail)
            return made

    # -- what seats agreed to ------------------------------------------------------------------

    def agree(self, seat: str, study: str, consent: int, units: int) -> None:
        """Write down that an expert agreed to a version of the consent and to so many units; said
        twice, the first stays.
        """
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO seat_terms (seat, study, consent, units, at) VALUES"
                " (?,?,?,?,?)",
                (seat, study, consent, units, now()),
            )

    def allow(self, seat: str, units: int) -> None:
        """Write down that an expert agreed to so many units instead."""
        self._say(seat, "agreed to more units", units, refused=False)

    def refuse(self, seat: str, units: int) -> None:
        """Write down that an expert stays with so many units and wants no more."""
        self._say(seat, "wanted no more units", units, refused=True)

    def _say(self, seat: str, what: str, units: int, refused: bool) -> None:
        with self._db.writing() as connection:
            row = connection.execute(
                "UPDATE seat_terms SET units = ?, refused = ? WHERE seat = ? RETURNING study",
                (units, refused, seat),
            ).fetchone()
            if row is not None:
                note(connection, row["study"], what, seat, str(units))

    def seat(self, seat: str) -> SeatTerms:
        """Return what an expert agreed to; nothing yet, where there is nothing."""
        row = self._db.row(f"SELECT {PICK} FROM seat_terms WHERE seat = ?", seat)
        return _of_seat(row) if row else SeatTerms(seat=seat)

    def of(self, study: str) -> dict[str, SeatTerms]:
        """Return what the experts of a study agreed to, by seat."""
        rows = self._db.rows(f"SELECT {PICK} FROM seat_terms WHERE study = ?", study)
        return {row["seat"]: _of_seat(row) for row in rows}
