"""The made-up world: big enough, true to its own edges, faulty where it says so, and told apart by
meaning.
"""

import itertools
import json
import time

import numpy as np
import pytest

from core import settings
from core.literature.embeddings import Embedder
from core.literature.port import Query
from core.literature.semantic_scholar import SemanticScholarSource
from core.store import Store
from tests.support.servers.scholar_server import ScholarServer
from tests.support.world import FAULTS, World

WORLD = World.make()


def paper(name: str) -> dict:
    return WORLD.by_id[name]


def line_of(topic: str) -> str:
    mechanism, _, field = topic.partition(" for ")
    return f"{field} / {mechanism}"


def test_a_seed_makes_the_same_world_again_in_half_a_second_of_the_processor():
    began = time.process_time()
    again = World.make()
    assert time.process_time() - began < 0.5
    assert json.dumps(again.papers) == json.dumps(WORLD.papers)
    assert World.make(1).by_id.keys().isdisjoint(WORLD.by_id)


def test_it_has_two_thousand_papers_of_several_fields_each_with_its_own_text():
    assert len(WORLD.papers) == len(WORLD.by_id) >= 2000
    assert len({paper["title"] for paper in WORLD.papers}) == len(WORLD.papers)
    assert len({name.partition(" / ")[0] for name in WORLD.lines.values()}) == 8
    assert len(WORLD.topics) == len(set(WORLD.lines.values())) == 48


def test_papers_cite_their_line_most_and_other_fields_seldom():
    known = [(WORLD.lines[a], WORLD.lines[b]) for a, b in WORLD.edges if b in WORLD.by_id]
    own = sum(a == b for a, b in known)
    foreign = sum(a.partition(" / ")[0] != b.partition(" / ")[0] for a, b in known)
    assert own > 0.7 * len(known)
    assert 100 < foreign < 0.1 * len(known)


def test_only_misdated_papers_cite_what_is_newer_than_they_are():
    wrong = {a for a, b in WORLD.edges if b in WORLD.by_id and paper(a)["year"] < paper(b)["year"]}
    assert wrong
    assert wrong <= WORLD.having("misdated")


@pytest.mark.parametrize("fault", FAULTS)
def test_every_planted_fault_is_where_it_is_said_to_be_and_nowhere_else(fault):
    twins = {WORLD.original(name) for name in WORLD.having("twin")} | WORLD.having("twin")
    shows = {
        "no abstract": lambda one: one["abstract"] is None,
        "withheld": lambda one: one["references"] is None,
        "broken": lambda one: any(cited not in WORLD.by_id for cited in one["references"] or ()),
        "year only": lambda one: one["publicationDate"] is None,
        "no doi": lambda one: "DOI" not in one["externalIds"],
        "misdated": lambda one: any(
            one["year"] < paper(cited)["year"] - 1
            for cited in one["references"] or ()
            if cited in WORLD.by_id
        ),
        "twin": (
            lambda one: one["paperId"] in twins and WORLD.original(one["paperId"]) != one["paperId"]
        ),
    }[fault]
    found = {one["paperId"] for one in WORLD.papers if shows(one)}
    assert len(WORLD.having(fault)) == FAULTS[fault]
    assert found <= WORLD.having(fault)
    assert len(found) >= 0.9 * FAULTS[fault], (
        "some misdated papers cite nothing young enough to show it"
    )


def test_a_twin_has_the_doi_of_its_original_and_another_title():
    pairs = [(paper(name), paper(WORLD.original(name))) for name in WORLD.having("twin")]
    assert all(a["paperId"] != b["paperId"] and a["title"] != b["title"] for a, b in pairs)
    assert all(a["externalIds"]["DOI"] == b["externalIds"]["DOI"] for a, b in pairs)


def test_every_topic_has_room_for_three_branches_of_five():
    for topic in WORLD.topics:
        line = [
            one
            for one in WORLD.papers
            if WORLD.lines[one["paperId"]] == line_of(topic)
            and one["publicationDate"]
            and one["abstract"]
        ]
        line = sorted(
            (one for one in line if one["paperId"] not in WORLD.having("twin")),
            key=lambda one: one["publicationDate"],
        )
        branches, used = 0, set()
        while branch := path_of_five(line, used):
            used |= set(branch)
            branches += 1
        assert branches >= 3, topic


def path_of_five(line: list[dict], used: set[str]) -> list[str] | None:
    """Return five papers not used yet, each citing the one before, or None."""

    def onward(path: list[str]) -> list[str] | None:
        if len(path) == 5:
            return path
        later = [
            one["paperId"]
            for one in line
            if one["paperId"] not in used and WORLD.cites(one["paperId"], path[-1])
        ]
        return next(filter(None, (onward([*path, name]) for name in later)), None)

    return next(
        filter(None, (onward([one["paperId"]]) for one in line if one["paperId"] not in used)), None
    )


def test_embeddings_tell_the_fields_apart(tmp_path):
    firsts = [
        [one for one in WORLD.papers if WORLD.lines[one["paperId"]].startswith(f"{field} / ")][
            :120:40
        ]
        for field in dict.fromkeys(name.partition(" / ")[0] for name in WORLD.lines.values())
    ]
    vectors = Embedder(Store(tmp_path).library).vectors(
        [f"{one['title']}\n{one['abstract']}" for one in itertools.chain(*firsts)]
    )
    near = vectors @ vectors.T
    for n in range(len(firsts)):
        mine, others = (
            near[3 * n : 3 * n + 3, 3 * n : 3 * n + 3],
            np.delete(near[3 * n : 3 * n + 3], slice(3 * n, 3 * n + 3), axis=1),
        )
        assert mine.min() > others.max(), list(firsts[n])


@pytest.fixture
def source(tmp_path):
    with ScholarServer(WORLD.papers) as server:
        given = settings.read(
            {}, data=tmp_path, semantic_scholar_url=server.url, semantic_scholar_interval=0
        )
        yield SemanticScholarSource(given, Store(tmp_path).library)


def test_the_loopback_server_serves_it_fast(source):
    began = time.process_time()
    found = source.search(Query(text=WORLD.topics[0], limit=20))
    for one in found:
        source.citations(one, 200)
        source.references(one, 200)
    assert len(found) == 20
    assert time.process_time() - began < 2, "41 requests"


def test_edges_as_served_are_the_edges_of_the_world(source):
    for name in [*sorted(WORLD.by_id)[:20], *sorted(WORLD.having("broken"))[:5]]:
        [one] = source.papers((f"s2:{name}",))
        cited = {other.id.removeprefix("s2:") for other in source.references(one, 500)}
        citing = {other.id.removeprefix("s2:") for other in source.citations(one, 500)}
        assert cited == {b for a, b in WORLD.edges if a == name and b in WORLD.by_id}
        assert citing == {a for a, b in WORLD.edges if b == name}


def test_withheld_references_are_none_and_a_year_alone_is_served_as_such(source):
    withheld, year_only = sorted(WORLD.having("withheld"))[0], sorted(WORLD.having("year only"))[0]
    one, other = source.papers((f"s2:{withheld}", f"s2:{year_only}"))
    assert source.references(one, 100) == ()
    assert (other.published, other.year) == (None, paper(year_only)["year"])
