"""What is half said to a question of a run: kept in the store as it is given, so that a reload or
another browser loses nothing, until it is handed in.
"""

import json
from collections.abc import Iterable

import streamlit as st

from components.shell import services
from core.store.answers import OpenQuestion


def restored(question: OpenQuestion, key: str) -> None:
    """Put what was kept into the boxes called by this key, before they are first drawn here."""
    if _last_key(key) in st.session_state:
        return
    kept = services.store().places.choice(_choice_name(question)) or "{}"
    draft = st.session_state[_last_key(key)] = json.loads(kept)
    for name, value in draft.items():
        st.session_state.setdefault(f"{key}:{name}", value)


def keep(question: OpenQuestion, key: str, names: Iterable[str]) -> None:
    """Keep what stands in these boxes, if it is not what was kept last."""
    values = {name: st.session_state.get(f"{key}:{name}") for name in names}
    draft = {name: value for name, value in values.items() if value not in (None, "", [])}
    if draft != st.session_state.get(_last_key(key)):
        text = json.dumps(draft, ensure_ascii=False)
        services.store().places.choose(_choice_name(question), text if draft else None)
        st.session_state[_last_key(key)] = draft


def forget(question: OpenQuestion, key: str) -> None:
    """Let go of what was kept, as it is handed in; what is refused is kept again at the next
    drawing.
    """
    services.store().places.choose(_choice_name(question), None)
    st.session_state[_last_key(key)] = None


def _choice_name(question: OpenQuestion) -> str:
    return f"draft:{question.run}:{question.key}"


def _last_key(key: str) -> str:
    return f"draft:{key}"
