"""Search over everything: the store, the built-in papers and the case studies that come along."""

import pytest

from core.cases.bundled import bundled, opened
from core.records import Idea
from core.search import facts, search
from core.store.search import GROUPS
from tests.conftest import Shop, make_run


@pytest.fixture
def shop(tmp_path):
    return Shop(tmp_path / "data", {})


def found(shop, words, group):
    (finds,) = search(shop, words, (group,), limit=100)
    assert finds.total == len(finds.found)
    return finds.found


def test_built_in_papers_are_found_and_once_a_run_met_them_still_once(shop):
    papers = found(shop, "hypocretin orex", "papers")
    assert {one.about for one in papers} == {"shelf"}
    assert facts(shop.store, papers[0]) == ("Built-in paper", "")
    met = next(paper for paper in shop.shelf.all() if paper.id == papers[0].id)
    shop.store.library.add_papers(make_run(shop.store).id, [met])
    again = found(shop, "hypocretin orex", "papers")
    assert sorted(one.id for one in again) == sorted(one.id for one in papers)
    assert [one.id for one in again if one.about == "met"] == [met.id]
    assert facts(shop.store, again[0]) == ("Found by your runs", "Built-in papers")


def test_accents_and_case_do_not_matter_for_built_in_papers(shop):
    plain = [one.id for one in found(shop, "hypocretin", "papers")]
    assert [one.id for one in found(shop, "HYPOCRÉTIN", "papers")] == plain


def test_case_studies_that_come_along_are_found_and_once_opened_still_once(shop):
    case = bundled()[0]
    (one,) = [one for one in found(shop, case.title, "cases") if one.id == case.run]
    opened(shop.store, case.name)
    (again,) = [one for one in found(shop, case.title, "cases") if one.id == case.run]
    assert (one.title, one.origin) == (again.title, again.origin)
    assert "runs" not in [finds.group for finds in search(shop, case.title)]


def test_papers_that_only_a_case_study_brought_are_not_said_to_be_in_the_library(shop):
    case = next(one for one in bundled() if one.papers)
    run = opened(shop.store, case.name)
    assert shop.store.connections.number("SELECT count(*) FROM run_papers WHERE run = ?", run.id)
    titles = shop.store.connections.column("SELECT title FROM papers")
    for title in titles:
        met = [one for finds in search(shop, title, ("papers",)) for one in finds.found]
        assert {one.about for one in met} <= {"shelf"}


@pytest.mark.parametrize("text", ["", "   ", "!?", '"', "zzzzqqqq"])
def test_nothing_is_found_by_nothing(shop, text):
    shop.store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": "Naps!"}), None, "o")
    assert search(shop, text) == ()


def test_groups_come_in_their_order(shop):
    shop.store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": "Orexin!"}), None, "o")
    make_run(shop.store, inputs={"topic": "orexin"})
    groups = [finds.group for finds in search(shop, "orexin")]
    assert groups == [group for group in GROUPS if group != "sessions"]
