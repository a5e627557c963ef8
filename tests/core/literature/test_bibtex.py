"""BibTeX out and back in: what is written is read again as the same."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.literature.bibtex import bibtex
from core.literature.importing import bibtex as importing_bibtex
from core.literature.importing.entries import gather
from core.literature.importing.latex import latex_of, text_of
from core.literature.importing.text import plain
from core.literature.shelf import FOLDER
from core.literature.shelf_files import read
from core.records import Paper

SIGNS = st.text(
    st.one_of(st.sampled_from("\\{}$&%#_^~-`'\"!?,<>=@()|*/ \n\tab1éßΩ中"), st.characters()),
    max_size=40,
)
TITLES = SIGNS.filter(lambda text: any(sign.isalnum() for sign in plain(text)))
NAMES = SIGNS.filter(lambda text: plain(text) != "")


def back(papers: list[Paper]) -> list[Paper]:
    """Write papers and read them again; nothing may be skipped."""
    found = gather("x.bib", "BibTeX", importing_bibtex.entries(bibtex(papers)))
    assert found.skipped == ()
    return list(found.papers)


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),$", text, re.MULTILINE)


@settings(max_examples=300)
@given(SIGNS)
@example("it''s -- `` --- !` ?` ,, << >>")
@example("$x$ costs 5% & {more} \\")
def test_any_text_comes_back_from_latex(text):
    assert text_of(latex_of(text)) == plain(text)


@settings(max_examples=200)
@given(TITLES, st.lists(NAMES, max_size=3), SIGNS, SIGNS)
@example(
    'A {B} and "C" 100%',
    ["Knuth, Donald", "Barnes and Noble", "others", "Ludwig van Beethoven"],
    "Proceedings of {X}",
    "@article{x,\n  title = {y}}",
)
def test_any_paper_comes_back_as_it_was(title, authors, venue, abstract):
    paper = Paper(
        id="own:x",
        title=title,
        authors=tuple(authors),
        year=2021,
        published="2021-03-04",
        venue=venue,
        abstract=abstract,
        citations=7,
        arxiv="2103.00001",
        doi="10.1000/a_(b)%3C;c#1",
        url="https://x.org/~u?a=1&b=%20",
        pdf="http://x.org/a.pdf",
        source="library",
    )
    (read_back,) = back([paper])
    assert read_back == paper.model_copy(
        update={
            "id": "doi:10.1000/a_(b)%3c;c#1",
            "title": plain(title),
            "authors": tuple(map(plain, authors)),
            "venue": plain(venue) or None,
            "abstract": plain(abstract),
        }
    )


def test_the_shelf_comes_back_whole_with_its_summaries_still_the_shelfs():
    papers = [entry.paper() for file in read(FOLDER) for entry in file.papers]
    kept = (
        "title",
        "authors",
        "year",
        "published",
        "venue",
        "abstract",
        "abstract_by",
        "citations",
        "arxiv",
        "doi",
        "url",
    )
    assert [one.model_dump(include=set(kept)) for one in back(papers)] == [
        one.model_dump(include=set(kept)) for one in papers
    ]


def test_a_summary_of_the_workbench_is_not_passed_off_as_the_authors_abstract():
    text = bibtex([Paper(id="s", title="A title", abstract="Our words.", abstract_by="foundry")])
    assert "abstract =" not in text
    assert "foundry-summary = {Our words.}" in text


def test_and_others_is_read_kept_and_written_back():
    text = "@misc{k, title={On naps}, author={Lund, Ada and Bo Q and others}, year={2020}}"
    found = gather("x.bib", "BibTeX", importing_bibtex.entries(text))
    (paper,) = found.papers
    assert (paper.named, paper.unnamed) == (("Ada Lund", "Bo Q"), True)
    assert "author = {Ada Lund and Bo Q and others}," in bibtex([paper])
    assert back([paper]) == [paper]
    whole = text.replace(" and others", "")
    (same,) = gather("x.bib", "BibTeX", importing_bibtex.entries(whole)).papers
    assert same.id == paper.id, "it is the paper that was imported before `others` was kept"
    assert not same.unnamed


def test_a_single_author_called_others_is_a_name():
    (paper,) = back([Paper(id="p", title="Naps", authors=("others",))])
    assert (paper.authors, paper.unnamed) == (("others",), False)


def test_abstracts_are_left_out_of_a_list_that_people_read():
    paper = Paper(id="p", title="Naps", abstract="Long.")
    assert "Long." in bibtex([paper])
    assert "Long." not in bibtex([paper], abstracts=False)


def test_what_is_not_known_is_not_written():
    assert bibtex([Paper(id="p", title="Naps")]) == "@misc{anonymousnaps,\n  title = {Naps},\n}\n"
    assert bibtex([]) == ""


def test_the_type_follows_the_venue():
    venues = {
        "Nature": "@article",
        "NeurIPS": "@inproceedings",
        "Proceedings of the 3rd Workshop on X": "@inproceedings",
        None: "@misc",
    }
    for venue, kind in venues.items():
        assert bibtex([Paper(id="p", title="Naps", venue=venue)]).startswith(kind)


def test_keys_are_unique_and_do_not_depend_on_order():
    papers = [
        Paper(id=f"p{n}", title="On sleep", authors=("Ann Lee",), year=2020) for n in range(3)
    ] + [Paper(id="q", title="中", authors=("李",), year=2021)]
    forward, backward = keys(bibtex(papers)), keys(bibtex(reversed(papers)))
    assert len(set(forward)) == 4
    assert forward == backward[::-1]
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in forward)


def test_a_paper_given_twice_is_written_once():
    paper = Paper(id="p", title="Naps")
    assert len(keys(bibtex([paper, paper]))) == 1


@pytest.mark.parametrize(
    ("ids", "leads"),
    [
        ({"doi": "10.1/x", "arxiv": "2410.13185"}, "https://doi.org/10.1/x"),
        ({"arxiv": "2410.13185"}, "https://arxiv.org/abs/2410.13185"),
        ({}, "https://www.semanticscholar.org/paper/1"),
    ],
)
def test_the_address_is_the_papers_own_and_where_it_was_found_comes_back(ids, leads):
    found = "https://www.semanticscholar.org/paper/1"
    paper = Paper(id="p", title="Naps", url=found, **ids)
    assert f"  url = {{{leads}}}," in bibtex([paper])
    assert found not in bibtex([paper], abstracts=False) or not ids
    assert back([paper])[0].url == found


def test_what_could_end_a_field_early_cannot_stand_in_an_address():
    text = bibtex([Paper(id="p", title="Naps", url="https://x.org/a}b{c\\d e", doi="10.1000/a}}b")])
    assert "https://x.org/a%7Db%7Bc%5Cd%20e" in text
    assert len(back([Paper(id="p", title="Naps", url="https://x.org/a}b{c\\d e")])) == 1
