"""What an expert is asked at the end: how familiar, how sure, what was known before, and, for sets
that hide one, which idea is by people.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from components.annotate import texts
from components.annotate.texts import title
from components.shell import mistakes, services
from core.records import Afterwards, Design, Idea, Record, Trajectory
from core.studies.sitting import GuessSet, Sitting

FAMILIAR = {1: "1 · not at all", 2: "2", 3: "3 · somewhat", 4: "4", 5: "5 · I work in it"}
SURE = {1: "1 · not at all", 2: "2", 3: "3 · somewhat", 4: "4", 5: "5 · very"}
CANNOT = "cannot tell"
PREFIX = "seat:after:"


def draw(
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
        "Anything else the organisers should know (may stay empty)",
        key=f"{PREFIX}note",
        max_chars=4_000,
        height=80,
    )
    _finish(who, sets, finish, kept)


def labels(who: Sitting, shown: tuple[str, ...]) -> dict[str, str]:
    """Return these labels with the titles of their texts."""
    store = services.store()
    held = store.studies.items(who.study)
    frozen = store.frozen.several(tuple(held[one] for one in shown), Record)
    return {
        one: title(text)
        for one in shown
        if isinstance(text := frozen[held[one]], Idea | Design | Trajectory)
    }


def _guess(one: GuessSet, n: int, of: int) -> None:
    st.markdown(f"##### Which idea of this set is by people? :gray[set {n} of {of}]")
    texts.folded(one.texts, opened=False)
    st.segmented_control(
        "Which idea is by people",
        [*(label for label, _ in one.texts), CANNOT],
        required=True,
        key=f"{PREFIX}human:{one.unit.id}",
        label_visibility="collapsed",
        format_func=lambda said: "I cannot tell" if said == CANNOT else said,
    )


def _finish(
    who: Sitting, sets: tuple[GuessSet, ...], finish: Callable[[Afterwards], None], kept: bool
) -> None:
    asked = ("familiarity", "confidence", *(f"human:{one.unit.id}" for one in sets))
    said: dict[str, Any] = {
        name: value
        for name in (*asked, "seen", "note")
        if (value := st.session_state.get(f"{PREFIX}{name}")) not in (None, "", [])
    }
    if kept:
        _keep(who.seat, said)
    missing = sum(name not in said for name in asked)
    says = f"{missing} to answer" if missing else "Finish"
    if (
        st.button(
            says, type="primary", icon=":material/check:", key="seat:finish", disabled=missing > 0
        )
        and not missing
    ):
        with mistakes.kept("seat:after"):
            finish(
                Afterwards(
                    familiarity=said["familiarity"],
                    confidence=said["confidence"],
                    seen_before=tuple(said.get("seen", ())),
                    human={one.unit.id: _label(said[f"human:{one.unit.id}"]) for one in sets},
                    note=said.get("note", ""),
                )
            )
    mistakes.shown("seat:after")


def _label(said: str) -> str:
    return "" if said == CANNOT else said


def _named(seat: str) -> str:
    return f"draft:seat:{seat}:afterwards"


def _restore(seat: str) -> None:
    if PREFIX not in st.session_state:
        for name, value in json.loads(services.store().places.choice(_named(seat)) or "{}").items():
            st.session_state.setdefault(f"{PREFIX}{name}", value)
        st.session_state[PREFIX] = True


def _keep(seat: str, said: dict[str, Any]) -> None:
    written = json.dumps(said, ensure_ascii=False) if said else None
    if written != services.store().places.choice(_named(seat)):
        services.store().places.choose(_named(seat), written)


def forget(seat: str) -> None:
    """Let go of what was half said."""
    services.store().places.choose(_named(seat), None)
