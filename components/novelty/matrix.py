"""The matrix: claims down, works across, each cell a button that opens what it rests on; by
keyboard with the arrows.
"""

from collections.abc import Callable
from textwrap import shorten
from typing import Any

import streamlit as st

from core.export.novelty import dated
from core.records import NoveltyCell, NoveltyMatrix, PriorWork

SIGNS = {"covers": "●", "in part": "◐", "does not": "–", "unread": "?"}
"""What stands in a cell; its words are read out, and stand in the legend."""
FRAME = '<div class="matrix" tabindex="-1"></div>'
LOOKS = """
.matrix { overflow-x: auto; max-width: 100%; padding-bottom: 8px; scrollbar-width: thin;
  scrollbar-color: color-mix(in srgb, var(--st-text-color) 45%, transparent) transparent; }
table { border-collapse: separate; border-spacing: 2px; font-size: .875rem; width: 100%;
  table-layout: fixed; color: var(--st-text-color); }
th { font-weight: 400; text-align: center; vertical-align: bottom; padding: 2px; }
td { padding: 1px; }
th.claim { position: sticky; left: 0; z-index: 1; text-align: left; vertical-align: middle;
  background: var(--st-background-color); width: clamp(12rem, 22vw, 22rem);
  padding: 4px 8px 4px 0; }
th.claim b { display: block; font-weight: 600; }
th.claim span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical;
  overflow: hidden; font-size: .8125rem; }
th.work { overflow: hidden; text-overflow: ellipsis; }
th.work b { display: block; font-weight: 600; }
th.work small { display: block; font-size: .75rem; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }
button { font: inherit; width: 100%; min-width: 0; padding: 1px;
  min-height: 2.25rem; cursor: pointer;
  color: var(--st-text-color); background: transparent; border: 1px solid var(--st-border-color);
  border-radius: 6px; }
button[data-state=covers] { background: color-mix(in srgb, #d1495b 32%, transparent);
  font-weight: 700; }
button[data-state="in part"] { background: color-mix(in srgb, #e0a030 24%, transparent); }
button[data-state=unread] { border-style: dashed; }
button:hover { border-color: var(--st-text-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 1px; }
button[aria-pressed=true] { border: 2px solid var(--st-text-color); }
"""
DRAWS = """
const make = (name, text, kind) => {
  const made = document.createElement(name)
  if (kind) made.className = kind
  if (text) made.textContent = text
  return made
}

function build(box, data, press) {
  const table = make("table")
  table.setAttribute("aria-label", "Claims down, works across")
  // Narrower than this the cells could not be pressed; the frame scrolls instead.
  table.style.minWidth = `calc(12rem + ${data.works.length} * 2.125rem)`
  const head = make("tr")
  const corner = make("th", "", "claim")
  corner.scope = "col"
  corner.append(make("b", "Claim"))
  head.append(corner)
  for (const work of data.works) {
    const th = make("th", "", "work")
    th.scope = "col"
    th.title = work.title
    th.append(make("b", work.number), make("small", work.date))
    head.append(th)
  }
  table.append(make("thead"))
  table.tHead.append(head)
  const body = make("tbody")
  data.claims.forEach((claim, row) => {
    const tr = make("tr"), th = make("th", "", "claim")
    th.scope = "row"
    th.title = claim.text
    th.append(make("b", claim.name), make("span", claim.text))
    tr.append(th)
    data.cells[row].forEach((cell, column) => {
      const td = make("td"), button = make("button", cell.sign)
      button.type = "button"
      button.title = cell.about
      button.setAttribute("aria-label", cell.about)
      button.dataset.state = cell.state
      button.dataset.place = `${row}.${column}`
      button.onclick = () => press(cell.name)
      td.append(button)
      tr.append(td)
    })
    body.append(tr)
  })
  table.append(body)
  box.replaceChildren(table)
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".matrix")
  if (box.dataset.sign !== data.sign) {
    build(box, data, (name) => setTriggerValue("pressed", name))
    box.dataset.sign = data.sign
    const chosen = box.querySelector(`button[data-place="${data.chosen}"]`)
    const hidden = box.querySelector("th.claim").offsetWidth
    if (chosen) box.scrollLeft = chosen.offsetLeft - hidden - (box.clientWidth - hidden) / 2
  }
  const at = (place) => box.querySelector(`button[data-place="${place}"]`)
  for (const button of box.querySelectorAll("button")) {
    const chosen = button.dataset.place === data.chosen
    button.setAttribute("aria-pressed", String(chosen))
    button.tabIndex = chosen ? 0 : -1
  }
  box.onkeydown = (event) => {
    const move = MOVES[event.key], from = event.target.dataset.place
    if (!move || !from) return
    const [row, column] = from.split(".").map(Number)
    const next = at(`${row + move[0]}.${column + move[1]}`)
    event.preventDefault()
    event.stopPropagation()
    if (!next) return
    event.target.tabIndex = -1
    next.tabIndex = 0
    next.focus()
  }
}
"""


def draw(matrix: NoveltyMatrix, chosen: str, key: str, opened: Callable[[str], None]) -> None:
    """Draw the matrix with the chosen cell marked; `opened` is told the name of a cell that is
    pressed.
    """

    def pressed() -> None:
        if name := st.session_state[key].pressed:
            opened(str(name))

    mounted = st.components.v2.component("novelty_matrix", html=FRAME, css=LOOKS, js=DRAWS)
    mounted(key=key, data=data_of(matrix, chosen), on_pressed_change=pressed)
    st.caption(
        "● covers · ◐ in part · – does not · ? not read · ↓ taken down, because a quote is not in"
        " its text · ✎ overruled by a person. Works by number, most similar first; the list below"
        " names them. Arrow keys move, Enter opens."
    )


def data_of(matrix: NoveltyMatrix, chosen: str) -> dict[str, Any]:
    """Return what the browser draws: nothing of it is taken for markup."""
    cells = [
        [
            _cell(matrix.cell(claim.n, work.id), claim.n, n, work)
            for n, work in enumerate(matrix.works, 1)
        ]
        for claim in matrix.claims
    ]
    named = {cell["name"]: (r, c) for r, line in enumerate(cells) for c, cell in enumerate(line)}
    row, column = named.get(chosen, (0, 0))
    return {
        "sign": matrix.digest()[:16],
        "claims": [
            {"name": f"{one.n}. {one.kind.capitalize()}", "text": one.text} for one in matrix.claims
        ],
        "works": [_work(n, work) for n, work in enumerate(matrix.works, 1)],
        "cells": cells,
        "chosen": f"{row}.{column}",
    }


def written_by(work: PriorWork) -> str:
    """Say whose work it is and of which year: `Chan et al. 2023`."""
    names = work.paper.named
    who = names[0].split()[-1] if names and names[0].split() else ""
    who += " et al." if who and (len(names) > 1 or work.paper.unnamed) else ""
    return f"{who} {work.date[:4] if work.date else 'undated'}".strip()


def _work(n: int, work: PriorWork) -> dict[str, str]:
    return {
        "number": str(n),
        "date": work.date[:4] if work.date else "–",
        "title": f"{work.paper.title} ({written_by(work)}; public since {dated(work)})",
    }


def _cell(cell: NoveltyCell | None, claim: int, n: int, work: PriorWork) -> dict[str, str]:
    state = cell.state if cell else "unread"
    down = bool(cell and cell.taken_down)
    ruled = bool(cell and cell.overruled)
    said = [f"Claim {claim}, work {n}, {shorten(work.paper.title, 80, placeholder=' …')}: {state}"]
    said += ["taken down"] * down + ["overruled by a person"] * ruled
    return {
        "name": name_cell(claim, n),
        "state": state,
        "sign": f"{SIGNS[state]}{'↓' * down}{'✎' * ruled}",
        "about": ", ".join(said),
    }


def name_cell(claim: int, n: int) -> str:
    """Return the name of a cell in the address: claim and number of the work."""
    return f"{claim}-{n}"
