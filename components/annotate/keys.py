"""The keyboard of an expert, and typing that is kept as it goes: keys press what is on the screen,
so that a press counts the moment it is made.
"""

import streamlit as st

from core.records import Task

# A key presses the very box a mouse would: what was chosen is then held by the browser itself, and
# reaches the server with whatever is sent next, also after a lost connection. Only what changes the
# screen for the next key (placing an idea, submitting)
# waits for the server's answer.
LISTENS = """
const HELD = new WeakMap()
const NEWEST = Symbol.for("seat-keys")
const TYPED = [
  "input:not([type=radio]):not([type=checkbox])", "textarea", "select", "[contenteditable=true]",
  ...["textbox", "combobox", "listbox", "dialog"].map((role) => `[role=${role}]`)].join()
const PRESSED = "button, a, summary, [role=button], [role=link]"
const TEXTS = '[class*="st-key-seat-text-"]'
const NUMBER = "input[type=number]"
const FORM = '.st-key-seat-boxes, .st-key-seat-foot'

function hold(parentElement) {
  const held = { data: null, at: 0, queue: [], waiting: null, live: true }
  const all = (selector) => [...document.querySelectorAll(selector)]
  const scales = () => all('[class*="st-key-seat-scale-"]')
  const choices = (scale) => scale ? [...scale.querySelectorAll("[role=radio]")] : []
  const mark = () => {
    scales().forEach((one, n) => one.toggleAttribute("data-on", n === held.at))
    const foot = document.querySelector(".st-key-seat-foot")
    foot?.setAttribute("data-heard", `${held.data.stamp}/${held.data.done}`)
  }
  const move = (by) => {
    held.at = Math.max(0, Math.min(scales().length - 1, held.at + by))
    mark()
    scales()[held.at]?.scrollIntoView({ block: "nearest" })
  }
  // A digit is the point of that number where points are numbers (0 is 10 where there is no 0),
  // else the answer at that place. Where a number is typed, it begins there.
  const score = (key) => {
    const found = choices(scales()[held.at]), field = scales()[held.at]?.querySelector(NUMBER)
    if (!found.length && field) { field.focus(); return false }
    const said = found.map((one) => one.textContent.trim())
    const points = said.length && said.every((one) => /^-?[0-9]+$/.test(one))
    let at = points ? said.indexOf(key) : (Number(key) + 9) % 10
    if (points && at < 0 && key === "0") at = said.indexOf("10")
    const choice = found[at]
    if (!choice) return
    if (choice.getAttribute("aria-checked") !== "true") choice.click()
    move(1)
  }
  const button = (selector) => document.querySelector(selector + " button:not([disabled])")
  const busy = () => held.waiting && Date.now() < held.waiting.until &&
    held.waiting.stamp === held.data.stamp && held.waiting.done === held.data.done
  const waits = (selector, tries) => {
    const found = button(selector)
    if (found) {
      held.waiting = { stamp: held.data.stamp, done: held.data.done, until: Date.now() + 4000 }
      found.click()
    }
    // What was pressed just before may not have reached the server yet.
    else if (tries > 0) return setTimeout(() => { waits(selector, tries - 1) }, 100)
    setTimeout(next, 30)
  }
  // What changes the screen is done one after the other, each on what the one before left.
  const next = () => {
    if (!held.live || !held.queue.length) return
    if (busy()) return setTimeout(next, 30)
    const [selector, stamp, tries] = held.queue.shift()
    if (stamp === held.data.stamp) waits(selector, tries)
    else next()
  }
  const later = (selector, tries) => {
    held.queue.push([selector, held.data.stamp, tries])
    if (held.queue.length === 1) next()
  }
  const commit = (box) => {
    const enter = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true }
    box.dispatchEvent(new KeyboardEvent("keydown", enter))
  }
  // What is typed is kept when typing pauses. While the connection is away the box is closed, and
  // it may be drawn anew with what the server had: so the text is held here, by the name of its
  // box, until the box is open again.
  const texts = new Map(), pauses = new Map()
  const named = (box) => {
    const classes = box.closest(".stElementContainer")?.classList ?? []
    return [...classes].find((one) => one.startsWith("st-key-"))
  }
  const keep = (name, tries) => {
    const box = document.querySelector(`.${CSS.escape(name)} textarea`), text = texts.get(name)
    if (!held.live || (!box && tries === 0)) return texts.delete(name)
    if (!box || box.disabled) {
      const again = () => { keep(name, box ? tries : tries - 1) }
      return pauses.set(name, setTimeout(again, 300))
    }
    if (box.value !== text) {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, text)
      box.dispatchEvent(new Event("input", { bubbles: true }))
    }
    texts.delete(name)
    setTimeout(() => commit(box), 30)
  }
  const typed = (event) => {
    const box = event.target
    if (!event.isTrusted || !(box instanceof HTMLTextAreaElement) || !box.closest(FORM)) return
    const name = named(box)
    if (!name) return
    clearTimeout(pauses.get(name))
    texts.set(name, box.value)
    pauses.set(name, setTimeout(() => { keep(name, 10) }, 400))
  }
  const acts = (event, at) => {
    const key = event.key, board = held.data.task === "rank"
    if (key === "Enter") return later(".st-key-seat-submit", 15)
    if (key === "w") return document.querySelector(".st-key-seat-note textarea")?.focus()
    if (key === "PageDown" || key === "PageUp") {
      const by = key === "PageDown" ? 0.8 : -0.8
      return all(TEXTS).forEach((one) => one.scrollBy(0, by * one.clientHeight))
    }
    if (/^[0-9]$/.test(key)) {
      if (board) later(`.st-key-seat-place-${key}`, 0)
      else if (!busy()) return score(key)
    } else if (key === "Backspace" && board) later(".st-key-seat-undo", 0)
    else if (board) return false
    else if (key === "x") {
      const box = scales()[held.at]?.querySelector("input[type=checkbox]")
      if (box) { box.click(); move(1) }
    } else if (key === "ArrowDown" || key === "ArrowUp") move(key === "ArrowDown" ? 1 : -1)
    else return false
  }
  const heard = (event) => {
    if (over()) return gone()
    const at = event.target instanceof Element ? event.target : document.body
    if (!event.isTrusted || event.isComposing || event.altKey || event.shiftKey) return
    const writes = at.closest("textarea") && at.closest(FORM)
    if (writes && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      at.blur()
      later(".st-key-seat-submit", 15)
      event.preventDefault()
      return
    }
    if (writes && event.key === "Escape") return at.blur()
    if (event.ctrlKey || event.metaKey || at.closest(TYPED)) return
    if (event.key === "Enter" && at.closest(PRESSED) && !at.closest("[role=radiogroup]")) return
    if (event.repeat && !event.key.startsWith("Arrow") && !event.key.startsWith("Page")) return
    if (acts(event, at) === false) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const looked = (event) => {
    if (over()) return gone()
    const n = scales().findIndex((one) => one.contains(event.target))
    if (n >= 0) { held.at = n; mark() }
  }
  // After a lost connection this is taken out and put in anew, and the form stays on the screen
  // meanwhile: who listens goes on until the next one does.
  const over = () => !parentElement.isConnected &&
    (document[NEWEST] !== parentElement || !document.querySelector(".st-key-seat-foot"))
  const gone = () => {
    held.live = false
    document.removeEventListener("keydown", heard, true)
    document.removeEventListener("input", typed, true)
    document.removeEventListener("focusin", looked, true)
  }
  document.addEventListener("keydown", heard, true)
  document.addEventListener("input", typed, true)
  document.addEventListener("focusin", looked, true)
  Object.assign(held, { mark, gone })
  HELD.set(parentElement, held)
  document[NEWEST] = parentElement
  return held
}

export default function ({ data, parentElement }) {
  const held = HELD.get(parentElement) || hold(parentElement)
  if (held.data?.stamp !== data.stamp) held.at = 0
  held.data = data
  held.mark()
}
"""


def listen(stamp: str, done: int, task: Task) -> None:
    """Listen to the keyboard while the form named by `stamp` is on the screen, with `done` wishes
    done so far.
    """
    mounted = st.components.v2.component("seat_keys", js=LISTENS)
    mounted(key="seat:keys", data={"stamp": stamp, "done": done, "task": task}, height=1)
