"""Who sits at a session: people with secret links, shown once when they are made; and model
judges.
"""

from time import monotonic

import streamlit as st

from components.sessions import acts, invited, judges, made_links
from components.sessions.made_links import MadeLinks, of
from components.sessions.words import STEPS, link, unassigned
from components.shell import links as shell_links
from components.shell import mistakes, services
from components.shell.clicks import TWICE, do_once
from components.shell.paging import ROWS, skipped
from components.shell.text import counted, inline
from core.errors import BadInput
from core.export.sessions.invitations import recruiting_link
from core.records import ENDS, PersonDetails, SeatTerms, Study, StudySeat
from core.store.studies.people import ERASED
from core.studies import inviting, organising, paying, recruiting

MOST = 100
"""Seats made at one press."""
LISTED = 12
"""Links with a box of their own."""
ANEW = "An earlier link of this kind stops working; places and who took them stay."


def draw(study: Study) -> None:
    """Draw the seats, the links that were just made, and the ways to add more."""
    store = services.store()
    links(study)
    people = [one for one in store.seats.of(study.id) if not one.model]
    left, right = st.columns(2, gap="large")
    if study.state != "closed":
        with left:
            _more(study)
            invited.draw(study)
            _recruited(study)
        with right:
            judges.draw(study)
    _people(study, people)
    if study.state == "closed":
        judges.draw(study)


# -- links -------------------------------------------------------------------------------------


def links(study: Study) -> None:
    """Draw links made in this tab that are not hidden yet: they cannot be shown again."""
    made, working = of(study), made_links.working_links(study)
    seats = {one.id: one for one in services.store().seats.of(study.id)}
    held = [
        (seats[seat].name, secret)
        for seat, secret in working.items()
        if seat in seats and seats[seat].step != "revoked" and seats[seat].name != ERASED
    ]
    made_links.say_replaced(study)
    if not held:
        if made_links.replaced_links(study):
            _hide(made)
        return
    with st.container(border=True):
        st.markdown(
            f":material/key: **{counted(len(held), 'link')}, shown this once.** Each link gives"
            " one expert access: copy it now and send it only to that expert. Only a hash of it is"
            " kept here; “New link” makes another."
        )
        st.caption("As letters to send, and all of them as a file: under “Letters”.")
        shell_links.draw_local("These links work")
        if study.state == "draft":
            st.caption("Until the session is opened they say that it is not open yet.")
        for name, secret in held[:LISTED]:
            st.markdown(f"**{inline(name, 80)}**")
            st.code(link(secret), language=None, wrap_lines=True)
        if len(held) > 1:
            with st.expander("All of them, one a line", expanded=len(held) > LISTED):
                st.code(
                    "\n".join(f"{name}\t{link(secret)}" for name, secret in held), language=None
                )
        _hide(made)


def _hide(made: MadeLinks) -> None:
    st.button(
        "Hide the links",
        icon=":material/visibility_off:",
        key="study:hide-links",
        on_click=made.secrets.clear,
    )


# -- more seats --------------------------------------------------------------------------------


def _more(study: Study) -> None:
    st.markdown("##### Add experts")
    # The form does not clear itself: a second click would bring an empty box while the first has
    # not got to making seats.
    with st.form("study:more"):
        st.text_area(
            "Names, one a line",
            key="study:names",
            height=110,
            placeholder="Ada\nGrace",
            help="For you alone; experts do not see them, and exports hold a number.",
        )
        st.form_submit_button(
            "Add seats and make links",
            icon=":material/person_add:",
            key="study:add",
            on_click=_add,
            args=(study.id, of(study)),
        )
    mistakes.shown("study:adding")
    if study.state == "open":
        st.caption("A new expert takes over a share of the units that no expert has opened yet.")


def _add(study: str, made: MadeLinks) -> None:
    """Make the seats that were named, once: a second click finds the same names in the box, or
    none.
    """
    typed = str(st.session_state.get("study:names") or "")
    names = tuple(
        dict.fromkeys(name for line in typed.splitlines() if (name := " ".join(line.split())))
    )
    with mistakes.kept("study:adding"):
        # Two clicks may be at work at once: who comes second must see what the first has done.
        with services.store().connections.writing():
            if monotonic() - made.at >= TWICE or names not in ((), made.names):
                _make(study, names, made)
        st.session_state["study:names"] = ""


def _make(study: str, names: tuple[str, ...], made: MadeLinks) -> None:
    """Make seats, all or none; raises BadInput."""
    if not names:
        raise BadInput("Write a name for every seat, one a line.")
    if len(names) > MOST:
        raise BadInput(f"{len(names)} names are too many for once; {MOST} at most.")
    taken = {
        one.name.casefold()
        for one in services.store().seats.of(study)
        if one.step not in organising.LEFT
    }
    if known := [name for name in names if name.casefold() in taken]:
        raise BadInput(
            f"{', '.join(known[:5])} {'has a seat' if len(known) == 1 else 'have seats'} already."
            " Write other names; no expert was added."
        )
    new = organising.add_seats(services.store(), study, names)
    made.secrets |= {seat.id: secret for seat, secret in new}
    made.names = names
    made.at = monotonic()


# -- the seats there are -----------------------------------------------------------------------


def _people(study: Study, people: list[StudySeat]) -> None:
    store = services.store()
    st.markdown(f"##### Experts ({len(people)})")
    if not people:
        st.caption(
            "No experts yet. Each expert is given a seat, with a secret link that opens it and"
            " nothing else."
        )
        return
    st.caption(
        "Names and addresses are kept apart from answers and are in no file but lists of people."
    )
    linked = store.seats.linked(study.id)
    mistake = f"study:seats:{study.id}"
    mistakes.shown(mistake)
    skip = skipped(len(people), "study:seats")
    far = store.study_work.far(study.id)
    agreed = store.terms.of(study.id)
    known = store.people.of(study.id)
    for one in people[skip : skip + ROWS]:
        facts = _facts(one, one.id in linked, far.get(one.id), agreed.get(one.id))
        _seat(study, one, facts, known.get(one.id))
    if study.state == "open":
        _lacking(study)


def _facts(
    one: StudySeat, linked: bool, far: tuple[int, int] | None, agreed: SeatTerms | None
) -> str:
    """Say where a seat is, how far its list is done, and how that list stands to what was agreed
    to.
    """
    facts = [STEPS[one.step]]
    if far:
        facts.append(f"{far[0]} of {far[1]} units of the list done")
    if far and agreed and agreed.at and far[1] > agreed.units and one.step not in ENDS:
        facts.append(f"agreed to {agreed.units}, asked about the rest")
    if agreed and agreed.refused:
        facts.append("wants no more units")
    if not linked and one.step != "revoked":
        facts.append("no link")
    return " · ".join(facts)


def _seat(study: Study, one: StudySeat, facts: str, known: PersonDetails | None) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        address = (
            f"  \n:small[:gray[{inline(known.address, 80)}]]" if known and known.address else ""
        )
        st.markdown(f"**{inline(one.name, 60)}** :gray[{facts}]{address}", width="stretch")
        if study.state != "closed" and one.step not in organising.LEFT:
            st.button(
                "New link",
                icon=":material/key:",
                type="tertiary",
                key=f"study:relink:{one.id}",
                on_click=_relink,
                args=(study.id, one.id, of(study)),
                help="Makes another link; the previous link stops working.",
            )
            if st.button(
                "Revoke", icon=":material/link_off:", type="tertiary", key=f"study:revoke:{one.id}"
            ):
                _revoking(study, one)
        if known and st.button(
            "Erase name",
            icon=":material/person_remove:",
            type="tertiary",
            key=f"study:erase:{one.id}",
        ):
            _erasing(study, one)


@st.dialog("Erase this name?", icon=":material/person_remove:")
def _erasing(study: Study, one: StudySeat) -> None:
    st.markdown(f"**{inline(one.name, 120)}**")
    st.markdown(
        "**What goes, for good:** the name, the address, and the ids of whoever recruited this"
        " expert. Backups that were made before still have them, and so do files that you"
        " downloaded."
    )
    st.markdown(
        "**What stays:** the seat, its link and every answer, without a name. It is written down"
        " that a name was erased, and not which."
    )
    known = services.store().people.of(study.id).get(one.id)
    if known and known.recruited and known.prolific:
        st.markdown(
            "**What follows:** whoever took this seat by the recruiting link and comes by it again"
            " counts as somebody new, since nothing is left to know them by."
        )
    if due := paying.owed(services.store(), one.id):
        many = counted(due.units, "unit") if due.per == "unit" else f"{due.minutes:g} minutes"
        st.warning(
            f"By the payment list {due.amount} {inline(due.currency)} are owed for {many}. Once"
            " erased, the list does not say to whom: take it first, under “Terms”.",
            icon=":material/payments:",
        )
    if st.button(
        "Erase it",
        type="primary",
        key="study:erase-it",
        on_click=acts.attempt,
        args=(f"study:seats:{study.id}", inviting.erase, one.id),
    ):
        st.rerun()


def _relink(study: str, seat: str, made: MadeLinks) -> None:
    with mistakes.kept(f"study:seats:{study}"):
        made.secrets[seat] = organising.new_link(services.store(), seat)


@st.dialog("Revoke this seat?", icon=":material/link_off:")
def _revoking(study: Study, one: StudySeat) -> None:
    st.markdown(f"**{inline(one.name, 120)}**")
    st.markdown(
        "**What ends:** the link, at once and for good. Unfinished answers are not submitted."
    )
    st.markdown(
        "**What stays:** every answer that was submitted; it counts. The other units go to others."
    )
    if st.button(
        "Revoke it",
        type="primary",
        key="study:revoke-it",
        on_click=acts.attempt,
        args=(f"study:seats:{study.id}", organising.take_back, one.id),
    ):
        st.rerun()


def _lacking(study: Study) -> None:
    """Say what no expert is left to answer, and reassign it, or say why that does not help."""
    mistake = f"study:redeal:{study.id}"
    lacking = organising.lacking(services.store(), study.id)
    if not lacking:
        return
    st.warning(unassigned(lacking), icon=":material/assignment_late:")
    st.button(
        "Reassign them",
        icon=":material/shuffle:",
        key="study:redeal",
        on_click=acts.attempt,
        args=(mistake, organising.reassign, study.id),
    )
    mistakes.shown(mistake)


# -- participants whom a service such as Prolific sends ------------------------------------------


def _recruited(study: Study) -> None:
    """Draw how places are made, and the link while this tab knows it."""
    key = f"study:recruit:{study.id}"
    made = made_links.of(study)
    with st.expander("Recruit on Prolific", icon=":material/groups:", expanded=bool(made.joining)):
        st.caption(
            "One link for all: each participant id gets a place of its own. Ids are kept apart from"
            " answers. Set the completion code and the return address under “Terms”."
        )
        st.number_input("Further places", 0, recruiting.MOST, 0, key=f"{key}:places")
        st.button(
            "Make places and a new link",
            icon=":material/link:",
            key=f"{key}:make",
            on_click=_recruit,
            args=(study.id, made, f"{key}:places"),
            help=ANEW,
        )
        if any(one.recruited for one in services.store().people.of(study.id).values()):
            st.button(
                "New link, same places",
                icon=":material/key:",
                key=f"{key}:anew",
                type="tertiary",
                on_click=_recruit,
                args=(study.id, made),
                help=ANEW,
            )
        mistakes.shown(key)
        if made.joining and not made_links.recruiting_link_works(study):
            st.info(
                "The link that this tab made works no longer: a newer one was drawn elsewhere. Use"
                " that one.",
                icon=":material/link_off:",
            )
        elif made.joining:
            st.markdown("Shown this once; Prolific fills in what stands in braces:")
            st.code(
                recruiting_link(shell_links.base(), made.joining), language=None, wrap_lines=True
            )
            shell_links.draw_local("This link works")


def _recruit(study: str, made: MadeLinks, box: str = "") -> None:
    """Draw a new link, first as many places as a box asks for by now; a callback."""
    store, places = services.store(), int(st.session_state[box]) if box else 0

    def act() -> str:
        with store.connections.writing():
            recruiting.make_places(store, study, places)
            return recruiting.draw_link(store, study)

    with mistakes.kept(f"study:recruit:{study}"):
        if box and not places:
            raise BadInput("Enter how many places to make.")
        made.joining = do_once("study:recruiting", [study, places], act)
