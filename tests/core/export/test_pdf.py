"""A report as a PDF: read back with another library, its texts and links are all there."""

import io

import pytest
from pypdf import PdfReader

from core.export.blocks import Code, Fields, Heading, Listing, Paragraph, Span, Table
from core.export.pdf import document, pdf
from tests.support.scripted import finished_chain

HOSTILE = "<b>bold</b> & </para><link href='javascript:1'>x</link> \x00 \ud800 <br> µ ≥ Σ é Ж"


def read(made: bytes) -> tuple[str, list[str]]:
    """Return the words of a PDF and the addresses it links to."""
    pages = PdfReader(io.BytesIO(made)).pages
    notes = [note.get_object() for page in pages for note in page.get("/Annots", [])]
    links = [note["/A"]["/URI"] for note in notes]
    return " ".join(" ".join(page.extract_text() for page in pages).split()), links


def test_every_kind_of_block_is_there_word_for_word():
    link = "https://doi.org/10.1/a%28b%29?x=1&y=2"
    text, links = read(
        document(
            HOSTILE,
            (
                Heading("A title & more", 1),
                Paragraph((Span("plain, "), Span("strong", "strong"), Span(HOSTILE, "added"))),
                Listing(((Span("Lund (2021). Orexin. "), Span("doi:10.1/a", link=link)),), True),
                Fields((("Model", "openai:big"),)),
                Table(("Round", "Q"), (("1", "0.50"), ("2", HOSTILE))),
                Table((), ()),
                Code("@article{lund2021,\n  title = {Orexin},\n}"),
            ),
        )
    )
    for said in ("A title & more", "strong", "1.", "doi:10.1/a", "Model: openai:big", "0.50"):
        assert said in text
    assert text.count("<b>bold</b> & </para><link href='javascript:1'>x</link>") == 2
    assert "µ ≥ Σ é Ж" in text
    assert "title = {Orexin}," in text
    assert links == [link]


def test_a_word_longer_than_the_page_and_a_table_longer_than_a_page_are_whole():
    rows = tuple((str(n), "word " * 40) for n in range(120))
    text, _ = read(document("t", (Paragraph((Span("x" * 5_000),)), Table(("n", "words"), rows))))
    assert text.replace(" ", "").count("x") >= 5_000
    assert " 119 " in text


@pytest.fixture
def finished(tmp_path):
    runner, _, _ = finished_chain(tmp_path, branches=3)
    (run,) = runner.store.runs.listed()
    return runner.store, run


def test_a_run_has_its_idea_first_and_the_same_file_each_time(finished):
    store, run = finished
    made = pdf(store, run.id)
    text, _ = read(made)
    assert text.index("The idea:") < text.index("Branch 1") < text.index("The run")
    assert pdf(store, run.id) == made
