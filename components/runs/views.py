"""What of a run is looked at: a row of choices, and the row of a run's views with its export."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from components.runs import export
from components.shell import in_view
from core.records import Run

K = TypeVar("K")


def row(
    label: str,
    names: Mapping[K, str],
    key: str,
    on_change: Callable[..., None] | None = None,
    args: Sequence[Any] = (),
    **more: Any,
) -> K | None:
    """Draw a row of choices, one of them always picked; its label is for screen readers. What is
    picked is drawn below the row, which the page brings into view (`in_view.follow`).
    """

    def chosen() -> None:
        if on_change:
            on_change(*args)
        in_view.wish(key)

    picked: K | None = st.segmented_control(
        label,
        list(names),
        key=key,
        format_func=names.__getitem__,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        on_change=chosen,
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
