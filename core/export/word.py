"""A report as a Word document."""

import io
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from core.export.blocks import (
    Block,
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
    printable,
    spans_of,
)
from core.export.report import report
from core.store import Store

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Row as Row
    from docx.text.paragraph import Paragraph as Written
    from docx.text.run import Run as Text

TABLE = "Table Grid"
LINKED = "1F5FA8"
ACROSS, DOWN = 6.0, 7.8
"""Room for a table or a picture on a page, in inches."""
MANY, NARROW = 6, 7.5
"""From so many columns on a table is wide, and set in letters of so many points: its heads would be
broken within words otherwise.
"""
NAMED = (4.5, 11.0)
"""Shares of the columns where each row begins with its name."""
INK: dict[Look, str] = {"added": "12632F", "removed": "9B1C31", "remark": "5C6168"}
"""Colours of what came, what went, and the remarks; each has a second sign as well."""


def word(store: Store, run_id: str, branch: int | None = None, *, in_short: bool = False) -> bytes:
    """Return the run, one of its branches, or the run in two pages, as a .docx file."""
    return document(store.runs.get(run_id).title, report(store, run_id, branch, in_short=in_short))


def document(title: str, blocks: Blocks) -> bytes:
    """Return the blocks as a .docx file."""
    from docx import Document as New

    written = New(io.BytesIO(_template()))
    written.core_properties.title, written.core_properties.author = (
        printable(title)[:255],
        "Idea Foundry",
    )
    for block in blocks:
        _block(written, block)
    out = io.BytesIO()
    written.save(out)
    return out.getvalue()


@cache
def _template() -> bytes:
    """Return python-docx's empty document without the table styles that no report uses."""
    # It takes a moment to import, and few want a Word file.
    from docx import Document as New
    from docx.enum.style import WD_STYLE_TYPE

    empty = New()
    for style in tuple(empty.styles):
        # All styles are gone through for every heading and every list item.
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in (TABLE, "Normal Table"):
            style.delete()
    out = io.BytesIO()
    empty.save(out)
    return out.getvalue()


def _block(document: "Document", block: Block) -> None:
    match block:
        case Heading():
            document.add_heading(printable(block.text), block.level - 1)
        case Paragraph():
            _spans(document.add_paragraph(), block.spans)
        case Listing():
            for n, item in enumerate(block.items, 1):
                # Word's own numbering would go on from one list to the next.
                _spans(
                    document.add_paragraph(style="List" if block.ordered else "List Bullet"),
                    (Span(f"{n}. "), *item) if block.ordered else item,
                )
        case Fields():
            _table(document, (), block.facts)
        case Table():
            _table(document, block.head, block.rows, block.shares)
        case Picture():
            _picture(document, block)
        case Code():
            from docx.shared import Pt

            for line in block.text.split("\n"):
                run = document.add_paragraph(style="No Spacing").add_run(printable(line))
                run.font.name, run.font.size = "Courier New", Pt(8)


def _spans(paragraph: "Written", spans: Line) -> None:
    from docx.shared import RGBColor

    for span in spans:
        if span.link:
            _link(paragraph, span)
            continue
        run = paragraph.add_run(printable(span.text))
        _look(run, span.look)
        if span.look in INK:
            run.font.color.rgb = RGBColor.from_string(INK[span.look])


def _link(paragraph: "Written", span: Span) -> None:
    """Write a link; python-docx reads them and has no way to write one."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor
    from docx.text.run import Run

    target = paragraph.part.relate_to(span.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), target)
    text = OxmlElement("w:r")
    link.append(text)
    paragraph._p.append(link)
    run = Run(text, paragraph)
    run.text = printable(span.text)
    run.underline = True
    run.font.color.rgb = RGBColor.from_string(LINKED)


def _look(run: "Text", look: Look) -> None:
    match look:
        case "strong":
            run.bold = True
        case "emphasis":
            run.italic = True
        case "added":
            run.underline = True
        case "removed":
            run.font.strike = True
        case "remark":
            run.font.superscript = True


def _table(
    document: "Document",
    head: tuple[str, ...],
    rows: tuple[tuple[Cell, ...], ...],
    shares: tuple[float, ...] = (),
) -> None:
    from docx.shared import Inches, Pt

    lines: tuple[tuple[Cell, ...], ...] = (head, *rows) if head else rows
    if not lines:
        return
    if not head:
        shares = NAMED
    table = document.add_table(len(lines), len(lines[0]), style=TABLE)
    table.autofit = not shares
    wide = len(lines[0]) >= MANY
    for m, (row, line) in enumerate(zip(table.rows, lines, strict=True)):
        _keep_together(row, repeated=bool(head) and m == 0)
        for n, (cell, content) in enumerate(zip(row.cells, line, strict=True)):
            bold = m == 0 if head else n == 0
            spans = spans_of(content)
            _spans(
                cell.paragraphs[0],
                tuple(replace(one, look="strong") for one in spans) if bold else spans,
            )
            if wide:
                for run in cell.paragraphs[0].runs:
                    run.font.size = Pt(NARROW)
            if shares:
                cell.width = Inches(ACROSS * shares[n] / sum(shares))
    document.add_paragraph()


def _keep_together(row: "Row", repeated: bool) -> None:
    """Keep a row on one page; a `repeated` one stands on top of every page its table goes on to.
    python-docx has no way to say either.
    """
    from docx.oxml import OxmlElement

    properties = row._tr.get_or_add_trPr()
    properties.append(OxmlElement("w:cantSplit"))
    if repeated:
        properties.append(OxmlElement("w:tblHeader"))
        for cell in row.cells:
            # The heads stay with the first row below them.
            cell.paragraphs[0].paragraph_format.keep_with_next = True


def _picture(document: "Document", block: Picture) -> None:
    from docx.shared import Inches

    drawn = document.add_picture(io.BytesIO(block.draw("png")), width=Inches(ACROSS))
    if drawn.height > Inches(DOWN):
        drawn.width, drawn.height = round(drawn.width * Inches(DOWN) / drawn.height), Inches(DOWN)
    drawn._inline.docPr.set("descr", printable(block.said))
    document.paragraphs[-1].paragraph_format.keep_with_next = True
    document.add_paragraph(printable(block.caption), style="Caption")
