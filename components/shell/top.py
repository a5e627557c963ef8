"""The top of a page: where one begins to read what has just been begun."""

import streamlit as st

# Streamlit keeps how far a page is scrolled for as long as it is the same page (1.67).
GOES = """
const SEEN = new WeakMap()

export default function ({ data, parentElement }) {
  const page = document.querySelector("[data-testid=stMain]")
  if (data.opened && SEEN.get(parentElement) !== data.opened) page?.scrollTo(0, 0)
  SEEN.set(parentElement, data.opened)
}
"""
BEGUN = "top:begun"


def begun(run_id: str) -> None:
    """Let the next drawing of this run be seen from its top."""
    st.session_state[BEGUN] = run_id


def seen(run_id: str) -> None:
    """Go to the top of the page, once, if this run was begun here; drawn first of all, so that
    nothing is seen to move.
    """
    st.components.v2.component("top", js=GOES)(
        key="top",
        data={"opened": run_id if st.session_state.get(BEGUN) == run_id else ""},
        height=1,
    )
