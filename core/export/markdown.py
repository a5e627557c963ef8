"""A report as Markdown: untrusted texts are escaped, changes are marked as CriticMarkup does."""

import re
from itertools import chain, groupby, zip_longest

from core.export.blocks import (
    Blocks,
    Cell,
    Code,
    Fields,
    Heading,
    Line,
    Listing,
    Look,
    Paragraph,
    Picture,
    Span,
    Table,
    Written,
)
from core.export.report import report
from core.store import Store

MARKS: dict[Look, tuple[str, str]] = {
    "plain": ("", ""),
    "strong": ("**", "**"),
    "emphasis": ("*", "*"),
    "added": ("{++", "++}"),
    "removed": ("{--", "--}"),
    "remark": ("{>>", "<<}"),
}
"""Signs that stand anywhere in a word and hold any text; strokes made of tildes do neither."""
_SPECIAL = re.compile(
    r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|#(?=#{0,99}$)|\$(?!\d)|"
    r":(?=//|[+\-\w]{1,60}:)(?!\d\d:\d\d)|&(?=#?\w+;)|(?<=\{)[+\->]|[+\-](?=\})"
)
"""What a reader of Markdown acts on, and only where it does: an underscore within a word, a price
and the colon of a time are plain text.
"""

_NUMBER = r"[-\u2212]?\d[\d.]*(?: ?%)?"
_INTERVAL = re.compile(rf"((?<![!\]])\[{_NUMBER}, {_NUMBER}\](?![(\[:]))")
"""One that nothing before or after makes a link, a picture or the name of an address."""


def markdown(
    store: Store, run_id: str, branch: int | None = None, *, in_short: bool = False
) -> str:
    """Return the run, one of its branches, or the run in two pages, as Markdown; texts of papers
    and models are escaped, so they stay text.
    """
    return written(report(store, run_id, branch, in_short=in_short))


def written(blocks: Blocks) -> str:
    """Return the blocks as CommonMark with tables; a picture has no place in a file of text."""
    return "\n\n".join(_block(one) for one in blocks if not isinstance(one, Picture)) + "\n"


def plain(text: str) -> str:
    """Escape Markdown and HTML, so that untrusted text is shown as text."""
    return _escape_start(_escape(" ".join(text.split())))


def _escape(text: str) -> str:
    """Escape what is acted on wherever it stands; an interval in brackets is no link, and stays."""
    parts = _INTERVAL.split(text)
    escaped = (_SPECIAL.sub(r"\\\g<0>", part) for part in parts[::2])
    return "".join(chain.from_iterable(zip_longest(escaped, parts[1::2], fillvalue="")))


def _escape_start(escaped: str) -> str:
    """Escape what would make a list, a rule or a quotation, as it only does where it stands
    first.
    """
    return re.sub(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=[+\-=>#]))", r"\1\\", escaped)


def _line(spans: Line) -> str:
    """Write spans as one line; white space at the edge of a marked span goes outside, where it
    cannot undo the mark.
    """
    written = []
    for (look, link), run in groupby(spans, key=lambda span: (span.look, span.link)):
        text = re.sub(r"\s+", " ", "".join(span.text for span in run))
        before, after = MARKS[look]
        inner = text.strip() if before else text
        left, right = (
            (text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :])
            if before and inner
            else ("", "")
        )
        said = f"{before}{_escape(inner)}{after}"
        said = f"[{said}](<{link}>)" if link else said
        written.append(f"{left}{said}{right}" if inner else text)
    return (
        _escape_start("".join(written).strip())
        if spans[:1] and spans[0].look == "plain"
        else "".join(written).strip()
    )


def _block(block: Written) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {plain(block.text)}"
        case Paragraph():
            return _line(block.spans)
        case Listing():
            return "\n".join(
                f"{f'{n}.' if block.ordered else '-'} {_line(item)}"
                for n, item in enumerate(block.items, 1)
            )
        case Fields():
            return "\n".join(f"- {_line((Span(f'{name}: {text}'),))}" for name, text in block.facts)
        case Table():
            rule = "|" + " --- |" * len(block.head)
            return "\n".join([_row(block.head), rule, *map(_row, block.rows)])
        case Code():
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", block.text) or [""]))
            return f"{fence}bibtex\n{block.text.rstrip()}\n{fence}"


def _row(cells: tuple[Cell, ...]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return _escape(" ".join(cell.split()))
    return _line(cell)
