"""What the columns of a file of ratings stand for: guessed, said, and decided by a person; and which raters are models."""
from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.text import inline
from core.entering.rating_columns import HEADS, Heads, Layout, RatingSheet, laid_out
from core.entering.rating_guess import guessed
from core.entering.ratings import taken
from core.errors import BadInput
from core.records import digest

NONE = "none"
PLACES = (("item", "Idea"), ("rater", "Rater"), ("criterion", "Criterion"), ("repeat", "Which time"), ("last", "Last word"))
SAYS: dict[Heads, str] = {"score": "the score", "criteria": "a criterion each", "raters": "a rater each", "rater:criterion": "rater:criterion",
                          "criterion:rater": "criterion:rater"}


class Reading(NamedTuple):
    layout: Layout
    models: tuple[str, ...]
    scale: tuple[float, float] | None


def draw(sheet: RatingSheet, key: str) -> Reading | None:
    """Draw how the file is read, filled in as guessed, and return it; None, with the reason, where it cannot be read so. Raises BadInput."""
    guess, wrong = _guess(sheet)
    with st.expander("How it is read", expanded=guess is None, key=f"{key}:how"):
        if wrong:
            st.info(inline(wrong, 600), icon=":material/help:")
        layout = _layout(sheet, guess, key)
        scale = _scale(key)
    if layout is None:
        return None
    st.markdown(inline(layout.said, 600))
    return Reading(layout, _models(sheet, layout, scale, key), scale)


def _guess(sheet: RatingSheet) -> tuple[Layout | None, str]:
    try:
        return guessed(sheet), ""
    except BadInput as error:
        return None, f"{error} Say below what the columns stand for."


def _layout(sheet: RatingSheet, guess: Layout | None, key: str) -> Layout | None:
    given: dict[str, Any] = {}
    for column, (field, label) in zip(st.columns(len(PLACES)), PLACES, strict=True):
        known = getattr(guess, field, "")
        with column:
            chosen = st.selectbox(label, sheet.columns, index=sheet.columns.index(known) if known in sheet.columns else None, key=f"{key}:{field}",
                                  placeholder=NONE, persist_state="session")
        given[field] = chosen or ""
    left, right = st.columns([3, 2])
    scores = left.multiselect("Columns of scores", sheet.columns, default=guess.scores if guess else (), key=f"{key}:scores", persist_state="session",
                              select_all=False)
    heads = right.selectbox("Their names say", list(HEADS), index=list(HEADS).index(guess.heads) if guess else 0, key=f"{key}:heads",
                            format_func=SAYS.__getitem__, persist_state="session")
    if not given["item"] or not scores:
        st.info("Say which column names the idea, and which hold scores.", icon=":material/arrow_upward:")
        return None
    return laid_out({**given, "scores": tuple(scores), "heads": heads})


def _scale(key: str) -> tuple[float, float] | None:
    low, high, _ = st.columns([1, 1, 3])
    least = low.number_input("Lowest score", value=None, key=f"{key}:low", placeholder="any", persist_state="session")
    most = high.number_input("Highest score", value=None, key=f"{key}:high", placeholder="any", persist_state="session",
                             help="With both, a score outside is refused, row by row.")
    return (float(least), float(most)) if least is not None and most is not None else None


def _models(sheet: RatingSheet, layout: Layout, scale: tuple[float, float] | None, key: str) -> tuple[str, ...]:
    ratings = taken(sheet, layout, None, scale)
    raters: Sequence[str] = ratings.raters
    here = f"{key}:models:{digest(raters)[:8]}"
    picked = st.multiselect("Which raters are models", raters, default=sorted(ratings.models), key=here, persist_state="session", select_all=False,
                            placeholder="none: all are people", help="Guessed by their names. No figure of the experts counts models in.")
    return tuple(picked)
