"""Chains: from a topic to the idea that comes next."""
import streamlit as st

from components import chain_form, chain_view, services
from components.frame import frame

with frame("pages/chains.py"):
    if run_id := st.query_params.get("run"):
        chain_view.whole(services.store().runs.get(run_id))
    else:
        chain_form.draw(st.query_params.get("topic", ""))
