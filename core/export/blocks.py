"""What a report is made of, whatever it is written as: frozen blocks of spans, with nothing of
Markdown, HTML or Word in them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Look = Literal["plain", "strong", "emphasis", "added", "removed", "remark"]
"""How a span looks; `remark` names what a change answers."""
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Span:
    text: str
    look: Look = "plain"


Line = tuple[Span, ...]


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2
    """1 is the title of the whole."""


@dataclass(frozen=True)
class Paragraph:
    spans: Line


@dataclass(frozen=True)
class Listing:
    items: tuple[Line, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Fields:
    """Facts by name, one line each."""

    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    """Text that another program reads: every line as it stands."""

    text: str


Block = Heading | Paragraph | Listing | Fields | Table | Code
Blocks = tuple[Block, ...]


def said(text: str) -> Paragraph:
    """Return a paragraph of plain text."""
    return Paragraph((Span(text),))


def named(name: str, text: str) -> Paragraph:
    """Return a paragraph that begins with its name."""
    return Paragraph((Span(f"{name}.", "strong"), Span(f" {text}")))


def listed(items: Iterable[str | Line], ordered: bool = False) -> Blocks:
    """Return a list, or nothing where there is nothing to list."""
    lines = tuple((Span(item),) if isinstance(item, str) else item for item in items)
    return (Listing(lines, ordered),) if lines else ()


def nested(blocks: Blocks) -> Blocks:
    """Return the blocks with every heading one level further down."""
    return tuple(
        Heading(block.text, block.level + 1) if isinstance(block, Heading) else block
        for block in blocks
    )


def printable(text: str) -> str:
    """Replace the control characters that XML forbids, and HTML and printers make nothing of."""
    return _FORBIDDEN.sub("\ufffd", text)
