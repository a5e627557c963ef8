"""What goes on elsewhere: how many runs are active, and a word when one has ended."""

import streamlit as st

from components.shell import services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.runs.catalogue import LOOKUPS, entry

ACTIVE = "notices:active"
"""The runs that were active when this person's page last looked."""
SECONDS = 4.0
"""How often a page looks while something is active."""
WORDS = {
    "done": ":material/check_circle: Finished",
    "failed": ":material/error: Failed",
    "waiting": ":material/person_raised_hand: Waits for you",
}


def draw() -> None:
    """Draw how many runs are active, and tell of those that ended since the last look."""
    if not _active() and not st.session_state.get(ACTIVE):
        return

    @st.fragment(run_every=SECONDS)
    def look() -> None:
        now = set(_active())
        for run_id in sorted(st.session_state.get(ACTIVE, set()) - now):
            _tell(run_id)
        st.session_state[ACTIVE] = now
        if now:
            st.caption(f":material/progress_activity: {counted(len(now), 'run')} in progress")

    look()


def _active() -> list[str]:
    return services.store().runs.ids(states=("queued", "running"), without=LOOKUPS, limit=50)


def _tell(run_id: str) -> None:
    """Say that a run has ended, with the way to it; not on its own screen, which shows it."""
    if st.query_params.get("run") == run_id:
        return
    try:
        run = services.store().runs.get(run_id)
    except BadInput:
        return  # Removed since.
    screen = entry(run.config).screen
    if run.state in WORDS and screen:
        st.toast(f"{WORDS[run.state]}: [{inline(run.title, 80)}](/{screen}?run={run.id})")
