"""A run that an address names: it may have been deleted since the link was made."""

import streamlit as st

from components.cases import listing as case_list
from components.shell.text import inline
from core.errors import BadInput
from core.records import Run


def found(run_id: str, page: str, label: str) -> Run | None:
    """Return the run; where there is none, say so, draw the way to the list on this page and to all
    runs, and return None.
    """
    try:
        return case_list.there(run_id)
    except BadInput:
        st.error(
            f"There is no run {inline(run_id, 40)} here. It was deleted, or it is kept in another"
            " data folder.",
            icon=":material/error:",
        )
    with st.container(horizontal=True):
        for path, said in {page: label, "pages/runs.py": "All runs"}.items():
            st.page_link(path, label=said, icon=":material/arrow_back:")
    return None
