"""Rows that are gone through by arrow keys, with the paper of the row that has the focus shown
below.
"""

from collections.abc import Sequence

import streamlit as st

ROWS, CONFIRM = "topic-rows", "topic-confirm"
"""The containers of the rows, and of the button that confirms."""
FRAME = (
    '<div class="paper" role="note" aria-live="off" hidden><strong></strong><p tabindex="-1"></p>'
    "</div>"
)
LOOKS = """
.paper { position: fixed; bottom: 0; z-index: 90; max-height: 11rem; overflow-y: auto;
  padding: .6rem 1rem .8rem; font-size: .875rem; line-height: 1.45; color: var(--st-text-color);
  background: var(--st-secondary-background-color);
  border-top: 1px solid var(--st-border-color); box-sizing: border-box; }
.paper p { margin: .25rem 0 0; }
.paper[hidden] { display: none; }
"""
# Boxes are found by their order in the container: each row has a tick and a line of text.
WALKS = """
const HEARD = new WeakMap()

function boxes() {
  const root = document.querySelector(".st-key-topic-rows")
  const all = (kind) => root ? [...root.querySelectorAll(`input[type=${kind}]`)] : []
  return [all("checkbox"), all("text")]
}

function place(target) {
  const found = boxes()
  for (const column of [0, 1]) {
    const row = found[column].indexOf(target)
    if (row >= 0) return { row, column, found }
  }
  return null
}

function go(found, row, column) {
  const box = found[column][Math.max(0, Math.min(row, found[column].length - 1))]
  if (!box) return
  box.focus({ preventScroll: true })
  box.scrollIntoView({ block: "center" })
}

export default function ({ data, parentElement }) {
  const before = HEARD.get(parentElement)
  if (before) before()
  const paper = parentElement.querySelector(".paper")
  const [title, abstract] = [paper.querySelector("strong"), paper.querySelector("p")]
  const pressed = (event) => {
    const at = place(event.target)
    if (!at || event.isComposing || event.altKey || event.shiftKey) return
    const { row, column, found } = at
    const { key } = event
    const done = () => { event.preventDefault(); event.stopPropagation() }
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) {
      done()
      // What is typed is taken in as the box loses the focus.
      const button = document.querySelector(".st-key-topic-confirm button")
      button?.focus()
      setTimeout(() => button?.click(), 150)
      return
    }
    if (event.ctrlKey || event.metaKey) return
    if (key === "ArrowDown" || key === "ArrowUp") {
      done()
      go(found, row + (key === "ArrowDown" ? 1 : -1), column)
    } else if (key === "Enter" && column === 1) {
      setTimeout(() => go(boxes(), row + 1, 1), 0)
    } else if (key === "ArrowRight" && column === 0) {
      done()
      go(found, row, 1)
    } else if (key === "ArrowLeft" && column === 1
      && event.target.selectionStart === 0 && event.target.selectionEnd === 0) {
      done()
      go(found, row, 0)
    }
  }
  const show = (event) => {
    const at = place(event.target)
    const one = at && data.papers[at.row]
    paper.hidden = !one || !one[1]
    if (paper.hidden) return
    const main = document.querySelector("[data-testid=stMain]").getBoundingClientRect()
    paper.style.left = `${main.left}px`
    paper.style.width = `${main.width}px`
    title.textContent = one[0]
    abstract.textContent = one[1]
  }
  document.addEventListener("keydown", pressed, true)
  document.addEventListener("focusin", show, true)
  const left = () => setTimeout(() => show({ target: document.activeElement }), 0)
  document.addEventListener("focusout", left, true)
  const end = () => {
    document.removeEventListener("keydown", pressed, true)
    document.removeEventListener("focusin", show, true)
    document.removeEventListener("focusout", left, true)
  }
  HEARD.set(parentElement, end)
  show({ target: document.activeElement })
  return end
}
"""


def walk(papers: Sequence[tuple[str, str]], key: str) -> None:
    """Let the arrow keys go through the rows; title and abstract of the row that has the focus are
    shown below.
    """
    mounted = st.components.v2.component("topic_rows", html=FRAME, css=LOOKS, js=WALKS)
    mounted(key=key, data={"papers": [list(one) for one in papers]}, height=1)
