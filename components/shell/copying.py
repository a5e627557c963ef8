"""Buttons that put a text on the clipboard with one click: Streamlit has that for blocks of code
alone, and shows it only under the pointer.
"""

from collections.abc import Mapping

import streamlit as st

ROW = '<div class="row"></div><div class="said" role="status"></div>'
LOOKS = """
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
button { font: inherit; font-size: .875rem; min-height: 2.5rem; padding: .25rem .75rem;
  cursor: pointer; color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
.said { font-size: .875rem; min-height: 1.5rem; margin-top: .375rem; color: var(--st-text-color); }
"""
# Browsers keep the clipboard from pages that came over plain http from another machine; the older
# way, by what is selected, still works there.
COPIES = """
async function put(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const box = document.createElement("textarea")
  box.value = text
  box.style.cssText = "position:fixed;top:0;opacity:0"
  document.body.appendChild(box)
  box.select()
  const done = document.execCommand("copy")
  box.remove()
  if (!done) throw new Error("refused")
}

export default function ({ data, parentElement }) {
  const said = parentElement.querySelector(".said")
  const copy = async (name, text, focus) => {
    try {
      await put(text)
      said.textContent = `Copied: ${name}. ${name === data.link ? data.about : ""}`
    } catch {
      said.textContent = "Your browser does not let this page copy. Download the report instead."
    }
    focus.focus()
  }
  const link = new URL(data.query, location.href).href
  const texts = [...data.texts, [data.link, link]]
  parentElement.querySelector(".row").replaceChildren(...texts.map(([name, text]) => {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = name
    button.onclick = () => copy(name, text, button)
    return button
  }))
}
"""


def draw(texts: Mapping[str, str], link: str, query: str, about: str, key: str) -> None:
    """Draw a button for each text, by what it is called, and one called `link` for the address of
    this page with another query; once that is copied, what there is to say `about` it.
    """
    mounted = st.components.v2.component("copies", html=ROW, css=LOOKS, js=COPIES)
    # Only the browser knows under what address it reaches this server.
    data = {"texts": list(map(list, texts.items())), "link": link, "query": query, "about": about}
    mounted(key=key, data=data)
