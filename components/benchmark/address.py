"""What of the benchmark page is looked at, in the address: names as they are frozen, so that a link
written anywhere restores the view.

Streamlit's own binding writes labels into the address (1.67), and labels are words that may change.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.shell import address
from components.shell.frame import followed
from core.records import Run

SECTIONS = {
    "benchmarks": "Benchmarks",
    "new": "New benchmark",
    "keyword": "One keyword",
    "published": "Published results",
}
SECTION, VIEW = "section", "view"


def open_tab(names: Mapping[str, str], place: str, key: str) -> tuple[str, Any]:
    """Draw tabs, of which the open one lives in the address under `place`, and return it: its name
    and where to draw. The first goes without saying.
    """
    asked = address.asked_for((place,))
    labels = list(names.values())
    if address.wished(key, asked) or key not in st.session_state:
        st.session_state[key] = names.get(asked[0], labels[0])
    tabs = st.tabs(labels, key=key, on_change=_say, args=(names, place, key))
    _say(names, place, key)
    n = _number(names, key)
    return list(names)[n], tabs[n]


def _say(names: Mapping[str, str], place: str, key: str) -> None:
    n = _number(names, key)
    address.say(key, (place,), (list(names)[n] if n else "",))


def _number(names: Mapping[str, str], key: str) -> int:
    """Return which tab is open, counted from 0."""
    labels = list(names.values())
    shown = st.session_state.get(key)
    return labels.index(shown) if shown in labels else 0


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
    """Open a run that was begun here from the next drawing on."""
    for name in (SECTION, VIEW):
        st.query_params.pop(name, None)
    st.query_params["run"] = run.id
    st.rerun()
