"""What an expert is told of the terms of a session: until when, how much at most, that the list
grew, and the way back to whoever sent them.
"""

from collections.abc import Callable
from string import Template

import streamlit as st

from components.shell import services
from components.shell.text import counted, inline
from core.records import StudyTerms
from core.store import now
from core.studies import growing, recruiting
from core.studies.deadlines import near, spelled
from core.studies.growing import ListGrowth
from core.studies.inviting import said_of_late, said_of_pay
from core.studies.sitting import Sitting, overdue

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
"""Parameters that Prolific adds to a link."""
LONGEST_ID = 100
JOIN = "join"
"""What a recruiting link has its secret under."""


def due(terms: StudyTerms) -> str:
    """Return the deadline as a sentence, where the browser is and in UTC; nothing where there is
    none.
    """
    if not terms.deadline:
        return ""
    moment = spelled(terms.deadline, st.context.timezone or "")
    if not overdue(terms):
        return f"Please finish by **{inline(moment)}**. {said_of_late(terms)}"
    return (
        f"The deadline was **{inline(moment)}**. Your answers are still accepted."
        if terms.late
        else f"The deadline was **{inline(moment)}**."
    )


def agreed_to(terms: StudyTerms) -> None:
    """Draw, beside the consent, what holds: deadline, maximum, pay."""
    if sentence := due(terms):
        st.markdown(f":material/event: {sentence}")
    most = f" It never has more than {terms.most} units." if terms.most else ""
    st.markdown(f":material/playlist_add: You are asked before your list grows.{most}")
    if pay := said_of_pay(terms):
        st.markdown(f":material/payments: You are paid {inline(pay)}.")


def is_pressing(terms: StudyTerms) -> bool:
    """Return whether the deadline is to be said above the work: it is near, or has passed."""
    return near(terms, now())


def grown(who: Sitting, found: ListGrowth, again: Callable[[], None]) -> None:
    """Draw that the list grew, before any of the new units is shown, and take the answer."""
    more = found.now - found.agreed
    st.title("Your list has grown", anchor=False)
    st.markdown(
        f"You agreed to **{counted(found.agreed, 'unit')}**. Others stopped before their end, and"
        f" **{counted(more, 'more unit')}** would go to you: {found.now} in all, about"
        f" {max(1, round(found.minutes)):,} minutes more. {counted(found.done, 'unit')}"
        f" {'is' if found.done == 1 else 'are'} done already."
    )
    st.markdown(
        f"You are free to say no: then your list stays at {counted(found.agreed, 'unit')}, and you"
        " are not asked again."
    )
    store = services.store()
    with st.container(horizontal=True):
        if st.button("Take them", type="primary", icon=":material/check:", key="seat:take-more"):
            growing.take_more(store, who, found.now)
            again()
        if st.button(f"Stay with {found.agreed}", key="seat:keep-to"):
            growing.keep_to_agreed(store, who)
            again()


def completed(terms: StudyTerms) -> None:
    """Draw the completion code and the way back, where the session has them."""
    if terms.code:
        st.markdown("Your completion code:")
        st.code(terms.code, language=None)
    if terms.return_address:
        st.link_button(
            "Go back and complete",
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
