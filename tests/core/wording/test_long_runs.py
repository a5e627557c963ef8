"""Long runs of one sign, as a hostile file has them, cost no more than words; ordinary texts
are read as ever.
"""

import time

import pytest

from core.benchmark.conducting.answers import final_idea
from core.experiments.recipes import lines_of
from core.export.markdown import plain
from core.judging.headed import sections
from core.literature import importing
from core.literature.full_text import citations
from core.literature.full_text.reading import clean
from core.literature.paper_ids import doi_in, wanted_id
from core.literature.venues import part_venue
from core.models.builtin import reporting
from core.models.builtin.phrases import WORKS
from core.records import Change, Idea
from core.wording.differences import between, unquoted
from core.wording.passages import _strip_quotes, locate
from core.wording.sentences import sentences

LONG = 40_000
CPU = 0.4
"""Seconds; each took between 1.4 and many minutes when the time grew with the square."""
RUNS = {
    "a DOI's beginning": (wanted_id, "10.1234"),
    "a DOI's parts": (doi_in, "10.1234.1"),
    "letters of an id": (wanted_id, "a-"),
    "dots": (sentences, "."),
    "a sequence of bases": (WORKS.findall, "ACGT"),
    "capitals and hyphens": (WORKS.findall, "A-"),
    "hashes": (plain, "#"),
    "empty lines": (importing._ABSTRACT.search, "\n"),
    "spaces": (lambda text: reporting._MEANS.sub("", text), " "),
    "digits": (reporting._RESULT.search, "1"),
    "a journal's spaces": (part_venue, "A 1 "),
    "spaces after a list's heading": (citations._LIST.search, " "),
    "spaces of a PDF": (clean, " "),
    "a recipe's table": (lambda text: lines_of(f'[ "{text}'), " "),
    "quotes by turns": (lambda text: _strip_quotes(f'"{text}'), '" '),
    "stars before a marker": (lambda text: final_idea(text, marked=True), "** "),
    "a heading's hashes": (lambda text: sections(f"# {text}"), "#"),
    "a heading's spaces": (lambda text: sections(f"# {text}"), " "),
    "words of a change": (
        lambda text: unquoted(
            Idea(form="headed", fields={"text": text[:20_000]}),
            [Change(field="text", passage=f"{text[:12_000]} b")],
        ),
        "a ",
    ),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("start", ["A ", "abstract", "References"])
def test_a_long_run_is_read_in_no_time(run, start):
    read, sign = RUNS[run]
    text = (start + sign * LONG)[:LONG] + "x"
    began = time.process_time()
    read(text)
    assert time.process_time() - began < CPU


def test_a_reference_is_looked_into_from_its_beginning_only():
    assert wanted_id("See " * 100 + "doi:10.5665/sleep.1132") == "doi:10.5665/sleep.1132"
    assert doi_in("x " * 10_000 + "10.5665/sleep.1132") is None


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000.10/123456", "10.1000.10/123456"),
        ("https://doi.org/10.1016%2Fj.pcl.2011.03.003.", "10.1016/j.pcl.2011.03.003"),
        ("(10.1002/(SICI)1097-4571(199706)48:6<>1.0.CO;2-X)", None),
    ],
)
def test_registrants_with_parts_are_dois(text, doi):
    assert doi_in(text) == (doi or text[1:-1])


@pytest.mark.parametrize(
    ("span", "bare"),
    [
        ('"... naps help …"', "naps help"),
        ("“naps” help", "naps” help"),
        ("… 'naps' ...", "'naps'"),
        ("naps help....", "naps help."),
        ('" " "', ""),
    ],
)
def test_quotes_and_dots_around_a_span_are_left_out(span, bare):
    assert _strip_quotes(span) == bare


def test_sentences_end_at_runs_of_marks():
    assert sentences("Is it so?! Yes... no. (It is.) Version 1.2.3 ran.") == (
        "Is it so?!",
        "Yes... no.",
        "(It is.)",
        "Version 1.2.3 ran.",
    )


def test_works_are_named_by_up_to_four_words_authors_and_titles():
    text = (
        "McDonald (2020), Van den Berg (2021), Smith et al. (2019), Ann-Marie Lee and O’Neill"
        ' (2018), One Two Three Four Five (2017) and "Why we nap" (2016)'
    )
    assert WORKS.findall(text) == [
        "McDonald (2020)",
        "Berg (2021)",
        "Smith et al. (2019)",
        "Ann-Marie Lee and O’Neill (2018)",
        "Two Three Four Five (2017)",
        '"Why we nap" (2016)',
    ]


@pytest.mark.parametrize(
    "page",
    [
        "Naps\n\nAbstract\n\n{}\n\n1. Introduction\nSleep",
        "Naps\n  ABSTRACT — {}\nKeywords: sleep",
        "Naps\n\n\n*Abstract.* {}\n\n\nI. INTRODUCTION",
    ],
)
def test_an_abstract_is_what_stands_before_the_introduction(page):
    said = "Naps of twenty minutes help memory. " * 5
    found = importing._ABSTRACT.search(page.format(said.strip()))
    assert found
    assert found[1].strip() == said.strip()


def test_a_closing_run_of_hashes_is_escaped():
    assert plain("a # b ##") == "a # b \\#\\#"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("It rose by 3.5 %.", True),
        ("in 40 percent", True),
        ("12%", True),
        ("3.5 hours", False),
        ("percent", False),
    ],
)
def test_shares_are_results(text, result):
    assert bool(reporting._RESULT.search(text)) is result


def test_words_without_end_are_looked_for_in_no_time():
    text = "A. " * 3_000
    began = time.process_time()
    locate(text, f"{text[::-1]}b")
    assert time.process_time() - began < 10 * CPU


def test_of_a_quote_as_long_as_any_the_nearest_passage_is_whole():
    words = " ".join(f"word{n}" for n in range(400))[:1_999]
    text = f"Before it. {words} After it."
    found = locate(text, f"{words[:-600]}…{words[-599:]}x")
    assert found.state == "nearest"
    assert found.quote == words


def test_changes_without_end_are_marked_in_no_time():
    older, newer = (
        Idea(form="hypothesis", fields={"hypothesis": f"{said} " * 700}) for said in ("a b", "a c")
    )
    changes = [Change(field="hypothesis", passage="a", remarks=("r1",))] * 8_000
    began = time.process_time()
    (marked,) = between(older, newer, changes)
    assert time.process_time() - began < 4
    assert marked.changed
