"""A literature query on screen: found, nothing found and source failed are three things."""

import streamlit as st

from components.shell.text import counted, inline
from core.records import Search

STATES = {
    "found": "",
    "nothing found": ":gray-badge[nothing found]",
    "source failed": ":red-badge[source failed]",
}


def draw(searches: tuple[Search, ...]) -> None:
    """Draw each query with how it ended and the first of what it found."""
    for search in searches:
        titles = "; ".join(inline(paper.title, 80) for paper in search.papers[:4]) + (
            " …" if len(search.papers) > 4 else ""
        )
        found = (
            f"{counted(len(search.papers), 'paper')} ({titles})"
            if search.papers
            else STATES[search.state]
        )
        st.markdown(
            f"- “{inline(search.query, 200)}”: {found}"
            + (f" {inline(search.reason)}" if search.reason else "")
            + (f" One source failed: {inline(search.partly)}" if search.partly else "")
            + (f" A second source answered: {inline(search.instead)}" if search.instead else "")
        )
