"""Works over all their versions, and when each was public first."""

from itertools import permutations

import pytest

from core.experiments.topics.contenders import cut_off
from core.judging.claims import claim, found_papers, short_claim
from core.methods.novelty.dating import (
    Hit,
    are_told_apart,
    merge,
    public_from,
    published_from,
)
from core.records import EDITION, ExperimentTopic, NoveltyCheck, Paper, Search

TITLE = "Sleep and memory in young athletes"


def paper(name: str, **said: object) -> Paper:
    return Paper(**{"id": name, "title": TITLE, **said})


OLD = paper("old", year=2009, doi="10.1/old", authors=("Ann Smith",))
NEW = paper("new", title=TITLE.title(), year=2024, doi="10.2/new", authors=("Bo Lee", "C. Öz"))
PREPRINT = paper("p", year=2023, arxiv="2301.01234", authors=("Lee, Bo", "Oz, C."))


def works(*papers: Paper, edition: int = EDITION) -> list[tuple[tuple[str, ...], str | None]]:
    hits = [Hit(one, "shelf", "words") for one in papers]
    found = merge(hits, "2024-06-01", edition)
    return [(tuple(one.id for one in work.entries), work.date) for work in found]


def test_two_papers_of_one_title_with_nobody_in_common_are_two_works():
    assert works(OLD, NEW) == [(("old",), "2009"), (("new",), "2024")]
    assert works(OLD, NEW, edition=3) == [(("new", "old"), "2009")], "earlier runs go on so"


@pytest.mark.parametrize("order", list(permutations((OLD, NEW, PREPRINT))))
def test_a_preprint_is_a_version_of_the_article_of_its_own_authors(order):
    assert sorted(works(*order)) == [(("new", "p"), "2023-01"), (("old",), "2009")]


def test_a_title_alone_names_a_paper_whose_authors_are_not_known():
    bare = paper("bare", year=2010)
    assert works(OLD, bare) == [(("bare", "old"), "2009")]
    assert len(works(OLD, bare, NEW)) == len(works(bare, NEW, OLD)) == 2


def test_who_shares_a_doi_is_one_paper_whoever_wrote_it():
    other = paper("other", year=2010, doi="10.1/OLD", authors=("Somebody Else",))
    assert works(OLD, other) == [(("old", "other"), "2009")]


@pytest.mark.parametrize(
    ("mine", "theirs", "apart"),
    [
        (("Ann Smith",), ("Bo Lee",), True),
        (("J. Müller",), ("Jens Mueller",), False),
        (("A. Moller",), ("Anders Møller",), False),
        (("Wei Zhang",), ("张伟",), False),
        (("Vaswani", "others"), ("Shazeer", "Uszkoreit"), False),
        ((), ("Bo Lee",), False),
    ],
)
def test_papers_are_told_apart_by_people_where_nothing_is_unknown(mine, theirs, apart):
    one = paper("a", doi="10.1/a", authors=mine)
    other = paper("b", doi="10.1/b", authors=theirs)
    assert are_told_apart(one, other) == are_told_apart(other, one) == apart
    assert not are_told_apart(one, other.model_copy(update={"doi": None}))
    assert not are_told_apart(one, other.model_copy(update={"doi": "10.1/A"}))


@pytest.mark.parametrize(
    ("said", "first", "published"),
    [
        ({"published": "2024-08-10", "arxiv": "2401.01234"}, "2024-01-01", "2024-08-10"),
        ({"published": "2024-01-10", "arxiv": "2401.01234"}, "2024-01-10", "2024-01-10"),
        ({"year": 2024, "arxiv": "2311.00001"}, "2023-11-01", "2024-01-01"),
        ({"published": "2024-08"}, "2024-08-01", "2024-08-01"),
        ({"published": "soon", "year": 2020}, "2020-01-01", "2020-01-01"),
        ({}, None, None),
    ],
)
def test_a_paper_is_public_from_its_preprint_on(said, first, published):
    assert public_from(paper("x", **said)) == first
    assert published_from(paper("x", **said)) == published


@pytest.mark.parametrize(
    ("before", "edition", "cut"),
    [
        (None, EDITION, "2024-01-01"),
        (None, 3, "2024-08-10"),
        ("2025-01-01", EDITION, "2024-01-01"),
        ("2025-01-01", 3, "2025-01-01"),
        ("2020-01-01", EDITION, "2020-01-01"),
    ],
)
def test_an_experiment_reads_nothing_from_its_topics_preprint_on(before, edition, cut):
    own = paper("x", published="2024-08-10", arxiv="2401.01234")
    topic = ExperimentTopic(topic="sleep", paper=own)
    assert cut_off(topic, before, edition) == cut
    assert cut_off(ExperimentTopic(topic="sleep"), "2020-01-01", edition) == "2020-01-01"


def test_a_paper_under_two_ids_is_counted_once():
    again = NEW.model_copy(update={"id": "openalex:W1"})
    other = paper("other", title="On roofs", doi="10.3/other")
    searches = [Search(query=one.id, state="found", papers=(one,)) for one in (NEW, again, other)]
    check = NoveltyCheck(round=1, searches=tuple(searches), state="novel", reason="Compared.")
    assert found_papers(check) == 2
    assert "among 2 papers" in claim(check, "shelf")


def test_an_overlap_with_a_paper_of_the_chain_is_not_among_those_found():
    search = Search(query="sleep", state="found", papers=(NEW,))
    check = NoveltyCheck(
        round=1, searches=(search,), state="similar", nearest=OLD, similarity=0.9, reason="So."
    )
    assert claim(check, "shelf").startswith("A paper of its own chain overlaps with it (1 paper")
    assert "a paper of its chain" in short_claim(check)
    among = check.model_copy(update={"nearest": NEW})
    assert claim(among, "shelf").startswith("A paper that overlaps with it was found among 1 paper")
