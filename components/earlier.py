"""Runs of one method, newest first, each a link to its view."""
import streamlit as st

from components import services
from components.home import VIEW
from components.states import badge
from components.text import ago, inline


def draw(method: str, heading: str, empty: str) -> None:
    """Draw the list, or say what to do when there is nothing to list."""
    st.subheader(heading)
    found = services.store().runs.listed(method=method, limit=8)
    if not found:
        st.info(empty)
    for run in found:
        with st.container(border=True, gap="xsmall"):
            st.page_link(VIEW[method], label=inline(run.title, 80), query_params={"run": run.id})
            st.markdown(f"{badge(run)} :gray[{ago(run.created)}]")
