"""What is half said to a question of a run: kept in the store as it is given, so that a reload or
another browser loses nothing, until it is handed in.
"""

import json
from collections.abc import Iterable
from typing import Any

import streamlit as st

from components.shell import services
from core.store.answers import OpenQuestion


def restored(question: OpenQuestion, key: str) -> None:
    """Put what was kept into the boxes called by this key, before they are first drawn here."""
    if _last(key) in st.session_state:
        return
    kept: dict[str, Any] = json.loads(services.store().places.choice(_named(question)) or "{}")
    for name, value in kept.items():
        st.session_state.setdefault(f"{key}:{name}", value)
    st.session_state[_last(key)] = kept


def keep(question: OpenQuestion, key: str, names: Iterable[str]) -> None:
    """Keep what stands in these boxes, if it is not what was kept last."""
    held = {
        name: value
        for name in names
        if (value := st.session_state.get(f"{key}:{name}")) not in (None, "", [])
    }
    if held != st.session_state.get(_last(key)):
        services.store().places.choose(
            _named(question), json.dumps(held, ensure_ascii=False) if held else None
        )
        st.session_state[_last(key)] = held


def forget(question: OpenQuestion, key: str) -> None:
    """Let go of what was kept, as it is handed in; what is refused is kept again at the next
    drawing.
    """
    services.store().places.choose(_named(question), None)
    st.session_state[_last(key)] = None


def _named(question: OpenQuestion) -> str:
    return f"draft:{question.run}:{question.key}"


def _last(key: str) -> str:
    return f"draft:{key}"
