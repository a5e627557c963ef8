"""The short report: two pages out of the whole one, in every format that is read."""

import io
import re

import pytest
from docx import Document
from pypdf import PdfReader

from core.cases.bundled import opened
from core.errors import BadInput
from core.export.blocks import Heading, Picture, prose
from core.export.files import READ, export
from core.export.html import html
from core.export.markdown import markdown
from core.export.pdf import MARGIN, NARROW, document, pdf
from core.export.report import report
from core.export.word import word
from tests.conftest import make_run
from tests.support.report_kit import finished

CASES = ("chain-reasoning-to-ideation", "orexin-novelty")


def headings(blocks) -> list[str]:
    return [block.text.partition(":")[0] for block in blocks if isinstance(block, Heading)]


def test_a_chain_is_told_in_two_pages_of_the_blocks_of_its_whole_report(store):
    run = opened(store, "chain-reasoning-to-ideation").id
    blocks = report(store, run, in_short=True)
    assert headings(blocks)[1:] == [
        "The idea",
        "The whole idea",
        "Is it new?",
        "The first experiment, in brief",
        "References of what is cited here",
    ]
    assert "**The run.** " in markdown(store, run, in_short=True)
    assert len([block for block in blocks if isinstance(block, Picture)]) == 1
    pages = PdfReader(io.BytesIO(pdf(store, run, in_short=True))).pages
    whole = PdfReader(io.BytesIO(pdf(store, run))).pages
    assert len(pages) == 2 < len(whole)
    text = markdown(store, run, in_short=True)
    long = markdown(store, run)
    # Sentences of the idea and the plan stand in both, word for word.
    named = re.findall(r"^\*\*(?:Method|Setup|Metrics)\.\*\* .*$", text, re.MULTILINE)
    assert len(named) == 3
    for line in named:
        assert line in long


def test_two_pages_of_a_short_pdf_hold_some_lines_more_than_those_of_a_whole_one():
    """Reports of the built-in papers ran over to a third page by up to six lines."""

    def pages(lines: int, margin: float) -> int:
        made = document("Short", [prose("One line.")] * lines, margin)
        return len(PdfReader(io.BytesIO(made)).pages)

    too_many = next(lines for lines in range(60, 120) if pages(lines, MARGIN) > 2)
    assert pages(too_many + 1, NARROW) == 2


def test_a_refinement_is_told_in_short_with_what_changed_and_its_scores(store):
    run = opened(store, "orexin-novelty").id
    blocks = report(store, run, in_short=True)
    assert {"The refined idea", "What changed", "Is it new?"} <= {*headings(blocks)}
    assert "Round 1" not in headings(blocks)
    text = markdown(store, run, in_short=True)
    assert len(text) < len(markdown(store, run)) / 3


def test_only_what_is_cited_in_short_stands_under_its_references(store):
    run = opened(store, "chain-reasoning-to-ideation").id
    text = markdown(store, run, in_short=True)
    listed = text.partition("## References of what is cited here")[2].partition("**The run.**")[0]
    before = text.partition("## References")[0]
    lines = [line for line in listed.splitlines() if line.strip()]
    assert lines
    for line in lines:
        surname, year, title = re.search(r"(\w+)(?: et al\.)? \((\d{4})\)\. (.+?)\.", line).groups()
        assert title in before or (surname in before and year in before)


@pytest.mark.parametrize("case", CASES)
def test_every_format_has_the_same_short_report(store, case, tmp_path):
    run = opened(store, case).id
    for ending in READ:
        export(store, run, tmp_path / f"short{ending}", in_short=True)
    named = headings(report(store, run, in_short=True))
    page = html(store, run, in_short=True)
    paragraphs = [
        one.text for one in Document(io.BytesIO(word(store, run, in_short=True))).paragraphs
    ]
    for name in named[1:]:
        assert name in page.replace("&#39;", "'")
        assert any(name in one for one in paragraphs)


def test_what_has_no_short_report_says_so(store, tmp_path):
    run = finished(store)
    with pytest.raises(BadInput, match="leave the branch out"):
        export(store, run, tmp_path / "x.md", 1, in_short=True)
    with pytest.raises(BadInput, match="leave the branch out"):
        export(store, run, tmp_path / "x.json", in_short=True)
    direct = make_run(store, method="direct")
    with pytest.raises(BadInput, match="without a short report"):
        export(store, direct.id, tmp_path / "x.md", in_short=True)
