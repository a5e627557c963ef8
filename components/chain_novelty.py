"""A novelty check on screen, with its evidence: what was searched for, what is nearest, what overlaps; a failed source is a state of its own."""
import streamlit as st

from components import searches
from components.text import inline, shown
from core.records import NoveltyCheck

STATES = {"novel": "green", "similar": "orange", "nothing found": "gray", "source failed": "red", "not judged": "red"}


def badge(check: NoveltyCheck) -> str:
    """Return how the check ended as a Markdown badge."""
    return f":{STATES[check.state]}-badge[{check.state}]"


def draw(check: NoveltyCheck) -> None:
    """Draw a novelty check; folded where the idea is new."""
    with st.expander(f"Novelty check, round {check.round}: {badge(check)}", expanded=check.state != "novel"):
        st.markdown(shown(check.reason))
        if check.nearest:
            near = f", similarity {check.similarity:.2f}" if check.similarity is not None else ""
            st.markdown(f"Nearest paper: **{inline(check.nearest.title)}** ({check.nearest.year or 'undated'}){near}")
        if check.overlap:
            st.markdown(f"What overlaps: {inline(check.overlap, 2000)}")
        searches.draw(check.searches)
