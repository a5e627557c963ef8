"""How far the judges can be trusted: does a verdict survive the other order, a longer text, a
second asking, and another judge?
"""

import streamlit as st

from components.arena import parts
from components.shell.text import inline
from core.judging.arena.sheet import RatingsSheet, Trust
from core.records import Run, Table, Value

MEANS = {
    "Says something else in the other order": (
        "The lower the better: a verdict that changes with the order is about the place, not the"
        " text."
    ),
    "Names the opposite winner": (
        "The part of it in which one order names the one text, and the other order the other."
    ),
    "First wins, above one half": (
        "0 is no preference for a place; above 0 the first text is preferred, below 0 the second."
    ),
    "Longer wins": (
        "50 % is what chance gives. Better methods may write longer texts, so see the odds as well."
    ),
    "Odds of winning at twice the length": (
        "1 is no bias; above 1 a longer text wins more often than its method and place explain."
    ),
    "Says the same again": "The higher the better; needs repeats.",
}


def draw(_: Run, who: str, made: RatingsSheet | Trust) -> None:
    """Draw the health of each judge, then how judges agree with each other and with people."""
    if not isinstance(made, Trust):
        return
    if not made.judges.rows:
        st.info(parts.NONE["both"], icon=":material/how_to_vote:")
        return
    if who != "both":
        st.caption(
            "Judges are always shown all together: what they are held against is each other."
        )
    for row in made.judges.rows:
        _judge(made.judges, row)
    st.caption(
        "Every figure with its 95 % interval. First and longer: among votes that name a winner."
    )
    parts.files(made.judges, "arena:judges")
    st.markdown(
        "##### Agreement between judges",
        help=(
            "Over the same pairs, both orders merged. Kappa takes out what chance gives: 0 is"
            " chance, 1 is full agreement."
        ),
    )
    _agreement(
        made.agreement,
        "There is one judge only: agreement takes two, or people's votes.",
        "arena:agreement",
    )
    st.markdown("##### Agreement of models with people, by quality")
    _agreement(
        made.people,
        "It needs votes of people on pairs that models judged as well. “Votes” has the address to"
        " give to people.",
        "arena:with-people",
    )


def _judge(table: Table, row: tuple[Value, ...]) -> None:
    judge, votes, *figures = row
    name = "People" if judge.text == "people" else judge.text
    with st.container(border=True):
        st.markdown(f"**{inline(name, 100)}** :gray[{int(votes.mean or 0):,} votes]")
        for name, value in zip(table.head[2:], figures, strict=True):
            figure, words = st.columns([2, 3], gap="small")
            n = f" :gray[n = {value.n:,}]" if value.n is not None else ""
            figure.markdown(f"{name}: **{value.number}** {inline(value.interval)}{n}")
            how = f" ({inline(value.note, 200)})" if value.note else ""
            known = value.mean is not None
            words.caption(inline(MEANS[name]) + how if known else inline(value.note, 300))


def _agreement(table: Table, empty: str, key: str) -> None:
    if not table.rows:
        st.caption(empty)
        return
    parts.plain(table, key)
    if notes := dict.fromkeys(
        value.note for row in table.rows for value in row if value.mean is None and value.note
    ):
        st.caption(" ".join(inline(note, 200) for note in notes))
