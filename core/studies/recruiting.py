"""Participants whom a service such as Prolific sends: one link for all of them leads each, by the
id that the service gives, to a place of their own. An id is all that tells two participants apart:
who has the link and another's id is let in as that one.
"""

import re

from core.door import hashed, secret
from core.errors import BadInput, SeatClosed
from core.records import StudySeat
from core.store import Store
from core.studies import organising
from core.studies.texts import spoken_by
from core.wording.catalogue import ENGLISH, Wording, say

MOST = 500
ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""What a service gives: Prolific's are 24 figures and letters. A link that was not filled in says
`{{%PROLIFIC_PID%}}`, and all who open it would be one.
"""


def make_places(store: Store, study_id: str, n: int) -> tuple[StudySeat, ...]:
    """Make so many seats for participants who are to come, all or none; nobody knows their links
    before. Raises BadInput.
    """
    if not 0 <= n <= MOST:
        raise BadInput(f"Between 0 and {MOST} places can be made at once.")
    with store.connections.writing():
        before = len(store.seats.of(study_id))
        names = [f"Participant {k}" for k in range(before + 1, before + n + 1)]
        made = tuple(seat for seat, _ in organising.add_seats(store, study_id, names))
        for seat in made:
            store.people.keep_place(seat.id)
    return made


def draw_link(store: Store, study_id: str) -> str:
    """Return a new secret for a study's recruiting link; an earlier one opens nothing any more.
    Raises BadInput for a study that is closed.
    """
    if store.studies.get(study_id).state == "closed":
        raise BadInput("This session is closed. Copy it to ask more experts.")
    made = secret()
    store.people.recruit(study_id, hashed(made))
    return made


def language(store: Store, link: str) -> Wording:
    """Return what the screens of the session of a recruiting link say; English where it opens
    none.
    """
    study_id = store.people.recruits_for(hashed(link)) if link else ""
    return spoken_by(store.studies.get(study_id).plan) if study_id else ENGLISH


def join(store: Store, link: str, prolific: str, study: str, session: str) -> str:
    """Return the secret of a link for a participant's own place: the one taken before, or the first
    that is free. Its earlier link ends. Raises SeatClosed where there is none.
    """
    made = secret()
    with store.connections.writing():
        study_id = store.people.recruits_for(hashed(link))
        if not study_id:
            raise SeatClosed(say("error.unknown"))
        state = store.studies.get(study_id).state
        if state != "open":
            raise SeatClosed(say("error.not_yet" if state == "draft" else "error.over"))
        if not ID.fullmatch(prolific.strip()):
            raise SeatClosed(say("error.without_id"))
        seat = store.people.place_of(study_id, prolific.strip())
        if not seat:
            raise SeatClosed(say("error.full"))
        # A place without a link was taken back, also that of somebody who was done.
        if store.seats.at(seat).step == "revoked" or seat not in store.seats.linked(study_id):
            raise SeatClosed(say("error.unknown"))
        first = store.people.came(seat, prolific.strip(), study, session)
        # Whoever has the recruiting link may come back as often as they please.
        store.seats.relink(seat, hashed(made), told=first)
    return made
