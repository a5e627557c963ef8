"""The loopback OpenAlex: it serves the graphs of the other server, refuses what the real one
refuses, and runs on its own.
"""

import json
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import pytest

from tests import ROOT
from tests.support.servers.openalex_server import OpenAlexServer, number
from tests.support.servers.scholar_server import default_graph, paper_id


@pytest.fixture(scope="module")
def server():
    with OpenAlexServer() as running:
        yield running


def ask(url: str, **parameters: str) -> dict:
    with urllib.request.urlopen(
        f"{url}/works?{urllib.parse.urlencode(parameters)}", timeout=5
    ) as answer:
        return json.load(answer)


def test_every_edge_of_a_graph_is_served_both_ways(server):
    for paper in default_graph():
        name = number(paper["paperId"])
        [work] = ask(server.url, filter=f"ids.openalex:{name}", select="id,referenced_works")[
            "results"
        ]
        listed = (
            None
            if paper["references"] is None
            else [f"https://openalex.org/{number(one)}" for one in paper["references"]]
        )
        assert work == {"id": f"https://openalex.org/{name}", "referenced_works": listed}
        citing = {
            one["id"]
            for one in ask(server.url, filter=f"cites:{name}", select="id", per_page="100")[
                "results"
            ]
        }
        assert citing == {
            f"https://openalex.org/{number(one['paperId'])}"
            for one in default_graph()
            if paper["paperId"] in (one["references"] or ())
        }


def test_a_list_is_paged_to_an_empty_page(server):
    cursor, got = "*", []
    while cursor:
        page = ask(server.url, filter="to_publication_date:2023-12-31", per_page="7", cursor=cursor)
        got, cursor = [*got, *(one["id"] for one in page["results"])], page["meta"]["next_cursor"]
    assert (
        len(set(got))
        == len(got)
        == page["meta"]["count"]
        == sum(one["publicationDate"] < "2024" for one in default_graph())
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {"mailto": "me@x.example"},
        {"select": "citations"},
        {"per_page": "101"},
        {"filter": "author:Me"},
        {"search": "ideas OR sleep"},
        {"search": "idea*"},
        {"filter": "ids.openalex:" + "|".join(["W1"] * 101)},
        {"search": "x" * 5_000},
    ],
)
def test_what_the_real_service_refuses_or_takes_otherwise_is_refused(server, parameters):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        ask(server.url, **parameters)
    assert refusal.value.code == 400


def test_it_runs_alone_on_a_graph_of_ones_own(tmp_path):
    graph = tmp_path / "graph.json"
    graph.write_text(
        json.dumps(
            {
                "papers": [
                    {
                        "paperId": "p1",
                        "title": "One",
                        "abstract": "",
                        "year": 2020,
                        "publicationDate": None,
                        "citationCount": 0,
                        "references": [],
                    }
                ]
            }
        )
    )
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.support.servers.openalex_server",
            "--port",
            "0",
            "--graph",
            graph,
        ],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        [work] = ask(
            server.stdout.readline().strip(),
            filter=f"ids.openalex:{number('p1')}",
            select="title,publication_date",
        )["results"]
        assert work == {"title": "One", "publication_date": "2020-01-01"}
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def test_a_paper_has_one_number_whoever_asks():
    assert number(paper_id("a1")) == number(paper_id("a1")) != number(paper_id("a2"))
