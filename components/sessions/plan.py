"""How a session is held: what experts read, and the numbers that lists are made by."""

from typing import Any

import streamlit as st

from core.records import Kind, StudyPlan, Task
from core.studies import texts

LONGEST = 20_000


def read(key: str, task: Task, kind: Kind, given: StudyPlan) -> dict[str, str]:
    """Draw what experts read, at first what is given, and return it by name."""
    here = f"{key}:{task}:{kind}"
    title = st.text_input(
        "Title above the experts' work",
        given.title,
        key=f"{here}:title",
        max_chars=200,
        persist_state="session",
        help=(
            "The only name of the session that experts see: let it tell nothing of where the texts"
            " come from."
        ),
    )
    with st.expander(
        "What experts read before they begin: consent, instructions, a worked example",
        key=f"{here}:texts",
    ):
        st.caption(
            "Markdown: experts see it as it is meant. “Preview as an expert” shows it once the"
            " draft is set up."
        )
        consent = st.text_area(
            "Consent",
            given.consent,
            key=f"{here}:consent",
            height=220,
            max_chars=LONGEST,
            persist_state="session",
        )
        instructions = st.text_area(
            "Instructions",
            given.instructions,
            key=f"{here}:instructions",
            height=220,
            max_chars=LONGEST,
            persist_state="session",
        )
        example = st.text_area(
            "Worked example",
            given.example,
            key=f"{here}:example",
            height=220,
            max_chars=LONGEST,
            persist_state="session",
        )
    return {
        "title": (title or "").strip(),
        "consent": consent or "",
        "instructions": instructions or "",
        "example": example or "",
    }


def numbers(key: str, given: StudyPlan) -> dict[str, Any]:
    """Draw overlap, repeats, attention and practice, and return them by name."""
    one, two, three = st.columns(3)
    overlap = one.number_input(
        "Experts for every unit",
        1,
        50,
        given.overlap,
        key=f"{key}:overlap",
        persist_state="session",
        help=(
            "How many experts answer each text, pair, set or refinement. Agreement needs two at"
            " least."
        ),
    )
    repeats = two.number_input(
        "Units given twice",
        0,
        10,
        given.repeats,
        key=f"{key}:repeats",
        persist_state="session",
        help=(
            "To each expert, the second time late in the session: how far they agree with"
            " themselves."
        ),
    )
    attention = three.number_input(
        "Checks of attention",
        0,
        5,
        given.attention,
        key=f"{key}:attention",
        persist_state="session",
        help=(
            "Units that say openly what to answer. Whoever failed one can be left out of the"
            " figures."
        ),
    )
    practice = st.checkbox(
        "Begin with a practice unit, which is not kept",
        given.practice,
        key=f"{key}:practice",
        persist_state="session",
    )
    return {
        "overlap": int(overlap),
        "repeats": int(repeats),
        "attention": int(attention),
        "practice": bool(practice),
    }


def usual(task: Task, kind: Kind) -> StudyPlan:
    """Return a plan with our texts and the usual criteria."""
    return texts.standard(task, "A session", kind)
