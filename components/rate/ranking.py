"""Putting ideas in order: an unranked pool, numbered places, ties allowed, all by buttons."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.rate.opinions import CRITERIA
from components.shell import address
from components.shell import ordering as order
from components.shell.frame import VISIT
from components.shell.ordering import Order
from components.shell.text import counted, inline, shown
from core.records import Idea, Ranking, label

PARAM = "order"
HELD = "rate:order"
"""The order as it stands, with the visit of the page it was begun in; each step in the address
would be a page to go back through.
"""
WHOLE = "Overall"


class Move(NamedTuple):
    """A button: what it does, and the order it leads to."""

    name: str
    icon: str
    to: Order
    off: bool = False


def criterion() -> str:
    """Draw what the ideas are ranked by and return it."""
    chosen = st.selectbox(
        "Rank by",
        (WHOLE, *CRITERIA),
        key="rate:rank-by",
        accept_new_options=True,
        bind="query-params",
        help="Type to add one of your own.",
    )
    return " ".join(str(chosen or WHOLE).split())[:80]


class Named(NamedTuple):
    """An idea of the set: its id, its name in the set, and its text."""

    id: str
    name: str
    idea: Idea


def board(
    titles: Mapping[str, str], texts: Mapping[str, Idea], criterion: str, rater: str
) -> Ranking | None:
    """Draw pool and places, each idea to be unfolded, and return the ranking once it is handed
    in.
    """
    ideas = {one: Named(one, title, texts[one]) for one, title in titles.items()}
    now = order.read(_written(), tuple(titles))
    address.replace(PARAM, order.written(now))
    pool = [one for one in titles if not any(one in group for group in now)]
    left, right = st.columns([4, 7], gap="medium")
    with left:
        st.markdown(f"**Not ranked yet ({len(pool)})**")
        for one in pool:
            _row(
                ideas[one],
                (Move("Place", ":material/arrow_forward:", order.placed(now, one)),),
            )
        if not pool:
            st.caption("Every idea has a place.")
        elif len(pool) > 1 or now:
            st.button(
                "Place the rest as they stand" if now else "Place all as they stand",
                icon=":material/playlist_add:",
                key="rate:place-rest",
                on_click=keep,
                args=((*now, *((one,) for one in pool)),),
            )
    with right:
        st.markdown("**Places, best first**")
        if not now:
            st.caption("Place an idea from the left; the next one goes below it.")
        _places(now, ideas)
        return _hand_in(now, pool, criterion, rater)


def _places(now: Order, ideas: Mapping[str, Named]) -> None:
    before = 0
    for n, group in enumerate(now):
        with st.container(border=True, gap="xsmall"):
            st.caption(
                f"Place {before + 1}" + (f", a tie of {len(group)}" if len(group) > 1 else "")
            )
            for one in group:
                top, bottom = (len(group) == 1 and n == end for end in (0, len(now) - 1))
                up, down = (order.moved(now, one, by) for by in (-1, 1))
                together, out = order.tied(now, one), order.without(now, one)
                moves = (
                    Move("Up", ":material/arrow_upward:", up, top),
                    Move("Down", ":material/arrow_downward:", down, bottom),
                    Move("Tie with the place above", ":material/drag_handle:", together, n == 0),
                    Move("Take out", ":material/close:", out),
                )
                _row(ideas[one], moves)
        before += len(group)


def _row(one: Named, moves: Sequence[Move]) -> None:
    widths = [7.0, 3.0] if len(moves) == 1 else [10 - 1.4 * len(moves), *[1.4] * len(moves)]
    name, *buttons = st.columns(widths, vertical_alignment="center", gap="xsmall")
    with name.expander(inline(one.name, 120), key=f"rate:read:{one.id}", type="compact"):
        for field, text in one.idea.fields.items():
            st.markdown(f"**{label(field)}**\n\n{shown(text)}")
    for column, move in zip(buttons, moves, strict=True):
        column.button(
            "" if len(moves) > 1 else move.name,
            icon=move.icon,
            key=f"rate:{move.name}:{one.id}",
            help=move.name if len(moves) > 1 else None,
            disabled=move.off,
            on_click=keep,
            args=(move.to,),
        )


def _written() -> str:
    """Return the order as it stands; where one comes to the page, what the address says leads."""
    visit = st.session_state.get(VISIT)
    then, held = st.session_state.get(HELD, (None, ""))
    if then != visit:
        held = st.query_params.get(PARAM, "") or held
        st.session_state[HELD] = visit, held
    return str(held)


def keep(now: Order) -> None:
    """Remember the order."""
    st.session_state[HELD] = st.session_state.get(VISIT), order.written(now)


def _hand_in(now: Order, pool: list[str], criterion: str, rater: str) -> Ranking | None:
    if pool and now:
        st.caption(f"Without a place, and left out of this ranking: {counted(len(pool), 'idea')}.")
    if not st.button(
        "Submit the ranking", type="primary", icon=":material/check:", key="rate:rank"
    ):
        return None
    if not rater:
        st.warning("Write your name at the top first: every answer is kept with its rater.")
        return None
    if sum(map(len, now)) < 2:
        st.warning("Place at least two ideas.")
        return None
    return Ranking(groups=now, criterion=criterion, rater=rater)
