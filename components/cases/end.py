"""The end of a recording: what came of it, and ways on."""

import streamlit as st

from components.cases import clock, slide
from components.cases.slide import words
from components.runs.states import PAGES
from components.shell import services
from components.shell.text import inline
from core.judging.claims import ending
from core.records import Outcome, Run
from core.runs.catalogue import entry
from core.story import Story


def draw(run: Run) -> None:
    """Draw what came of the run that was played, and what can be done with it."""
    outcome = Story.of(services.store(), run.id).last(Outcome)
    with st.container(border=True):
        st.markdown(
            "**:material/flag: The end.** "
            + (f"Result: {inline(outcome.idea.title, 300)}" if outcome else "")
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            _again(run)
            _link("pages/refine.py", "Refine its idea in a run of your own", "cyclone", run, "from")
            if entry(run.config).view == "chain":
                st.page_link(
                    "pages/chains.py",
                    label="Build a chain on its topic",
                    icon=":material/timeline:",
                    query_params={"topic": str(run.config.inputs["topic"])[:1500]},
                )
            _link(PAGES[run.config.method], "Open the run", "visibility", run)
            _link("pages/runs.py", "Every step of it", "list_alt", run)


def _link(page: str, label: str, icon: str, run: Run, name: str = "run") -> None:
    st.page_link(page, label=label, icon=f":material/{icon}:", query_params={name: run.id})


def large(run: Run) -> None:
    """Draw the end for the projector."""
    story = Story.of(services.store(), run.id)
    outcome, best = story.last(Outcome), story.best
    st.markdown("### :material/flag: The end")
    if outcome:
        check = best.checks[-1] if best and best.checks else None
        slide.draw([words(outcome.idea.title), words(ending(outcome, check, run.config.source))])
    else:
        slide.draw([])
    _again(run)


def _again(run: Run) -> None:
    st.button(
        "Play again",
        icon=":material/replay:",
        key="case:again",
        on_click=clock.play,
        args=(run,),
    )
