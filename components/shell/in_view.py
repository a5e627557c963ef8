"""Bringing into view what a choice has opened further down or up the page."""

import streamlit as st

# A choice that is drawn again with the page moves nothing: each wish is followed once.
FOLLOWS = """
const SEEN = new WeakMap()

export default function ({ data, parentElement }) {
  if (!data.wish || SEEN.get(parentElement) === data.wish) return
  SEEN.set(parentElement, data.wish)
  const page = document.querySelector("[data-testid=stMain]")
  const target = document.querySelector(`.st-key-${data.target}`)
  if (!page || !target) return
  const { top } = target.getBoundingClientRect()
  const whole = page.clientHeight
  if (top < 60 || top > whole / 2) page.scrollBy({ top: top - 70 })
}
"""
WISH = "in-view:wish"


def wish(target: str) -> None:
    """Let the next drawing show the container of this key; for callbacks."""
    number = st.session_state.get(WISH, ("", 0))[1] + 1
    st.session_state[WISH] = target, number


def follow(place: str) -> None:
    """Bring what was wished for into view, once; drawn after the containers of `place`."""
    target, number = st.session_state.get(WISH, ("", 0))
    st.components.v2.component("in-view", js=FOLLOWS)(
        key=f"in-view:{place}", data={"wish": number, "target": target}, height=1
    )
