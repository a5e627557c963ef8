"""What an expert types is kept as it goes: sent when typing pauses and at least once a second, and
held by the browser until the store has it, so that a reload in between loses nothing.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.wording.catalogue import Wording

# The browser keeps what is on its way under the name of the box, which names the seat; the page of
# another seat asks for none of it. It is wiped as soon as the server says that it has it. A box is
# closed while the connection is away, and may be drawn anew with what the server had: what was
# typed waits until it is open again.
KEEPS = """
const HELD = new WeakMap()
const NEWEST = Symbol.for("seat-writing")
const FORM = '.st-key-seat-boxes, .st-key-seat-foot, .st-key-seat-after'
const STORE = "foundry-seat:", PAUSE = 400, LONGEST = 700, OLD = 7 * 86400 * 1000
const classed = (key) => "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")
const left = (name) => {
  try { return JSON.parse(localStorage.getItem(STORE + name)) } catch { return null }
}
const put = (name, entry) => {
  try {
    if (entry) localStorage.setItem(STORE + name, JSON.stringify(entry))
    else localStorage.removeItem(STORE + name)
  } catch { /* A browser that keeps nothing sends all the same. */ }
}
const clear = () => {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(STORE)) continue
      const entry = left(key.slice(STORE.length))
      if (!entry || Date.now() - entry.at > OLD) localStorage.removeItem(key)
    }
  } catch { /* as above */ }
}

function hold(parentElement) {
  const held = { data: null, kept: new Map(), live: true, composing: false }
  const waits = new Map()
  const named = (box) => {
    const classes = box.closest(".stElementContainer")?.classList ?? []
    return [...classes].find((one) => one.startsWith("st-key-"))
  }
  const boxOf = (at) => document.querySelector(`.${CSS.escape(at)} textarea`)
  const commit = (box) => {
    const enter = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true }
    box.dispatchEvent(new KeyboardEvent("keydown", enter))
  }
  const say = () => {
    const open = [...held.kept.values()].some((one) => left(one.name))
    const foot = document.querySelector(".st-key-seat-foot")
    foot?.toggleAttribute("data-unsaved", open)
    for (const line of document.querySelectorAll(".st-key-seat-kept p"))
      line.setAttribute("data-writing", held.data.writing)
  }
  const sent = (at, text) => {
    waits.delete(at)
    const known = held.kept.get(at), entry = known && left(known.name)
    if (entry) put(known.name, { ...entry, base: [...entry.base, text].slice(-9) })
  }
  const send = (at, tries) => {
    const wait = waits.get(at), box = boxOf(at)
    if (!wait || !held.live || (!box && tries === 0)) return waits.delete(at)
    if (!box || box.disabled || held.composing) {
      wait.timer = setTimeout(() => { send(at, box ? tries : tries - 1) }, 300)
      return
    }
    if (box.value !== wait.text) {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set
        .call(box, wait.text)
      box.dispatchEvent(new Event("input", { bubbles: true }))
    }
    sent(at, wait.text)
    setTimeout(() => commit(box), 30)
  }
  const soon = (at, text) => {
    const now = Date.now(), wait = waits.get(at) ?? { since: now }
    clearTimeout(wait.timer)
    wait.text = text
    const delay = Math.min(PAUSE, Math.max(0, wait.since + LONGEST - now))
    wait.timer = setTimeout(() => { send(at, 10) }, delay)
    waits.set(at, wait)
  }
  const typed = (event) => {
    const box = event.target
    if (!event.isTrusted || !(box instanceof HTMLTextAreaElement) || !box.closest(FORM)) return
    const at = named(box), known = held.kept.get(at)
    if (!at) return
    if (known) {
      const entry = left(known.name) ?? { base: [known.text] }
      put(known.name, { ...entry, text: box.value, at: Date.now() })
    }
    soon(at, box.value)
    say()
  }
  // Once hidden, a page may be gone without another word.
  const hidden = () => {
    if (document.visibilityState !== "hidden") return
    for (const [at, wait] of [...waits]) {
      const box = boxOf(at)
      if (!box || box.disabled || box.value !== wait.text) continue
      clearTimeout(wait.timer)
      sent(at, wait.text)
      commit(box)
    }
  }
  const composes = (event) => { held.composing = event.type === "compositionstart" }
  const taken = () => {
    for (const [name, text] of Object.entries(held.data.stored))
      if (left(name)?.text === text) put(name, null)
    const before = held.kept
    held.kept = new Map()
    for (const [key, [name, text]] of Object.entries(held.data.kept)) {
      const at = classed(key), entry = left(name)
      held.kept.set(at, { name, text })
      if (!entry) continue
      // What was typed between two sendings may have gone with the first: then there is no second.
      if (entry.text === text || text.startsWith(entry.text + "\\n")) {
        clearTimeout(waits.get(at)?.timer)
        waits.delete(at)
        put(name, null)
      } else if (!before.has(at) && !waits.has(at)) {
        // Typed before a reload, or in a window that was closed: the store has what was before.
        const known = entry.base.includes(text) || entry.text.startsWith(text)
        const whole = known ? entry.text : `${text}\\n${entry.text}`
        put(name, { ...entry, text: whole, base: [...entry.base, text].slice(-9) })
        soon(at, whole)
      }
    }
    say()
  }
  const over = () => !parentElement.isConnected &&
    (document[NEWEST] !== parentElement || !document.querySelector(FORM))
  const gone = () => {
    held.live = false
    for (const [what, heard] of heard_) document.removeEventListener(what, heard, true)
  }
  const while_ = (act) => (event) => over() ? gone() : act(event)
  const heard_ = [
    ["input", while_(typed)], ["visibilitychange", while_(hidden)],
    ["compositionstart", while_(composes)], ["compositionend", while_(composes)],
  ]
  for (const [what, heard] of heard_) document.addEventListener(what, heard, true)
  clear()
  Object.assign(held, { taken })
  HELD.set(parentElement, held)
  document[NEWEST] = parentElement
  return held
}

export default function ({ data, parentElement }) {
  const held = HELD.get(parentElement) || hold(parentElement)
  held.data = data
  held.taken()
}
"""


def keep(
    words: Wording, kept: Mapping[str, Sequence[str]], stored: Mapping[str, str] | None = None
) -> None:
    """Keep what is typed in the boxes of this form as it goes. `kept` has by a box's key the name
    under which the browser holds it, and what the store has; `stored` what it has of forms that
    have left the screen, by those names.
    """
    mounted = st.components.v2.component("seat_writing", js=KEEPS)
    data = {
        "kept": {key: list(one) for key, one in kept.items()},
        "stored": dict(stored or {}),
        "writing": words("saved.writing"),
    }
    mounted(key="seat:writing", data=data, height=1)
