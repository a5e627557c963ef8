"""A chapter of the guide on screen, with the way to the others and to the screens it tells of;
read from assets/guide.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from components.shell.frame import MENU

WIDE = 760
"""Pixels: as much as is read with ease."""
CHAPTER, CHOICE = "chapter", "guide:chapter"
FOLDER = Path(__file__).parents[2] / "assets/guide"
PICTURE = re.compile(r"^!\[([^\]]+)\]\((pictures/[\w-]+\.png)\)$", re.MULTILINE)


class Screenshot(NamedTuple):
    """A picture of a screen: what it shows, and its file."""

    caption: str
    file: Path


class Chapter(NamedTuple):
    """A chapter: its name in the address, its heading, and its Markdown and pictures in order."""

    name: str
    title: str
    parts: tuple[str | Screenshot, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the chapters in their order; the first line of each file is its heading."""
    return tuple(_read(file) for file in sorted(FOLDER.glob("*.md")))


def _read(file: Path) -> Chapter:
    heading, _, text = file.read_text(encoding="utf-8").partition("\n")
    parts: list[str | Screenshot] = []
    end = 0
    for found in PICTURE.finditer(text):
        parts += [text[end : found.start()], Screenshot(found[1], FOLDER / found[2])]
        end = found.end()
    return Chapter(file.stem.partition("-")[2], heading.removeprefix("# "), (*parts, text[end:]))


def draw() -> None:
    """Draw the list of chapters and the one the address names, the first where it names none."""
    every = {one.name: one for one in chapters()}
    name = st.query_params.get(CHAPTER, "")
    if name not in every:
        name = next(iter(every))
    # The address says which chapter is read: links from all screens lead there.
    st.session_state[CHOICE] = name
    left, right = st.columns([1, 3], gap="large")
    with left:
        st.radio(
            "Chapter",
            list(every),
            format_func=lambda one: every[one].title.partition(":")[0],
            key=CHOICE,
            on_change=_turn,
            label_visibility="collapsed",
        )
    with right, st.container(width=WIDE):
        _chapter(every[name])


def _turn() -> None:
    st.query_params[CHAPTER] = st.session_state[CHOICE]


def _chapter(chapter: Chapter) -> None:
    st.header(chapter.title, anchor=False)
    with st.container(horizontal=True):
        for page in MENU:
            if page.chapter == chapter.name and page.path != "pages/guide.py":
                st.page_link(page.path, label=f"Open {page.title}", icon=page.icon)
    for part in chapter.parts:
        if isinstance(part, Screenshot):
            with st.container(border=True, gap="xsmall"):
                st.image(part.file, caption=part.caption, alt=part.caption, width="stretch")
        else:
            st.markdown(part)
