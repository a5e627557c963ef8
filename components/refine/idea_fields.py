"""An idea's fields to be rewritten by a person."""

from collections.abc import Mapping

import streamlit as st

from core.errors import BadInput
from core.records import Idea, label


def draw(idea: Idea, key: str) -> dict[str, str]:
    """Draw an idea's fields to be edited and return their texts."""
    return {
        name: (
            st.text_area(
                label(name),
                value=text,
                key=f"{key}:{name}",
                height="content",
                persist_state="session",
            )
            or ""
        )
        for name, text in idea.fields.items()
    }


def rewritten(idea: Idea, fields: Mapping[str, str]) -> Idea | None:
    """Return the idea with these texts, None where it is the same; raises BadInput for an empty
    field.
    """
    if empty := [label(name) for name, text in fields.items() if not text.strip()]:
        raise BadInput(
            f"Nothing is written under {', '.join(empty)}. Take back what was there, or say that"
            " nothing is known yet."
        )
    made = idea.model_copy(update={"fields": dict(fields)})
    return made if made != idea else None
