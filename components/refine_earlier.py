"""The refinements there are, newest first, each with what sets it apart from others of the same title."""
import streamlit as st

from components import services
from components.models import spoken
from components.states import PAGES, badge
from components.text import ago, inline
from core.methods import RefineInputs
from core.records import Run

EMPTY = "None yet. A refinement with the built-in model takes a few seconds and needs no key."


def draw() -> None:
    """Draw the newest refinements as links, or say what to do when there are none."""
    st.subheader("Refinements so far")
    found = services.store().runs.listed(method="refine", limit=8)
    if not found:
        st.info(EMPTY)
    for run in found:
        with st.container(border=True, gap="xsmall"):
            st.page_link(PAGES["refine"], label=inline(run.title, 80), query_params={"run": run.id})
            st.markdown(f"{badge(run)} :gray[{_told(run)} · {ago(run.created)}]")


def _told(run: Run) -> str:
    inputs = RefineInputs.model_validate(run.config.inputs)
    models = sorted({name for name in run.config.models.values() if name != "builtin"})
    several = [f"{inputs.lines} ideas"] if inputs.lines > 1 and inputs.only is None else []
    return " · ".join([", ".join(inline(goal.name, 40) for goal in inputs.play.goals), *several, *(spoken(name) for name in models)])
