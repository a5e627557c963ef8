"""The runs a page shows, newest first, each a link to its view."""
import streamlit as st

from components import services
from components.states import PAGES, badge
from components.text import ago, inline
from core.methods import METHODS
from core.records import Run


def draw(method: str, heading: str, empty: str) -> None:
    """Draw the runs of the page that shows this method, or say what to do when there is nothing to list."""
    st.subheader(heading)
    elsewhere = tuple(name for name in METHODS if PAGES.get(name) != PAGES[method])
    found = services.store().runs.listed(without=elsewhere, limit=8)
    if not found:
        st.info(empty)
    for run in found:
        with st.container(border=True, gap="xsmall"):
            st.page_link(PAGES[method], label=inline(run.title, 80), query_params={"run": run.id})
            other = f"{METHODS[run.config.method].label} · " if run.config.method != method else ""
            st.markdown(f"{badge(run)} :gray[{other}{detail(run)}{ago(run.created)}]")


def detail(run: Run) -> str:
    """Say what sets a run apart from others of the same title: the quality it improves, the model that answers."""
    goal = run.config.inputs.get("goal")
    quality = f"{inline(str(goal['name']), 40)} · " if isinstance(goal, dict) else ""
    model = run.config.models["main"]
    return quality + (f"{inline(model, 40)} · " if model != "builtin" else "")
