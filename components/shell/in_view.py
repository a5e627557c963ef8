"""Bringing into view what a choice has opened further down or up the page."""

from math import inf
from time import monotonic
from typing import NamedTuple

import streamlit as st

# A choice that is drawn again with the page moves nothing: each wish is followed once. What opens
# slowly has no height at first, what stands above it may grow, and a page that was just opened goes
# to its top (top.py), so the page looks again until a moment after all is drawn, or until somebody
# scrolls, presses or types: what moves away between the two halves of a press was not pressed.
FOLLOWS = """
const SEEN = new WeakMap()
let newest

export default function ({ data, parentElement }) {
  if (!data.wish || SEEN.get(parentElement) === data.wish) return
  SEEN.set(parentElement, data.wish)
  newest = data.wish
  const page = document.querySelector("[data-testid=stMain]")
  if (data.target === data.top) return page?.scrollTo(0, 0)
  const drawn = () => document.querySelector(".stApp")?.dataset.testScriptState === "notRunning"
  let left = 8, looks = 0, moved = false
  for (const begun of ["wheel", "pointerdown", "keydown"])
    addEventListener(begun, () => { left = 0 }, { capture: true, once: true, passive: true })
  const look = () => {
    if (left <= 0 || looks++ > 500 || newest !== data.wish) return
    if (drawn()) left -= 1
    const target = document.querySelector(`.st-key-${data.target.replace(/[^\\w-]/g, "-")}`)
    const top = target?.getBoundingClientRect().top ?? 70
    const near = moved ? Math.abs(top - 70) < 2 : top >= 60 && top <= page.clientHeight / 2
    if (!near) {
      page.scrollBy({ top: top - 70 })
      moved = true
    }
    setTimeout(look, 60)
  }
  look()
}
"""
WISH = "in-view:wish"
TOP = "in-view:top"
"""The top of the page, as what is wished for."""
LASTS, DRAWN = 5.0, 60.0
"""Seconds after which a wish is an old one: whoever comes back to a page later is not led there.
They begin when it is first drawn, which takes long on a busy machine, and not so long.
"""


class Wish(NamedTuple):
    """What is to come into view."""

    target: str
    number: int
    made: float
    drawn: float = inf
    """When it was first drawn."""

    @property
    def fresh(self) -> bool:
        """Say whether whoever made it still waits for it."""
        now = monotonic()
        return now - self.drawn < LASTS and now - self.made < DRAWN


def wish(target: str) -> None:
    """Let the next drawing show the container or widget of this key; for callbacks."""
    last: Wish | None = st.session_state.get(WISH)
    st.session_state[WISH] = Wish(target, last.number + 1 if last else 1, monotonic())


def unfolded(key: str) -> None:
    """Let the next drawing show the box of this key, if it was unfolded and not folded; for
    callbacks.
    """
    if st.session_state.get(key):
        wish(key)


def follow(place: str) -> None:
    """Bring what was wished for into view, once; drawn after the containers of `place`."""
    wished: Wish | None = st.session_state.get(WISH)
    if wished and wished.drawn == inf:
        wished = st.session_state[WISH] = wished._replace(drawn=monotonic())
    st.components.v2.component("in-view", js=FOLLOWS)(
        key=f"in-view:{place}",
        data={
            "wish": wished.number if wished and wished.fresh else 0,
            "target": wished.target if wished else "",
            "top": TOP,
        },
        height=1,
    )
