"""Text that is still being written, drawn as far as it goes."""

from contextlib import suppress
from itertools import islice

import streamlit as st
from pydantic_core import from_json

from components.shell.text import inline, shown
from core.models.thoughts import waits
from core.records import label
from core.store.steps import Partial

MOST = 200
"""Fields of a reply, and entries of one, that are drawn while it is written: no method asks for as
many, and a model that writes without end keeps nobody waiting.
"""


def draw(part: Partial) -> None:
    """Draw a reply while it is written: what is waited for, and the fields so far."""
    if part.note:
        st.caption(
            f":material/{'hourglass_top' if waits(part.note) else 'psychology'}:"
            f" {inline(part.note)}"
        )
    reply = part.text
    if reply.lstrip().startswith("{"):
        with suppress(ValueError):
            reply = from_json(part.text, allow_partial="trailing-strings")
    fields(reply)


def fields(reply: object) -> None:
    """Draw a reply of any shape, its texts as text."""
    if isinstance(reply, str):
        st.markdown(shown(reply))
    for name, value in islice(reply.items(), MOST) if isinstance(reply, dict) else ():
        if isinstance(value, str) and value:
            st.markdown(f"**{inline(label(name))}.** {shown(value)}")
        elif isinstance(value, list) and value:
            # What has only begun to be written has no text yet.
            texts = [text for entry in value[:MOST] if (text := _in_words(entry).strip())]
            if len(value) > MOST:
                texts.append(f"and {len(value) - MOST:,} more")
            entries = "\n".join(f"- {inline(text, 1500)}" for text in texts)
            st.markdown(f"**{inline(label(name))}**\n{entries}")


def _in_words(entry: object) -> str:
    # Half written, or from a model that keeps to no schema: an entry may be anything.
    if not isinstance(entry, dict):
        return str(entry)
    texts = (entry[name] for name in ("text", "passage", "how", "meaning") if entry.get(name))
    text = str(next(texts, ""))
    return f"{entry['id']}: {text}" if text and isinstance(entry.get("id"), str) else text
