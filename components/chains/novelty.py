"""A novelty check on screen, with its evidence: among how many papers, searched where, what is
nearest, what overlaps; a failed source is a state.
"""

import streamlit as st

from components.runs import searches
from components.shell.text import inline, shown
from core.judging.claims import (
    FEW,
    SIMILARITY,
    claim,
    found_papers,
    overlap_of,
    overlapping,
    short_claim,
)
from core.records import NoveltyCheck

COLOURS = {
    "novel": "green",
    "similar": "orange",
    "nothing found": "gray",
    "source failed": "red",
    "not judged": "red",
}


def badge(check: NoveltyCheck) -> str:
    """Return how the check ended as a Markdown badge."""
    return f":{_colour(check)}-badge[{short_claim(check)}]"


def icon(check: NoveltyCheck) -> str:
    """Return a Markdown icon in the colour of how the check ended, for before a sentence that says
    it.
    """
    return f":{_colour(check)}[:material/travel_explore:]"


def _colour(check: NoveltyCheck) -> str:
    """Return the colour of an ending; green only where the claim rests on some papers."""
    few = check.state == "novel" and found_papers(check) < FEW
    return "gray" if few else COLOURS[check.state]


def line(check: NoveltyCheck, source: str) -> str:
    """Return in one line of Markdown what the check found, among how many papers and where."""
    return inline(claim(check, source), 1_500)


def draw(check: NoveltyCheck, source: str) -> None:
    """Draw a novelty check; folded where no paper has the idea."""
    with st.expander(
        f"Novelty check, round {check.round}: {badge(check)}", expanded=check.state != "novel"
    ):
        st.markdown(line(check, source), help=SIMILARITY)
        st.markdown(shown(check.reason))
        if check.state != "similar" and (other := overlapping(check)):
            st.markdown(f"The verdict names another paper: {inline(str(other))}")
        if check.overlap:
            st.markdown(f"What overlaps: {inline(overlap_of(check), 2000)}")
        if len(check.compared) > 1:
            st.markdown(
                "Compared, the most similar first:\n"
                + "\n".join(
                    f"1. {inline(one.title, 400)} ({one.year or 'undated'}), similarity"
                    f" {one.similarity:.2f}"
                    for one in check.compared
                )
            )
        searches.draw(check.searches)
