"""What the columns of a file of ratings stand for: guessed, said, and decided by a person; and
which raters are models.
"""

from collections.abc import Callable
from functools import cache, partial
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


Ends = tuple[float, float] | None
"""The lowest and the highest score; None lets any number stand."""
Take = Callable[[Layout, Ends], Ratings]
"""Takes the ratings as columns are said to be, the models among raters guessed; once a drawing."""


class ColumnReading(NamedTuple):
    layout: Layout
    models: tuple[str, ...]
    scale: Ends
    ratings: Callable[[], Ratings]
    """Returns them, taken once a drawing; who are models is guessed there."""


class ColumnGuess(NamedTuple):
    """What columns may stand for, as far as their names say, and what is to be said by a person."""

    layout: Layout | None
    heads: Heads | None
    wrong: str


class TakenRatings(NamedTuple):
    """What a page needs of ratings that were taken: a million of them are not held by each page
    that is open, nor taken anew each time it is drawn.
    """

    raters: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    misread: str = ""
    """Why the columns cannot be what they are said to be."""
    refused: str = ""
    """Why ratings cannot be read at all."""


def draw(sheet: Sheet, upload: str, key: str) -> ColumnReading | None:
    """Draw how the file is read, filled in as guessed, and return it; None, with the reason, where
    it cannot be read so. `upload` is what the file was handed over by. Raises BadInput.
    """

    @cache
    def take(layout: Layout, scale: Ends) -> Ratings:
        return take_ratings(sheet, layout, None, scale)

    # Tried out once a file.
    held: tuple[str, ColumnGuess] | None = st.session_state.get(f"{key}:guess")
    if held is None or held[0] != upload:
        held = st.session_state[f"{key}:guess"] = (upload, _try(sheet, take, upload, key))
    guess = held[1]
    with st.expander("How it is read", expanded=bool(guess.wrong), key=f"{key}:how"):
        if guess.wrong:
            st.info(inline(guess.wrong, 600), icon=":material/help:")
        layout = _layout(sheet, guess, key)
        scale = _scale(key)
    if layout is None:
        return None
    taken = _taken(take, layout, scale, upload, key)
    if taken.misread:
        st.info(
            inline(f"{taken.misread} Correct the columns above first; the figures follow.", 600),
            icon=":material/arrow_upward:",
        )
        return None
    if taken.refused:
        raise BadInput(taken.refused)
    st.markdown(inline(layout.said, 600))
    return ColumnReading(layout, _models(taken, key), scale, partial(take, layout, scale))


def _taken(take: Take, layout: Layout, scale: Ends, upload: str, key: str) -> TakenRatings:
    """Return what the ratings come to, taken once for each file and each way to read it."""
    mark = digest([upload, layout.digest(), scale])
    held: tuple[str, TakenRatings] | None = st.session_state.get(f"{key}:taken")
    if held is None or held[0] != mark:
        try:
            ratings = take(layout, scale)
            found = TakenRatings(ratings.raters, tuple(sorted(ratings.models)))
        except MappingNeeded as error:
            found = TakenRatings(misread=str(error))
        except BadInput as error:
            found = TakenRatings(refused=str(error))
        held = st.session_state[f"{key}:taken"] = (mark, found)
    return held[1]


def _try(sheet: Sheet, take: Take, upload: str, key: str) -> ColumnGuess:
    try:
        layout = guess_layout(sheet)
    except BadInput as error:
        return ColumnGuess(_draft(sheet), None, f"{error} Say below what the columns stand for.")
    # What is refused is said in its place, once the columns are read so.
    if misread := _taken(take, layout, None, upload, key).misread:
        return ColumnGuess(
            layout,
            layout.heads,
            f"{misread} Nothing was computed. Say below what the columns stand for.",
        )
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


def _scale(key: str) -> Ends:
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


def _models(taken: TakenRatings, key: str) -> tuple[str, ...]:
    raters = taken.raters
    if not raters:
        return ()
    here = f"{key}:models:{digest(raters)[:8]}"
    picked = st.multiselect(
        "Which raters are models",
        raters,
        default=taken.models,
        key=here,
        persist_state="session",
        select_all=False,
        placeholder="none: all are people",
        help="Guessed from their names. Models do not count in the figures of the experts.",
    )
    return tuple(picked)
