"""Two versions of an idea on screen: what went is struck through, what came is marked, and beside a
change the remarks it answers.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import streamlit as st

from components.shell.text import inline, shown
from core.records import label
from core.wording.differences import Difference, Kind, Piece, read_newer

MARKED: dict[Kind, str] = {
    "same": "{}",
    "removed": ":red[~~{}~~]",
    "added": ":green-background[:green[*{}*]]",
}
TAGS: dict[Kind, str] = {"same": "unchanged", "removed": "no longer there", "added": "new"}
"""What is said of a field that is all of one kind."""


@dataclass(frozen=True)
class Marks:
    """What is said of changes, and how fields are called, where it is not in English."""

    removed: str = "removed"
    added: str = "added"
    tags: Mapping[Kind, str] = field(default_factory=lambda: TAGS)
    rest: str = "sentences no longer there"
    fields: Mapping[str, str] = field(default_factory=dict)

    def name(self, of: str) -> str:
        """Return what a field is called."""
        return inline(self.fields.get(of) or label(of))


MARKS = Marks()
_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INNER = re.compile(r"[^\s\ufeff](?:.*[^\s\ufeff])?", re.DOTALL)
"""What stands between the white space, as browsers count it, at a line's edges: a sign for striking
through beside that would be shown itself.
"""


def draw(
    differences: Sequence[Difference],
    chosen: str | None = None,
    whole: bool = False,
    form: str = "",
    says: Marks = MARKS,
) -> None:
    """Draw field by field, fields without a change by name only unless `whole`; with `chosen` only
    the changes that answer this remark are marked; `form` says that the form changed; `says` has
    the words beside.
    """
    same = []
    with st.container(border=True):
        if form:
            st.markdown(f":gray[{inline(form, 300)}]")
        for difference in differences:
            name = says.name(difference.field)
            if difference.changed or whole:
                st.markdown(f"**{name}**{_tag(difference, says)}")
                st.markdown(_whole(difference) or marked(difference.pieces, chosen))
            else:
                same.append(name)
        if same:
            st.markdown(f":gray[Unchanged: {', '.join(same)}]")
        if any(difference.changed for difference in differences):
            # No caption: those are dimmed, and marks on a dim ground are hard to tell apart.
            gone, new = (MARKED["removed"].format(says.removed), MARKED["added"].format(says.added))
            legend = f"{gone} · {new}"
            if any(piece.remarks for difference in differences for piece in difference.pieces):
                legend += f" · {badge('r1')} the remark a change answers, as the generator says"
            st.markdown(f":small[{legend}]")


def draw_side(differences: Sequence[Difference], other: Kind) -> None:
    """Draw one of two versions whole, for beside the other one: what went is marked in the older
    version, what came in the newer. `other` is the kind of piece that only the other version has.
    """
    with st.container(border=True):
        for difference in differences:
            pieces = [piece for piece in difference.pieces if piece.kind != other]
            if not any(piece.text.strip() for piece in pieces):
                continue
            st.markdown(f"**{inline(label(difference.field))}**{_tag(difference)}")
            # A field that is wholly new, or gone, is not marked word by word: its tag says it.
            alone = len({piece.kind for piece in difference.pieces}) == 1
            text = "".join(piece.text for piece in pieces)
            st.markdown(shown(text) if alone else marked(pieces))


def unchanged(differences: Sequence[Difference]) -> bool:
    """Draw the switch that shows fields without a change too, where there are some; return what it
    says.
    """
    if all(difference.changed for difference in differences):
        return False
    return st.toggle("Show unchanged", key="refine:unchanged", persist_state="session")


def marked(pieces: Iterable[Piece], chosen: str | None = None) -> str:
    """Return Markdown that shows the pieces as text; with `chosen` all changes but those that
    answer this remark are shown plain, in their new form.
    """

    def counts(piece: Piece) -> bool:
        changed = piece.kind != "same" and bool(piece.text.strip())
        return changed and chosen in (None, *piece.remarks)

    text = ""
    for changed, stretch in groupby(pieces, key=counts):
        run = list(stretch)
        text += _change(run) if changed else _text("same", read_newer(run))
    return "\n\n".join(part.strip() for part in text.split("\n\n") if part.strip())


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
    return text + _badges(difference.pieces)


def _tag(difference: Difference, says: Marks = MARKS) -> str:
    if difference.rest:
        return f" :gray[{says.rest}]"
    kinds = {piece.kind for piece in difference.pieces}
    return f" :gray[{says.tags[kinds.pop()]}]" if len(kinds) == 1 else ""


def _change(run: list[Piece]) -> str:
    """Return a change and the badges of its remarks, these before the white space at its end."""
    text = " ".join(_text(piece.kind, piece.text) for piece in run)
    end = len(text.rstrip())
    return text[:end] + _badges(run) + text[end:]


def _badges(pieces: Iterable[Piece]) -> str:
    remarks = dict.fromkeys(remark for piece in pieces for remark in piece.remarks)
    return "".join(f" {badge(remark)}" for remark in remarks)


def _text(kind: Kind, text: str) -> str:
    """Return a text escaped and marked, line by line, because a mark cannot span paragraphs."""
    lines = []
    for line in _BREAKS.split(text):
        if not (inner := _INNER.search(line)):
            lines.append(" " if line else "")
            continue
        mark = MARKED[kind].format(inline(inner[0], len(inner[0])))
        before, after = inner.start() > 0, inner.end() < len(line)
        lines.append(f"{' ' if before else ''}{mark}{' ' if after else ''}")
    return "\n\n".join(lines)
