"""A report as a PDF, and its fonts: which of them draws a letter, and what none of them draws."""

import io
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width
from xml.sax.saxutils import escape, quoteattr

from core.export.blocks import (
    Block,
    Blocks,
    Code,
    Fields,
    Heading,
    Line,
    Listing,
    Look,
    Paragraph,
    Picture,
    Table,
    printable,
    prose,
    spans_of,
    texts_of,
)
from core.export.report import report
from core.store import Store

if TYPE_CHECKING:
    from reportlab.lib.styles import ParagraphStyle

MARKS: dict[Look, tuple[str, str]] = {
    "plain": ("", ""),
    "strong": ("<b>", "</b>"),
    "emphasis": ("<i>", "</i>"),
    "added": ('<u><font color="#12632f">', "</font></u>"),
    "removed": ('<strike><font color="#9b1c31">', "</font></strike>"),
    "remark": ('<super><font color="#5c6168">', "</font></super>"),
}
SIZES = {1: 17, 2: 12.5, 3: 10.5}
"""Of headings in points, by level."""
ACROSS = 118
"""Letters of text for programs across the page."""
WIDTH, HEIGHT = 470, 640
"""Of the text, and of the highest picture, in points."""
FONT = "DejaVuSans"
"""It comes with Matplotlib and goes into the file; it holds most of the world's alphabets, and none
of Chinese, Japanese or Korean.
"""
CHINESE = (("STSong-Light", "gbk"), ("MSung-Light", "big5"))
JAPANESE = (("HeiseiMin-W3", "cp932"),)
KOREAN = (("HYSMyeongJo-Medium", "cp949"),)
"""Fonts that every reader of PDFs has a stand-in for, so that they need no file, and the encodings
of the letters they hold.
"""
_KANA, _HANGUL = ("HIRAGANA", "KATAKANA"), ("HANGUL",)
LINKED = 2_000_000
"""Characters of a link's text, times those of its address, up to which it is one: the file has the
address for every line again.
"""
MARGIN, NARROW = 54, 40
"""Above and below the text in points; narrow where two pages are to hold it."""


def pdf(store: Store, run_id: str, branch: int | None = None, *, in_short: bool = False) -> bytes:
    """Return the run, one of its branches, or the run in two pages, as a PDF."""
    blocks = report(store, run_id, branch, in_short=in_short)
    return document(store.runs.get(run_id).title, blocks, NARROW if in_short else MARGIN)


def document(title: str, blocks: Blocks, margin: float = MARGIN) -> bytes:
    """Return the blocks as a PDF on A4, with so many points of margin above and below."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    register_fonts()
    out = io.BytesIO()
    edge = (A4[0] - WIDTH) / 2 - 6
    written = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=edge,
        rightMargin=edge,
        topMargin=margin,
        bottomMargin=margin,
        title=printable(title),
        author="Idea Foundry",
        invariant=True,
    )
    parts = [part for block in _with_note(blocks) for part in _block(block)]
    written.build(parts, _numbered, _numbered)
    return out.getvalue()


def _with_note(blocks: Blocks) -> Blocks:
    """Return the blocks, with a word below the title on letters that cannot be drawn."""
    lacking = missing(printable(text) for block in blocks for text in texts_of(block))
    if not lacking:
        return blocks
    note = f"Letters this file has no font for stand as boxes: {lacking}. The report as Word or "
    return (*blocks[:1], prose(f"{note}HTML has them."), *blocks[1:])


def _numbered(canvas: Any, document: Any) -> None:
    """Write the number of a page at its foot."""
    canvas.setFont(FONT, 8)
    canvas.drawCentredString(canvas._pagesize[0] / 2, 30, str(document.page))


def _style(size: float = 9, **more: Any) -> "ParagraphStyle":
    from reportlab.lib.styles import ParagraphStyle

    usual = {"fontName": FONT, "fontSize": size, "leading": size * 1.4, "spaceAfter": 5}
    return ParagraphStyle("", **usual | {"splitLongWords": 1} | more)


def _block(block: Block) -> Iterator[Any]:
    from reportlab.platypus import Paragraph as Written
    from reportlab.platypus import Spacer, XPreformatted

    match block:
        case Heading():
            size = SIZES.get(block.level, 9.5)
            style = _style(size, spaceBefore=size * 0.9, keepWithNext=1)
            yield Written(f"<b>{_text(block.text)}</b>", style)
        case Paragraph():
            yield Written(_line(block.spans), _style())
        case Listing():
            for n, item in enumerate(block.items, 1):
                mark = f"{n}." if block.ordered else "•"
                style = _style(leftIndent=18, bulletIndent=2, spaceAfter=3, bulletFontName=FONT)
                yield Written(_line(item), style, bulletText=mark)
            yield Spacer(1, 4)
        case Fields():
            for name, text in block.facts:
                yield Written(f"<b>{_text(name)}</b>: {_text(text)}", _style(spaceAfter=2))
            yield Spacer(1, 6)
        case Table() if block.rows:
            yield from _table(block)
        case Picture():
            yield from _picture(block)
        case Code():
            lines = (part for line in block.text.split("\n") for part in _cut(printable(line)))
            yield XPreformatted("\n".join(map(_text, lines)), _style(6.5, leading=8.5))


def _table(block: Table) -> Iterator[Any]:
    from reportlab.lib import colors
    from reportlab.platypus import LongTable, Spacer, TableStyle
    from reportlab.platypus import Paragraph as Written

    style = _style(7.5, spaceAfter=0)
    head = [Written(f"<b>{_text(cell)}</b>", style) for cell in block.head]
    rows = [[Written(_line(spans_of(cell)), style) for cell in row] for row in block.rows]
    shares = block.shares or (1.0,) * len(head)
    widths = [WIDTH * share / sum(shares) for share in shares]
    table = LongTable([head, *rows], widths, repeatRows=1, splitInRow=1)
    table.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.HexColor("#d8d4cb")),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    yield table
    yield Spacer(1, 8)


def _picture(block: Picture) -> Iterator[Any]:
    from reportlab.platypus import Image
    from reportlab.platypus import Paragraph as Written

    drawn = Image(io.BytesIO(block.draw("png")), WIDTH, HEIGHT, kind="proportional")
    drawn.keepWithNext = 1
    yield drawn
    yield Written(_text(block.caption), _style(8, textColor="#5c6168", spaceBefore=4))


def _line(spans: Line) -> str:
    """Return spans in ReportLab's markup, every text escaped."""
    written = []
    for span in spans:
        before, after = MARKS[span.look]
        said = f"{before}{_text(span.text)}{after}"
        if span.link and len(span.text) * len(span.link) <= LINKED:
            said = f'<link href={quoteattr(span.link)} color="#1f5fa8"><u>{said}</u></link>'
        written.append(said)
    return "".join(written)


def _text(text: str) -> str:
    """Return a text in ReportLab's markup, escaped, each letter in a font that has it."""
    pieces = [
        escaped if font == FONT else f'<font name="{font}">{escaped}</font>'
        for font, piece in in_fonts(printable(text))
        for escaped in [escape(piece)]
    ]
    return "".join(pieces).replace("\n", "<br/>")


def _cut(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit across the page: eastern letters are twice as wide."""
    piece, width = "", 0
    for letter in line:
        takes = 2 if east_asian_width(letter) in "WF" else 1
        if width + takes > ACROSS:
            yield piece
            piece, width = "", 0
        piece, width = piece + letter, width + takes
    yield piece


@cache
# -- fonts ---------------------------------------------------------------------------------------


def register_fonts() -> None:
    """Make the fonts known to ReportLab, in all their faces."""
    import matplotlib
    from reportlab.lib.fonts import addMapping
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    faces = {"": (0, 0), "-Bold": (1, 0), "-Oblique": (0, 1), "-BoldOblique": (1, 1)}
    for name, (bold, italic) in faces.items():
        registerFont(TTFont(FONT + name, str(folder / f"{FONT}{name}.ttf")))
        addMapping(FONT, bold, italic, FONT + name)
    for name, _ in (*CHINESE, *JAPANESE, *KOREAN):
        registerFont(UnicodeCIDFont(name))
        for bold, italic in faces.values():
            addMapping(name, bold, italic, name)


def in_fonts(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in pieces, each with the font that draws it; a letter that none draws stays with
    the first font, which has a box for it.
    """
    if text.isascii():
        yield FONT, text
        return
    fonts = _eastern(text)
    for font, letters in groupby(text, lambda letter: _font_of(letter, fonts) or FONT):
        yield font, "".join(letters)


def missing(texts: Iterable[str]) -> str:
    """Name the scripts of letters that no font draws, and say how many there are; empty where all
    are drawn.
    """
    scripts: dict[str, int] = {}
    for text in texts:
        if text.isascii():
            continue
        fonts = _eastern(text)
        for letter in text:
            if not _font_of(letter, fonts):
                name = _script(letter)
                scripts[name] = scripts.get(name, 0) + 1
    return ", ".join(f"{name} ({many})" for name, many in sorted(scripts.items()))


def _eastern(text: str) -> tuple[tuple[str, str], ...]:
    """Return the eastern fonts in the order in which they suit the language of a text: Chinese
    signs are drawn another way in Japanese.
    """
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(text)}
    if scripts.intersection(_KANA):
        return (*JAPANESE, *CHINESE, *KOREAN)
    if scripts.intersection(_HANGUL):
        return (*KOREAN, *CHINESE, *JAPANESE)
    return (*CHINESE, *JAPANESE, *KOREAN)


def _font_of(letter: str, eastern: tuple[tuple[str, str], ...]) -> str:
    """Return the font that draws a letter; empty where none does."""
    if letter.isspace() or ord(letter) in _glyphs():
        return FONT
    return next((font for font, encoding in eastern if _encodes(encoding, letter)), "")


@cache
def _glyphs() -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    register_fonts()
    return frozenset(getFont(FONT).face.charToGlyph)


@cache
def _encodes(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _script(letter: str) -> str:
    if unicodedata.category(letter)[0] in "LM":
        return unicodedata.name(letter, "unnamed").split(" ")[0].capitalize()
    return "signs"
