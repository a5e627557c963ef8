"""The keyboard of an expert, and where a screen opens: keys press what is on the screen and in
view, so that a press counts the moment it is made and never for what nobody sees.
"""

import streamlit as st

from core.records import Task
from core.wording.catalogue import Wording

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
const WENT_TO = PRESSED + ", input"
const TEXTS = '[class*="st-key-seat-text-"]'
const NUMBER = "input[type=number]"
const SUBMIT = ".st-key-seat-submit"
const REASONS = '[class*="st-key-seat-why-required-"] textarea'
const FORM = '.st-key-seat-boxes, .st-key-seat-foot'
const ABOVE = '[data-testid=stPopoverBody], [role=dialog]'
const TOUCHES = ["wheel", "touchstart", "mousedown", "mouseup", "keydown"]
const FADED = 24

function hold(parentElement) {
  const held = {
    data: null, at: 0, queue: [], waiting: null, live: true, touched: 0, pressed: false,
    down: false }
  const all = (selector) => [...document.querySelectorAll(selector)]
  const scales = () => all('[class*="st-key-seat-scale-"]')
  const choices = (scale) => scale ? [...scale.querySelectorAll("[role=radio]")] : []
  const main = () => document.querySelector("[data-testid=stMain]")
  // What of the window a node can be seen in: all that scrolls around it cuts it off.
  const window_ = (node) => {
    let top = 0, bottom = innerHeight
    for (let up = node.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up)
      if (style.overflowY === "visible") continue
      const box = up.getBoundingClientRect(), fades = style.maskImage !== "none" ? FADED : 0
      top = Math.max(top, box.top)
      bottom = Math.min(bottom, box.bottom - (up.scrollTop + up.clientHeight <
        up.scrollHeight - FADED ? fades : 0))
    }
    return { top, bottom }
  }
  const within = (node, top, bottom) => {
    const seen = window_(node)
    return bottom > top && top >= seen.top - 2 && bottom <= seen.bottom + 2
  }
  const inView = (node) => {
    const box = node.getBoundingClientRect()
    return within(node, box.top, box.bottom)
  }
  // A scale is in view with its name and its answers; one that is taller than the window, with its
  // answers.
  const reached = (scale) => {
    const answers = (choices(scale)[0]?.closest("[role=radiogroup]") ?? scale)
    const box = answers.getBoundingClientRect(), seen = window_(scale)
    const top = scale.getBoundingClientRect().top
    const tall = box.bottom - top > seen.bottom - seen.top
    return within(scale, tall ? box.top : top, box.bottom)
  }
  const mark = () => {
    scales().forEach((one, n) => one.toggleAttribute("data-on", n === held.at))
    const foot = document.querySelector(".st-key-seat-foot")
    foot?.setAttribute("data-heard", `${held.data.stamp}/${held.data.done}`)
  }
  // The one that keys act on is always one that is in view; where none is, there is none.
  const aim = () => {
    const found = scales()
    if (!found[held.at] || !reached(found[held.at])) {
      held.at = found.findIndex(reached)
      focus()
    }
    mark()
  }
  const focus = (anew) => {
    const now = document.activeElement, to = held.data.task === "rank"
      ? document.querySelector(".st-key-seat-pool") : scales()[held.at]
    if (!to || to.contains(now) || !(held.data.task !== "rank" || inView(to))) return
    if (now && now !== document.body && (now.closest(TYPED) || now.closest(ABOVE))) return
    // What one goes to by Tab beside the scales keeps the focus, since going there scrolls, too;
    // and so does what is being pressed.
    const keeps = held.down || now?.matches(":focus-visible")
    if (!anew && keeps && now?.closest(WENT_TO) && !scales().some((one) => one.contains(now)))
      return
    to.tabIndex = -1
    to.focus({ preventScroll: true })
  }
  const move = (by) => {
    const last = scales().length - 1
    held.at = held.at < 0 ? 0 : Math.max(0, Math.min(last, held.at + by))
    scales()[held.at]?.scrollIntoView({ block: "nearest" })
    focus(true)
    mark()
  }
  // A digit is the point of that number where points are numbers (0 is 10 where there is no 0),
  // else the answer at that place. Where a number is typed, it begins there.
  const score = (key) => {
    const scale = scales()[held.at]
    if (!scale || !reached(scale)) return aim()
    const found = choices(scale), field = scale.querySelector(NUMBER)
    if (!found.length && field) { field.focus(); return false }
    const said = found.map((one) => one.textContent.trim())
    const points = said.length && said.every((one) => /^-?[0-9]+$/.test(one))
    let at = points ? said.indexOf(key) : (Number(key) + 9) % 10
    if (points && at < 0 && key === "0") at = said.indexOf("10")
    const choice = found[at]
    if (!choice) return
    held.pressed = true
    if (choice.getAttribute("aria-checked") !== "true") choice.click()
    move(1)
  }
  // Of a button with a hint Streamlit draws a second one, which is not shown.
  const button = (selector) => all(selector + " button:not([disabled])")
    .find((one) => one.offsetParent)
  const busy = () => held.waiting && Date.now() < held.waiting.until &&
    held.waiting.stamp === held.data.stamp && held.waiting.done === held.data.done
  // The first reason that is asked for and not given beside an answer; who cannot judge owes none.
  const unreasoned = () => all(REASONS).find((field) => {
    const scale = field.closest('[class*="st-key-seat-scale-"]')
    const answered = choices(scale).some((one) => one.getAttribute("aria-checked") === "true") ||
      scale.querySelector(NUMBER)?.value
    return !field.value.trim() && answered && !scale.querySelector("input[type=checkbox]:checked")
  })
  const waits = (selector, tries) => {
    const found = button(selector)
    if (found) {
      held.waiting = { stamp: held.data.stamp, done: held.data.done, until: Date.now() + 4000 }
      found.click()
    }
    // What was pressed just before may not have reached the server yet.
    else if (tries > 0) return setTimeout(() => { waits(selector, tries - 1) }, 100)
    else if (selector === SUBMIT) unreasoned()?.focus()
    setTimeout(next, 30)
  }
  // What changes the screen is done one after the other, each on what the one before left.
  const next = () => {
    if (!held.live || !held.queue.length) return
    if (busy()) return setTimeout(next, 30)
    const [selector, tries] = held.queue.shift()
    waits(selector, tries)
  }
  const later = (selector, tries) => {
    held.queue.push([selector, tries])
    if (held.queue.length === 1) next()
  }
  const turn = (by) => {
    const scrolling = all(TEXTS).filter((one) => one.scrollHeight > one.clientHeight + 1 &&
      getComputedStyle(one).overflowY !== "visible")
    if (!scrolling.length) return false
    scrolling.forEach((one) => one.scrollBy(0, by * one.clientHeight))
  }
  const acts = (event, at) => {
    const key = event.key, board = held.data.task === "rank"
    if (document.querySelector(ABOVE)) return false
    if (key === "Enter") return later(SUBMIT, 15)
    if (key === "w") return document.querySelector(".st-key-seat-note textarea")?.focus()
    if (key === "PageDown" || key === "PageUp") return turn(key === "PageDown" ? 0.8 : -0.8)
    if (/^[0-9]$/.test(key)) {
      if (board) {
        const place = document.querySelector(`.st-key-seat-place-${key}`)
        if (!place || inView(place)) later(`.st-key-seat-place-${key}`, 0)
      } else if (!busy()) return score(key)
    } else if (key === "Backspace" && board) {
      const undo = document.querySelector(".st-key-seat-undo")
      if (undo && inView(undo)) later(".st-key-seat-undo", 0)
    } else if (board) return false
    else if (key === "x") {
      const scale = scales()[held.at]
      const box = scale && reached(scale) && scale.querySelector("input[type=checkbox]")
      if (box) { held.pressed = true; box.click(); move(1) }
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      if (held.at < 0) return false
      move(key === "ArrowDown" ? 1 : -1)
    } else return false
  }
  const heard = (event) => {
    if (over()) return gone()
    const at = event.target instanceof Element ? event.target : document.body
    if (!event.isTrusted || event.isComposing || event.altKey || event.shiftKey) return
    const writes = at.closest("textarea") && at.closest(FORM)
    if (writes && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      at.blur()
      later(SUBMIT, 15)
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
    // A box that a key has pressed takes the focus by itself, a moment later.
    if (held.pressed) return
    const n = scales().findIndex((one) => one.contains(event.target))
    if (n >= 0 && reached(scales()[n])) { held.at = n; mark() }
  }
  const moved = () => over() ? gone() : aim()
  const touches = (event) => {
    held.touched = Date.now()
    held.down = event.type === "mousedown"
    if (event.type !== "keydown" || event.key === "Tab") held.pressed = false
  }
  // A new unit opens at its top, and goes on doing so while it is being drawn.
  const toTop = (since) => {
    if (!held.live || held.touched > since) return
    for (const one of [main(), document.querySelector(".st-key-seat-boxes"), ...all(TEXTS)])
      if (one) one.scrollTop = 0
    held.at = 0
    aim()
    focus(true)
  }
  const arrived = () => {
    const now = Date.now()
    for (const wait of [0, 60, 200, 500]) setTimeout(() => { toTop(now) }, wait)
  }
  // After a lost connection this is taken out and put in anew, and the form stays on the screen
  // meanwhile: who listens goes on until the next one does.
  const over = () => !parentElement.isConnected &&
    (document[NEWEST] !== parentElement || !document.querySelector(".st-key-seat-foot"))
  const gone = () => {
    held.live = false
    document.removeEventListener("keydown", heard, true)
    document.removeEventListener("focusin", looked, true)
    document.removeEventListener("scroll", moved, true)
    removeEventListener("resize", moved)
    TOUCHES.forEach((what) => document.removeEventListener(what, touches, true))
  }
  // First of all: a key that is heard goes no further.
  TOUCHES.forEach((what) => document.addEventListener(what, touches, true))
  document.addEventListener("keydown", heard, true)
  document.addEventListener("focusin", looked, true)
  document.addEventListener("scroll", moved, true)
  addEventListener("resize", moved)
  Object.assign(held, { aim, mark, gone, arrived })
  HELD.set(parentElement, held)
  document[NEWEST] = parentElement
  return held
}

export default function ({ data, parentElement }) {
  const held = HELD.get(parentElement) || hold(parentElement)
  const place = (stamp) => stamp?.replace(/:[^:]*$/, "")
  const anew = place(held.data?.stamp) !== place(data.stamp)
  held.data = data
  document.documentElement.lang = data.language
  if (anew) { held.at = 0; held.mark(); held.arrived() }
  else held.aim()
}
"""
ARRIVES = """
const CAME = new WeakMap()
export default function ({ data, parentElement }) {
  document.documentElement.lang = data.language
  if (CAME.get(parentElement) === data.step) return
  CAME.set(parentElement, data.step)
  const main = document.querySelector("[data-testid=stMain]")
  if (main) main.scrollTop = 0
}
"""


def listen(stamp: str, done: int, task: Task, words: Wording) -> None:
    """Listen to the keyboard while the form named by `stamp` is on the screen, with `done` wishes
    done so far; a form that is new on the screen opens at its top.
    """
    mounted = st.components.v2.component("seat_keys", js=LISTENS)
    data = {"stamp": stamp, "done": done, "task": task, "language": words.language}
    mounted(key="seat:keys", data=data, height=1)


def arrive(step: str, words: Wording) -> None:
    """Open a step that is not the work at its top, and tell the browser its language."""
    mounted = st.components.v2.component("seat_arrives", js=ARRIVES)
    mounted(key=f"seat:arrives:{step}", data={"step": step, "language": words.language}, height=1)
