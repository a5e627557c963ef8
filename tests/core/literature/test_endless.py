"""A service whose lists never end, or whose answers are larger than anybody can have asked for."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from core.errors import SourceFailed, Stopped
from core.literature import http
from core.literature import openalex as openalex_source
from core.literature.http import asking
from core.literature.openalex.answers import paper as work_paper
from core.literature.port import Query
from core.literature.semantic_scholar.answers import paper as found_paper
from tests.core.literature.test_openalex import open_at as open_openalex
from tests.core.literature.test_semantic_scholar import open_at as open_scholar


def scholar(asked: dict[str, str], papers: int, padding: str) -> dict[str, object]:
    offset = int(asked.get("offset", 0))
    data = [{"paperId": f"p{offset + n}", "title": "Sleep"} for n in range(papers)]
    return {"total": 10**6, "offset": offset, "next": offset + 1, "data": data, "more": padding}


def openalex(asked: dict[str, str], papers: int, padding: str) -> dict[str, object]:
    at = int(asked["cursor"].replace("*", "0"))
    works = [{"id": f"https://openalex.org/W{at + n + 1}", "title": "S"} for n in range(papers)]
    return {
        "meta": {"count": 10**6, "next_cursor": str(at + 1), "more": padding},
        "results": works,
    }


@pytest.fixture(params=[(scholar, open_scholar), (openalex, open_openalex)], ids=["s2", "openalex"])
def service(request, store):
    """A source that asks a service which always has another page."""
    shape, open_at = request.param
    said = SimpleNamespace(papers=0, padding="", asked=0)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            said.asked += 1
            asked = {name: one[0] for name, one in parse_qs(urlsplit(self.path).query).items()}
            body = json.dumps(shape(asked, said.papers, said.padding)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    said.source = open_at(f"http://127.0.0.1:{server.server_port}", store)
    yield said
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_list_whose_pages_bring_little_is_given_up(service):
    service.papers = 1 if "openalex" in type(service.source).__module__ else 0
    with pytest.raises(SourceFailed, match="whose pages lead nowhere"):
        service.source.search(Query(text="sleep", limit=20))
    assert service.asked <= http.PAGES + 1


def test_short_pages_are_followed_for_a_while(service):
    service.papers = 3
    assert service.source.search(Query(text="sleep", limit=9))
    assert service.asked == 3


def test_who_stops_is_heard_between_two_pages(service):
    service.papers, heard = 1, []

    def stop(note: str) -> None:
        heard.append(note)
        raise Stopped("Stopped by a person.")

    with pytest.raises(Stopped), service.source.telling(stop):
        service.source.search(Query(text="sleep", limit=20))
    assert (service.asked, len(heard)) == (1, 1)


def test_large_answers_are_read_one_after_the_other_and_who_stops_is_heard(service, monkeypatch):
    monkeypatch.setattr(asking, "SMALL", 5_000)
    service.papers = 1
    heard = []

    def stop(note: str) -> None:
        heard.append(note)
        raise Stopped("Stopped by a person.")

    with service.source.telling(stop), asking._READING:
        assert service.source.search(Query(text="small", limit=1))
        assert not heard
        service.padding = "x" * 10_000
        with pytest.raises(Stopped):
            service.source.search(Query(text="large", limit=1))
    assert heard == ["waiting to read a large answer"]
    assert service.source.search(Query(text="large", limit=1))


@pytest.mark.parametrize("service", [(openalex, open_openalex)], indirect=True)
def test_works_become_papers_before_the_next_page_is_asked_for(service, monkeypatch):
    at = []

    def noted(work):
        at.append(service.asked)
        return work_paper(work)

    monkeypatch.setattr(openalex_source, "paper", noted)
    service.papers = 2
    assert service.source.search(Query(text="sleep", limit=5))
    assert at == [1, 1, 2, 2, 3]


def test_answers_of_one_question_have_a_size_in_all(service, monkeypatch):
    monkeypatch.setattr(asking, "IN_ALL", 25_000)
    service.papers, service.padding = 1, "x" * 10_000
    with pytest.raises(SourceFailed, match="more than anybody can have asked for"):
        service.source.search(Query(text="sleep", limit=20))
    assert service.asked == 3


def test_of_a_paper_s_names_and_addresses_no_more_is_kept_than_any_has():
    long = "x" * 3_000
    entry = {
        "paperId": "p",
        "title": "T",
        "authors": [{"name": f"A{n}"} for n in range(http.AUTHORS + 5)],
        "externalIds": {"DOI": long, "ArXiv": "2401.00001"},
        "url": f"https://example.org/{long}",
        "openAccessPdf": {"url": "https://example.org/x.pdf"},
    }
    from semanticscholar.Paper import Paper as Found

    found = found_paper(Found(entry))
    assert (found.doi, found.arxiv) == (None, "2401.00001")
    assert (found.url, len(found.authors)) == ("https://example.org/x.pdf", http.AUTHORS)
    work = work_paper(
        {
            "id": "https://openalex.org/W1",
            "title": "T",
            "doi": f"https://doi.org/10.1/{long}",
            "authorships": [{"author": {"display_name": "A"}}] * (http.AUTHORS + 5),
        }
    )
    assert (work.doi, work.url, len(work.authors)) == (None, "https://openalex.org/W1", 5_000)
