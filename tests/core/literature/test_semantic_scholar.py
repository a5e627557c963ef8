"""Semantic Scholar through the real package, against a loopback server: what is asked, and what the
answers become.
"""

import logging

import pytest

from core import settings
from core.errors import BadInput, SourceFailed
from core.literature.port import Query
from core.literature.semantic_scholar import SemanticScholarSource
from core.records import Paper
from core.store import Store
from tests.support.servers.scholar_server import ScholarServer, paper_id

KEY = "planted-key-1a2b3c"


@pytest.fixture
def server():
    with ScholarServer() as running:
        yield running


@pytest.fixture
def source(server, store):
    return open_at(server.url, store)


def open_at(url: str, store: Store, **given) -> SemanticScholarSource:
    return SemanticScholarSource(
        settings.read(
            {},
            **{
                "semantic_scholar_url": url,
                "semantic_scholar_key": KEY,
                "semantic_scholar_interval": 0.0,
                "patience": 5.0,
                "read_timeout": 2.0,
            }
            | given,
        ),
        store.library,
    )


def s2(name: str) -> str:
    return f"s2:{paper_id(name)}"


def known(name: str) -> Paper:
    return Paper(id=s2(name), title=name)


def names(papers) -> list[str]:
    return [paper.doi.removeprefix("10.5555/") for paper in papers]


def test_a_paper_keeps_what_the_service_says_of_it(source):
    (paper,) = source.papers((s2("a6"),))
    assert (paper.id, paper.title, paper.year, paper.published) == (
        s2("a6"),
        "Language Model Agents That Propose Research Ideas",
        2023,
        "2023-03-14",
    )
    assert (paper.authors, paper.venue, paper.doi, paper.arxiv, paper.citations) == (
        ("Author A6",),
        None,
        "10.5555/a6",
        "2303.00005",
        15,
    )
    assert paper.abstract.startswith("A single prompt gives shallow research ideas")
    assert (paper.source, paper.abstract_by) == ("semantic-scholar", "authors")


def test_a_paper_without_abstract_stays_usable(source):
    assert source.papers((s2("c3"),))[0].abstract == ""


def test_papers_come_in_the_order_asked_by_any_kind_of_id_and_unknown_ones_are_left_out(source):
    asked = (s2("b1"), "doi:10.5555/a3", s2("nobody"), "arxiv:2303.00005", "shelf:x2020y", "s2:")
    assert names(source.papers(asked)) == ["b1", "a3", "a6"]


def test_asking_only_for_unknown_papers_finds_nothing(source):
    assert source.papers((s2("nobody"),)) == ()
    assert source.papers(()) == ()


def test_hops_follow_the_graph_by_id(source, server):
    assert names(source.citations(known("c1"), 50)) == ["c2"]
    assert names(source.references(known("a6"), 50)) == ["a5", "a4", "b5"]
    assert names(source.references(Paper(id="doi:10.5555/a2", title="A2"), 50)) == ["a1"]
    assert {asked.path for asked in server.asked} >= {
        f"/paper/{paper_id('c1')}/citations",
        "/paper/DOI:10.5555/a2/references",
    }


def test_withheld_references_and_an_unknown_paper_are_nothing_found(source):
    assert source.references(known("d1"), 50) == ()
    assert source.citations(known("nobody"), 50) == ()


def test_a_paper_of_another_source_is_followed_by_its_doi_or_arxiv_id(source, server):
    assert names(source.citations(Paper(id="shelf:x", title="X", doi="10.5555/c1"), 50)) == ["c2"]
    assert names(source.references(Paper(id="shelf:x", title="X", arxiv="2303.00005"), 50)) == [
        "a5",
        "a4",
        "b5",
    ]
    assert [asked.path for asked in server.asked] == [
        "/paper/DOI:10.5555/c1/citations",
        "/paper/ARXIV:2303.00005/references",
    ]


def test_a_paper_unknown_by_its_doi_is_looked_for_by_its_arxiv_id(source, server):
    assert names(
        source.references(
            Paper(id="openalex:W1", title="X", doi="10.48550/x", arxiv="2303.00005"), 50
        )
    ) == ["a5", "a4", "b5"]
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "outside", [{}, {"doi": "10.1/nobody"}, {"doi": "10.1/nobody", "arxiv": "0000.0"}]
)
def test_a_paper_of_another_source_that_cannot_be_found_is_refused_not_answered_with_nothing(
    source, outside
):
    with pytest.raises(BadInput, match="shelf:x"):
        source.citations(Paper(id="shelf:x", title="X", **outside), 5)


@pytest.mark.parametrize(
    "words", ["C++ & R&D", "x&limit=1", "50% of #tags?", "naïve 思考 العربية 🧪", "a=b;c"]
)
def test_a_query_arrives_as_it_was_written(source, server, words):
    source.search(Query(text=words, limit=7))
    assert server.asked[0].query["query"] == words
    assert server.asked[0].query["limit"] == "7"


def test_hyphens_are_sent_as_spaces_since_the_service_finds_nothing_with_them(source, server):
    assert (
        names(source.search(Query(text="Self-Checking Novelty Idea-Proposing Agents")))[0] == "a9"
    )
    assert server.asked[0].query["query"] == "Self Checking Novelty Idea Proposing Agents"


def test_a_query_without_words_is_refused_and_a_very_long_one_is_cut_between_words(source, server):
    with pytest.raises(BadInput):
        source.search(Query(text=" \n"))
    source.search(Query(text="idea " * 20_000))
    assert set(server.asked[0].query["query"].split()) == {"idea"}
    assert len(server.asked[0].query["query"]) <= 500


def test_the_key_is_on_every_call_and_only_there(source, server, store, caplog):
    caplog.set_level(logging.DEBUG)
    for ask in (
        lambda: source.search(Query(text="ideas")),
        lambda: source.papers((s2("a1"),)),
        lambda: source.citations(known("a1"), 5),
        lambda: source.references(known("a2"), 5),
    ):
        ask()
    assert [asked.headers.get("x-api-key") for asked in server.asked] == [KEY] * 4
    assert KEY not in caplog.text + repr(vars(source)) + repr(source.last())
    assert KEY.encode() not in b"".join(path.read_bytes() for path in store.folder.iterdir())


def test_a_password_that_is_a_word_stays_in_what_papers_say(server, store, tmp_path):
    address = server.url.replace("//", "//reader:network@")
    asked = Query(text="networks")
    first, kept = (open_at(address, store).search(asked) for _ in range(2))
    assert [one.headers["authorization"][:6] for one in server.asked] == ["Basic "]
    plain = open_at(server.url, Store(tmp_path / "other")).search(asked)
    titles = [[one.title for one in found] for found in (first, kept, plain)]
    assert any("network" in title.lower() for title in titles[2])
    assert titles == [titles[2]] * 3


def test_without_a_key_no_key_is_sent(server, store):
    open_at(server.url, store, semantic_scholar_key=None).search(Query(text="ideas"))
    assert "x-api-key" not in server.asked[0].headers


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"semantic_scholar_key": "planted\u2019"}, "SEMANTIC_SCHOLAR_API_KEY"),
        ({"semantic_scholar_url": "me:planted@x.example"}, "FOUNDRY_SEMANTIC_SCHOLAR_URL"),
    ],
)
def test_what_cannot_be_sent_is_a_failure_that_names_its_variable(server, store, given, variable):
    source = open_at(server.url, store, **given)
    with pytest.raises(SourceFailed, match=f"{variable} .*is not usable") as failure:
        source.search(Query(text="ideas"))
    assert "planted" not in f"{failure.value} {source.last()}"
    assert not server.asked


def test_only_the_fields_we_use_are_asked_for(source, server):
    source.references(known("a2"), 5)
    assert server.asked[0].query["fields"] == (
        "title,abstract,year,publicationDate,authors,venue,citationCount,externalIds,"
        "openAccessPdf,url"
    )


def test_a_cut_off_is_asked_of_the_service_and_kept(source, server):
    found = source.search(Query(text="research ideas", before="2023-09-05"))
    assert server.asked[0].query["publicationDateOrYear"] == ":2023-09-04"
    assert "a7" not in names(found)
    assert all(paper.published < "2023-09-05" for paper in found)
    with pytest.raises(BadInput, match="soon"):
        source.search(Query(text="research ideas", before="soon"))


def test_citations_before_a_day_are_looked_for_among_older_papers(source, server):
    assert names(source.citations(known("a6"), 2)) == ["f1", "b7"]
    assert names(source.citations(known("a6"), 2, before="2024-01-01")) == ["a7"]


def test_banned_papers_do_not_use_up_the_limit(source):
    best = [paper.id for paper in source.search(Query(text="research ideas", limit=4))]
    found = source.search(Query(text="research ideas", limit=2, ban=tuple(best[:2])))
    assert [paper.id for paper in found] == best[2:]


def test_pages_are_followed_as_far_as_wanted(server, store, monkeypatch):
    monkeypatch.setattr("core.literature.semantic_scholar.PAGE", 3)
    found = open_at(server.url, store).search(Query(text="language model", limit=8))
    assert len({paper.id for paper in found}) == 8
    assert [asked.query["offset"] for asked in server.asked] == ["0", "3", "6"]


def test_an_address_may_end_in_the_path_of_the_api(server, store):
    assert open_at(server.url + "/graph/v1/", store).papers((s2("a1"),))


def test_an_id_with_signs_of_an_address_in_it_arrives_whole(source, server):
    with pytest.raises(BadInput, match="knows no paper"):
        source.references(Paper(id="doi:10.5555/(a)<1>#2?3", title="X"), 5)
    assert server.asked[0].path == "/paper/DOI:10.5555/(a)<1>#2?3/references"


def test_opening_a_source_leaves_the_logging_of_the_process_alone(server, store, monkeypatch):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    open_at(server.url, store)
    assert root.handlers == []


def test_a_password_in_the_address_is_neither_told_nor_stored(server, store):
    source = open_at(server.url.replace("//", "//me:planted-pass@"), store)
    assert source.papers((s2("a6"),))
    assert source.last()["address"] == server.url
    assert not [
        row
        for row in store.connections.rows("SELECT key || body AS text FROM source_cache")
        if "planted-pass" in row["text"]
    ]
