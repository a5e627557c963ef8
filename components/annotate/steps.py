"""What an expert reads before the work and after it, one step a screen: consent, instructions,
practice, and the ends.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import texts, work
from components.annotate.place import Move
from components.annotate.rehearsal import Rehearsal
from components.shell import services
from components.shell.text import counted, inline
from core.records import SeatStep
from core.studies import sitting
from core.studies.effort import Effort
from core.studies.sitting import Sitting

ENDED: dict[SeatStep, tuple[str, str]] = {
    "done": (
        "Thank you",
        "You have finished: everything you submitted is saved. You can close this window.",
    ),
    "declined": (
        "That is fine",
        "You do not take part, and nothing was stored but that. You can close this window.",
    ),
    "withdrawn": (
        "You have withdrawn",
        (
            "Your answers are left out of every figure. Nothing more is asked of you; you can close"
            " this window."
        ),
    ),
}
LINE = 40
"""Pixels down for a line above the work."""
READING = 820
"""Pixels across for what is read from top to bottom."""


def consent(who: Sitting, move: Move) -> None:
    """Draw what is asked and what becomes of it, and take the answer."""
    with column("consent"):
        st.title(inline(who.title), anchor=False)
        st.markdown(who.consent)
        _ahead(sitting.ahead(services.store(), who))
        with st.container(horizontal=True):
            if st.button(
                "I agree, and take part", type="primary", icon=":material/check:", key="seat:agree"
            ):
                move("agree")
            if st.button("I do not take part", key="seat:decline"):
                move("decline")


def instructions(who: Sitting, move: Move) -> None:
    """Draw how it is done, the qualities with their anchors, and one worked example."""
    with column("instructions"):
        st.title("How it is done", anchor=False)
        st.markdown(who.instructions)
        # Folded, for it stands beside the texts, or behind a question mark: the first unit should
        # be a minute away.
        if who.criteria:
            with st.expander(
                f"The {counted(len(who.criteria), 'quality')}, and what 1 and 10 mean"
            ):
                for one in who.criteria:
                    texts.criterion(one)
        with st.expander("An example"):
            st.markdown(who.example)
        if st.button(
            "Go on to a practice unit" if who.practice else "Begin",
            type="primary",
            icon=":material/arrow_forward:",
            key="seat:instructed",
        ):
            move("instructed")


def _ahead(mine: Effort) -> None:
    if mine.units:
        st.markdown(
            f":material/schedule: **{counted(mine.units, 'part')}, about"
            f" {max(1, round(mine.minutes)):,} minutes** by the length of the texts."
        )


def practice(bench: Rehearsal, move: Move) -> None:
    """Draw the practice unit, and the way on once the form was used."""
    line = st.container(
        horizontal=True, vertical_alignment="center", height=LINE, border=False, key="seat-practice"
    )
    if work.draw(bench, move, above=LINE):
        line.markdown(
            ":material/school: **Practice.** Try the form on this text. Nothing you say here is"
            " kept."
        )
        return
    with column("practised"):
        st.title("That is how it works", anchor=False)
        st.markdown(
            "Nothing of your practice was kept. From now on every change is saved as you make it:"
            " you can close this window at any time, and the same link goes on where you were."
        )
        if st.button(
            "Begin", type="primary", icon=":material/arrow_forward:", key="seat:practised"
        ):
            move("practised")


def ended(step: SeatStep) -> None:
    """Draw the end of a seat."""
    title, said = ENDED[step]
    with column("ended"):
        st.title(title, anchor=False)
        st.markdown(said)


def column(name: str) -> DeltaGenerator:
    """Return a column for what is read from top to bottom."""
    with st.container(horizontal_alignment="center"):
        return st.container(width=READING, key=f"seat-{name}")
