"""An idea under headings with the passages its judge points at, tinted in the item's colour and
numbered; hover or focus joins passage and directive.
"""

import html
import re
from collections.abc import Sequence

import streamlit as st

from components.checklist.items import COLOURS, NUMBERS, item_name
from core.judging.headed import sections
from core.records import Idea, Judged, Passage, label
from core.wording.passages import Segment, cut_at_passages

HEADING = "#"
"""What the pieces of a heading are marked with among the items of a segment."""
_MARKUP = re.compile(
    r"^[ \t]*(?:#+|\*\*|__)[ \t]*|(?:\*\*|__|[ \t]#+)(?=[ \t:]*\n?$)", re.MULTILINE
)
FRAME = "st-key-checklist-item-"
"""The class of a directive's box, as Streamlit makes it from its key."""


def key(item: str) -> str:
    """Return the key of the box a directive stands in, by which it is joined to its passage."""
    return f"checklist-item-{item}"


def style() -> None:
    """Tell the browser how passages look, and that pointing at one shows its directive, and the
    other way round.
    """
    st.html(STYLE)


def draw(idea: Idea, open_items: Sequence[Judged], chosen: str | None = None) -> None:
    """Draw the idea's text; with `chosen` only the passages of that item are tinted."""
    shown = [item for item in open_items if chosen in (None, item.item)]
    with st.container(border=True, key="checklist-text"):
        st.html(marked(idea, shown))


def marked(idea: Idea, shown: Sequence[Judged]) -> str:
    """Return the idea as HTML: every character of it escaped, in its order, with the passages
    marked.
    """
    passages = {one.item: one.passage for one in shown if one.passage and one.directive}
    said = {
        one.item: f"{item_name(one.item)}: {one.directive.issue} → {one.directive.suggestion}"
        for one in shown
        if one.directive
    }
    pieces = cut_at_passages(idea.text, {**_headings(idea), **passages})
    return f'<div class="idea-text">{"".join(_piece(piece, said) for piece in pieces)}</div>'


def _headings(idea: Idea) -> dict[str, Passage]:
    """Return where headings stand, as passages of their own."""
    places = []
    if idea.form == "headed":
        places = [(section.at, section.start) for section in sections(idea.text)]
    elif idea.form != "hypothesis":
        for name in idea.fields:
            heading = f"{label(name)}: "
            at = idea.text.find(heading)
            if at >= 0:
                places.append((at, at + len(heading)))
    return {
        f"{HEADING}{n}": Passage(state="verbatim", start=start, end=end)
        for n, (start, end) in enumerate(places)
    }


def _piece(piece: Segment, said: dict[str, str]) -> str:
    items = [one for one in piece.items if not one.startswith(HEADING)]
    text = _heading(piece.text) if len(items) < len(piece.items) else html.escape(piece.text)
    if not items:
        return text
    numbers = " ".join(str(NUMBERS[item]) for item in items)
    about = html.escape("\n".join(said[item] for item in items), quote=True)
    tints = [f"{COLOURS[item]}40" for item in items]
    tint = tints[0] if len(tints) == 1 else f"linear-gradient({', '.join(tints)})"
    return (
        f'<mark class="passage" tabindex="0" data-items="{" ".join(items)}"'
        f' data-numbers="{numbers}" title="{about}"'
        f' style="background:{tint};border-bottom:2px solid'
        f' {COLOURS[items[0]]};">{text}</mark>'
    )


def _heading(text: str) -> str:
    """Return a heading in bold; its signs stay in the text that is copied, and are not seen."""
    at, out = 0, ""
    for found in _MARKUP.finditer(text):
        out += (
            html.escape(text[at : found.start()])
            + f'<span class="sign">{html.escape(found[0])}</span>'
        )
        at = found.end()
    return f"<b>{out}{html.escape(text[at:])}</b>"


def _joined(item: str) -> str:
    card, colour = f".{FRAME}{item}", COLOURS[item]
    return (
        f"{card} {{ border-left: 4px solid {colour}; padding-left: .75rem;"
        f" }}\nbody:has({card}:is(:hover, :focus-within)) mark.passage:not([data-items~={item}]) {{"
        " background: none !important; border-bottom-color: transparent !important;"
        f" }}\nbody:has(mark.passage[data-items~={item}]:is(:hover, :focus)) {card} {{ outline: 2px"
        f" solid {colour}; outline-offset: 3px; }}"
    )


STYLE = (
    "<style>"
    + """
.idea-text { white-space: pre-wrap; line-height: 1.65; overflow-wrap: anywhere; }
.idea-text .sign { font-size: 0; }
.idea-text mark.passage { color: inherit; border-radius: 3px; padding: 1px 2px; cursor: help; }
.idea-text mark.passage:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
.idea-text mark.passage::before {
  content: attr(data-numbers); font-size: .7em; font-weight: 700;
  vertical-align: super; margin-right: 3px;
}
"""
    + "\n".join(_joined(item) for item in NUMBERS)
    + "\n</style>"
)
