"""What an expert reads and is asked before the work and after it, one step a screen: consent,
instructions, practice, the last questions, and the ends.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import texts, work
from components.annotate.place import Move
from components.annotate.rehearsal import Rehearsal
from components.annotate.texts import title
from components.shell import mistakes, services
from components.shell.text import counted, inline
from core.records import Afterwards, Record, SeatStep
from core.studies import sitting
from core.studies.effort import Effort, Seen
from core.studies.sitting import GuessSet, Sitting

ENDED: dict[SeatStep, tuple[str, str]] = {
    "done": (
        "Thank you",
        "You have finished: everything you submitted is saved. You can close this window.",
    ),
    "declined": (
        "That is fine",
        "You declined. Nothing else was stored. You can close this window.",
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


FAMILIAR = {1: "1 · not at all", 2: "2", 3: "3 · somewhat", 4: "4", 5: "5 · I work in it"}

SURE = {1: "1 · not at all", 2: "2", 3: "3 · somewhat", 4: "4", 5: "5 · very"}

CANNOT = "cannot tell"

PREFIX = "seat:after:"


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
            if st.button("Decline", key="seat:decline"):
                move("decline")


def instructions(who: Sitting, move: Move) -> None:
    """Draw how it is done, the qualities with their anchors, and one worked example."""
    with column("instructions"):
        st.title("Instructions", anchor=False)
        st.markdown(who.instructions)
        # Folded, for it stands beside the texts, or behind a question mark: the first unit should
        # be a minute away.
        if who.criteria:
            lowest, highest = who.criteria[0].ends
            alike = len({one.ends for one in who.criteria}) == 1 and who.criteria[0].scored
            ends = f"what {lowest} and {highest} mean" if alike else "how each is answered"
            with st.expander(f"The {counted(len(who.criteria), 'quality')}, and {ends}"):
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
            f":material/schedule: **{counted(mine.units, 'unit')}, about"
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
            " you can close this window at any time. Use the same link to continue where you were."
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


# -- the last questions ---------------------------------------------------------------------


def last_questions(
    who: Sitting,
    sets: tuple[GuessSet, ...],
    labels: Mapping[str, str],
    finish: Callable[[Afterwards], None],
    kept: bool,
) -> None:
    """Draw the questions; `labels` are the texts this seat was shown, by label with a title. What
    is half said is kept where `kept`.
    """
    if kept:
        _restore(who.seat)
    st.title("The last questions", anchor=False)
    st.segmented_control(
        "How familiar are you with the field of these texts?",
        list(FAMILIAR),
        format_func=FAMILIAR.__getitem__,
        required=True,
        key=f"{PREFIX}familiarity",
        width="stretch",
    )
    st.segmented_control(
        "How sure are you of your answers?",
        list(SURE),
        format_func=SURE.__getitem__,
        required=True,
        key=f"{PREFIX}confidence",
        width="stretch",
    )
    st.multiselect(
        "Did you know any of these texts before? Leave it empty if not.",
        list(labels),
        format_func=lambda one: f"{one} · {labels[one]}",
        key=f"{PREFIX}seen",
        placeholder="None of them",
    )
    for n, one in enumerate(sets, 1):
        _guess(one, n, len(sets))
    st.text_area(
        "Anything else the organisers should know (optional)",
        key=f"{PREFIX}note",
        max_chars=4_000,
        height=80,
    )
    _finish(who, sets, finish, kept)


def _guess(one: GuessSet, n: int, of: int) -> None:
    st.markdown(f"##### Which idea in this set was written by a human? :gray[set {n} of {of}]")
    texts.folded(one.texts, opened=False)
    st.segmented_control(
        "Which idea was written by a human",
        [*(label for label, _ in one.texts), CANNOT],
        required=True,
        key=f"{PREFIX}human:{one.unit.id}",
        label_visibility="collapsed",
        format_func=lambda said: "I cannot tell" if said == CANNOT else said,
    )


def titles(who: Sitting, labels: Sequence[str]) -> dict[str, str]:
    """Return the titles of texts, by label."""
    store = services.store()
    shas = store.studies.items(who.study)
    frozen = store.frozen.several(tuple(shas[label] for label in labels), Record)
    names = {}
    for label in labels:
        text = frozen[shas[label]]
        if isinstance(text, Seen):
            names[label] = title(text)
    return names


def _finish(
    who: Sitting, sets: tuple[GuessSet, ...], finish: Callable[[Afterwards], None], kept: bool
) -> None:
    asked = ("familiarity", "confidence", *(f"human:{one.unit.id}" for one in sets))
    said: dict[str, Any] = {}
    for name in (*asked, "seen", "note"):
        value = st.session_state.get(f"{PREFIX}{name}")
        if value not in (None, "", []):
            said[name] = value
    if kept:
        _keep(who.seat, said)
    missing = sum(name not in said for name in asked)
    says = f"{counted(missing, 'question')} left" if missing else "Finish"
    if (
        st.button(
            says, type="primary", icon=":material/check:", key="seat:finish", disabled=missing > 0
        )
        and not missing
    ):
        guesses = {one.unit.id: said[f"human:{one.unit.id}"] for one in sets}
        human = {unit: "" if guess == CANNOT else guess for unit, guess in guesses.items()}
        with mistakes.kept("seat:after"):
            finish(
                Afterwards(
                    familiarity=said["familiarity"],
                    confidence=said["confidence"],
                    seen_before=tuple(said.get("seen", ())),
                    human=human,
                    note=said.get("note", ""),
                )
            )
    mistakes.shown("seat:after")


def _named(seat: str) -> str:
    return f"draft:seat:{seat}:afterwards"


def _restore(seat: str) -> None:
    if PREFIX not in st.session_state:
        written = services.store().places.choice(_named(seat))
        for name, value in json.loads(written or "{}").items():
            st.session_state.setdefault(f"{PREFIX}{name}", value)
        st.session_state[PREFIX] = True


def _keep(seat: str, said: dict[str, Any]) -> None:
    written = json.dumps(said, ensure_ascii=False) if said else None
    places = services.store().places
    if written != places.choice(_named(seat)):
        places.choose(_named(seat), written)


def forget(seat: str) -> None:
    """Let go of what was half said."""
    services.store().places.choose(_named(seat), None)
