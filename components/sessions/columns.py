"""What the columns of a file of ratings stand for: guessed, said, and decided by a person; and
which raters are models.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from components.shell.text import inline
from core.errors import BadInput, MappingNeeded
from core.importing.rating_columns import HEADS, Heads, Layout, make_layout
from core.importing.rating_guess import guess_layout
from core.importing.ratings import Ratings, take_ratings
from core.importing.sheets import Sheet
from core.records import digest

NONE = "none"
PLACES = (
    ("item", "Idea"),
    ("rater", "Rater"),
    ("criterion", "Criterion"),
    ("source", "Source of the idea"),
    ("topic", "Topic"),
)
CHECKS = (
    ("repeat", "Which time"),
    ("last", "Last word"),
    ("attention", "Attention check"),
    ("kind", "Expert or model"),
)
HELP = {
    "rater": "Where no column names the rater, each row is taken for one review.",
    "source": "What an idea comes from, such as method or condition: sources are compared.",
    "attention": "Rows that say yes here are left out of every figure.",
}
SAYS: dict[Heads, str] = {
    "score": "the score",
    "criteria": "a criterion each",
    "raters": "a rater each",
    "rater:criterion": "rater:criterion",
    "criterion:rater": "criterion:rater",
}


class ColumnReading(NamedTuple):
    layout: Layout
    models: tuple[str, ...]
    scale: tuple[float, float] | None


class ColumnGuess(NamedTuple):
    """What columns may stand for, as far as their names say, and what is to be said by a person."""

    layout: Layout | None
    heads: Heads | None
    wrong: str


def draw(sheet: Sheet, key: str) -> ColumnReading | None:
    """Draw how the file is read, filled in as guessed, and return it; None, with the reason, where
    it cannot be read so. Raises BadInput.
    """
    # Tried out once a file.
    guess: ColumnGuess = st.session_state.get(f"{key}:guess") or _try(sheet)
    st.session_state[f"{key}:guess"] = guess
    with st.expander("How it is read", expanded=bool(guess.wrong), key=f"{key}:how"):
        if guess.wrong:
            st.info(inline(guess.wrong, 600), icon=":material/help:")
        layout = _layout(sheet, guess, key)
        scale = _scale(key)
    if layout is None:
        return None
    try:
        ratings = take_ratings(sheet, layout, None, scale)
    except MappingNeeded as error:
        st.info(
            inline(f"{error} Correct the columns above first; the figures follow.", 600),
            icon=":material/arrow_upward:",
        )
        return None
    st.markdown(inline(layout.said, 600))
    return ColumnReading(layout, _models(ratings, key), scale)


def _try(sheet: Sheet) -> ColumnGuess:
    try:
        layout = guess_layout(sheet)
    except BadInput as error:
        return ColumnGuess(_draft(sheet), None, f"{error} Say below what the columns stand for.")
    try:
        take_ratings(sheet, layout)
    except MappingNeeded as error:
        return ColumnGuess(
            layout,
            layout.heads,
            f"{error} Nothing was computed. Say below what the columns stand for.",
        )
    except BadInput:
        pass  # Said in its place once the columns are read so.
    return ColumnGuess(layout, layout.heads, "")


def _draft(sheet: Sheet) -> Layout | None:
    """Return what is plain from the names where the heads of the columns of scores are not."""
    try:
        return guess_layout(sheet, {"heads": "criteria"})
    except BadInput:
        return None


def _layout(sheet: Sheet, guess: ColumnGuess, key: str) -> Layout | None:
    given: dict[str, Any] = {}
    for places in (PLACES, CHECKS):
        for column, (field, label) in zip(
            st.columns(len(PLACES))[: len(places)], places, strict=True
        ):
            known = getattr(guess.layout, field, "")
            with column:
                chosen = st.selectbox(
                    label,
                    sheet.columns,
                    index=sheet.columns.index(known) if known in sheet.columns else None,
                    key=f"{key}:{field}",
                    placeholder=NONE,
                    help=HELP.get(field),
                    persist_state="session",
                )
            given[field] = chosen or ""
    given["within"] = tuple(
        st.multiselect(
            "Ideas are told apart by these columns, too",
            sheet.columns,
            default=guess.layout.within if guess.layout else (),
            key=f"{key}:within",
            placeholder=NONE,
            persist_state="session",
            select_all=False,
            help="Where ideas are numbered anew in each source or topic.",
        )
    )
    left, right = st.columns([3, 2])
    scores = left.multiselect(
        "Columns of scores",
        sheet.columns,
        default=guess.layout.scores if guess.layout else (),
        key=f"{key}:scores",
        persist_state="session",
        select_all=False,
    )
    heads = right.selectbox(
        "Their names say",
        list(HEADS),
        index=list(HEADS).index(guess.heads) if guess.heads else None,
        key=f"{key}:heads",
        placeholder="choose",
        format_func=SAYS.__getitem__,
        persist_state="session",
    )
    if not given["item"] or not scores or heads is None:
        st.info(
            "Say which column names the idea, which hold scores, and what the names of these say.",
            icon=":material/arrow_upward:",
        )
        return None
    return make_layout({**given, "scores": tuple(scores), "heads": heads})


def _scale(key: str) -> tuple[float, float] | None:
    low, high, _ = st.columns([1, 1, 3])
    least = low.number_input(
        "Lowest score", value=None, key=f"{key}:low", placeholder="any", persist_state="session"
    )
    most = high.number_input(
        "Highest score",
        value=None,
        key=f"{key}:high",
        placeholder="any",
        persist_state="session",
        help="With both, a row whose score lies outside is refused.",
    )
    return (float(least), float(most)) if least is not None and most is not None else None


def _models(ratings: Ratings, key: str) -> tuple[str, ...]:
    raters: Sequence[str] = ratings.raters
    if not raters:
        return ()
    here = f"{key}:models:{digest(raters)[:8]}"
    picked = st.multiselect(
        "Which raters are models",
        raters,
        default=sorted(ratings.models),
        key=here,
        persist_state="session",
        select_all=False,
        placeholder="none: all are people",
        help="Guessed from their names. Models do not count in the figures of the experts.",
    )
    return tuple(picked)
