"""Two versions of an idea on screen: what went is struck through, what came is marked, and beside a
change the remarks it answers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import streamlit as st

from components.shell.text import inline
from core.records import label
from core.wording.differences import Difference, Kind, Piece, read_newer

MARKED: dict[Kind, str] = {
    "same": "{}",
    "removed": ":red[~~{}~~]",
    "added": ":green-background[:green[*{}*]]",
}
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_EDGES = re.compile(r"^([\s\ufeff]*)(.*?)([\s\ufeff]*)$", re.DOTALL)
"""A sign for striking through that stands beside white space, as browsers count it, would be shown
itself.
"""


def draw(differences: Sequence[Difference], chosen: str | None = None, whole: bool = False) -> None:
    """Draw field by field, fields without a change by name only unless `whole`; with `chosen` only
    the changes that answer this remark are marked.
    """
    same = [] if whole else [difference for difference in differences if not difference.changed]
    with st.container(border=True):
        for difference in (one for one in differences if one not in same):
            st.markdown(f"**{inline(label(difference.field))}**" + _tag(difference))
            st.markdown(_whole(difference) or marked(difference.pieces, chosen))
        if same:
            st.markdown(
                ":gray[Unchanged:"
                f" {', '.join(inline(label(difference.field)) for difference in same)}]"
            )
        if any(difference.changed for difference in differences):
            # No caption: those are dimmed, and marks on a dim ground are hard to tell apart.
            tied = any(piece.remarks for difference in differences for piece in difference.pieces)
            st.markdown(
                f":small[{MARKED['removed'].format('removed')} · {MARKED['added'].format('added')}"
                + (
                    f" · {badge('r1')} the remark a change answers, as the generator says]"
                    if tied
                    else "]"
                )
            )


def unchanged(differences: Sequence[Difference]) -> bool:
    """Draw the switch that shows fields without a change too, where there are some; return what it
    says.
    """
    some = any(not one.changed for one in differences)
    return (
        st.toggle("Show unchanged", key="refine:unchanged", persist_state="session")
        if some
        else False
    )


def marked(pieces: Iterable[Piece], chosen: str | None = None) -> str:
    """Return Markdown that shows the pieces as text; with `chosen` all changes but those that
    answer this remark are shown plain, in their new form.
    """
    shown = "".join(
        _change(run) if changed else _text("same", read_newer(run))
        for changed, run in _runs(pieces, chosen)
    )
    return "\n\n".join(part.strip() for part in shown.split("\n\n") if part.strip())


def badge(remark: str) -> str:
    """Return a remark's id as a badge; `p1`, `p2`, ... are a person's own remarks."""
    return (
        f":gray-badge[:material/person: {inline(remark, 20)}]"
        if re.fullmatch(r"p\d+", remark)
        else f":orange-badge[{inline(remark, 20)}]"
    )


def _whole(difference: Difference) -> str:
    """Return a field that is wholly new plain, and one that is no longer there dim: marks on every
    word would be hard to read, and its name says it.
    """
    kinds = {piece.kind for piece in difference.pieces if piece.text.strip()}
    if kinds not in ({"added"}, {"removed"}):
        return ""
    text = "\n\n".join(
        part.strip()
        for piece in difference.pieces
        for part in _text("same", piece.text).split("\n\n")
        if part.strip()
    )
    if kinds == {"removed"}:
        return "\n\n".join(f":gray[~~{part}~~]" for part in text.split("\n\n"))
    return text + "".join(
        f" {badge(remark)}"
        for remark in dict.fromkeys(
            remark for piece in difference.pieces for remark in piece.remarks
        )
    )


def _tag(difference: Difference) -> str:
    kinds = {piece.kind for piece in difference.pieces}
    return (
        {"same": " :gray[unchanged]", "removed": " :gray[no longer there]", "added": " :gray[new]"}[
            kinds.pop()
        ]
        if len(kinds) == 1
        else ""
    )


def _runs(pieces: Iterable[Piece], chosen: str | None) -> Iterator[tuple[bool, list[Piece]]]:
    """Yield stretches to be marked as changes and stretches to be shown plain, by turns."""
    for changed, run in groupby(
        pieces,
        key=lambda one: (
            one.kind != "same" and bool(one.text.strip()) and chosen in (None, *one.remarks)
        ),
    ):
        yield changed, list(run)


def _change(run: list[Piece]) -> str:
    """Return a change and the badges of its remarks, these before the white space at its end."""
    text = " ".join(_text(piece.kind, piece.text) for piece in run)
    badges = "".join(
        f" {badge(remark)}"
        for remark in dict.fromkeys(remark for piece in run for remark in piece.remarks)
    )
    end = len(text.rstrip())
    return text[:end] + badges + text[end:]


def _text(kind: Kind, text: str) -> str:
    """Return a text escaped and marked, line by line, because a mark cannot span paragraphs."""
    return "\n\n".join(_line(kind, line) for line in _BREAKS.split(text))


def _line(kind: Kind, line: str) -> str:
    lead, said, tail = _EDGES.findall(line)[0]
    return (
        (" " if lead else "")
        + (MARKED[kind].format(inline(said, len(said))) if said else "")
        + (" " if tail else "")
    )
