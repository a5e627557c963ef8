"""The keyboard: single keys pressed anywhere on a page, but where somebody types."""
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

# Streamlit's own shortcuts (st.button(shortcut=...)) refuse C, and need a button that is to be seen.
LISTENS = """
const BUSY = ["input", "textarea", "select", "[contenteditable=true]",
  ...["textbox", "combobox", "listbox", "slider", "menu", "tablist", "dialog", "grid"].map((role) => `[role=${role}]`)].join()
const LISTENERS = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const before = LISTENERS.get(parentElement)
  if (before) document.removeEventListener("keydown", before, true)
  const heard = (event) => {
    const at = event.target instanceof Element ? event.target : document.body
    const typing = at.closest(BUSY)
    const group = at.closest("[role=radiogroup]")
    const moves = group && event.key.startsWith("Arrow") && !data.groups.includes(group.getAttribute("aria-label"))
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || moves) return
    if ((typing && typing.type !== "radio" && typing.type !== "checkbox") || !data.keys.includes(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    setTriggerValue("pressed", event.key)
  }
  LISTENERS.set(parentElement, heard)
  document.addEventListener("keydown", heard, true)
  return () => document.removeEventListener("keydown", heard, true)
}
"""


def listen(keys: Sequence[str], pressed: Callable[[str], None], key: str, groups: Sequence[str] = ()) -> None:
    """Call `pressed` with one of `keys` (`ArrowLeft`, `c`) before the next drawing whenever it is pressed without Ctrl, Alt or Shift.

    Arrows are left to a group of choices that has the focus, but for the groups of these names.
    """
    mounted = st.components.v2.component("keys", js=LISTENS)
    mounted(key=key, data={"keys": list(keys), "groups": list(groups)}, height=1, on_pressed_change=partial(_tell, pressed, key))


def _tell(pressed: Callable[[str], None], key: str) -> None:
    said = st.session_state[key].pressed
    if said:
        pressed(str(said))
