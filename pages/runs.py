"""Runs: everything that was asked, what it cost, and every step of it."""

import streamlit as st

from components.runs import listing as run_list
from components.runs import view as run_view
from components.shell.frame import followed, frame

with frame("pages/runs.py"):
    opened = st.query_params.get("run")
    if opened:
        if followed():
            st.query_params["run"] = opened
        run_view.draw(opened)
    else:
        if followed() and not st.query_params:
            st.query_params.clear()
        run_list.draw()
