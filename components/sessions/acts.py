"""What can be done with a whole session: open, close, unblind, copy, remove; each asked about once,
and done once however often it is pressed.
"""

from collections.abc import Callable

import streamlit as st

from components.sessions.words import unassigned
from components.shell import mistakes, person, services
from components.shell.clicks import do_once
from components.shell.text import counted, inline
from core.errors import BadInput
from core.records import Study
from core.studies import organising

REMOVED = "study:removed"
SEEN = "study:seen"
"""What an organiser saw of a draft as they pressed to open it."""
COPY = "study:copied"
"""The copy that is to be opened."""


def key(study: Study) -> str:
    """Return where what went wrong with a session is kept."""
    return f"study:acts:{study.id}"


def draw(study: Study) -> None:
    """Draw what can be done from the head of a session."""
    if copy := st.session_state.pop(COPY, ""):
        st.query_params["session"] = copy
        st.rerun()
    if study.state == "open" and st.button(
        "Close the session", icon=":material/lock:", key="study:close"
    ):
        _closing(study)
    with st.popover("More", icon=":material/more_horiz:"):
        st.button(
            "Copy as a new draft",
            icon=":material/content_copy:",
            key="study:copy",
            type="tertiary",
            on_click=_copy,
            args=(study,),
            help="With the same plan and texts; labels are drawn anew, seats and answers stay.",
        )
        if st.button(
            "Remove",
            icon=":material/delete:",
            key="study:remove",
            type="tertiary",
            disabled=study.state == "open",
            help="Close it first." if study.state == "open" else None,
        ):
            _removing(study)


def open_it(study: Study) -> None:
    """Draw the button that opens a draft."""
    # The press says what was on the screen; the page is drawn anew before the question is.
    if st.button(
        "Open the session",
        type="primary",
        icon=":material/lock_open:",
        key="study:open",
        on_click=_saw,
        args=(organising.preparation(services.store(), study.id),),
    ):
        _opening(study, str(st.session_state.get(SEEN, "")))


def _saw(preparation: str) -> None:
    st.session_state[SEEN] = preparation


# -- opening and closing -----------------------------------------------------------------------


@st.dialog("Open this session?", icon=":material/lock_open:")
def _opening(study: Study, seen: str) -> None:
    seats = [one for one in services.store().seats.of(study.id) if not one.model]
    st.markdown(f"**{inline(study.plan.name, 160)}**")
    st.markdown(
        "**What is frozen:** the texts, the criteria, what experts read, and the numbers. To change"
        " any of it later, copy the session."
    )
    st.markdown(
        "**What begins:** the units are handed out, and the links of"
        f" {counted(len(seats), 'expert')} open. Sources stay hidden, from you too, until the"
        " session is closed. Seats can be added while it is open."
    )
    if st.button(
        "Open",
        type="primary",
        key="study:open-it",
        on_click=_open,
        args=(study, seen),
    ):
        st.rerun()


@st.dialog("Close this session?", icon=":material/lock:")
def _closing(study: Study) -> None:
    experts, models = _left(study)
    st.markdown(f"**{inline(study.plan.name, 160)}**")
    st.markdown(
        "**What ends:** every link. No answers can be given or changed any more, and this cannot"
        " be undone."
    )
    by = [
        f"{counted(left, 'unit')} on the lists of {whose}"
        for left, whose in ((experts, "experts"), (models, "model judges"))
        if left
    ]
    st.markdown(
        f"**What stays:** everything that was submitted. Not done yet: {' and '.join(by)}."
        if by
        else "**What stays:** everything that was submitted; the lists of all who are at work are"
        " done."
    )
    if lacking := organising.lacking(services.store(), study.id):
        st.markdown(f"**What stays undone:** {unassigned(lacking)}")
    if st.button(
        "Close it",
        type="primary",
        key="study:close-it",
        on_click=_close,
        args=(study,),
    ):
        st.rerun()


def _left(study: Study) -> tuple[int, int]:
    """Return how many units experts, and model judges, still have to do: nothing is left on a seat
    that has ended.
    """
    store = services.store()
    far = store.study_work.far(study.id)
    left = [0, 0]
    for seat in store.seats.of(study.id):
        if seat.step not in organising.LEFT:
            done, whole = far.get(seat.id, (0, 0))
            left[bool(seat.model)] += whole - done
    return left[0], left[1]


# -- unblinding --------------------------------------------------------------------------------


def unblinding(study: Study) -> None:
    """Draw the way to the sources of a closed session; who goes it is written down."""
    st.markdown("##### Sources are hidden still")
    st.markdown(
        "Figures by label stay as they are. To see figures by source, reveal the sources. The time"
        " and your name are recorded. Decide first which answers count and which figures you will"
        " report."
    )
    with st.form("study:unblind", width=520):
        person.is_called(
            st.text_input(
                "Your name, kept with the act",
                value=person.given(),
                max_chars=80,
                key="study:unblinded-by",
            )
            or ""
        )
        st.form_submit_button(
            "Reveal sources",
            type="primary",
            icon=":material/visibility:",
            key="study:unblind-it",
            on_click=_unblind,
            args=(study,),
        )
    mistakes.shown("study:unblind")


def _unblind(study: Study) -> None:
    by = " ".join(str(st.session_state.get("study:unblinded-by") or "").split())
    with mistakes.kept("study:unblind"):
        if not by:
            raise BadInput("Enter your name: it is recorded who reveals the sources.")
        store = services.store()
        # Two clicks may be at work at once: who looks second must see what the first has done.
        with store.connections.writing():
            if not store.studies.get(study.id).unblinded:
                organising.unblind(store, study.id, by)


# -- copying and removing ----------------------------------------------------------------------


def _copy(study: Study) -> None:
    store = services.store()
    with mistakes.kept(key(study)):
        # Two clicks may be at work at once: who comes second must see what the first has done.
        with store.connections.writing():
            copy = do_once("study:copying", study.id, lambda: organising.copied(store, study.id).id)
        st.session_state[COPY] = copy


@st.dialog("Remove this session?", icon=":material/delete:")
def _removing(study: Study) -> None:
    st.markdown(f"**{inline(study.plan.name, 160)}**")
    st.markdown(
        "**What goes:** its plan, its seats and their links, every answer, and what happened in it."
        " This cannot be undone."
    )
    st.markdown("**What stays:** the texts, and the collections they came from.")
    if st.button(
        "Remove it", type="primary", key="study:remove-it", on_click=_remove, args=(study,)
    ):
        st.rerun()


def attempt(mistake: str, act: Callable[..., object], *given: object) -> None:
    """Do something to the store, and keep what went wrong for the screen; a callback."""
    with mistakes.kept(mistake):
        act(services.store(), *given)


def _open(study: Study, seen: str) -> None:
    """Open a session as it was on the screen, once; a callback."""
    store = services.store()
    with mistakes.kept(key(study)):
        if store.studies.get(study.id).state == "draft":
            organising.open_study(store, study.id, seen)


def _close(study: Study) -> None:
    """Close a session, once; a callback."""
    store = services.store()
    with mistakes.kept(key(study)):
        if store.studies.get(study.id).state == "open":
            organising.close(store, study.id)


def _remove(study: Study) -> None:
    with mistakes.kept(key(study)):
        organising.remove(services.store(), study.id)
        st.session_state[REMOVED] = study.plan.name
        st.query_params.pop("session", None)
