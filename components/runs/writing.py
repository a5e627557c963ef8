"""Text that is still being written, drawn as far as it goes."""

import streamlit as st
from pydantic_core import from_json

from components.shell.text import inline, shown
from core.models.thoughts import waits
from core.records import label
from core.store.steps import Partial


def draw(part: Partial) -> None:
    """Draw a reply while it is written: what is waited for, and the fields so far."""
    if part.note:
        st.caption(
            f":material/{'hourglass_top' if waits(part.note) else 'psychology'}:"
            f" {inline(part.note)}"
        )
    try:
        reply = (
            from_json(part.text, allow_partial="trailing-strings")
            if part.text.lstrip().startswith("{")
            else part.text
        )
    except ValueError:
        reply = part.text
    fields(reply)


def fields(reply: object) -> None:
    """Draw a reply of any shape, its texts as text."""
    if isinstance(reply, str):
        st.markdown(shown(reply))
    for name, said in reply.items() if isinstance(reply, dict) else ():
        if isinstance(said, str) and said:
            st.markdown(f"**{inline(label(name))}.** {shown(said)}")
        elif isinstance(said, list) and said:
            st.markdown(
                f"**{inline(label(name))}**\n"
                + "\n".join(f"- {inline(_entry(one), 1500)}" for one in said)
            )


def _entry(one: object) -> str:
    # Half written, or from a model that keeps to no schema: an entry may be anything.
    if not isinstance(one, dict):
        return str(one)
    said = next(
        (str(one[key]) for key in ("text", "passage", "how", "meaning") if one.get(key)), ""
    )
    return f"{one['id']}: {said}" if said and isinstance(one.get("id"), str) else said
