"""The top of a page: where one begins to read what has just been opened."""

import streamlit as st

# Streamlit keeps how far a page is scrolled for as long as it is the same page (1.67).
GOES = """
const SEEN = new WeakMap()

export default function ({ data, parentElement }) {
  if (SEEN.get(parentElement) === data.opened) return
  SEEN.set(parentElement, data.opened)
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}
"""

# What is opened is a page here: it is gone to the top of once, wherever it is drawn again.
ENTERS = """
let entered

export default function ({ data }) {
  if (entered === data.visit) return
  entered = data.visit
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0)
}
"""
KEY = "page-top"


def entered(visit: int) -> None:
    """Go to the top of a page that one comes to from another, once a visit: one may have left that
    at its foot. Drawn first of all, where it takes no room.
    """
    st.html(f"<style>.st-key-{KEY} {{ position: absolute; width: 0; }}</style>")
    st.components.v2.component("page-top", js=ENTERS)(key=KEY, data={"visit": visit}, height=1)


def seen(run_id: str) -> None:
    """Go to the top of the page, once, when this run is opened; drawn first of all, so that nothing
    is seen to move.
    """
    st.components.v2.component("top", js=GOES)(key="top", data={"opened": run_id}, height=1)
