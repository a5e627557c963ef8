"""What of a run is looked at: a row of choices, and the row of a run's views with its export."""

from collections.abc import Mapping
from typing import Any, TypeVar

import streamlit as st

from components.runs import export
from core.records import Run

K = TypeVar("K")


def row(label: str, names: Mapping[K, str], key: str, **more: Any) -> K | None:
    """Draw a row of choices, one of them always picked; its label is for screen readers."""
    picked: K | None = st.segmented_control(
        label,
        list(names),
        key=key,
        format_func=names.__getitem__,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        **more,
    )
    return picked


def draw(
    run: Run, page: str, names: Mapping[str, str], key: str, exports: bool = True, **more: Any
) -> str:
    """Draw the views of a run, and return the one that is looked at: the first, if none is picked.

    Beside them is the export, which a recording that is played does not offer.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        view = row("What to look at", names, key, **more)
        st.space("stretch")
        if exports:
            with st.popover("Export", icon=":material/download:"):
                export.draw(run, page)
    return view or next(iter(names))
