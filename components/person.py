"""Who sits at this screen, as far as they said: given once, kept with every note, wish and answer."""
import streamlit as st

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
    """Keep a name that was typed."""
    if name.strip():
        st.session_state[NAME] = name.strip()
