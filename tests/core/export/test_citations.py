"""The works that a run's texts cite: found among the built-in papers, or said to be none of its
own, the same in the report, in the lists to copy and in the files.
"""

import pytest

from core.export.citations import from_built_in, unmatched
from core.export.files import bibliography
from core.export.markdown import markdown
from core.export.papers import drawn_on, unlisted
from core.literature.shelf import on_shelf
from core.methods.questioning.citing import mentions
from core.models.builtin.phrases import cite, cite_authors
from core.records import Idea, Outcome, Paper
from core.story import Story
from tests.conftest import make_run
from tests.core.test_story import put
from tests.support.report_kit import INPUTS, PAPER

BY_RULES = {"main": "builtin"}
CITES = (
    "A second mechanism comes from Kovachki et al. (2021), to be weighed against Raonić et al."
    " (2023); Lund (2021) measured sleep."
)


def refined(store, text: str, models: dict[str, str], paper: Paper = PAPER) -> str:
    """Store a refinement that ended with this text, with one paper of its own; return its id."""
    inputs = {**INPUTS, "context": [paper.model_dump(mode="json")]}
    run = make_run(store, method="refine", version=2, inputs=inputs, models=models)
    idea = Idea(form="hypothesis", fields={"hypothesis": text})
    put(store, run, ("round-0", idea), ("outcome", Outcome(reason="Done.", idea=idea)))
    return run.id


def references(text: str) -> str:
    return text[text.index("## References\n") : text.index("## The run")]


def test_every_work_that_the_built_in_model_cites_is_listed_with_a_link_everywhere(store):
    run = refined(store, CITES, BY_RULES)
    told = references(markdown(store, run))
    assert "Nikola Kovachki et al. (2021). Neural Operator" in told
    assert "https://arxiv.org/abs/2108.08481" in told
    assert "Bogdan Raonić et al. (2023). Convolutional Neural Operators" in told
    assert "https://arxiv.org/abs/2302.01178" in told
    assert "1. Ada Lund (2021)" in told
    assert "not listed" not in told
    assert "Cited in the text" not in told
    for ending, where in (("bib", "author = {Nikola"), ("ris", "Kovachki"), ("csl.json", "Kova")):
        assert where in bibliography(store, run, ending=ending)
    assert "author = {Nikola Borislavov" not in markdown(store, run)
    listed = drawn_on(store, store.runs.get(run), Story.of(store, run))
    assert len(listed) == 3


def test_a_language_models_citation_of_no_paper_of_the_run_is_said_to_be_one(store):
    run = refined(store, f"{CITES} See also (Lúnd, 2021; Doe, 2019).", {"main": "openai:big"})
    told = references(markdown(store, run))
    assert "Neural Operator" not in told
    sentence = (
        "Cited in the text, not among this run's papers: Doe, 2019; Kovachki et al. (2021); Raonić"
        " et al. (2023)."
    )
    assert sentence in told
    assert unlisted(store, store.runs.get(run), Story.of(store, run)) == sentence


def test_a_name_that_fits_a_paper_of_the_run_is_not_looked_for_among_the_built_in_ones(store):
    named = next(paper for paper in on_shelf() if cite_authors(paper) == "Kovachki et al. (2021)")
    own = named.model_copy(
        update={"id": "own", "title": "Something else", "doi": None, "arxiv": None, "url": None}
    )
    run = store.runs.get(refined(store, CITES, BY_RULES, own))
    listed = drawn_on(store, run, Story.of(store, run.id))
    assert [paper.title for paper in listed if "Kovachki" in paper.authors[0]] == [own.title]


def test_where_a_name_fits_several_built_in_papers_all_are_listed(store):
    names = [cite_authors(paper) for paper in on_shelf()]
    shared = next(name for name in names if names.count(name) > 1)
    run = store.runs.get(refined(store, f"As {shared} say.", BY_RULES))
    found = from_built_in(store, run, [f"As {shared} say."], ())
    assert len(found) == names.count(shared)
    assert {cite_authors(paper) for paper in found} == {shared}


@pytest.mark.parametrize(
    "written",
    [
        "Lund (2021)",
        "(Lund et al., 2021a)",
        "Lund's (2021)",
        "Orexin (2021)",
        "at NeurIPS (2022)",
        "in March (2020)",
    ],
)
def test_what_may_be_a_paper_of_the_run_or_is_no_work_at_all_is_not_missed(written):
    assert unmatched([f"It was shown {written} before."], [PAPER]) == ()


def test_a_citation_stands_as_the_text_has_it_and_once():
    texts = ["As Lund and Roe (2022) said; Doe et al. (2019)", "as Doe et al. (2019) did"]
    assert unmatched(texts, [PAPER]) == ("Lund and Roe (2022)", "Doe et al. (2019)")
    assert mentions(texts[0])["doe", "2019"] == "Doe et al. (2019)"


def test_every_name_that_the_built_in_model_gives_a_built_in_paper_is_found_again(store):
    run = store.runs.get(refined(store, "Nothing.", BY_RULES))
    for paper in on_shelf():
        for name in (cite(paper), cite_authors(paper)):
            found = from_built_in(store, run, [f"By {name}, it is so."], ())
            assert paper in found, name
            assert unmatched([f"By {name}, it is so."], found) == ()


@pytest.mark.parametrize("word", ["a", "A-", "a et al. ", "(a"])
def test_a_hundred_thousand_letters_without_a_citation_are_read_in_one_go(word):
    # As a search that begins anew at every letter this would take an hour.
    assert mentions(word * (100_000 // len(word))) == {}


def test_a_bracket_of_years_that_may_be_names_is_read_in_one_go():
    # Ten minutes otherwise.
    assert mentions(f"({'n.d., ' * 80_000}x)") == {}
    years = ", ".join(f"19{n}" for n in range(10, 40))
    assert set(mentions(f"({'n.d., ' * 80_000}Lund and Roe, {years})")) >= {("lund", "1939")}
