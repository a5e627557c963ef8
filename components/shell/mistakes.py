"""What went wrong with something a person did, said in its place until the next try: a screen that
looks again every second would wipe it away.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from components.shell.text import inline
from core.errors import FoundryError


@contextmanager
def kept(key: str, say: Callable[[Exception], str] = str) -> Iterator[None]:
    """Keep what goes wrong in the block under a key, and forget what went wrong there before; `say`
    says it, in another language than English.
    """
    forget(key)
    try:
        yield
    except FoundryError as error:
        st.session_state[_name(key)] = say(error)


def shown(key: str) -> None:
    """Show what went wrong at the last try, if anything did."""
    if said := st.session_state.get(_name(key)):
        st.error(inline(said, 1000), icon=":material/error:")


def forget(key: str) -> None:
    """Let go of what went wrong."""
    st.session_state.pop(_name(key), None)


def _name(key: str) -> str:
    return f"mistake:{key}"
