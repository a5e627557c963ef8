"""The report of a chain, as it is taken into a group meeting: what comes first, what its evidence
links to, and its picture in every format that can show one.
"""

import base64
import io
import re
from xml.etree import ElementTree

import pytest
from docx import Document
from pypdf import PdfReader

from core.export.blocks import Heading, Picture, Table
from core.export.chain_report import body
from core.export.evidence import evidence
from core.export.html import html, page
from core.export.markdown import markdown, written
from core.export.pdf import document as as_pdf
from core.export.pdf import pdf
from core.export.report import report
from core.export.word import document as as_word
from core.export.word import word
from core.records import Compared, NoveltyCheck, Paper, Search
from core.story import Story
from tests.support.report_kit import in_three
from tests.support.scripted import finished_chain

DOI = Paper(
    id="a", title="Orexin", year=2021, doi="10.1/abc", arxiv="2101.00001", url="https://x.org"
)
ARXIV = Paper(id="b", title="Naps <b>", year=2022, arxiv="2201.00002", url="https://x.org/b")
PAGE = Paper(id="c", title="Dreams", url="https://x.org/c")
BARE = Paper(id="d", title="Rest", year=2020)
CHECK = NoveltyCheck(
    round=1,
    searches=(
        Search(query="orexin", state="found", papers=(DOI, ARXIV)),
        Search(query="sleep.", state="found", papers=(DOI, PAGE), partly="OpenAlex was silent."),
        Search(query="dreams", state="source failed", reason="It did not answer (503)."),
        Search(query="rest", state="nothing found"),
    ),
    state="source failed",
    nearest=ARXIV,
    similarity=0.5,
    overlap="Both measure naps.",
    reason="Not every source answered.",
    compared=tuple(
        Compared(id=one.id, title=one.title, year=one.year, similarity=near)
        for one, near in ((DOI, 0.7), (ARXIV, 0.5), (PAGE, 0.4), (BARE, 0.3))
    ),
)


@pytest.fixture
def finished(tmp_path):
    runner, _, run = finished_chain(tmp_path, branches=3)
    return runner.store, run.id


def test_every_near_paper_links_to_its_doi_else_arxiv_else_its_page():
    blocks = tuple(evidence(CHECK, (BARE,)))
    (table,) = (block for block in blocks if isinstance(block, Table))
    assert table.head == ("Nearest papers", "Year", "Similarity", "Found by", "What overlaps")
    assert [(row[0][0].text, row[0][0].link) for row in table.rows] == [
        ("Orexin", "https://doi.org/10.1/abc"),
        ("Naps <b>", "https://arxiv.org/abs/2201.00002"),
        ("Dreams", "https://x.org/c"),
        ("Rest", ""),
    ]
    assert [row[1:] for row in table.rows] == [
        ("2021", "0.70", "queries 1, 2", "–"),
        ("2022", "0.50", "query 1", "Both measure naps."),
        ("undated", "0.40", "query 2", "–"),
        ("2020", "0.30", "its own chain", "–"),
    ]
    links = ["https://doi.org/10.1/abc", "https://arxiv.org/abs/2201.00002", "https://x.org/c"]
    (grid,) = Document(io.BytesIO(as_word("t", blocks))).tables
    cells = [row.cells[0].paragraphs[0] for row in grid.rows[1:4]]
    assert [cell.hyperlinks[0].address for cell in cells] == links
    assert re.findall(r'<td><a href="([^"]*)"', page("t", blocks)) == links
    assert "[Naps \\<b>](<https://arxiv.org/abs/2201.00002>) | 2022 | 0.50 |" in written(blocks)
    pages = PdfReader(io.BytesIO(as_pdf("t", blocks))).pages
    notes = [note.get_object() for one in pages for note in one["/Annots"]]
    assert list(dict.fromkeys(note["/A"]["/URI"] for note in notes)) == links


def test_a_source_that_failed_is_said_to_have_failed_and_not_to_have_found_nothing():
    text = written(tuple(evidence(CHECK, ())))
    assert "1. orexin: 2 papers found\n" in text
    assert "2. sleep: 2 papers found; **answered by some of the sources only**" in text
    assert "3. dreams: **source failed**. It did not answer (503).\n" in text
    assert "4. rest: nothing found\n" in text


def test_an_older_check_shows_the_one_paper_that_was_recorded():
    older = CHECK.model_copy(update={"compared": ()})
    (table,) = (block for block in evidence(older, ()) if isinstance(block, Table))
    assert [row[1:] for row in table.rows] == [("2022", "0.50", "query 1", "Both measure naps.")]
    nothing = older.model_copy(update={"nearest": None, "similarity": None})
    blocks = tuple(evidence(nothing, ()))
    assert not any(isinstance(block, Table) for block in blocks)
    assert "**What overlaps.** Both measure naps." in written(blocks)


def test_a_report_goes_from_the_idea_to_the_settings(finished):
    store, run = finished
    headings = [one.text for one in report(store, run) if isinstance(one, Heading)]
    order = (
        *("A chain", "The idea: ", "Novelty: claim and evidence", "The chains", "Branch 1"),
        *("How the branches compared", "Experiment plan", "Review 1 of the plan"),
        *("The plan before review 1", "References", "The run", "What was asked"),
        "References as BibTeX",
    )
    places = [
        next(n for n, one in enumerate(headings) if one.startswith(begins)) for begins in order
    ]
    assert places == sorted(places)
    for text in in_three(store, run).values():
        assert text.index("Cost") < text.index("Branches asked for")
        assert "p2016 →" not in text


def test_a_trend_names_papers_and_not_their_ids(finished):
    text = markdown(*finished)
    assert "- *Sleep memory study 2016* → *Sleep memory study 2017*: It goes further." in text
    assert "*memory2016" not in text


def test_branches_are_compared_in_a_table_and_every_other_idea_is_there(finished):
    store, run = finished
    story = Story.of(store, run)
    tables = [one for one in body(store.runs.get(run), story) if isinstance(one, Table)]
    compared = next(one for one in tables if one.head[0] == "Branch")
    ideas = [branch.idea.title for branch in story.branches]
    assert [row[1] for row in compared.rows] == ideas
    assert all("papers searched" in row[4] for row in compared.rows)
    text = markdown(store, run)
    others = [branch for branch in story.branches if branch.n != story.best.n]
    assert all(f"Branch {branch.n}: what came of it" in text for branch in others)
    assert text.count("**Motivation.**") == 3, "each idea is written out once"


def test_the_picture_is_in_word_pdf_and_html_and_left_out_of_markdown(finished):
    store, run = finished
    opened = Document(io.BytesIO(word(store, run)))
    (shape,) = opened.inline_shapes
    assert "3 chains of 15 papers from 2016 to 2020" in shape._inline.docPr.get("descr")
    room = opened.sections[0]
    assert shape.width <= room.page_width - room.left_margin - room.right_margin
    assert [len(one.images) for one in PdfReader(io.BytesIO(pdf(store, run))).pages].count(1) == 1
    text = html(store, run)
    (drawn,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="3 chains of', text)
    assert ElementTree.fromstring(base64.b64decode(drawn)).tag.endswith("svg")
    assert "img-src data:;" in text
    assert "data:" not in markdown(store, run)


def test_a_picture_higher_than_a_page_is_made_to_fit():
    from matplotlib.figure import Figure

    from core.charts.pictures import saved

    tall = Picture(lambda kind: saved(Figure(figsize=(2, 9)), kind), "It is tall.", "A tower.")
    assert len(PdfReader(io.BytesIO(as_pdf("t", (Heading("Before"), tall)))).pages) == 1
    (shape,) = Document(io.BytesIO(as_word("t", (tall,)))).inline_shapes
    assert shape.height.inches <= 8
    assert shape.height / shape.width == pytest.approx(4.5, rel=0.01)


def test_one_branch_alone_has_its_own_picture(finished):
    store, run = finished
    pictures = [one for one in report(store, run, 2) if isinstance(one, Picture)]
    assert [one.said.split(" on ")[0] for one in pictures] == [
        "1 chain of 5 papers from 2016 to 2020"
    ]
