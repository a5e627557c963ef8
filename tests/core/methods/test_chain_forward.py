"""What the way ahead has to choose from: a thousand citing papers at most, paged in, cut by words
to what meaning is compared for.
"""

import time

import pytest

from components.chains.paper import amount
from core.errors import SourceFailed
from core.literature.combined import SecondChoice, Together
from core.literature.openalex import OpenAlexSource
from core.literature.ranking import nearest_in_words
from core.literature.semantic_scholar import SemanticScholarSource
from core.records import Paper
from tests.core.literature.test_openalex import open_at as openalex_at
from tests.core.literature.test_semantic_scholar import open_at
from tests.support.hop_kit import ANCHOR, Hops, graph, one
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.servers.scholar_server import ScholarServer, paper_id

SOURCES = {"semantic-scholar": (ScholarServer, 1), "openalex": (OpenAlexServer, 10)}
"""Each server, and the requests a thousand papers take by its longest page."""
RIGHT = one(
    "right",
    "2015-09-01",
    "Sleep extension in young athletes",
    "Sleep in young athletes is made longer",
    [ANCHOR],
)
"""The oldest and least cited of all that cite the anchor: last in the order of either source."""
RIGHT["citationCount"] = 1


def test_of_950_citing_papers_the_last_in_the_sources_order_is_found_and_200_are_embedded(tmp_path):
    with ScholarServer([*graph(949), RIGHT]) as server:
        hops = Hops(tmp_path, server, length=2)
    assert hops.chain.papers[-1].title == RIGHT["title"]
    considered = hops.considered("forward")
    assert (considered.found, considered.more, considered.compared) == (950, False, 200)
    assert considered.candidates[0].paper.title == RIGHT["title"]
    assert hops.papers_embedded() == 200


@pytest.mark.parametrize("source", SOURCES)
def test_of_4000_citing_papers_1000_are_taken_and_the_record_says_that_there_are_more(
    tmp_path, source
):
    serves, pages = SOURCES[source]
    with serves(graph(4_000)) as server:
        hops = Hops(tmp_path, server, source=source, length=2)
        requests = hops.sent("citations") or [
            one.query for one in server.asked if "cites:" in one.query.get("filter", "")
        ]
    considered = hops.considered("forward")
    assert (considered.found, considered.more, considered.compared) == (1_000, True, 200)
    assert (
        amount(considered)
        == "1,000 found, the source has more; the 200 nearest in words were compared in meaning"
    )
    assert hops.papers_embedded() == 200
    assert len(requests) == pages
    assert (
        hops.runner.store.steps.get(hops.run.id, "branch-1/forward-1/citing").request["limit"]
        == 1_000
    )


def test_a_run_of_the_first_edition_takes_200_and_says_nothing_of_more(tmp_path):
    with ScholarServer([*graph(949), RIGHT]) as server:
        hops = Hops(tmp_path, server, edition=1, length=2)
    assert hops.chain.papers[-1].title != RIGHT["title"]
    assert [asked["limit"] for asked in hops.sent("citations")] == ["200"]
    step = hops.runner.store.steps.get(hops.run.id, "branch-1/forward-1/citing")
    assert step.request["citations"] == hops.anchor.id
    assert len(step.reply) == 200
    considered = hops.considered("forward")
    assert (considered.found, considered.more, considered.compared) == (200, False, None)
    assert {"more", "compared"}.isdisjoint(considered.model_dump())


def test_a_dead_end_behind_a_thousand_says_that_there_are_more(tmp_path):
    with ScholarServer(graph(1_500)) as server:
        hops = Hops(
            tmp_path,
            server,
            {"relevance": lambda _: {"relevant": False, "reason": "Off the topic."}},
            length=2,
        )
    failed, reason = hops.stop("forward")
    assert not failed
    assert reason.startswith("1000 papers (the source has more) cite ")


# -- pages -------------------------------------------------------------------------------------


def anchor(source: str = "s2") -> Paper:
    return Paper(
        id=f"s2:{paper_id(ANCHOR)}" if source == "s2" else "doi:10.5555/anchor",
        title="A",
        doi=f"10.5555/{ANCHOR}",
    )


def test_pages_shorter_than_asked_for_are_followed_to_the_end(store):
    with ScholarServer(graph(900)) as server:
        server.sent = 250
        source = open_at(server.url, store)
        assert len({paper.id for paper in source.citations(anchor(), 1_000)}) == 900
        assert [asked.query["offset"] for asked in server.asked] == ["0", "250", "500", "750"]
        assert "more" not in source.last()
        assert len(source.citations(anchor(), 600)) == 600
        assert source.last()["more"] is True


@pytest.mark.parametrize("kind", ["503", "half", "html", "no data"])
def test_a_later_page_that_fails_fails_the_whole_and_is_not_taken_for_the_end(store, kind):
    with ScholarServer(graph(900)) as server:
        server.sent = 250
        source = open_at(server.url, store, patience=0)
        source.citations(anchor(), 250)
        server.asked.clear()
        Later(server, kind)
        with pytest.raises(SourceFailed):
            source.citations(anchor(), 1_000)
        assert len(server.asked) > 1
        server.next_fault = lambda path: None
        assert len(source.citations(anchor(), 1_000)) == 900, (
            "nothing of the broken answer was kept"
        )


class Later:
    """Lets every request but the first of each list fail."""

    def __init__(self, server: ScholarServer, kind: str):
        self.server, self.plain, self.seen = server, server.next_fault, 0
        server.fail("/citations", kind)
        server.next_fault = self.fault  # type: ignore[method-assign]

    def fault(self, path: str):
        self.seen += "citations" in path or "works" in path
        return self.plain(path) if self.seen > 1 else None


def test_a_hop_whose_later_page_fails_stops_as_failed(tmp_path):
    with ScholarServer(graph(900)) as server:
        server.sent = 250
        Later(server, "503")
        hops = Hops(tmp_path, server, length=2)
    failed, reason = hops.stop("forward")
    assert failed
    assert "503" in reason


def test_pages_that_lead_nowhere_are_a_failure_and_no_endless_loop(store, monkeypatch):
    with ScholarServer(graph(900)) as server:
        monkeypatch.setattr(
            server, "citations", lambda paper, query: {"offset": 0, "next": 100, "data": []}
        )
        with pytest.raises(SourceFailed, match="lead nowhere"):
            open_at(server.url, store).citations(anchor(), 1_000)


def test_several_sources_say_that_there_are_more_when_one_has_more_or_all_together_have(store):
    papers = graph(120)
    with ScholarServer(papers) as scholar, OpenAlexServer(papers) as openalex:
        one_, other = open_at(scholar.url, store), openalex_at(openalex.url, store)
        assert isinstance(one_, SemanticScholarSource)
        assert isinstance(other, OpenAlexSource)
        for both, limit, more in (
            (SecondChoice(one_, other), 100, True),
            (SecondChoice(one_, other), 200, False),
            (Together(one_, other), 100, True),
            (Together(other, one_), 120, False),
        ):
            both.citations(anchor("doi"), limit)
            assert ("more" in both.last()) is more


# -- the cut by words --------------------------------------------------------------------------


def papers(*titles: str) -> tuple[Paper, ...]:
    return tuple(Paper(id=f"p{n}", title=title) for n, title in enumerate(titles))


def test_rare_words_weigh_more_than_common_ones_and_equals_stand_by_id():
    found = papers(
        "A study of sleep",
        "A study of naps in sleep",
        "A study of naps",
        "A study of chess",
        "A study of go",
    )
    assert [one.id for one in nearest_in_words("naps and a study", found, 2)] == ["p2", "p1"]
    assert [one.id for one in nearest_in_words("nothing shared", tuple(reversed(found)), 3)] == [
        "p0",
        "p1",
        "p2",
    ]
    assert nearest_in_words("", (), 5) == ()


def test_a_thousand_papers_are_cut_in_less_than_a_second():
    found = papers(*(f"Paper {n} on sleep and {n % 17} other matters " * 20 for n in range(1_000)))
    start = time.thread_time()
    assert len(nearest_in_words("sleep of young athletes " * 40, found, 200)) == 200
    assert time.thread_time() - start < 1
