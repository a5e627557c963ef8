"""What of an evolution is looked at: which view, idea, step and item; the address says it, so that
a link restores it.
"""

from collections.abc import Callable

import streamlit as st

from components.shell import address
from core.records import Run

NAMES = ("view", "line", "step", "item")
VIEWS = {"idea": "Idea", "scores": "Scores", "compare": "Compare"}


def follow(run: Run) -> None:
    """Take over what the address asks for, where somebody wishes for it."""
    asked = address.asked_for(NAMES)
    if address.wished(f"checklist:{run.id}", asked):
        wanted = dict(zip(NAMES, asked, strict=True))
        st.session_state[_key(run)] = wanted


def say(run: Run) -> None:
    """Make the address say what is looked at; what goes without saying stays out of it."""
    address.say(f"checklist:{run.id}", NAMES, tuple(at(run, name) for name in NAMES))


def at(run: Run, name: str) -> str:
    """Return what is asked for by this name; empty where nothing is."""
    return str(st.session_state.get(_key(run), {}).get(name, ""))


def number(run: Run, name: str, least: int, most: int) -> int | None:
    """Return a number that is asked for, or None where none is or it is out of bounds."""
    said = at(run, name)
    return int(said) if said.isdecimal() and least <= int(said) <= most else None


def go(run: Run, **wanted: str) -> None:
    """Look at something else from the next drawing on."""
    st.session_state[_key(run)] = st.session_state.get(_key(run), {}) | wanted


def chosen(run: Run, name: str, key: str, said: Callable[[object], str] = str) -> None:
    """Take over what a choice of this key now holds; a callback."""
    go(run, **{name: said(st.session_state[key])})


def _key(run: Run) -> str:
    return f"checklist:at:{run.id}"
