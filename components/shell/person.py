"""Who sits at this screen, as far as they said: given once, kept with every note, wish and
answer.
"""

import streamlit as st

from components.shell.widget_state import put

NAME = "person:name"
NOBODY = "a person at this screen"
"""Who said something, where no name was given."""


def given() -> str:
    """Return the name this person gave, or an empty text."""
    return " ".join(str(st.session_state.get(NAME) or "").split())


def name() -> str:
    """Return who this person is, in a word for the records."""
    return given() or NOBODY


def is_called(name: str) -> None:
    """Keep a name that was typed, in place of an earlier one."""
    st.session_state[NAME] = name.strip()


def field(key: str, label: str = "Your name (optional)") -> None:
    """Draw a box for the name; every such box on the screen holds the same name."""
    put(key, given())
    st.text_input(
        label,
        key=key,
        max_chars=80,
        autocomplete="name",
        on_change=lambda: is_called(st.session_state[key] or ""),
    )
