"""What came to nothing on the way of a run while the rest went on without it, and why."""

import streamlit as st

from components.shell.text import inline
from core.records import Lost
from core.story import Told


def draw(told: Told) -> None:
    """Draw every part that was lost, a line each."""
    for one in told.all(Lost):
        st.caption(
            f":material/remove_done: Failed and skipped: {inline(one.part)}."
            f" {inline(one.reason, 600)}"
        )
