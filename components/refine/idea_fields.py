"""An idea's fields to be rewritten by a person."""

from collections.abc import Mapping

import streamlit as st

from core.errors import BadInput
from core.records import Idea, label


def draw(fields: Mapping[str, str], key: str) -> dict[str, str]:
    """Draw an idea's fields to be edited and return their texts."""
    boxes = {}
    for name, text in fields.items():
        box = f"{key}:{name}"
        st.session_state.setdefault(box, text)
        boxes[name] = st.text_area(label(name), key=box, height="content", persist_state="session")
    return {name: text or "" for name, text in boxes.items()}


def refuse_empty(fields: Mapping[str, str], advice: str) -> None:
    """Raise BadInput, with this advice, where a field has no text."""
    if empty := [label(name) for name, text in fields.items() if not text.strip()]:
        raise BadInput(f"Nothing is written under {', '.join(empty)}. {advice}")


def rewritten(idea: Idea, fields: Mapping[str, str]) -> Idea | None:
    """Return the idea with these texts, None where it is the same; raises BadInput for an empty
    field.
    """
    refuse_empty(fields, "Take back what was there, or say that nothing is known yet.")
    made = idea.model_copy(update={"fields": dict(fields)})
    return made if made != idea else None
