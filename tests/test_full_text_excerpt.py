"""What a model is shown of a long text, and which paper a text is."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.literature.full_text import about, excerpt
from core.literature.full_text.sections import sections

CUT = re.compile(r"\n\n\[\.\.\. ([\d,]+) characters left out \.\.\.\](?:\n\n|$)")


def sentences(about_what: str, times: int) -> str:
    return "\n".join(f"Sentence {n} of this part is about {about_what}." for n in range(times))


def made(*parts: tuple[str, str, int]) -> str:
    return "A title of some length\nAda Byron, Charles Babbage\nAbstract\nWe nap.\n" + "\n".join(
        f"{heading}\n{sentences(what, times)}" for heading, what, times in parts
    )


NUMBERED = made(
    ("1 Introduction", "why", 400),
    ("2 Related Work", "others", 300),
    ("3 The Napping Machine", "how", 400),
    ("4 E XPERIMENTS", "measures", 400),
    ("5 Conclusion", "what came of it", 10),
    ("Limitations", "limits", 10),
    ("References", "cited", 300),
    ("A Appendix", "more", 300),
)
NAMED = made(
    ("Introduction", "why", 400),
    ("Materials and Methods", "how", 400),
    ("Results", "measures", 400),
    ("Discussion", "limits", 20),
    ("References", "cited", 300),
)
ROMAN = made(
    ("I. INTRODUCTION", "why", 400),
    ("II. RELATED WORK", "others", 200),
    ("III. SYSTEM", "how", 400),
    ("IV. EVALUATION", "measures", 300),
    ("REFERENCES", "cited", 99),
)


def test_a_text_that_fits_is_shown_whole():
    assert excerpt(NUMBERED[:24_000]) == NUMBERED[:24_000]


@pytest.mark.parametrize("text", [NUMBERED, NAMED, ROMAN])
def test_the_beginning_the_method_and_the_experiments_are_shown(text):
    shown = excerpt(text, 6_000)
    assert shown.startswith("A title of some length")
    assert "Sentence 0 of this part is about how." in shown
    assert "Sentence 0 of this part is about measures." in shown
    assert "about others" not in shown
    assert "about cited" not in shown


def test_short_sections_are_shown_whole_and_long_ones_share_the_room():
    shown = excerpt(NUMBERED, 12_000)
    assert sentences("limits", 10) in shown
    assert sentences("what came of it", 10) in shown
    how, measures = (
        sum(len(line) + 1 for line in shown.split("\n") if line.endswith(f"about {what}."))
        for what in ("how", "measures")
    )
    assert how > 3_000
    assert abs(how - measures) < 200


def test_without_headings_the_beginning_and_the_end_are_shown():
    text = sentences("anything", 2000)
    shown = excerpt(text, 5_000)
    assert shown.startswith("Sentence 0 of")
    assert shown.endswith("Sentence 1999 of this part is about anything.")
    assert len(CUT.findall(shown)) == 1


@given(
    st.lists(
        st.sampled_from(
            [
                "1 Introduction",
                "2 Method",
                "3 Results",
                "4 Limits",
                "References",
                "Abstract",
                "word " * 60,
                "x" * 300,
                "Sentence. " * 40,
            ]
        ),
        min_size=1,
        max_size=80,
    ),
    st.integers(1_000, 30_000),
)
@example(["Abstract", "Abstract", "word " * 60, "References", *["word " * 60] * 3], 1_023)
def test_an_excerpt_keeps_to_its_limit_and_counts_what_it_leaves_out(lines, limit):
    text = "\n".join(lines).strip()
    shown = excerpt(text, limit)
    assert len(shown) <= limit
    left_out = sum(int(n.replace(",", "")) for n in CUT.findall(shown))
    assert len(CUT.sub("", shown)) + left_out == len(text)
    assert all(passage in text for passage in CUT.split(shown)[::2])


def test_a_cut_falls_between_words():
    shown = excerpt(sentences("anything", 2000), 5_000)
    assert CUT.split(shown)[0].split()[-1] in {*sentences("anything", 2000).split()}


def test_numbers_that_begin_in_a_supplement_are_not_the_papers_sections():
    text = made(
        ("Introduction", "why", 300),
        ("Results", "measures", 300),
        ("1 Prompts", "words", 99),
        ("2 Data", "rows", 99),
        ("3 Costs", "dollars", 99),
    )
    assert [text[one.start :].split("\n")[0] for one in sections(text)] == [
        "Abstract",
        "Introduction",
        "Results",
    ]


def test_a_table_row_and_a_list_item_are_no_headings():
    text = made(
        ("1 Introduction", "why", 60), ("2 Method", "how", 60), ("3 Results", "measures", 60)
    )
    planted = text.replace(
        "Sentence 30 of this part is about how.",
        "2 Our method is best\n4 We find three things\n9 Rows of a table\n",
    )
    assert [text[one.start :].split("\n")[0] for one in sections(text)] == [
        "Abstract",
        "1 Introduction",
        "2 Method",
        "3 Results",
    ]
    assert len(sections(planted)) == 4


# -- which paper it is -----------------------------------------------------------------------------

STAMPED = """Published as a conference paper at ICLR 2025
CHAIN OF IDEAS: REVOLUTIONIZING RESEARCH
IN NOVEL IDEA DEVELOPMENT
Long Li, Weiwen Xu, Jiayan Guo
ABSTRACT
We build on arXiv:2301.00001 and https://doi.org/10.1000/cited.
arXiv:2410.13185v5  [cs.AI]  30 Oct 2024
"""


def test_title_and_preprint_stamp_are_found_past_the_letterhead():
    found = about(STAMPED)
    assert found.title == "CHAIN OF IDEAS: REVOLUTIONIZING RESEARCH IN NOVEL IDEA DEVELOPMENT"
    assert found.arxiv == "2410.13185"


@pytest.mark.parametrize(
    ("text", "doi", "arxiv"),
    [
        ("https://doi.org/10.1145/3543507.3583299.", "10.1145/3543507.3583299", None),
        ("DOI: 10.1038/S41586-020-2649-2", "10.1038/s41586-020-2649-2", None),
        ("doi:10.1016/j.cell.2020.01.001)", "10.1016/j.cell.2020.01.001", None),
        ("arXiv:hep-th/9901001v2 [hep-th]", None, "hep-th/9901001"),
        ("see https://arxiv.org/abs/2410.13185v2", None, "2410.13185"),
        ("https://doi.org/10.48550/arXiv.2410.13185", "10.48550/arxiv.2410.13185", "2410.13185"),
        ("10.5 of 10.1000 patients", None, None),
        ("Text\nReferences\n[1] doi:10.1000/cited arXiv:2301.00001", None, None),
    ],
)
def test_doi_and_arxiv_id_are_found_on_the_first_page_and_never_among_the_references(
    text, doi, arxiv
):
    found = about(f"A title of some length\nAda Byron\n{text}")
    assert (found.doi, found.arxiv) == (doi, arxiv)


@pytest.mark.parametrize(
    ("large", "title"),
    [
        ("What stands in large type", "What stands in large type"),
        ("arXiv:2410.13185v5 [cs.AI]", "First line here"),
        ("", "First line here"),
        ("Vol. 12, No. 3", "First line here"),
        ("x" * 400, "First line here"),
    ],
)
def test_the_largest_type_is_the_title_where_it_can_be_one(large, title):
    assert about("First line here\nAda Byron, Charles Babbage\nAbstract", large).title == title


@pytest.mark.parametrize(
    "authors",
    [
        "Ada Byron, Charles Babbage",
        "Ada Byron¹ and Charles Babbage²",
        "ada@byron.example",
        "Department of Engines",
        "Abstract",
    ],
)
def test_a_title_ends_where_the_authors_begin(authors):
    assert (
        about(f"Notes on the analytical\nengine and its uses\n{authors}\nMore").title
        == "Notes on the analytical engine and its uses"
    )


def test_a_text_without_any_of_it_gives_nothing():
    assert tuple(about("")) == tuple(about("12\n13\n")) == (None, None, None)
