"""Runs of one method, newest first, each a link to its view."""
import streamlit as st

from components import services
from components.states import PAGES, badge
from components.text import ago, inline
from core.records import Run


def draw(method: str, heading: str, empty: str) -> None:
    """Draw the list, or say what to do when there is nothing to list."""
    st.subheader(heading)
    found = services.store().runs.listed(method=method, limit=8)
    if not found:
        st.info(empty)
    for run in found:
        with st.container(border=True, gap="xsmall"):
            st.page_link(PAGES[method], label=inline(run.title, 80), query_params={"run": run.id})
            st.markdown(f"{badge(run)} :gray[{detail(run)}{ago(run.created)}]")


def detail(run: Run) -> str:
    """Say what sets a run apart from others of the same title: the quality it improves, the model that answers."""
    goal = run.config.inputs.get("goal")
    quality = f"{inline(str(goal['name']), 40)} · " if isinstance(goal, dict) else ""
    model = run.config.models["main"]
    return quality + (f"{inline(model, 40)} · " if model != "builtin" else "")
