"""A loopback server that answers like the OpenAlex API, and fails on request; it takes the same
graphs as the Semantic Scholar one.

    with OpenAlexServer(world.papers) as server:
        server.fail("cites:", "429", times=2, retry_after=1)  # whatever stands in the address,
        decoded
        ... use server.url ...

Alone: `python -m tests.openalex_server --port 0 [--graph FILE]` prints its address.
"""

import argparse
import hashlib
import json
import random
import re
from pathlib import Path
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit

from tests.support.servers.scholar_server import Asked, Fault, Handler, ScholarServer, day

PARAMETERS = {"search", "filter", "per_page", "cursor", "select", "sort", "sample", "seed", "page"}
FIELDS = {
    "id",
    "doi",
    "title",
    "display_name",
    "publication_year",
    "publication_date",
    "ids",
    "authorships",
    "primary_location",
    "best_oa_location",
    "locations",
    "cited_by_count",
    "abstract_inverted_index",
    "referenced_works",
}
META = {"count": 1, "page": None, "per_page": 25, "next_cursor": None}
SPOILT = {
    "null": {"meta": META, "results": None},
    "no data": {"message": "Internal problem"},
    "other shape": {"meta": META, "results": [{"title": "A Title"}]},
    "wrong types": {
        "meta": META,
        "results": [
            {
                "id": "https://openalex.org/W1",
                "title": ["a"],
                "publication_year": "soon",
                "authorships": 7,
            }
        ],
    },
}
MOST = 100
PLAIN = {
    "publication_year": lambda paper: {str(paper["year"])},
    "type": lambda paper: {paper.get("type", "article")},
    "has_abstract": lambda paper: {"true" if paper["abstract"] else "false"},
    "is_retracted": lambda paper: {"true" if paper.get("retracted") else "false"},
    "primary_location.source.type": lambda paper: {paper.get("sourceType", "journal")},
}
"""What some filters look at, as text."""


class Refused(Exception):
    """A question the service does not take."""


def number(paper_id: str) -> str:
    """Return the `W...` under which a paper of a graph is served."""
    return f"W{int(hashlib.sha1(paper_id.encode()).hexdigest()[:10], 16)}"


class OpenAlexServer(ScholarServer):
    """Serves a graph of papers until the block ends; `asked` keeps every request."""

    def __init__(self, graph=None, port: int = 0, hang: float = 2.0, latency: float = 0.0):
        super().__init__(graph, port, hang, latency)
        self._http.RequestHandlerClass = type("Handler", (OpenAlexHandler,), {"scholar": self})
        self.numbered = {number(name): paper for name, paper in self.papers.items()}
        self.words = {name: set(re.findall(r"\w+", text)) for name, text in self.texts.items()}

    def works(self, query: dict) -> dict:
        """Answer a question for a list of works; raises Refused."""
        if wrong := set(query) - PARAMETERS or set(query.get("select", "id").split(",")) - FIELDS:
            raise Refused(f"{sorted(wrong)[0]} is not a valid parameter.")
        found = list(self.papers.values())
        for one in filter(None, query.get("filter", "").split(",")):
            found = self.filtered(found, *one.partition(":")[::2])
        if words := query.get("search"):
            asked = self.asked_for(words)
            found = [paper for paper in found if asked <= self.words[paper["paperId"]]]
        found.sort(key=lambda paper: (-paper["citationCount"], number(paper["paperId"])))
        return self.sampled(found, query) if "sample" in query else self.cut(found, query)

    def sampled(self, papers: list, query: dict) -> dict:
        """Return a page of a random sample, the same for the same seed; as the real one, with pages
        and not with a cursor.
        """
        if (
            "cursor" in query
            or ("seed" not in query and "page" in query)
            or not 0 < int(query["sample"]) <= 10_000
        ):
            raise Refused("Sampling takes no cursor, and pages want a seed.")
        drawn = random.Random(query.get("seed")).sample(
            papers, min(int(query["sample"]), len(papers))
        )
        size, page = int(query.get("per_page", 25)), int(query.get("page", 1))
        part = drawn[(page - 1) * size : page * size]
        return {
            "meta": META | {"count": len(drawn), "page": page, "per_page": size},
            "results": [selected(paper, query) for paper in part],
        }

    def filtered(self, papers: list, name: str, value: str) -> list:
        """Return what one filter lets through, in no order."""
        values = value.split("|")
        if len(values) > MOST:
            raise Refused(
                f"Maximum number of values exceeded for {name}. Decrease values to {MOST} or below."
            )
        if name in PLAIN:
            return [paper for paper in papers if set(values) & PLAIN[name](paper)]
        if name == "to_publication_date":
            return [paper for paper in papers if day(paper) <= value]
        look = {
            "ids.openalex": lambda one: [self.numbered.get(one.upper())],
            "doi": lambda one: [self.by_doi(one.removeprefix("https://doi.org/"))],
            "cites": lambda one: self.citing[
                (self.numbered.get(one) or {"paperId": None})["paperId"]
            ],
            "locations.landing_page_url": lambda one: [
                self.outside.get(("ArXiv", one.removeprefix("http://arxiv.org/abs/")))
            ],
        }.get(name)
        if look is None:
            raise Refused(f"{name} is not a valid field.")
        through = {paper["paperId"] for one in values for paper in look(one) if paper}
        return [paper for paper in papers if paper["paperId"] in through]

    def by_doi(self, doi: str):
        return next(
            (
                paper
                for (kind, value), paper in self.outside.items()
                if kind == "DOI" and value.lower() == doi.lower()
            ),
            None,
        )

    @staticmethod
    def asked_for(words: str) -> set[str]:
        """Return the words of a search; the real one takes some signs for orders, and refuses
        others.
        """
        if re.search(r"[|*?~\"!()]", words) or {"AND", "OR", "NOT"} & set(words.split()):
            raise Refused(f"The search has operators. Problem value: {words}")
        return set(re.findall(r"\w+", words.lower()))

    @staticmethod
    def cut(papers: list, query: dict) -> dict:
        """Cut out a page; as the real one does, give a cursor also behind the last page, which is
        followed by an empty one.
        """
        size, cursor = int(query.get("per_page", 25)), query.get("cursor", "*")
        if not 0 < size <= MOST:
            raise Refused("per_page must be between 1 and 100.")
        start = 0 if cursor == "*" else int(cursor.removeprefix("after="))
        part = papers[start : start + size]
        meta = {
            "count": len(papers),
            "page": None,
            "per_page": size,
            "next_cursor": f"after={start + size}" if part else None,
        }
        return {"meta": meta, "results": [selected(paper, query) for paper in part]}


def selected(paper: dict, query: dict) -> dict:
    """Return a paper as a work with only the fields that were asked for."""
    drawn = work(paper)
    return {name: drawn[name] for name in query.get("select", ",".join(FIELDS)).split(",")}


def work(paper: dict) -> dict:
    """Return a paper of a graph in the service's shape."""
    outside, address = (
        paper.get("externalIds") or {},
        f"https://openalex.org/{number(paper['paperId'])}",
    )
    doi, pdf = (
        f"https://doi.org/{outside['DOI'].lower()}" if "DOI" in outside else None,
        (paper.get("openAccessPdf") or {}).get("url"),
    )
    venue = {"display_name": paper["venue"]} if paper.get("venue") else None
    first = {
        "is_oa": bool(pdf),
        "landing_page_url": paper.get("url"),
        "pdf_url": pdf,
        "source": venue,
    }
    arxiv = (
        [
            {
                "is_oa": True,
                "landing_page_url": f"http://arxiv.org/abs/{outside['ArXiv']}",
                "pdf_url": None,
                "source": None,
            }
        ]
        if "ArXiv" in outside
        else []
    )
    return {
        "id": address,
        "ids": {"openalex": address, "doi": doi},
        "doi": doi,
        "title": paper["title"],
        "display_name": paper["title"],
        "publication_year": paper.get("year"),
        "publication_date": day(paper),
        "cited_by_count": paper.get("citationCount"),
        "authorships": [
            {"author": {"display_name": one["name"]}, "raw_author_name": one["name"]}
            for one in paper.get("authors") or ()
        ],
        "primary_location": first,
        "best_oa_location": first if pdf else None,
        "locations": [first, *arxiv],
        "abstract_inverted_index": inverted(paper["abstract"]) if paper["abstract"] else None,
        "referenced_works": (
            None
            if paper["references"] is None
            else [f"https://openalex.org/{number(one)}" for one in paper["references"]]
        ),
    }


def inverted(text: str) -> dict[str, list[int]]:
    """Return a text as an inverted index: each word with its places."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index


class OpenAlexHandler(Handler):
    scholar: OpenAlexServer

    def handle_request(self, body) -> None:
        address = urlsplit(self.path)
        query, headers = (
            dict(parse_qsl(address.query)),
            {name.lower(): value for name, value in self.headers.items()},
        )
        self.scholar.asked.append(Asked(self.command, unquote(address.path), query, headers, body))
        fault = self.scholar.next_fault(unquote_plus(self.path)) or self.scholar.draw_fault(
            self.path, self.path
        )
        self.scholar.closing.wait(self.scholar.latency)
        status, answer = self.answer(address.path, query, body)
        if fault is None:
            self.send(status, json.dumps(answer))
        else:
            self.spoil(fault, json.dumps(answer))

    def answer(self, path: str, query: dict, body):
        """Return (status, payload) for a healthy request."""
        if path != "/works":
            return 404, {"error": "Not found", "message": "no such route"}
        if len(self.path) > 4_000:
            return 400, {
                "error": "Request URL too long",
                "message": "over the limit of roughly 4 KB",
            }
        try:
            return 200, self.scholar.works(query)
        except Refused as error:
            return 400, {"error": "Invalid query parameters error.", "message": str(error)}

    def spoil(self, fault: Fault, healthy: str) -> None:
        """Fail as asked."""
        if fault.kind in SPOILT:
            self.send(200, json.dumps(SPOILT[fault.kind]))
        elif fault.kind.isdigit():
            self.send(
                int(fault.kind),
                json.dumps(
                    {
                        "error": "Planned fault",
                        "message": f"{fault.kind} for key {self.headers.get('authorization')}",
                    }
                ),
                retry_after=fault.retry_after,
            )
        else:
            super().spoil(fault, healthy)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--port", type=int, default=0)
    options.add_argument(
        "--graph",
        type=Path,
        help="JSON: {'papers': [...]} in the shape the Semantic Scholar server takes",
    )
    options.add_argument("--latency", type=float, default=0.0, help="seconds every answer takes")
    given = options.parse_args()
    graph = json.loads(given.graph.read_text("utf-8"))["papers"] if given.graph else None
    server = OpenAlexServer(graph, given.port, latency=given.latency)
    print(server.url, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
