"""Lists in pages of twenty: the browser, not Python, is what a long list costs."""

from math import ceil
from typing import Any

import streamlit as st

from components.shell import in_view

ROWS = 20


def skipped(total: int, key: str) -> int:
    """Draw page numbers where one page is not enough, kept in the address, and return how many rows
    come before this page.
    """
    if total <= ROWS:
        return 0
    page = st.pagination(
        ceil(total / ROWS),
        key=key,
        bind="query-params",
        on_change=in_view.wish,
        args=(in_view.TOP,),
    )
    in_view.follow(key)
    return (page - 1) * ROWS


def first(key: str) -> None:
    """Go back to the first page, because what is listed changed."""
    if key in st.session_state:
        st.session_state[key] = 1


def filtering(page: str) -> dict[str, Any]:
    """Return what a filter of a list takes: it lives in the address, and a change of it leads back
    to the list's first page.
    """
    return {"bind": "query-params", "on_change": first, "args": (page,)}
