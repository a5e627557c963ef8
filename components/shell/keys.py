"""The keyboard: single keys pressed anywhere on a page, but where somebody types."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

BUSY = """
const ROLES = ["textbox", "combobox", "listbox", "slider", "menu", "tablist", "dialog", "grid"]
const BUSY = ["input", "textarea", "select", "[contenteditable=true]",
  ...ROLES.map((role) => `[role=${role}]`)].join()
"""
"""Where a key belongs to what has the focus: somebody types there, or chooses by arrows."""
TYPED = """
const TYPED = ["input:not([type=radio]):not([type=checkbox]):not([type=range])", "textarea",
  "select", "[contenteditable=true]", "[role=textbox]", "[role=combobox]"].join()
"""
"""Where every letter belongs to what has the focus: somebody types there."""
# Streamlit's own shortcuts (st.button(shortcut=...)) refuse C, and need a button that is to be
# seen.
LISTENS = (
    BUSY
    + """
const LISTENERS = new WeakMap()

// What a key asks for is drawn a moment later, and may be drawn twice: look for it a while, and
// leave it alone once somebody else has the focus.
function follow(selector) {
  let seen = null, left = 40, rests = 0
  document.addEventListener("pointerdown", () => { left = 0 }, { once: true, capture: true })
  const look = () => {
    const found = left > 0 && document.querySelector(selector)
    if (found && found !== seen) {
      const place = found.getBoundingClientRect()
      const hidden = place.top < 60 || place.bottom > innerHeight - 80
      if (hidden) found.scrollIntoView({ block: "center" })
      found.focus({ preventScroll: true })
    }
    rests = found && found === seen ? rests + 1 : 0
    seen = found
    if (rests < 12 && --left > 0) setTimeout(look, 100)
  }
  look()
}

export default function ({ data, parentElement, setTriggerValue }) {
  const before = LISTENERS.get(parentElement)
  if (before) document.removeEventListener("keydown", before, true)
  const heard = (event) => {
    const at = event.target instanceof Element ? event.target : document.body
    const typing = at.closest(BUSY)
    const group = at.closest("[role=radiogroup]")
    const label = group?.getAttribute("aria-label")
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.isComposing || !data.keys.includes(event.key)) return
    if (group && event.key.startsWith("Arrow") && !data.groups.includes(label)) return
    if (typing && typing.type !== "radio" && typing.type !== "checkbox") return
    event.preventDefault()
    event.stopImmediatePropagation()
    setTriggerValue("pressed", event.key)
    if (data.follows[event.key]) follow(data.follows[event.key])
    else if (group) follow(
      `[role=radiogroup][aria-label="${label}"] [role=radio][aria-checked=true]`)
  }
  LISTENERS.set(parentElement, heard)
  document.addEventListener("keydown", heard, true)
  document.body.dataset.keysHear = data.keys.join(" ")
  return () => document.removeEventListener("keydown", heard, true)
}
"""
)


def listen(
    keys: Sequence[str],
    pressed: Callable[[str], None],
    key: str,
    groups: Sequence[str] = (),
    follows: Mapping[str, str] | None = None,
) -> None:
    """Call `pressed` with one of `keys` (`ArrowLeft`, `c`) before the next drawing whenever it is
    pressed without Ctrl, Alt or Shift.

    Arrows are left to a group of choices that has the focus, but for the groups of these names,
    whose focus goes along with the choice. `follows` says by CSS selector what has the focus after
    a key.
    """

    def tell() -> None:
        if name := st.session_state[key].pressed:
            pressed(str(name))

    mounted = st.components.v2.component("keys", js=LISTENS)
    data = {"keys": list(keys), "groups": list(groups), "follows": dict(follows or {})}
    mounted(key=key, data=data, height=1, on_pressed_change=tell)
