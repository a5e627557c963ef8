"""The set of ideas picked to be rated: it lives in the address, as `ideas=a,b,c`; on Ideas it is
there again when one comes back by the menu.
"""

import streamlit as st

from components.shell.frame import WAS
from components.shell.widget_state import put

PARAM = "ideas"
REMEMBERED = "picked:remembered"
"""What is picked on Ideas, for as long as the window is open."""


def ids() -> tuple[str, ...]:
    """Return the picked ids, in the order they were picked."""
    remembers = st.session_state.get(WAS, ("",))[0] == "pages/ideas.py"
    if PARAM not in st.query_params:
        return st.session_state.get(REMEMBERED, ()) if remembers else ()
    named = dict.fromkeys(part for part in st.query_params[PARAM].split(",") if part)
    if remembers:
        st.session_state[REMEMBERED] = tuple(named)
    return tuple(named)


def keep(chosen: tuple[str, ...]) -> None:
    """Pick exactly these."""
    st.session_state.pop(REMEMBERED, None)
    if chosen:
        st.query_params[PARAM] = ",".join(chosen)
    else:
        st.query_params.pop(PARAM, None)


def box(idea: str, key: str, label: str = "Pick") -> None:
    """Draw the box that puts an idea into the set or takes it out."""
    put(key, idea in ids())

    def follow() -> None:
        # What the box says, not the opposite of what the address says: the browser may report one
        # click twice.
        others = tuple(other for other in ids() if other != idea)
        keep((*others, idea) if st.session_state[key] else others)

    st.checkbox(label, key=key, on_change=follow)
