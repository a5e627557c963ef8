"""An address that a page says itself, so that a link and a reload restore what is looked at, and that the way back in the browser changes under it."""
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

LATE = 1.0
"""Seconds for which the browser may still send an address that the page has left: what a person does meanwhile is sent with it."""


@dataclass
class _Place:
    said: tuple[str, ...] | None = None
    """What the page said last."""
    left: dict[tuple[str, ...], float] = field(default_factory=dict)
    """When it left which address for another."""


def wished(key: str, asked: tuple[str, ...]) -> bool:
    """Return whether somebody wishes for this address: it is not what the page said last, nor one that it has left a moment ago."""
    held = _held(key)
    return asked != held.said and time.monotonic() - held.left.get(asked, float("-inf")) >= LATE


def asked_for(names: Sequence[str]) -> tuple[str, ...]:
    """Return what the address says under these names, empty where it says nothing."""
    return tuple(st.query_params.get(name, "") for name in names)


def say(key: str, names: Sequence[str], said: tuple[str, ...]) -> None:
    """Make the address say this under these names, where an empty text goes without saying; what it says under others stays."""
    held, before = _held(key), asked_for(names)
    if before != said:
        held.left[before] = time.monotonic()
    held.said = said
    whole = st.query_params.to_dict()
    wanted = {name: value for name, value in whole.items() if name not in names} | {name: value for name, value in zip(names, said, strict=True) if value}
    if whole != wanted:
        st.query_params.from_dict(wanted)


def _held(key: str) -> _Place:
    held: _Place = st.session_state.setdefault(f"address:{key}", _Place())
    return held
