"""What of an evolution is looked at: which view, idea, step and item; the address says it, so that a link restores it."""
import time
from collections.abc import Callable

import streamlit as st

from components.refine_address import LATE
from core.records import Run

NAMES = ("view", "line", "step", "item")
VIEWS = {"idea": "Idea", "scores": "Scores", "compare": "Compare"}


def follow(run: Run) -> None:
    """Take over what the address asks for, where it has changed and is not what this page said last."""
    asked = tuple(st.query_params.get(name, "") for name in NAMES)
    seen = f"checklist:address:{run.id}"
    # The browser may send an address that this page has left already: only a new one is somebody's wish.
    changed, st.session_state[seen] = asked != st.session_state.get(seen), asked
    late = time.monotonic() - st.session_state.get(f"checklist:left:{run.id}", {}).get(asked, -LATE) < LATE
    if changed and not late and asked != st.session_state.get(f"checklist:said:{run.id}"):
        st.session_state[_key(run)] = dict(zip(NAMES, asked, strict=True))


def say(run: Run) -> None:
    """Make the address say what is looked at; what goes without saying stays out of it."""
    said = tuple(at(run, name) for name in NAMES)
    st.session_state.setdefault(f"checklist:left:{run.id}", {})[st.session_state.get(f"checklist:said:{run.id}")] = time.monotonic()
    st.session_state[f"checklist:said:{run.id}"] = said
    held = st.query_params.to_dict()
    wanted = {name: value for name, value in held.items() if name not in NAMES} | {name: value for name, value in zip(NAMES, said, strict=True) if value}
    if held != wanted:
        st.query_params.from_dict(wanted)


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
