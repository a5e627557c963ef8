"""OpenAlex against a loopback server: what is asked, and what the answers become."""

import json
import logging

import pytest

from core import settings
from core.errors import BadInput
from core.literature.openalex import OpenAlexSource
from core.literature.openalex.answers import abstract, paper
from core.literature.port import Query
from core.records import Paper
from core.store import Store
from tests.support.servers.openalex_server import OpenAlexServer, number
from tests.support.servers.scholar_server import default_graph, paper_id
from tests.support.world import World

KEY = "planted-key-4d5e6f"


@pytest.fixture
def server():
    with OpenAlexServer() as running:
        yield running


@pytest.fixture
def source(server, store):
    return open_at(server.url, store)


def open_at(url: str, store: Store, **given) -> OpenAlexSource:
    return OpenAlexSource(
        settings.read(
            {},
            **{
                "openalex_url": url,
                "openalex_key": KEY,
                "openalex_interval": 0.0,
                "patience": 5.0,
                "read_timeout": 2.0,
            }
            | given,
        ),
        store.library,
    )


def oa(name: str) -> str:
    return f"openalex:{number(paper_id(name))}"


def known(name: str) -> Paper:
    return Paper(id=oa(name), title=name)


def names(papers) -> list[str]:
    return [paper.doi.removeprefix("10.5555/") for paper in papers]


def graph(count: int = 0, **changed) -> list[dict]:
    """Return the built-in graph with one paper more, which has what is given; `count` papers more
    without anything.
    """
    new = {
        "paperId": "new",
        "title": "New",
        "abstract": None,
        "year": 2024,
        "publicationDate": "2024-05-05",
        "citationCount": 0,
        "references": [],
    }
    return [
        *default_graph(),
        new | changed,
        *({**new, "paperId": f"p{n}", "title": f"P{n}"} for n in range(count)),
    ]


def test_a_paper_keeps_what_the_service_says_of_it(source):
    (found,) = source.papers((oa("a6"),))
    assert (found.id, found.title, found.year, found.published) == (
        oa("a6"),
        "Language Model Agents That Propose Research Ideas",
        2023,
        "2023-03-14",
    )
    assert (found.authors, found.venue, found.doi, found.arxiv, found.citations) == (
        ("Author A6",),
        None,
        "10.5555/a6",
        "2303.00005",
        15,
    )
    assert found.abstract.startswith("A single prompt gives shallow research ideas")
    assert (found.url, found.pdf, found.source, found.abstract_by) == (
        "https://doi.org/10.5555/a6",
        None,
        "openalex",
        "authors",
    )


def test_a_paper_with_less_stays_usable(store):
    pdf = {"url": "https://example.org/new.pdf"}
    with OpenAlexServer(
        graph(openAccessPdf=pdf, venue="A Journal", publicationDate=None)
    ) as server:
        (found,) = open_at(server.url, store).papers((f"openalex:{number('new')}",))
    assert (found.pdf, found.venue, found.abstract, found.doi, found.arxiv) == (
        "https://example.org/new.pdf",
        "A Journal",
        "",
        None,
        None,
    )
    assert found.url == f"https://openalex.org/{number('new')}"


@pytest.mark.parametrize(
    ("day", "published"),
    [
        ("2024-05-05", "2024-05-05"),
        ("2024-05-01", "2024-05"),
        ("2024-01-01", None),
        (None, None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_first_day_says_no_more_than_its_month_or_year(day, published):
    found = paper(
        {
            "id": "https://openalex.org/W1",
            "title": "T",
            "publication_year": 2024,
            "publication_date": day,
        }
    )
    assert (found.published, found.year) == (published, 2024)


def test_a_paper_known_to_its_year_only_never_passes_a_cut_off_in_that_year(store):
    with OpenAlexServer(
        graph(publicationDate=None, title="Research Ideas", references=[paper_id("a6")])
    ) as server:
        source = open_at(server.url, store)
        for day, passes in (("2024-06-01", False), ("2025-06-01", True)):
            for found in (
                source.search(Query(text="research ideas", before=day, limit=99)),
                source.citations(known("a6"), 99, before=day),
            ):
                assert ("Research Ideas" in [one.title for one in found]) is passes


@pytest.mark.parametrize(
    ("index", "words"),
    [
        ({"Deep": [0], "nets": [1, 3], "beat": [2]}, "Deep nets beat nets"),
        ({"b": [7], "a": [2]}, "a b"),
        ({"a": [0], "b": [0]}, "a b"),
        (None, ""),
        ({}, ""),
        ({"a": [10**18, -1, None, "2", True, 1.5], "b": None, "c": 3, "d": [[0]]}, "a"),
        (["a"], ""),
        ("text", ""),
        (7, ""),
        ({"\ud83d": [0]}, "?"),
    ],
)
def test_an_abstract_is_read_from_its_index_whatever_that_holds(index, words):
    assert abstract(index) == words


def test_an_index_of_a_whole_book_is_read_to_its_beginning():
    assert len(abstract({"word": list(range(500_000))}).split()) == 2_000


@pytest.mark.parametrize(
    ("work", "arxiv"),
    [
        ({"doi": "https://doi.org/10.48550/arXiv.2303.00005"}, "2303.00005"),
        ({"locations": None}, None),
        ({"locations": [{"landing_page_url": "http://arxiv.org/abs/2303.00005v3"}]}, "2303.00005"),
        (
            {"locations": [{}, {"pdf_url": "https://arxiv.org/pdf/hep-th/9901001.pdf"}]},
            "hep-th/9901001",
        ),
        ({"locations": [{"landing_page_url": "https://example.org/2303.00005"}]}, None),
    ],
)
def test_an_arxiv_id_is_found_where_the_work_names_it(work, arxiv):
    assert paper({"id": "https://openalex.org/W1", "title": "T", **work}).arxiv == arxiv


def test_papers_come_in_the_order_asked_by_any_kind_of_id_and_unknown_ones_are_left_out(source):
    asked = (
        oa("b1"),
        "doi:10.5555/A3",
        oa("nobody"),
        "arxiv:2303.00005v2",
        "shelf:x2020y",
        "s2:1",
        "openalex:",
        "doi: ",
        "doi:10.1/a,b|c",
    )
    assert names(source.papers(asked)) == ["b1", "a3", "a6"]
    assert source.papers((oa("nobody"),)) == source.papers(()) == ()


def test_hops_follow_the_graph_by_id_and_references_keep_their_order(source, server):
    assert names(source.citations(known("c1"), 50)) == ["c2"]
    assert names(source.references(known("a6"), 50)) == ["a5", "a4", "b5"]
    assert names(source.references(known("a6"), 2)) == ["a5", "a4"]
    assert server.asked[0].query["filter"] == f"cites:{number(paper_id('c1'))}"


def test_more_references_than_fit_a_request_come_whole_and_in_order(store):
    many = [f"p{n}" for n in range(230)]
    with OpenAlexServer(graph(230, references=["gone", *reversed(many), "lost"])) as server:
        found = open_at(server.url, store).references(
            Paper(id=f"openalex:{number('new')}", title="New"), 225
        )
    assert [one.title for one in found] == [f"P{n}" for n in range(229, 4, -1)]
    assert all(len(asked.query["filter"].split("|")) <= 100 for asked in server.asked)


def test_edges_of_a_world_of_papers_come_out_as_they_are(store):
    world = World.make()
    names = {number(name): name for name in world.by_id}
    with OpenAlexServer(world.papers) as server:
        source = open_at(server.url, store)
        for one in [
            *sorted(world.by_id)[:10],
            *(
                sorted(world.having(fault))[0]
                for fault in ("broken", "withheld", "twin", "year only", "no doi")
            ),
        ]:
            paper = Paper(id=f"openalex:{number(one)}", title=one)
            assert {
                names[other.id.removeprefix("openalex:")] for other in source.references(paper, 500)
            } == {cited for citing, cited in world.edges if citing == one and cited in world.by_id}
            assert {
                names[other.id.removeprefix("openalex:")] for other in source.citations(paper, 500)
            } == {citing for citing, cited in world.edges if cited == one}


@pytest.mark.parametrize("listed", [None, [], ["gone"]])
def test_withheld_empty_and_broken_reference_lists_are_nothing_found(store, listed):
    with OpenAlexServer(graph(references=listed)) as server:
        assert (
            open_at(server.url, store).references(
                Paper(id=f"openalex:{number('new')}", title="New"), 50
            )
            == ()
        )


def test_a_paper_of_ours_that_the_service_no_longer_knows_has_nothing(source):
    assert source.citations(known("nobody"), 50) == source.references(known("nobody"), 50) == ()


@pytest.mark.parametrize(
    "outside",
    [{"doi": "10.5555/a6"}, {"arxiv": "2303.00005"}, {"doi": "10.1/nobody", "arxiv": "2303.00005"}],
)
def test_a_paper_of_another_source_is_followed_by_its_doi_or_arxiv_id(source, outside):
    elsewhere = Paper(id="s2:abc", title="X", **outside)
    assert names(source.references(elsewhere, 50)) == ["a5", "a4", "b5"]
    assert names(source.citations(elsewhere, 50)) == names(source.citations(known("a6"), 50)) != []


@pytest.mark.parametrize("outside", [{}, {"doi": "10.1/nobody"}, {"arxiv": "0000.0"}])
def test_a_paper_of_another_source_that_cannot_be_found_is_refused_not_answered_with_nothing(
    source, outside
):
    for hop in (source.citations, source.references):
        with pytest.raises(BadInput, match="s2:abc"):
            hop(Paper(id="s2:abc", title="X", **outside), 5)


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ("C++ & R&D", "c r d"),
        ("x&limit=1", "x limit 1"),
        ('ideas AND (sleep OR "a b")', "ideas and sleep or a b"),
        ("idea* wom?n machin~1", "idea wom n machin 1"),
        ("!ideas | sleep", "ideas sleep"),
        ("Self-Checking 50% of #tags", "self checking 50 of tags"),
        ("naïve 思考 العربية 🧪", "naïve 思考 العربية"),
        ("\ud83d ideas", "ideas"),
    ],
)
def test_a_query_arrives_as_words_and_never_as_orders(source, server, words, sent):
    source.search(Query(text=words, limit=7))
    assert (server.asked[0].query["search"], server.asked[0].query["per_page"]) == (sent, "7")


def test_a_query_without_words_is_refused_and_a_very_long_one_fits_the_address(source, server):
    for empty in (" \n", "?!"):
        with pytest.raises(BadInput):
            source.search(Query(text=empty))
    for word in ("idea ", "思考 "):
        source.search(Query(text=word * 20_000))
    assert all(set(asked.query["search"].split()) <= {"idea", "思考"} for asked in server.asked)


def test_the_key_is_on_every_call_and_only_there(source, server, store, caplog):
    caplog.set_level(logging.DEBUG)
    for ask in (
        lambda: source.search(Query(text="ideas")),
        lambda: source.papers((oa("a1"), "doi:10.5555/a1")),
        lambda: source.citations(known("a1"), 5),
        lambda: source.references(known("a2"), 5),
    ):
        ask()
    assert {asked.headers.get("authorization") for asked in server.asked} == {f"Bearer {KEY}"}
    assert KEY not in caplog.text + repr(vars(source)) + repr(source._asker.service) + repr(
        source.last()
    ) + json.dumps([a.query for a in server.asked])
    assert KEY.encode() not in b"".join(path.read_bytes() for path in store.folder.iterdir())


def test_without_a_key_no_key_is_sent_and_the_environment_gives_one(server, store):
    open_at(server.url, store, openalex_key=None).search(Query(text="ideas"))
    assert "authorization" not in server.asked[0].headers
    given = settings.read({"OPENALEX_API_KEY": KEY, "FOUNDRY_OPENALEX_URL": "http://127.0.0.1:9"})
    assert (given.openalex_key, given.openalex_url) == (KEY, "http://127.0.0.1:9")
    assert KEY not in repr(given)


def test_a_cut_off_is_asked_of_the_service_and_kept(source, server):
    found = source.search(Query(text="research ideas", before="2023-09-05", limit=50))
    assert server.asked[0].query["filter"] == "to_publication_date:2023-09-04"
    assert found
    assert all(one.published < "2023-09-05" for one in found)
    assert names(source.citations(known("a6"), 9, before="2024-01-01")) == ["a7"]
    assert server.asked[1].query["filter"].endswith(",to_publication_date:2023-12-31")
    for ask in (
        lambda: source.search(Query(text="ideas", before="soon")),
        lambda: source.citations(known("a6"), 9, before="soon"),
    ):
        with pytest.raises(BadInput, match="soon"):
            ask()


def test_banned_papers_do_not_use_up_the_limit(source):
    best = [one.id for one in source.search(Query(text="research ideas", limit=4))]
    found = source.search(Query(text="research ideas", limit=2, ban=tuple(best[:2])))
    assert [one.id for one in found] == best[2:]


def test_pages_are_followed_as_far_as_wanted_and_no_further(server, store, monkeypatch):
    monkeypatch.setattr("core.literature.openalex.PAGE", 3)
    source = open_at(server.url, store)
    assert len({one.id for one in source.search(Query(text="language model", limit=8))}) == 8
    assert len(server.asked) == 3
    assert names(source.citations(known("c1"), 50)) == ["c2"]
    assert len(server.asked) == 4


def test_only_the_fields_we_use_are_asked_for(source, server):
    source.search(Query(text="ideas"))
    assert set(server.asked[0].query["select"].split(",")) == {
        "id",
        "doi",
        "title",
        "publication_year",
        "publication_date",
        "authorships",
        "primary_location",
        "best_oa_location",
        "locations",
        "cited_by_count",
        "abstract_inverted_index",
    }


def test_a_password_in_the_address_is_neither_told_nor_stored(server, store):
    source = open_at(server.url.replace("//", "//me:planted-pass@") + "/", store, openalex_key=None)
    assert source.papers((oa("a6"),))
    assert source.last()["address"] == server.url
    assert not [
        row
        for row in store.connections.rows("SELECT key || body AS text FROM source_cache")
        if "planted-pass" in row["text"]
    ]


def test_of_an_endless_title_its_beginning_is_kept():
    found = paper({"id": "https://openalex.org/W1", "title": "Sleep " * 50_000})
    assert found is not None
    assert found.title == ("Sleep " * 50_000)[:1_000]
