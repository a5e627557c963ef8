"""The nine items as a vector, primary and secondary apart, and what reward they come to."""

from collections.abc import Mapping

import streamlit as st

from components.checklist.items import LOOKS, PENDING, ScoreLook, decided, judges, named, tally
from components.shell.text import inline
from core.judging.checklist import items_of
from core.records import ITEMS, PRIMARY, Checklist, Idea

REWARD = (
    "Lexicographic reward: s counts the primary items that hold, t all items that hold. r = s where"
    " at least four of the five primary items hold, else r = t. So r can fall from one step to the"
    " next although more primary items hold: that is how the paper defines it."
)


def draw(found: Checklist) -> None:
    """Draw every item with its score, the two tiers apart, and what decided the reward."""
    _tiers({one.item: LOOKS[one.score] for one in found.items})
    st.markdown(
        f":small[{tally(found)}. {decided(found)} Judged by {inline(judges(found), 80)}.]",
        help=REWARD,
    )


def so_far(idea: Idea | None, judged: Mapping[str, int | None]) -> None:
    """Draw the items while the idea is written or judged."""
    held = [item.name for item in (items_of(idea) if idea else ITEMS)]
    _tiers({name: LOOKS[judged[name]] if name in judged else PENDING for name in held})
    st.markdown(
        f":small[{len(judged)} of {len(held)} items judged; each is judged by itself, without"
        " knowledge of the others.]"
    )


def demands() -> None:
    """Draw the way to read what each item demands."""
    with st.popover("What the items demand", icon=":material/rule:", type="tertiary"):
        for item in ITEMS:
            st.markdown(
                f"**{inline(named(item.name))}** :gray[{item.tier}]  \n{inline(item.holds, 600)}"
            )


def _tiers(looks: Mapping[str, ScoreLook]) -> None:
    tiers = (
        [name for name in looks if name in PRIMARY],
        [name for name in looks if name not in PRIMARY],
    )
    columns = st.columns([max(1, len(names)) for names in tiers], gap="small")
    for column, names, tier in zip(
        columns, tiers, ("Primary items", "Secondary items"), strict=True
    ):
        with column, st.container(border=True, gap="xsmall"):
            st.markdown(f":small[**{tier}**]")
            for cell, name in zip(st.columns(len(names) or 1, gap="xxsmall"), names, strict=False):
                look = looks[name]
                cell.markdown(
                    f":small[{inline(named(name))}]  \n:{look.colour}[{look.icon}]"
                    f" :small[{look.word}]"
                )
