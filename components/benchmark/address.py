"""What of the benchmark page is looked at, in the address: names as they are frozen, so that a link
written anywhere restores the view.

Streamlit's own binding writes labels into the address (1.67), and labels are words that may change.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.shell import address, top
from components.shell.frame import followed
from core.records import Run

SECTIONS = {
    "benchmarks": "Benchmarks",
    "new": "New benchmark",
    "keyword": "One keyword",
    "published": "Published results",
}
SECTION, VIEW = "section", "view"


def opened(names: Mapping[str, str], place: str, key: str) -> tuple[str, Any]:
    """Draw tabs, of which the open one lives in the address under `place`, and return it: its name
    and where to draw. The first goes without saying.
    """
    asked = address.asked_for((place,))
    if address.wished(key, asked) or key not in st.session_state:
        st.session_state[key] = names.get(asked[0], next(iter(names.values())))
    drawn = st.tabs(list(names.values()), key=key, on_change=_say, args=(names, place, key))
    _say(names, place, key)
    open_name = next(
        (name for name, label in names.items() if label == st.session_state.get(key)),
        next(iter(names)),
    )
    return open_name, drawn[list(names).index(open_name)]


def _say(names: Mapping[str, str], place: str, key: str) -> None:
    name = next(
        (name for name, label in names.items() if label == st.session_state.get(key)),
        next(iter(names)),
    )
    address.say(key, (place,), ("" if name == next(iter(names)) else name,))


def follow(run: str, section: str) -> None:
    """Make the address bar say what a link asked for: a link from this page to this page reaches
    the script, but not the bar.
    """
    if not followed():
        return
    if run:
        st.query_params["run"] = run
    elif section in SECTIONS:
        st.query_params[SECTION] = section
    elif not st.query_params:
        st.query_params.clear()


def go_to(run: Run) -> None:
    """Open a run that was begun here from the next drawing on, at its top."""
    top.begun(run.id)
    for name in (SECTION, VIEW):
        st.query_params.pop(name, None)
    st.query_params["run"] = run.id
    st.rerun()
