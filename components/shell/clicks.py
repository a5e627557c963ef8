"""A click that a browser reports twice."""

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

import streamlit as st

from core.records import digest

T = TypeVar("T")
TWICE = 5.0
"""Seconds in which the same wish is a second click of the same button."""


def do_once(place: str, wish: object, act: Callable[[], T]) -> T:
    """Do what a click asks for and return what came of it, or what came of the same click just
    before. `wish` is all that was asked for, in JSON; raises what `act` raises.
    """
    # Changed in place: to write to the session lets the next click in, which would not find what
    # this one did.
    last = st.session_state.setdefault(place, {})
    mark = digest(wish)
    if last.get("wish") != mark or monotonic() - last["at"] >= TWICE:
        last.update(wish=mark, made=act(), at=monotonic())
    made: T = last["made"]
    return made


def undo(place: str) -> None:
    """Forget what came of the last click, which was taken back: the next wants another."""
    st.session_state.pop(place, None)


def just_done(place: str) -> object | None:
    """Return what came of a click a moment ago, or None: a form that empties itself as it is
    submitted says nothing at the second click.
    """
    last = st.session_state.get(place, {})
    return last["made"] if last and monotonic() - last["at"] < TWICE else None
