"""A slide of the projector: texts in the largest type in which all of them fit on one screen."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import streamlit as st

from components.shell.text import inline, shown
from core.records import label

ROOM, ACROSS = 14.6, 94
"""How many lines of how many letters fit below the controls at the usual size of the projector, on
1280 by 720 pixels.
"""
SIZES = {"xl": 1.3, "l": 1.1, "m": 0.94, "s": 0.8, "xs": 0.7}
"""Sizes of type, as parts of the usual one; the last is as small as can still be read from the back
of a room.
"""
SMALLEST = "xs"
BETWEEN = 0.4
"""Lines that a paragraph is apart from the next."""
STYLE = (
    "html { font-size: 150% } [data-testid='stHeader'], [data-testid='stSidebar'] { display: none }"
    " [data-testid='stMainBlockContainer'] { max-width: 78rem; padding: 0.6rem 2rem 0.2rem }"
    " [data-testid='stMainBlockContainer'] > [data-testid='stVerticalBlock'] { gap: 0.3rem } h3 {"
    " padding: 0 0 0.5rem !important } .st-key-case-controls, .st-key-case-progress { zoom: 0.66 } "
    + " ".join(f".st-key-case-slide-{name} {{ zoom: {size} }}" for name, size in SIZES.items())
)


class Block(NamedTuple):
    """A paragraph: its Markdown, and how many letters of it are seen."""

    said: str
    letters: int


def words(text: str, name: str = "") -> Block:
    """Return untrusted text as a paragraph, under a name."""
    lead = f"{label(name)}. " if name else ""
    return Block((f"**{inline(label(name))}.** " if name else "") + shown(text), len(lead + text))


def point(text: str, sign: str = "") -> Block:
    """Return untrusted text as an entry of a list, behind a sign in Markdown."""
    return Block(
        f"{sign} {inline(text, 3000)}" if sign else f"- {inline(text, 3000)}", len(text) + 4
    )


def size(blocks: Sequence[Block], room: float = ROOM) -> str | None:
    """Return the largest size in which the blocks fit, or None if they do not fit in the
    smallest.
    """
    for name, scale in SIZES.items():
        lines = sum(ceil(block.letters * scale / ACROSS) + BETWEEN for block in blocks)
        if lines * scale <= room:
            return name
    return None


def draw(blocks: Sequence[Block], sized: str | None = None) -> None:
    """Draw blocks in the size that was found for them, or that fits."""
    with st.container(key=f"case-slide-{sized or size(blocks) or SMALLEST}", gap="xsmall"):
        for block in blocks:
            st.markdown(block.said)
