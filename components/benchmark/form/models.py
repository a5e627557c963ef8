"""Choosing the models that write ideas, and which of them reason in the open."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.runs.models import several
from components.shell import cached, services
from components.shell.widget_state import put
from core.records import Entrant

MOST = 99
MODEL = "provider:model, such as ollama:llama3.1 or openai:gpt-4o-mini."


def draw() -> tuple[Entrant, ...]:
    """Draw the choice and return who writes."""
    names = several(
        "Models that write",
        "bench:models",
        "generator",
        (services.workshop().chosen("generator"),),
        MODEL,
        MOST,
    )
    if all(one.provider == "builtin" for one in cached.reach()):
        st.caption(
            "No language model can be reached: there is no key, and no model server answers."
        )
        st.page_link("pages/settings.py", label="Connect a language model", icon=":material/tune:")
    key = "bench:marked"
    put(key, [name for name in st.session_state.get(key, []) if name in names])
    return mark(names, key, persist_state="session")


def mark(names: Sequence[str], key: str, **more: Any) -> tuple[Entrant, ...]:
    """Draw the choice of those that reason in the open, and return all with their mark."""
    marked = st.multiselect(
        "Models that write their reasoning into the answer",
        names,
        key=key,
        select_all=False,
        placeholder="None",
        help=(
            "Such a model writes its reasoning into the answer. It is told to put its idea after a"
            " final-answer marker, and only what follows the marker is judged."
        ),
        **more,
    )
    return tuple(Entrant(model=name, marked=name in marked) for name in names)
