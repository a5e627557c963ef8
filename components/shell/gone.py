"""A run that an address names: it may have been deleted since the link was made."""

from collections.abc import Mapping
from contextlib import suppress

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


def among(
    runs: Mapping[str, Run], given: str, key: str, page: str, label: str
) -> tuple[dict[str, Run], bool]:
    """Return the runs to choose from under a widget's `key`, with the one that the address gives,
    and whether that one is not there: then it is said, and nothing is chosen in its stead, until
    somebody chooses.
    """
    if not given or given in runs:
        return dict(runs), False
    with suppress(BadInput):
        return {given: case_list.there(given), **runs}, False
    if st.session_state.get(key) not in (None, given):
        return dict(runs), False
    st.session_state[key] = found(given, page, label)
    return dict(runs), True
