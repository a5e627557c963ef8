"""Refine: three actors improve an idea, round by round."""
import streamlit as st

from components import refine_form, refine_view, services
from components.frame import frame

with frame("pages/refine.py"):
    if run_id := st.query_params.get("run"):
        refine_view.whole(services.store().runs.get(run_id))
    else:
        refine_form.draw(given_run=st.query_params.get("from", ""), given_topic=st.query_params.get("topic", ""))
