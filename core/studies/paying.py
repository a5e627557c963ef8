"""What experts are to be paid: units done or active time, by a rate. It says nothing of what
anybody answered, and names no seat: whoever pays need not know who gave which answers.
"""

from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from core.records import PersonDetails, StudySeat
from core.store import Store

CENT = Decimal("0.01")


class Payment(NamedTuple):
    """A line of the list of payments."""

    name: str
    address: str
    prolific: str
    prolific_study: str
    prolific_session: str
    step: str
    """Where the expert is; declined, withdrawn and revoked are ends before the end."""
    completed: bool
    units: int
    """Done, repeats and attention checks too."""
    listed: int
    minutes: float
    """Of active work: gaps between signs of life, each counted up to two minutes."""
    rate: Decimal
    per: str
    currency: str
    amount: Decimal


HEAD = {
    "name": "Name; empty where it was erased.",
    "address": "For e-mail.",
    "prolific": "PROLIFIC_PID",
    "prolific_study": "STUDY_ID",
    "prolific_session": "SESSION_ID",
    "step": "Where the expert is.",
    "completed": "yes or no",
    "units": "Units done, with repeats and attention checks.",
    "listed": "Units on the list.",
    "minutes": "Minutes of active work.",
    "rate": "What is paid for a unit or an hour.",
    "per": "unit or hour",
    "currency": "As given.",
    "amount": "rate by units, or by hours; rounded to 0.01, halves up.",
}


def payments(store: Store, study_id: str) -> tuple[Payment, ...]:
    """Return what is to be paid to each expert who began, by name: the order of seats would tell
    who is E1. Raises BadInput for an unknown session.
    """
    store.studies.get(study_id)
    people = store.people.of(study_id)
    lines = [
        _payment(store, seat, people.get(seat.id) or PersonDetails(seat=seat.id, name=""))
        for seat in store.seats.of(study_id)
        if not seat.model and seat.begun
    ]
    return tuple(sorted(lines, key=lambda line: (not line.name, line.name.casefold())))


def owed(store: Store, seat_id: str) -> Payment | None:
    """Return what is to be paid to one expert by the terms of now; None where nothing is, or the
    expert did not begin.
    """
    seat = store.seats.get(seat_id)
    if seat.model or not seat.begun:
        return None
    person = store.people.of(seat.study).get(seat.id) or PersonDetails(seat=seat.id, name="")
    line = _payment(store, seat, person)
    return line if line.amount else None


def _payment(store: Store, seat: StudySeat, person: PersonDetails) -> Payment:
    terms = store.terms.get(seat.study)
    mine = store.study_work.of(seat.id)
    done = sum(one.done for one in mine)
    minutes = sum(one.active for one in mine) / 60
    much = Decimal(done) if terms.per == "unit" else Decimal(minutes) / 60
    return Payment(
        name=person.name,
        address=person.address,
        prolific=person.prolific,
        prolific_study=person.prolific_study,
        prolific_session=person.prolific_session,
        step=seat.step,
        completed=seat.step == "done",
        units=done,
        listed=len(mine),
        minutes=round(minutes, 1),
        rate=terms.rate,
        per=terms.per,
        currency=terms.currency,
        amount=(terms.rate * much).quantize(CENT, ROUND_HALF_UP),
    )
