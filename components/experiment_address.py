"""What of an experiment is looked at, in the address: names as they are frozen, so that a link written anywhere restores the view.

Streamlit's own binding writes labels into the address (1.67), and a cell's label changes with its state.
"""
from collections.abc import Sequence
from typing import Any

import streamlit as st


def picked(place: Any, label: str, options: Sequence[str], name: str, run: str, **more: Any) -> str | None:
    """Draw a choice that lives in the address under `name`, and return what is chosen; None is everything."""
    key = key_of(name, run)
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(name)
    if st.session_state[key] not in options:
        st.session_state[key] = None
    chosen: str | None = place.selectbox(label, options, index=None, key=key, on_change=say, args=(name, run), **more)
    return chosen


def go_to(run: str) -> None:
    """Open another run from the next drawing on; what is bound to a widget of this page leaves the address with the widget."""
    for name in ("targets", "cell"):
        st.query_params.pop(name, None)
    st.query_params["run"] = run
    st.rerun()


def key_of(name: str, run: str) -> str:
    return f"experiments:{name}:{run}"


def say(name: str, run: str) -> None:
    """Make the address say what is chosen."""
    if chosen := st.session_state.get(key_of(name, run)):
        st.query_params[name] = chosen
    else:
        st.query_params.pop(name, None)
