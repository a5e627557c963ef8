"""What of an experiment is looked at, in the address: names as they are frozen, so that a link
written anywhere restores the view.

Streamlit's own binding writes labels into the address (1.67), and a cell's label changes with its
state.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.shell import address, in_view


def pick(
    place: Any,
    label: str,
    options: Sequence[str],
    name: str,
    run: str,
    opens: str = "",
    **more: Any,
) -> str | None:
    """Draw a choice that lives in the address under `name`, and return what is chosen; None is
    everything. What it `opens`, a container's key, is brought into view.
    """

    def pressed() -> None:
        say(name, run)
        if opens:
            in_view.wish(opens)

    key = key_of(name, run)
    if asked(name, run) not in options:
        st.session_state[key] = None
    chosen: str | None = place.selectbox(
        label, options, index=None, key=key, on_change=pressed, **more
    )
    return chosen


def asked(name: str, run: str) -> str | None:
    """Return what is chosen under a name, by a person or by an address that somebody wishes for."""
    key, names = key_of(name, run), address.asked_for((name,))
    if address.wished(key, names) or key not in st.session_state:
        st.session_state[key] = names[0] or None
    chosen: str | None = st.session_state[key]
    return chosen


def go_to(run: str) -> None:
    """Open another run from the next drawing on; what is bound to a widget of this page leaves the
    address with the widget.
    """
    for name in ("targets", "questions", "generators", "recipe", "topics", "cell"):
        st.query_params.pop(name, None)
    st.query_params["run"] = run
    st.rerun()


def key_of(name: str, run: str) -> str:
    return f"experiments:{name}:{run}"


def say(name: str, run: str) -> None:
    """Make the address say what is chosen."""
    key = key_of(name, run)
    address.say(key, (name,), (st.session_state.get(key) or "",))
