"""What a report is made of, whatever it is written as: frozen blocks of spans, with nothing of
Markdown, HTML or Word in them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.records import Table as Figures
from core.records import label

Look = Literal["plain", "strong", "emphasis", "added", "removed", "remark"]
"""How a span looks; `remark` names what a change answers."""
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Span:
    text: str
    look: Look = "plain"
    link: str = ""
    """An address that a click on the text leads to."""


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


Cell = str | Line


@dataclass(frozen=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shares: tuple[float, ...] = ()
    """How wide each column is in proportion to the others, on paper; empty: all alike."""


@dataclass(frozen=True)
class Picture:
    """A drawing, made by the writers that can show one and only then."""

    draw: Callable[[str], bytes]
    """Return it as `svg` or `png`, to stand across a page."""
    said: str
    """What it shows, for whoever does not see it."""
    caption: str


@dataclass(frozen=True)
class Code:
    """Text that another program reads: every line as it stands."""

    text: str


Written = Heading | Paragraph | Listing | Fields | Table | Code
"""What a file of text can hold."""
Block = Written | Picture
Blocks = tuple[Block, ...]


def spans_of(cell: Cell) -> Line:
    """Return what stands in a cell of a table."""
    return (Span(cell),) if isinstance(cell, str) else cell


def texts_of(block: Block) -> Iterator[str]:
    """Yield every text of a block."""
    match block:
        case Heading() | Code():
            yield block.text
        case Paragraph():
            yield from (span.text for span in block.spans)
        case Listing():
            yield from (span.text for item in block.items for span in item)
        case Fields():
            yield from (text for fact in block.facts for text in fact)
        case Table():
            yield from block.head
            yield from (span.text for row in block.rows for cell in row for span in spans_of(cell))
        case Picture():
            yield block.caption


def prose(text: str) -> Paragraph:
    """Return a paragraph of plain text."""
    return Paragraph((Span(text),))


def entry(name: str, text: str) -> Paragraph:
    """Return a paragraph that begins with its name."""
    return Paragraph((Span(f"{name}.", "strong"), Span(f" {text}")))


def fields(texts: Mapping[str, str]) -> Blocks:
    """Return a paragraph for each field, which begins with its name."""
    return tuple(entry(label(name), text) for name, text in texts.items())


def section(title: str, blocks: Iterable[Block], level: int = 2) -> Blocks:
    """Return blocks under a heading, or nothing where there are none."""
    under = tuple(blocks)
    return (Heading(title, level), *under) if under else ()


def listing(items: Iterable[str | Line], ordered: bool = False) -> Blocks:
    """Return a list, or nothing where there is nothing to list."""
    lines = tuple((Span(item),) if isinstance(item, str) else item for item in items)
    return (Listing(lines, ordered),) if lines else ()


def grid(figures: Figures) -> Iterator[Block]:
    """Write a table of figures under its title and what it is of, with its note; nothing for a
    table without rows.
    """
    if not figures.rows:
        return
    sentence = figures.caption.endswith(".")
    if figures.title in figures.caption:
        yield Heading(figures.caption)
    elif sentence or not figures.caption:
        yield Heading(figures.title)
    else:
        yield Heading(": ".join(filter(None, (figures.title, figures.caption))))
    if sentence:
        yield prose(figures.caption)
    yield table_of(figures)
    if figures.note:
        yield prose(figures.note)


def table_of(figures: Figures) -> Table:
    """Return a table of figures as it is printed."""
    return Table(figures.head, tuple(tuple(value.said for value in row) for row in figures.rows))


def nest(blocks: Iterable[Block]) -> Blocks:
    """Return the blocks with every heading one level further down."""
    return tuple(
        Heading(block.text, block.level + 1) if isinstance(block, Heading) else block
        for block in blocks
    )


def printable(text: str) -> str:
    """Replace the control characters that XML forbids, and HTML and printers make nothing of."""
    return _FORBIDDEN.sub("\ufffd", text)
