"""The loopback server: its graph is fit to grow chains in, and it runs on its own."""

import json
import subprocess
import sys
import urllib.request

from tests import ROOT
from tests.support.servers.scholar_server import default_graph

SERVER = ROOT / "tests/support/servers/scholar_server.py"


def test_every_edge_of_the_built_in_graph_leads_to_an_older_paper_of_it():
    papers = {paper["paperId"]: paper for paper in default_graph()}
    edges = [
        (paper, papers[cited]) for paper in papers.values() for cited in paper["references"] or ()
    ]
    assert len(papers) >= 30
    assert len(edges) >= 50
    assert all(cited["publicationDate"] < paper["publicationDate"] for paper, cited in edges)


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
                        "publicationDate": "2020-01-01",
                        "references": [],
                    }
                ]
            }
        )
    )
    server = subprocess.Popen(
        [sys.executable, SERVER, "--port", "0", "--graph", graph], stdout=subprocess.PIPE, text=True
    )
    try:
        url = server.stdout.readline().strip()
        with urllib.request.urlopen(f"{url}/graph/v1/paper/p1?fields=title", timeout=5) as answer:
            assert json.load(answer) == {"paperId": "p1", "title": "One"}
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
