"""A loopback server that answers like the Semantic Scholar Graph API, and fails on request.

    with ScholarServer() as server:
        server.fail("/citations", "429", times=2, retry_after=1)
        ... use server.url ...
        server.asked[0].headers["x-api-key"]

Alone: `python tests/support/servers/scholar_server.py --port 0 [--graph FILE]` prints its address.
"""

import argparse
import hashlib
import json
import random
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

FAULTS = (
    "400",
    "401",
    "403",
    "404",
    "429",
    "500",
    "502",
    "503",
    "504",
    "hang",
    "drop",
    "html",
    "half",
    "null",
    "wrong types",
    "no data",
    "other shape",
    "bare 404",
)
GRAPH = Path(__file__).parents[2] / "data" / "scholar_graph.txt"
"""Invented papers, one a line: name|day|title|problem|mechanism|evaluation|names of the papers it
cites.
"""
EDGE = {"contexts": [], "intents": [], "isInfluential": False}
"""What is said of a citation nothing is known of; `mentions` of a paper of a graph say more: by the
id it cites, the fields that differ.
"""
MOST = {"search": 100, "citations": 1_000, "references": 1_000}
"""The longest page a list may be asked for by."""
ELIDED = "d1"
"""Its references are withheld by the publisher, as the service says with null."""
NO_ABSTRACT = "c3"
MILESTONES = ("d1", "d2")


def paper_id(name: str) -> str:
    """Return the 40 hex digits that stand for a paper of the built-in graph."""
    return hashlib.sha1(name.encode()).hexdigest()


def default_graph() -> list[dict]:
    """Return the built-in papers in the service's shape, each with `references`: ids, or None where
    they are withheld.
    """
    return [
        paper_of(n, *line.split("|"))
        for n, line in enumerate(GRAPH.read_text("utf-8").splitlines())
    ]


def paper_of(
    n: int,
    name: str,
    day: str,
    title: str,
    problem: str,
    mechanism: str,
    evaluation: str,
    cited: str,
) -> dict:
    """Return one paper of the built-in graph."""
    return {
        "paperId": paper_id(name),
        "title": title,
        "abstract": None if name == NO_ABSTRACT else f"{problem}. {mechanism}. {evaluation}.",
        "year": int(day[:4]),
        "publicationDate": day,
        "authors": [{"authorId": str(n), "name": f"Author {name.upper()}"}],
        "venue": "",
        "citationCount": 4000 if name in MILESTONES else 3 * n,
        "externalIds": {"DOI": f"10.5555/{name}", "ArXiv": f"{day[2:4]}{day[5:7]}.{n:05}"},
        "openAccessPdf": None,
        "url": f"https://example.org/paper/{name}",
        "references": (
            None if name == ELIDED else [paper_id(one) for one in cited.split(",") if one]
        ),
    }


@dataclass
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    query: dict
    headers: dict
    body: object = None
    at: float = field(default_factory=time.monotonic)


@dataclass
class Fault:
    path: str
    kind: str
    left: int
    retry_after: object = None


class ScholarServer:
    """Serves a graph of papers until the block ends; `asked` keeps every request."""

    def __init__(self, graph=None, port: int = 0, hang: float = 2.0, latency: float = 0.0):
        self.papers = {paper["paperId"]: paper for paper in graph or default_graph()}
        self.texts = {
            name: f"{paper['title']} {paper['abstract']}".lower()
            for name, paper in self.papers.items()
        }
        self.outside = {
            (kind, value): paper
            for paper in reversed(self.papers.values())
            for kind, value in (paper.get("externalIds") or {}).items()
        }
        self.citing = defaultdict(list)
        for paper in sorted(self.papers.values(), key=day, reverse=True):
            for cited in dict.fromkeys(paper["references"] or ()):
                self.citing[cited].append(paper)
        self.asked: list[Asked] = []
        self.faults: list[Fault] = []
        self.hang, self.latency = hang, latency
        self.flaky: dict[str, float] = {}
        """How likely a request fails in which way; drawn from the request and from how often it
        came, so that a test repeats whatever the threads do.
        """
        self.faulted: list[str] = []
        self._came = Counter[str]()
        self.bulk_page = 1_000
        self.sent = 10_000
        """Entries of citations or references that are sent at most, however many were asked for."""
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", port), type("Handler", (Handler,), {"scholar": self})
        )
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def fail(self, path: str, kind: str, times: int = 1_000_000, retry_after=None) -> None:
        """Let the next `times` requests whose path holds `path` fail in this way."""
        assert kind in FAULTS, kind
        self.faults.append(Fault(path, kind, times, retry_after))

    def next_fault(self, path: str):
        """Return the fault due for this path, using it up, or None."""
        for fault in self.faults:
            if fault.path in path and fault.left > 0:
                fault.left -= 1
                return fault
        return None

    def draw_fault(self, path: str, request: str):
        """Return the fault a request is drawn from `flaky`, or None."""
        self._came[request] += 1
        at = random.Random(f"{request} {self._came[request]}").random()
        for kind, chance in self.flaky.items():
            if at < chance:
                self.faulted.append(kind)
                return Fault(path, kind, 0)
            at -= chance
        return None

    def __enter__(self) -> "ScholarServer":
        threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *ended) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def serve_forever(self) -> None:
        """Serve in this thread until interrupted."""
        self._http.serve_forever()

    # -- the graph -----------------------------------------------------------------------------

    def find(self, name: str):
        """Return the paper of an id as the service takes them: its own, DOI:..., ARXIV:..."""
        if name in self.papers:
            return self.papers[name]
        kind, _, value = name.partition(":")
        return self.outside.get(({"DOI": "DOI", "ARXIV": "ArXiv"}.get(kind.upper()), value))

    def search(self, query: dict) -> dict:
        """Answer a relevance search: papers sharing most words, a hyphenated term matching nothing,
        as the real one does.
        """
        words = [word.lower() for word in query.get("query", "").split()]
        hits = []
        for name, text in {} if any("-" in word for word in words) else self.texts.items():
            shared, paper = sum(word in text for word in words), self.papers[name]
            if shared * 2 >= len(words) and shared and in_range(paper, query):
                hits.append((-shared, day(paper), paper))
        hits.sort(key=lambda hit: hit[:2])
        return {"total": len(hits)} | page(hits, query, lambda hit: shown(hit[2], query))

    def bulk(self, query: dict) -> dict:
        """Answer a bulk search: papers that hold one of the words and meet every criterion, by id,
        with a token for the next page.
        """
        if query.get("limit") or not query.get("query"):
            return {"error": "Unacceptable query params"}
        words = [word.strip().lower() for word in query["query"].split("|")]
        fields, venues = (
            {one for one in query.get(name, "").split(",") if one}
            for name in ("fieldsOfStudy", "venue")
        )
        hits = [
            paper
            for name, paper in sorted(self.papers.items())
            if any(word in self.texts[name] for word in words)
            and str(paper["year"]) == query.get("year", str(paper["year"]))
            and paper["citationCount"] >= int(query.get("minCitationCount", 0))
            and in_range(paper, query)
            and (not fields or fields & set(paper.get("fieldsOfStudy") or ()))
            and (not venues or paper["venue"] in venues)
        ]
        start = int(query.get("token") or 0)
        end = start + self.bulk_page
        return {
            "total": len(hits),
            "token": str(end) if end < len(hits) else None,
            "data": [shown(paper, query) for paper in hits[start:end]],
        }

    def citations(self, paper: dict, query: dict) -> dict:
        """Answer with the papers that cite this one, newest first."""
        citing = [one for one in self.citing[paper["paperId"]] if in_range(one, query)]
        return page(
            citing,
            query,
            lambda one: edge(one, paper, query) | {"citingPaper": shown(one, query)},
            self.sent,
        )

    def references(self, paper: dict, query: dict) -> dict:
        """Answer with the papers this one cites, an unresolved one first; null where the publisher
        withholds them.
        """
        if paper["references"] is None:
            return {"citingPaperInfo": {"references": None}, "offset": 0, "data": None}
        unresolved = {"paperId": None, "title": "An Unresolved Reference"}
        cited = [self.papers.get(one, unresolved) for one in paper["references"]]
        return page(
            [unresolved, *cited] if cited else [],
            query,
            lambda one: edge(paper, one, query) | {"citedPaper": shown(one, query)},
            self.sent,
        )


def day(paper: dict) -> str:
    """Return the day a paper counts for in a range; one with only a year counts as of January 1, as
    the service says.
    """
    return paper["publicationDate"] or f"{paper['year']}-01-01"


def in_range(paper: dict, query: dict) -> bool:
    """Say whether a paper is in the range of days asked for; a range includes its ends."""
    first, _, last = query.get("publicationDateOrYear", ":").partition(":")
    return (first or "0") <= day(paper) <= (last or "9")


def shown(paper: dict, query: dict) -> dict:
    """Return a paper with only the fields that were asked for."""
    return {
        name: paper.get(name)
        for name in ["paperId", *query.get("fields", "title").split(",")]
        if name not in EDGE
    }


def edge(citing: dict, cited: dict, query: dict) -> dict:
    """Return what is said of a citation itself, as far as it was asked for."""
    said = EDGE | (citing.get("mentions") or {}).get(cited["paperId"], {})
    return {name: said[name] for name in EDGE if name in query.get("fields", "").split(",")}


def page(items: list, query: dict, draw, sent: int = 10_000) -> dict:
    """Cut a page out of a list, as `offset` and `limit` say, and draw what is on it."""
    offset, limit = int(query.get("offset", 0)), min(sent, int(query.get("limit", 100)))
    more = {"next": offset + limit} if offset + limit < len(items) else {}
    return {
        "offset": offset,
        "data": [draw(item) for item in items[offset : offset + limit]],
    } | more


class Handler(BaseHTTPRequestHandler):
    scholar: ScholarServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet per answer: two would wait 40 ms for each other

    def do_GET(self) -> None:
        self.handle_request(None)

    def do_POST(self) -> None:
        self.handle_request(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def handle_request(self, body) -> None:
        address = urlsplit(self.path)
        path, query = (
            unquote(address.path).removeprefix("/graph/v1"),
            dict(parse_qsl(address.query)),
        )
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.scholar.asked.append(Asked(self.command, path, query, headers, body))
        fault = self.scholar.next_fault(path) or self.scholar.draw_fault(
            path, f"{self.path} {json.dumps(body)}"
        )
        self.scholar.closing.wait(self.scholar.latency)
        status, answer = (
            self.answer(path, query, body)
            if "/graph/v1" in address.path
            else (404, {"message": "no such route"})
        )
        if fault is None:
            self.send(status, json.dumps(answer))
        else:
            self.spoil(fault, json.dumps(answer))

    def answer(self, path: str, query: dict, body):
        """Return (status, payload) for a healthy request."""
        scholar = self.scholar
        if int(query.get("limit", 1)) > MOST.get(path.rpartition("/")[2], 1_000):
            return 400, {"error": f"limit must be at most {MOST[path.rpartition('/')[2]]}"}
        if path == "/paper/search":
            return 200, scholar.search(query)
        if path == "/paper/search/bulk":
            found = scholar.bulk(query)
            return 400 if "error" in found else 200, found
        if path == "/paper/batch":
            found = [scholar.find(name) for name in body["ids"]]
            if not any(found):
                return 400, {"error": "No valid paper ids given"}
            return 200, [shown(paper, query) if paper else None for paper in found]
        name, _, hop = path.removeprefix("/paper/").rpartition("/")
        if hop not in ("citations", "references"):
            name, hop = path.removeprefix("/paper/"), ""
        paper = scholar.find(name)
        if paper is None:
            return 404, {"error": f"Paper with id {name} not found"}
        return 200, (
            {"citations": scholar.citations, "references": scholar.references}[hop](paper, query)
            if hop
            else shown(paper, query)
        )

    def spoil(self, fault: Fault, healthy: str) -> None:
        """Fail as asked."""
        if fault.kind == "hang":
            self.scholar.closing.wait(self.scholar.hang)
            self.close_connection = True
        elif fault.kind == "drop":
            self.close_connection = True
        elif fault.kind == "html":
            self.send(200, "<!doctype html><title>Maintenance</title>", kind="text/html")
        elif fault.kind == "half":
            self.send(200, healthy[: len(healthy) // 2])
        elif fault.kind == "null":
            self.send(200, json.dumps({"offset": 0, "data": None}))
        elif fault.kind == "no data":
            self.send(200, json.dumps({"message": "Internal problem"}))
        elif fault.kind == "wrong types":
            paper = {"paperId": "x", "title": ["a"], "year": "soon", "authors": 7}
            self.send(
                200,
                json.dumps(
                    {
                        "total": 1,
                        "offset": 0,
                        "data": [paper | {"citingPaper": paper, "citedPaper": paper}],
                    }
                ),
            )
        elif fault.kind == "other shape":
            self.send(
                200,
                json.dumps({"total": 1, "offset": 0, "data": [{"paper": {"title": "A Title"}}]}),
            )
        elif fault.kind == "bare 404":
            self.send(404, "<html>404 nginx</html>", kind="text/html")
        else:
            said = "error" if fault.kind[0] == "4" else "message"
            self.send(
                int(fault.kind),
                json.dumps(
                    {said: f"Planned fault {fault.kind} for key {self.headers.get('x-api-key')}"}
                ),
                retry_after=fault.retry_after,
            )

    def send(
        self, status: int, text: str, kind: str = "application/json", retry_after=None
    ) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        if retry_after is not None:
            self.send_header("retry-after", str(retry_after))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *parts) -> None:
        """Stay silent."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--port", type=int, default=0)
    options.add_argument(
        "--graph",
        type=Path,
        help="JSON: {'papers': [...]} in the service's shape, each with `references`: ids",
    )
    options.add_argument("--latency", type=float, default=0.0, help="seconds every answer takes")
    given = options.parse_args()
    graph = json.loads(given.graph.read_text("utf-8"))["papers"] if given.graph else None
    server = ScholarServer(graph, given.port, latency=given.latency)
    print(server.url, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
