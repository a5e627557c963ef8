"""The end of a recording: what came of it, and ways on."""

import streamlit as st

from components.cases import clock
from components.runs.states import PAGES
from components.shell import services
from components.shell.text import inline
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


def _again(run: Run) -> None:
    st.button(
        "Play again",
        icon=":material/replay:",
        key="case:again",
        on_click=clock.play,
        args=(run,),
    )
