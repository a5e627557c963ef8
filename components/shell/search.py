"""Search over everything, from any page: a button in the menu, `/` or Ctrl+K, and a dialog that
shows what is found while words are typed.
"""

import re

import streamlit as st

from components.shell import services
from components.shell.keys import TYPED
from components.shell.text import ago, inline
from core.errors import FoundryError
from core.runs.catalogue import named
from core.search import NAMES, facts, search
from core.store.search import Finds, Found

OPEN, WORDS = "search-open", "search-words"
SHOWN = 5
"""How many of each group are shown: who sees none of theirs adds a word."""
LONGEST = 200
ICONS = {
    "idea": ":material/lightbulb:",
    "entry": ":material/lightbulb:",
    "run": ":material/list_alt:",
    "paper": ":material/menu_book:",
    "session": ":material/groups:",
    "case": ":material/slideshow:",
}
TABS: dict[str, dict[str, str]] = {
    "met": {},
    "own": {"library:tab": "Your own papers"},
    "shelf": {"library:tab": "Built-in papers"},
}
"""The tab of the library that shows a paper; the first needs no saying."""
BEGINS: dict[str, dict[str, object]] = {
    "pages/library.py": {
        "library:tab": "Found by your runs",
        "library:meaning": False,
        "library:field": None,
        **{f"library:{name}-page": 1 for name in TABS},
    },
}
"""What lists show to begin with: whatever else was chosen there may hide what was found."""
LOOKS = """<style>
    .st-key-search-found [data-testid=stCaptionContainer] { padding-left: 2rem; }
    .st-key-search-found [data-testid=stPageLink-NavLink] * { white-space: normal !important; }
</style>"""
"""A name is seen whole, and what is said of it stands under it, beside the icon."""
ASKS = (
    TYPED
    + """
const LISTENERS = new WeakMap()
const PATIENCE = 100
let asking = false

// The button may be drawn a moment after the keys are heard.
function open(selector, tries) {
  const button = document.querySelector(selector)
  const other = document.querySelector("[role=dialog]")
  asking = !button && !other && tries > 0
  if (button && !other) button.click()
  else if (asking) setTimeout(() => open(selector, tries - 1), 50)
}

export default function ({ data, parentElement }) {
  const before = LISTENERS.get(parentElement)
  if (before) document.removeEventListener("keydown", before, true)
  const heard = (event) => {
    const held = event.ctrlKey || event.metaKey
    const asked = held ? event.key.toLowerCase() === "k" && !event.shiftKey : event.key === "/"
    if (!asked || event.altKey || event.isComposing) return
    const at = event.target instanceof Element ? event.target : document.body
    if (at.closest(TYPED) || document.querySelector("[role=dialog]")) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!asking) open(`.st-key-${data.button} button`, PATIENCE)
  }
  LISTENERS.set(parentElement, heard)
  document.addEventListener("keydown", heard, true)
  document.body.dataset.searchHears = "yes"
  return () => document.removeEventListener("keydown", heard, true)
}
"""
)
WALKS = """
const TAKES = 10
const BEGUN = new WeakSet()
const LISTENERS = new WeakMap()
// The words whose first hit Enter asked for: they may still be on their way.
let wanted = null
// How often the box still takes the focus.
let left = 0

export default function ({ data, parentElement }) {
  const box = () => document.querySelector(`.st-key-${data.box} input`)
  const links = (dialog) => [...dialog.querySelectorAll("a[data-testid=stPageLink-NavLink]")]
  const open = () => {
    const input = box()
    if (wanted === null || !input || input.value !== wanted || data.words !== wanted) return
    wanted = null
    links(input.closest("[role=dialog]"))[0]?.click()
  }
  if (!BEGUN.has(parentElement)) {
    BEGUN.add(parentElement)
    wanted = null
    // The dialog itself takes the focus as it opens, now or in a moment; whoever walks by then
    // has begun.
    left = TAKES
    const take = () => {
      const input = box()
      if (left <= 0) return
      if (input && document.activeElement !== input) input.focus()
      if (input && left === TAKES) input.select()
      if (--left > 0) setTimeout(take, 30)
    }
    take()
  }
  LISTENERS.get(parentElement)?.()
  const heard = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const input = box()
    const dialog = input?.closest("[role=dialog]")
    if (!dialog?.contains(document.activeElement) || event.isComposing) return
    wanted = event.key === "Enter" && document.activeElement === input ? input.value : null
    open()
    if (!step) return
    left = 0
    const stops = [input, ...links(dialog)]
    const next = stops[stops.indexOf(document.activeElement) + step]
    event.preventDefault()
    event.stopImmediatePropagation()
    next?.focus()
  }
  // A link from a page to itself changes what the server sees but not the address bar.
  const followed = (event) => {
    const link = event.target.closest("[role=dialog] a[data-testid=stPageLink-NavLink]")
    if (!link || link.pathname !== location.pathname || link.href === location.href) return
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) history.pushState(null, "", link.href)
  }
  const stop = () => {
    delete document.body.dataset.walksHear
    document.removeEventListener("keydown", heard, true)
    document.removeEventListener("click", followed, true)
  }
  LISTENERS.set(parentElement, stop)
  document.addEventListener("keydown", heard, true)
  document.addEventListener("click", followed, true)
  document.body.dataset.walksHear = "yes"
  open()
  return stop
}
"""


def arrive(page: str) -> None:
    """Let a list show what a link to it says: of what a widget has to begin with Streamlit (1.67)
    takes nothing over from an address, and keeps what was chosen before.
    """
    for key, value in BEGINS.get(page, {}).items():
        if st.query_params.get(key) == _said(value):
            st.session_state[key] = value


@st.fragment
def draw() -> None:
    """Draw the way to search; it opens without drawing the page anew, and nothing is looked up
    before.
    """
    with st.container(gap=None):
        opened = st.button(
            "Search",
            key=OPEN,
            type="tertiary",
            icon=":material/search:",
            help="Ideas, runs, papers, sessions and case studies. Keys: / or Ctrl+K",
        )
        st.components.v2.component("search-asks", js=ASKS)(
            key="search:asks", data={"button": OPEN}, height=1
        )
    if opened:
        ask()


@st.dialog("Search", width="medium", icon=":material/search:")
def ask() -> None:
    """Draw the box and what is found: Enter opens the first, arrows lead to the others."""
    text: str | None = st.text_input(
        "Words to look for",
        key=WORDS,
        type="search",
        live="200ms",
        max_chars=LONGEST,
        placeholder="Words of an idea, a run, a paper, a session, a case study",
        label_visibility="collapsed",
        persist_state="session",
    )
    try:
        _results((text or "").strip())
    except FoundryError as error:
        st.error(inline(str(error), 2000), icon=":material/error:")
    # Drawn last, so that what it is told stands there.
    st.components.v2.component("search-walks", js=WALKS)(
        key="search:walks", data={"box": WORDS, "words": text or ""}, height=1
    )


def _results(text: str) -> None:
    finds = search(services.workshop(), text, limit=SHOWN)
    if finds:
        st.html(LOOKS)
        with st.container(key="search-found"):
            for one in finds:
                _group(one)
    elif text:
        st.info(
            "Nothing holds all these words. Try fewer, or other ones.",
            icon=":material/search_off:",
        )
    else:
        st.caption(
            "Searches ideas (kept, written and imported), runs by name, topic and result, papers"
            " of your runs, your own and the built-in ones, sessions, and case studies. The last"
            " word may be begun only. Enter opens the first that is found, arrow keys lead to the"
            " others."
        )


def _group(finds: Finds) -> None:
    shown = len(finds.found)
    more = f" · {shown} of {finds.total:,}; add a word to see others" if finds.total > shown else ""
    st.markdown(f"**{NAMES[finds.group]}** :gray[{inline(more)}]")
    for found in finds.found:
        page, query = address(found)
        with st.container(gap=None):
            st.page_link(
                page, label=inline(found.title, 120), icon=ICONS[found.kind], query_params=query
            )
            st.caption("  \n".join(filter(None, (_line(found), _passage(found)))))


def address(found: Found) -> tuple[str, dict[str, str]]:
    """Return the page that shows what was found, and the rest of its address."""
    if found.kind in ("idea", "entry"):
        return "pages/ideas.py", {"idea": found.id}
    if found.kind == "paper":
        box = f"library:{found.about}"
        return _in_list("pages/library.py", {**TABS[found.about], box: _quotable(found.title)})
    if found.kind == "session":
        return "pages/sessions.py", {"session": found.id}
    screen = "cases" if found.kind == "case" else named(found.origin).screen or "runs"
    return f"pages/{screen}.py", {"run": found.id}


def _in_list(page: str, query: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the address of a list that shows this, whatever was chosen there before."""
    cleared = {
        key: _said(value)
        for key, value in BEGINS[page].items()
        if st.session_state.get(key, value) != value
    }
    return page, cleared | query


def _quotable(title: str) -> str:
    """Return the longest part of a title that lists can look for: they look into JSON, which writes
    some signs differently.
    """
    return max(re.split(r'["\\\x00-\x1f]+', title), key=len).strip()


def _said(value: object) -> str:
    """Return what the address says of a widget's value."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _line(found: Found) -> str:
    day = ago(found.at) if len(found.at) > len("2026") else found.at
    said = [inline(one, 120) for one in (*facts(services.store(), found), day) if one]
    return " · ".join(said)


def _passage(found: Found) -> str:
    """Return where the words stand, these in bold; all of it is a stranger's text."""
    return "".join(
        f"**{inline(text)}**" if marked else _plain(text) for text, marked in found.passage
    )


def _plain(text: str) -> str:
    """Escape a piece of a line, with the spaces at its ends."""
    start = " " if text[:1].isspace() else ""
    end = " " if text[-1:].isspace() and text.strip() else ""
    return f"{start}{inline(text)}{end}"
