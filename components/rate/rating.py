"""Rating ideas from 1 to 10, one idea at a time; nothing is chosen until a person chooses it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.shell import idea_card
from components.shell.opinions import CRITERIA
from components.shell.text import inline
from core.records import Rating
from core.store.ideas import RatingGiven, Saved

SCALE = tuple(range(1, 11))
TO_EMPTY = "rate:to-empty"


def rater() -> str:
    """Draw the rater's name and return it; it stays for the session."""
    name = st.text_input(
        "Your name (kept with every answer)",
        key="rate:name",
        persist_state="session",
        max_chars=80,
        placeholder="Who is rating?",
    )
    return " ".join((name or "").split())


def criteria() -> tuple[str, ...]:
    """Draw the choice of criteria, own ones included."""
    chosen = st.multiselect(
        "Criteria",
        CRITERIA,
        default=CRITERIA,
        key="rate:criteria",
        accept_new_options=True,
        persist_state="session",
        help="Type to add a criterion of your own.",
    )
    return tuple(dict.fromkeys(name.strip()[:80] for name in chosen if name.strip()))


def which(ideas: Sequence[Saved], by_me: frozenset[str]) -> Saved:
    """Draw the way through the set and return the idea to rate now."""
    if len(ideas) == 1:
        return ideas[0]
    numbers = [str(n) for n in range(1, len(ideas) + 1)]
    at = st.segmented_control(
        "Idea", numbers, default="1", required=True, key="rate:at", bind="query-params", wrap=True
    )
    done = ", ".join(n for n, one in zip(numbers, ideas, strict=True) if one.id in by_me)
    st.caption(f"Rated by you: {done}" if done else "None rated by you yet")
    return ideas[int(at or "1") - 1]


def sheet(
    saved: Saved, criteria: Sequence[str], rater: str, before: Mapping[str, int]
) -> tuple[Rating, ...] | None:
    """Draw the idea beside its scales and return what was chosen once it is handed in; an empty
    sheet is refused.
    """
    for key in st.session_state.pop(TO_EMPTY, ()):
        st.session_state[key] = None
    left, right = st.columns(2, gap="medium")
    with left:
        idea_card.draw(saved.idea, None, "", f"rate:{saved.id}")
    said: dict[str, int] = {}
    with right:
        for name in criteria:
            earlier = f" :gray[(you said {before[name]})]" if name in before else ""
            score = st.segmented_control(
                inline(name) + earlier,
                SCALE,
                key=scale_key(saved.id, name),
                persist_state="session",
                wrap=True,
            )
            if score is not None:
                said[name] = score
        st.caption(
            f"{len(said)} of {len(criteria)} chosen. You can skip criteria. To change a rating,"
            " submit again: the latest counts."
        )
        if not st.button(
            "Submit", type="primary", icon=":material/check:", key=f"rate:submit:{saved.id}"
        ):
            return None
        if not rater:
            st.warning("Write your name at the top first: every answer is kept with its rater.")
            return None
        if not said:
            st.warning("Nothing is chosen yet. Choose a number for at least one criterion.")
            return None
    return tuple(
        Rating(idea=saved.id, criterion=one, score=score, rater=rater)
        for one, score in said.items()
    )


def empty(ratings: Sequence[Rating]) -> None:
    """Let the scales of what was handed in be empty when they are drawn next; a scale that is drawn
    can no longer be changed.
    """
    st.session_state[TO_EMPTY] = tuple(scale_key(one.idea, one.criterion) for one in ratings)


def scale_key(idea: str, criterion: str) -> str:
    """Return the key under which a half-filled scale is remembered."""
    return f"rate:scale:{idea}:{criterion}"


def mine(given: Sequence[RatingGiven], rater: str) -> dict[str, dict[str, int]]:
    """Return what this rater said last, by idea and criterion."""
    said: dict[str, dict[str, int]] = {}
    for one in given:
        if one.rating.rater == rater:
            said.setdefault(one.rating.idea, {})[one.rating.criterion] = one.rating.score
    return said
