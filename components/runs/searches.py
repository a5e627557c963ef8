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
        found = STATES[search.state]
        if search.papers:
            titles = "; ".join(inline(paper.title, 80) for paper in search.papers[:4])
            more = " …" if len(search.papers) > 4 else ""
            found = f"{counted(len(search.papers), 'paper')} ({titles}{more})"
        line = f"- “{inline(search.query, 200)}”: {found}"
        for lead, note in (
            ("", search.reason),
            ("One source failed: ", search.partly),
            ("A second source answered: ", search.instead),
        ):
            line += f" {lead}{inline(note)}" if note else ""
        st.markdown(line)
