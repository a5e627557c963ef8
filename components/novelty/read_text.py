"""The text of a work that its reader read, beside what the reader made of it."""

import streamlit as st

from components.shell import services
from components.shell.text import counted, inline, shown
from core.export.novelty import FROM
from core.methods.novelty.reading import text_read
from core.records import PriorWork, Run

SHOWN = 20_000
"""Letters of a text that are shown; a screen with more of it is slow."""
BUILT_IN = "summary that was written for the built-in papers"


def unfold(run: Run, work: PriorWork, key: str) -> None:
    """Draw the text a work was read from in a box that is folded at first; nothing where it was not
    read.
    """
    if work.read_from == "nothing":
        return
    box = st.expander(
        f"What was read: its {name(work)}", icon=":material/article:", key=key, on_change="rerun"
    )
    if box.open:
        with box:
            draw(run, work)


def name(work: PriorWork) -> str:
    """Say which text of a work was read."""
    return BUILT_IN if work.read_from == "summary" else FROM[work.read_from]


def draw(run: Run, work: PriorWork) -> None:
    """Draw title, abstract and, where it was read, the whole text as the reader had it."""
    st.markdown(f"**{inline(work.paper.title, 300)}**")
    st.markdown(shown(work.paper.abstract) or ":gray[No abstract.]")
    if work.read_from != "full text":
        return
    text = text_read(services.store(), run.id, work.paper.id)
    if text is None:
        st.caption("Its full text is not kept here; read it at its source.")
        return
    length = counted(len(text), "character")
    cut = f", of which the first {SHOWN:,} are shown" if len(text) > SHOWN else ""
    st.caption(f"The full text as the reader had it, {length}{cut}:")
    with st.container(height=360):
        st.markdown(shown(text[:SHOWN]))
