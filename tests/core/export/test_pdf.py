"""A report as a PDF: read back with another library, its texts and links are all there."""

import io
from unicodedata import east_asian_width

import pytest
from pypdf import PdfReader

from core.export.blocks import Code, Fields, Heading, Listing, Paragraph, Span, Table
from core.export.pdf import ACROSS, _cut, document, pdf
from core.export.pdf import CHINESE as CHINESE_FONTS
from core.export.pdf import JAPANESE as JAPANESE_FONTS
from core.export.pdf import KOREAN as KOREAN_FONTS
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


def test_an_address_without_end_is_there_once_and_is_no_link():
    doi = "10.1/" + "a" * 8_000
    line = (Span("Lund (2021). "), Span(doi, link=f"https://doi.org/{doi}"))
    made = document("t", (Listing((line,)),))
    text, links = read(made)
    assert text.count("a") >= 8_000
    assert (links, len(made) < 100_000) == ([], True)


def test_a_cell_higher_than_a_page_is_whole():
    words = [f"word{n}" for n in range(1_500)]
    cells = ("short", " ".join(words))
    text, _ = read(document("t", (Table(("a", "b"), (cells,), shares=(5.0, 1.0)),)))
    assert all(word in text for word in words)


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


CHINESE, TRADITIONAL = "睡眠改善记忆：基于食欲素", "睡眠對記憶鞏固的影響與機轉"
JAPANESE, KOREAN = "睡眠と記憶の関係「仮説」", "수면과 기억의 관계 睡眠"


def fonts(made: bytes) -> set[str]:
    """Return the fonts that a PDF names."""
    pages = PdfReader(io.BytesIO(made)).pages
    held = [font.get_object() for page in pages for font in page["/Resources"]["/Font"].values()]
    return {font["/BaseFont"].lstrip("/").rpartition("+")[2] for font in held}


def test_eastern_letters_are_written_in_every_kind_of_block_in_the_font_of_their_language():
    made = document(
        CHINESE,
        (
            Heading(CHINESE, 1),
            Paragraph((Span("About "), Span(JAPANESE, "strong"), Span(TRADITIONAL, "removed"))),
            Listing(((Span(KOREAN, link="https://x.org"),),)),
            Fields(((KOREAN, JAPANESE),)),
            Table((CHINESE,), ((JAPANESE,),)),
            Code(f"  title = {{{TRADITIONAL}}},"),
        ),
    )
    text, links = read(made)
    for said, times in ((CHINESE, 2), (JAPANESE, 3), (TRADITIONAL, 2), (KOREAN, 2)):
        assert text.count(said) == times, said
    assert {"STSong-Light", "HeiseiMin-W3", "HYSMyeongJo-Medium"} < fonts(made)
    assert links == ["https://x.org"]
    assert "no font" not in text


def test_letters_that_no_font_has_are_named_below_the_title():
    text, _ = read(document("t", (Heading("Title", 1), Paragraph((Span("ภาษา देव é Ж 睡"),)))))
    assert "stand as boxes: Devanagari (3), Thai (4)." in text
    assert text.index("Title") < text.index("stand as boxes")


def test_a_report_without_eastern_letters_names_no_eastern_font(finished):
    store, run = finished
    eastern = {name for name, _ in (*CHINESE_FONTS, *JAPANESE_FONTS, *KOREAN_FONTS)}
    assert not eastern & fonts(pdf(store, run.id))


def test_long_lines_for_programs_stay_on_the_page_whole():
    long = f"  abstract = {{{CHINESE * 30}{'y' * 400}}}"
    made = document("t", (Heading("t", 1), Code("\n".join([long] * 60))))
    text, _ = read(made)
    assert text.count("睡") == 60 * 30
    assert text.count("y") == 60 * 400
    assert len(PdfReader(io.BytesIO(made)).pages) > 1
    assert all(_wide(line) <= ACROSS for line in _cut(long))
    assert "".join(_cut(long)) == long


def _wide(line: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line)
