"""What a case study asks of the browser: its keys, and an address that says the moment that is
seen.
"""

from collections.abc import Callable

import streamlit as st

KEYS = ("ArrowLeft", "ArrowRight", " ", "Home", "End")
LEAVE = "Escape"
"""Leaves the projector; elsewhere it is the browser's."""
# On the window, and so before the keys of the screen that is played. The space bar is left to what
# has the focus and is pressed by it.
LISTENS = """
const TYPED = "input:not([type=radio]):not([type=checkbox]), textarea, select, " +
  "[contenteditable=true], [role=textbox], [role=combobox], [role=listbox], " +
  "[role=slider], [role=menu], [role=tablist], [role=dialog]"
const PRESSED = "button, a, summary, input, " +
  "[role=button], [role=radio], [role=radiogroup], [role=link]"
const LISTENERS = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const before = LISTENERS.get(parentElement)
  if (before) window.removeEventListener("keydown", before, true)
  const heard = (event) => {
    const at = event.target instanceof Element ? event.target : document.body
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.isComposing || !data.keys.includes(event.key) || at.closest(TYPED)) return
    if (event.key === " " && at.closest(PRESSED)) return
    if (event.key !== " " && event.key !== "Escape" && at.closest("[role=radiogroup]")) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat || event.key !== " ") setTriggerValue("pressed", event.key)
  }
  LISTENERS.set(parentElement, heard)
  window.addEventListener("keydown", heard, true)
  return () => window.removeEventListener("keydown", heard, true)
}
"""
# Streamlit would add a page to the browser's history each time: the way back would be a second
# long.
SAYS = """
export default function ({ data }) {
  const address = new URL(window.location.href)
  if (address.searchParams.get("at") === data.at) return
  address.searchParams.set("at", data.at)
  window.history.replaceState(window.history.state, "", address)
}
"""


def listen(pressed: Callable[[str], None], projector: bool = False) -> None:
    """Call `pressed` with one of KEYS, on the projector LEAVE too, before the next drawing whenever
    it is pressed where nobody types or chooses.
    """

    def tell() -> None:
        if key := st.session_state["case:keys"].pressed:
            pressed(str(key))

    st.components.v2.component("case_keys", js=LISTENS)(
        key="case:keys",
        data={"keys": [*KEYS, LEAVE] if projector else KEYS},
        height=1,
        on_pressed_change=tell,
    )


def say(seconds: float) -> None:
    """Make the address say this second, so that a link or a reload restores the moment."""
    st.components.v2.component("case_address", js=SAYS)(
        key="case:address", data={"at": f"{seconds:.1f}"}, height=1
    )
