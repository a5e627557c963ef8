"""What an expert is told of the terms of a session: until when, how much at most, that the list
grew, and the way back to whoever sent them.
"""

from collections.abc import Callable
from hashlib import sha256
from string import Template

import streamlit as st

from components.shell import services
from components.shell.text import inline
from core.records import StudyTerms
from core.store import now
from core.studies import growing, recruiting
from core.studies.deadlines import near, spelled
from core.studies.growing import ListGrowth
from core.studies.sitting import Sitting, overdue
from core.wording.catalogue import Wording

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
"""Parameters that Prolific adds to a link."""
LONGEST_ID = 100
JOIN = "join"
"""What a recruiting link has its secret under."""


STATED = {"deadline", "late", "most", "rate", "per", "currency"}
"""Which of the terms stand beside the consent."""


def due(words: Wording, terms: StudyTerms, brief: bool = False) -> str:
    """Return the deadline as a sentence, where the browser is and in UTC; nothing where there is
    none. What follows it is left out where the sentence is to be `brief`.
    """
    if not terms.deadline:
        return ""
    moment = inline(spelled(terms.deadline, st.context.timezone or "", words))
    if overdue(terms):
        return words("terms.was_due_late" if terms.late else "terms.was_due", moment=moment)
    if brief:
        return words("terms.by" if terms.late else "terms.until", moment=moment)
    return words("terms.due_late" if terms.late else "terms.due", moment=moment)


def agreed_to(words: Wording, terms: StudyTerms) -> None:
    """Draw, beside the consent, what holds: deadline, maximum, pay."""
    if sentence := due(words, terms):
        st.markdown(f":material/event: {sentence}")
    asked = words("terms.most", n=terms.most) if terms.most else words("terms.asked")
    st.markdown(f":material/playlist_add: {asked}")
    if terms.rate:
        paid = words(
            f"terms.paid_{terms.per}",
            amount=words.amount(terms.rate),
            currency=inline(terms.currency),
        )
        st.markdown(f":material/payments: {paid}")


def offered(words: Wording, name: str, *offer: object) -> str:
    """Return a button's key that is another once anything offered is, so that a press on what was
    offered before accepts nothing; where there was one, say that the page has changed.
    """
    told = sha256(repr(offer).encode("utf-8", "surrogatepass")).hexdigest()
    key = f"{name}:{told[:16]}"
    pressed = [one for one, value in st.session_state.items() if value is True]
    if any(str(one).startswith(f"{name}:") and one != key for one in pressed):
        st.info(words("terms.changed"), icon=":material/update:")
    return key


def is_pressing(terms: StudyTerms) -> bool:
    """Return whether the deadline is to be said above the work: it is near, or has passed."""
    return near(terms, now())


def grown(who: Sitting, found: ListGrowth, again: Callable[[], None]) -> None:
    """Draw that the list grew, before any of the new units is shown, and take the answer."""
    words = who.words
    st.title(words("terms.grown"), anchor=False)
    take = offered(words, "seat:take-more", found.now)
    minutes = words("consent.minutes", n=max(1, round(found.minutes)))
    more = words("terms.more", n=found.now - found.agreed, of=found.now, minutes=minutes)
    agreed = words("terms.agreed", n=found.agreed)
    st.markdown(f"{agreed} {more} {words('terms.done', n=found.done)}")
    st.markdown(words("terms.free", n=found.agreed))
    store = services.store()
    with st.container(horizontal=True):
        if st.button(words("terms.take"), type="primary", icon=":material/check:", key=take):
            growing.take_more(store, who, found.now)
            again()
        if st.button(words("terms.stay", n=found.agreed), key="seat:keep-to"):
            growing.keep_to_agreed(store, who)
            again()


def completed(words: Wording, terms: StudyTerms) -> None:
    """Draw the completion code and the way back, where the session has them."""
    if terms.code:
        st.markdown(words("terms.code"))
        st.code(terms.code, language=None)
    if terms.return_address:
        st.link_button(
            words("terms.back"),
            Template(terms.return_address).safe_substitute(code=terms.code),
            icon=":material/arrow_forward:",
            type="primary",
        )


def came_from(who: Sitting) -> None:
    """Keep the ids that a recruiting service put into the address, once, with who sits here, and
    take them out of the address.
    """
    given = _ids()
    if given[0]:
        services.store().people.came(who.seat, *given)
    for name in PROLIFIC:
        st.query_params.pop(name, None)


def language() -> Wording:
    """Return what the session of a recruiting link says, also where it has no place."""
    return recruiting.language(services.store(), str(st.query_params.get(JOIN, "")))


def joined() -> bool:
    """Lead a participant who came by a recruiting link to a place, by its own link in the address;
    return whether there was such a link. Raises SeatClosed where there is no place.
    """
    secret = str(st.query_params.get(JOIN, ""))
    if not secret:
        return False
    seat = recruiting.join(services.store(), secret, *_ids())
    st.query_params.from_dict({"seat": seat})
    return True


def _ids() -> list[str]:
    return [str(st.query_params.get(name, ""))[:LONGEST_ID] for name in PROLIFIC]
