"""What colours mean on the chain screens: a colour is a branch, the same on the graph, in a
comparison and on the map; red is something wrong.
"""

import streamlit as st

from core.charts.style import BRANCHES as BRANCHES  # noqa: PLC0414 (screens take it from here)

INK, LINE, WRONG, FOUND = "#8a8f96", "#a9a69c", "#d1495b", "#9aa0a8"


def ink() -> str:
    """Return the colour of words in a chart: Streamlit's own is too pale for small ones."""
    return "#d5d3cd" if st.context.theme.type == "dark" else "#3d434b"


def of_branch(n: int) -> str:
    """Return a branch's colour; it is always said by name or number too."""
    return BRANCHES[(n - 1) % len(BRANCHES)]
