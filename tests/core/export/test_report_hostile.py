"""Reports of hostile texts: no tag survives, no mark opens anything, and every sign is still
there.
"""

import io
import re

from docx import Document
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.export.blocks import Code, Fields, Heading, Listing, Paragraph, Span, Table, printable
from core.export.html import page
from core.export.markdown import written
from core.export.word import document
from tests.support.report_kit import Reader

HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("<>&\"'/=!-{}%#+[]()*_`~|\\$:;@ \n\t\r\x00\x0b\x1b\ufffe"),
        st.characters(codec="utf-8"),
    ),
    min_size=1,
    max_size=60,
)
NASTY = (
    "<script>alert(1)</script>",
    "</main></body><h1>x",
    "http://x.example <!-- --> <![CDATA[",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&#60;",
    "{++ x ++}{-- y --}{>> z <<}",
    "]]>\x00\x08\x1f",
    "```\n# x\n```",
)


def blocks_with(text: str):
    """Return one of each block, every text of it the one given."""
    looks = ("plain", "strong", "emphasis", "added", "removed", "remark")
    spans = tuple(Span(text, look) for look in looks)
    return (
        Heading(text, 1),
        Heading(text, 3),
        Paragraph(spans),
        Listing((spans, spans)),
        Listing((spans,), True),
        Fields(((text, text),)),
        Table((text,), ((text,),)),
        Code(text),
    )


def flat(text: str) -> str:
    return " ".join(printable(text).split())


@given(st.one_of(HOSTILE, st.sampled_from(NASTY)))
def test_no_tag_of_a_text_survives_in_html(text):
    read, harmless = (
        Reader(page(text, blocks_with(text))),
        Reader(page("words", blocks_with("words"))),
    )
    assert read.elements == harmless.elements, "the text opens nothing"
    assert not any(
        name.startswith("on") or name in ("href", "src")
        for _, named in read.elements
        for name in named
    )
    for tag in ("h1", "h3", "dt", "td", "pre"):
        assert flat(read.within(tag)) == flat(text)
    assert flat(read.within("ins")) == flat(text * 4)


@given(st.one_of(HOSTILE, st.sampled_from(NASTY)))
@settings(max_examples=25)
def test_a_word_document_opens_again_with_every_text(text):
    opened = Document(io.BytesIO(document(text, blocks_with(text))))
    expected = printable(text).replace("\r", "\n")
    title, heading, spans = opened.paragraphs[:3]
    assert [title.text, heading.text] == [expected, expected]
    assert [run.text for run in spans.runs] == [expected] * 6
    assert opened.tables[0].rows[0].cells[1].text == expected


@given(st.one_of(HOSTILE, st.sampled_from(NASTY)), st.sampled_from(("added", "removed", "remark")))
def test_a_marked_text_in_markdown_opens_nothing_and_ends_where_its_mark_ends(text, look):
    line = written((Paragraph((Span(text), Span(text, look), Span(text))),))
    tokens = MarkdownIt("commonmark", {"html": True}).parse(line)
    children = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special"}
    if " ".join(text.split()):
        found = re.findall(
            "|".join(
                re.escape(a) + "(.*?)" + re.escape(b)
                for a, b in (("{++", "++}"), ("{--", "--}"), ("{>>", "<<}"))
            ),
            line.strip(),
        )
        assert len(found) == 1
        shown = "".join(
            child.content
            for child in MarkdownIt("commonmark").parse("x" + "".join(found[0]))[1].children
        )
        assert shown == "x" + " ".join(text.split()).replace("\x00", "\ufffd")
