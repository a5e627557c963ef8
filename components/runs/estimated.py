"""What a run is estimated to take, before it starts: what bounds it, what comes on top, and which
cap would pause it.
"""

import streamlit as st

from components.shell.text import inline
from core.runs.estimates import Estimate, paused, worded


def draw(
    guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None, label: str = "Estimated"
) -> None:
    """Say what an estimate comes to, and warn where one of the caps would pause the run."""
    st.caption(f"{label}: {inline(worded(guess), 1_000)}")
    warn(guess, cap_tokens, cap_usd)


def warn(guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None) -> None:
    """Warn where one of the caps would pause the run."""
    if said := paused(guess, cap_tokens, cap_usd):
        st.warning(inline(said, 600), icon=":material/savings:")
