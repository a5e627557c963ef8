"""The keyboard of a voter: no press is lost, however quickly keys follow one another, and none is
taken for a pair, or for a quality, that was not on the screen yet.
"""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

# A component's state reaches the server as it is last set, so presses are sent again, all of them
# in order, until the server says it has them: with the next press, and by themselves where the page
# has come to rest without them.
LISTENS = """
const HELD = new WeakMap()
const TYPED = "input:not([type=radio]):not([type=checkbox]), textarea, select, " +
  "[contenteditable=true], [role=textbox], [role=combobox], [role=dialog]"
// The form that asks for a name, while the first pair takes its place: the ballot has no form.
const LEFT = "[data-testid=stForm] [data-stale=true]"
const PRESSED = "button, a, summary, [role=button], [role=link]"

// Once, not at every drawing: between taking a listener away and putting up the next a press would
// be lost.
function hold(parentElement) {
  const live = document.createElement("div")
  live.setAttribute("role", "status")
  live.style.cssText = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
  parentElement.appendChild(live)
  const held = { n: Date.now(), queue: [], live, data: null, set: null }
  const box = () => document.querySelector(held.data.why)
  const send = (key) => {
    held.n += 1
    held.queue.push({ n: held.n, stamp: held.data.stamp, key, why: box() ? box().value : "" })
    held.set("pressed", held.queue.slice())
  }
  let pause = 0
  const does = (event) => {
    const at = event.target instanceof Element ? event.target : document.body
    const writes = at === box(), held_down = event.ctrlKey || event.metaKey || event.altKey
    if (writes && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      clearTimeout(pause)
      at.blur()
      send("Enter")
      return true
    }
    if (writes && event.key === "Escape") at.blur()
    if (held_down || (at.closest(TYPED) && !at.closest(LEFT))) return false
    if (event.key === "Enter" && at.closest(PRESSED)) return false
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 80 : -80
      document.querySelectorAll(held.data.texts).forEach((text) => text.scrollBy(0, by))
      return true
    }
    if (event.repeat) return held.data.keys.includes(event.key)
    if (event.key === "w" && box()) box().focus()
    else if (held.data.keys.includes(event.key)) send(event.key)
    else return false
    return true
  }
  const heard = (event) => {
    if (!live.isConnected) return gone()
    if (event.isComposing || !does(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const typed = (event) => {
    if (!live.isConnected) return gone()
    if (event.target !== box()) return
    clearTimeout(pause)
    pause = setTimeout(() => live.isConnected && send("why"), 400)
  }
  const gone = () => {
    document.removeEventListener("keydown", heard, true)
    document.removeEventListener("input", typed, true)
  }
  const rests = () => document.querySelector(".stApp")?.dataset.testScriptState === "notRunning"
  let waited = 0
  const again = () => {
    if (!live.isConnected) return
    waited = held.queue.length && rests() ? waited + 1 : 0
    if (waited === 4) {
      waited = 0
      held.set("pressed", held.queue.slice())
    }
    setTimeout(again, 500)
  }
  setTimeout(again, 500)
  document.addEventListener("keydown", heard, true)
  document.addEventListener("input", typed, true)
  HELD.set(parentElement, held)
  return held
}

export default function ({ data, parentElement, setStateValue }) {
  const held = HELD.get(parentElement) || hold(parentElement)
  held.data = data
  held.set = setStateValue
  held.queue = held.queue.filter((one) => one.n > data.done)
  if (held.live.textContent !== data.said) held.live.textContent = data.said
}
"""
DONE = "vote:heard"


class Press(NamedTuple):
    """A key, the screen it was pressed on (a pair with its answers), and what stood in the box for
    the reason.
    """

    stamp: str
    key: str
    why: str


def listen(keys: tuple[str, ...], stamp: str, said: str, why: str, texts: str) -> None:
    """Listen for `keys`, to be taken by the next drawing; `w` goes to the box for the reason, ↑ and
    ↓ move the texts.

    `stamp` names the screen (a pair with its answers), `said` is what a screen reader is told,
    `why` and `texts` the box for the reason and the texts as CSS selectors.
    """
    mounted = st.components.v2.component("vote_keys", js=LISTENS)
    data = {
        "keys": list(keys),
        "stamp": stamp,
        "said": said,
        "why": why,
        "texts": texts,
        "done": st.session_state.get(DONE, {}).get("n", 0),
    }
    mounted(key="vote:keys", data=data, height=1, on_pressed_change=lambda: None)


def take(pressed: Callable[[Press], None]) -> None:
    """Call `pressed` for every press since the last drawing, in their order; at the start of a
    drawing, and without a word to Streamlit.
    """
    # Streamlit breaks a script off at any call to it, callbacks too, when the next key comes:
    # between those below nothing can be lost, or done twice.
    queue = getattr(st.session_state.get("vote:keys"), "pressed", None) or ()
    done = st.session_state.setdefault(DONE, {"n": 0})
    for event in queue:
        n, *texts = (event.get(name) for name in ("n", "stamp", "key", "why"))
        # What a browser sends is not to be trusted more than what a person types.
        usable = isinstance(n, int) and all(isinstance(text, str) for text in texts)
        if usable and n > done["n"]:
            stamp, key, why = texts
            pressed(Press(stamp, key, why[:4_000]))
            done["n"] = n
