"""Published papers in bulk: by a list of ids or a window of dates, from a loopback Semantic
Scholar; each can be used or says why it cannot, a person confirms all topics at once, and the list
is frozen.
"""

import json

import pytest

from core.records import TopicList
from core.store import Store
from tests.support.headless import MODEL, cli, server
from tests.support.playing import actor
from tests.support.schema_instances import asked_schema
from tests.support.servers.scholar_server import ScholarServer

__all__ = ["cli", "server"]
SOURCE = ("--source", "semantic-scholar", "--model", MODEL)
PAPERS = 50
BARE, TWINS, EMPTY, UNKNOWN = (3, 9, 14), (20, 27, 31), (36, 41), (5, 17, 44, 48)
"""Which of the papers have no abstract, have the DOI of the one before, say nothing of an idea, and
are known to nobody: 12 in all.
"""


def paper(n: int) -> dict:
    """Return a paper as the service describes it."""
    doi = n - 1 if n in TWINS else n
    return {
        "paperId": f"{n:040x}",
        "title": f"A study of sleep number {n} and what became of it in the end",
        "abstract": None if n in BARE else f"On sleep, part {n}.",
        "year": 2024,
        "publicationDate": f"2024-{8 if n < 40 else 11:02}-{1 + n % 28:02}",
        "authors": [{"authorId": str(n), "name": f"Ada Writer{chr(97 + n % 26)}"}],
        "venue": "Nap Journal",
        "citationCount": n,
        "externalIds": {"DOI": f"10.5555/sleep.{doi}"},
        "openAccessPdf": None,
        "url": f"https://example.org/{n}",
        "references": [],
    }


def reports(body) -> object:
    """Report what a paper puts forward; of two papers nothing that could be an idea."""
    if set((asked_schema(body) or {}).get("properties", {})) != {"topic", "idea", "design"}:
        return actor(body)
    task = str(body["messages"][1]["content"])
    n = int(task.partition("sleep number ")[2].split()[0])
    made = actor(body)
    idea = {**made["idea"], "title": f"Idea {n}"}
    if n in EMPTY:
        idea["method"] = "NONE"
    return {**made, "topic": f"what short sleep does, question {n}", "idea": idea}


@pytest.fixture(autouse=True)
def scholar(monkeypatch):
    known = [paper(n) for n in range(PAPERS) if n not in UNKNOWN]
    with ScholarServer(graph=known) as scholar:
        monkeypatch.setenv("FOUNDRY_SEMANTIC_SCHOLAR_URL", scholar.url)
        yield scholar


@pytest.fixture
def ids(tmp_path):
    """Return the file of a list of 50 ids: DOIs, and twins by the service's own ids."""
    lines = [
        f"s2:{n:040x}  # a twin" if n in TWINS else f"https://doi.org/10.5555/sleep.{n}"
        for n in range(PAPERS)
    ]
    file = tmp_path / "ids.txt"
    file.write_text("\n".join(["# fifty papers", *lines]))
    return str(file)


@pytest.fixture
def waiting(cli, server, ids):
    """Return the document of a run over all 50 that waits for its topics to be confirmed."""
    server.script = reports
    code, document, _ = cli("real-papers", "--ids-from", ids, "--no-full-text", *SOURCE)
    assert (code, document["state"]) == (4, "waiting")
    return document


def test_of_fifty_papers_38_can_be_used_and_12_say_why_not(waiting):
    assert waiting["usable"] == 38
    lost = waiting["left_out"]
    assert len(lost) == 12
    reasons = sorted(one["reason"] for one in lost)
    assert sum("does not know it" in one for one in reasons) == len(UNKNOWN)
    assert sum("is there already" in one for one in reasons) == len(TWINS)
    assert sum("Neither its abstract nor its text" in one for one in reasons) == len(BARE)
    assert sum("says nothing of the idea's method" in one for one in reasons) == len(EMPTY)
    assert all(one["paper"] for one in lost)


def test_a_persons_word_keeps_rewords_and_leaves_out_topics_and_the_list_is_frozen(
    cli, waiting, tmp_path
):
    run = waiting["run"]
    shown = shown_of(cli, run)
    said = shown["proposed"]["topics"]
    assert len(said) == len(shown["papers"]) == 38
    said[0]["topic"] = "what too little sleep does to learning"
    said[1]["keep"] = False
    answer = json.dumps({"topics": said})
    code, document, _ = cli("answer", run, "/topics", "--with", answer, "--by", "Ada")
    assert (code, document["state"]) == (0, "done")
    told = cli("real-papers", "--show", run)[1]
    assert len(told["topics"]) == 37
    assert told["topics"][0] == "what too little sleep does to learning"
    assert told["confirmed_by"] == "Ada"
    held = Store(tmp_path / "data").frozen.get(told["list"], TopicList)
    assert held.digest() == told["list"]
    assert all(one.paper and one.idea and one.design for one in held.topics)
    words = ("reproduce", "coi-arena", "--topics", run, "--size", "37", "--models", MODEL)
    code, estimate, _ = cli(*words, "--judges", "openai:judge", "--estimate")
    assert (code, estimate["takes"], estimate["data"]) == (0, 37, f"run {run}")


def test_what_is_no_paper_of_the_list_and_topics_that_are_one_are_refused(cli, waiting):
    stray = json.dumps({"topics": [{"paper": "s2:none", "topic": "sleep"}]})
    code, document, _ = cli("answer", waiting["run"], "/topics", "--with", stray)
    assert code == 2
    assert "no paper 's2:none'" in document["reason"]
    papers = [one["paper"] for one in shown_of(cli, waiting["run"])["papers"]]
    same = json.dumps({"topics": [{"paper": one, "topic": "sleep"} for one in papers[:2]]})
    code, document, _ = cli("answer", waiting["run"], "/topics", "--with", same)
    assert code == 2
    assert "word one otherwise" in document["reason"]


def shown_of(cli, run):
    """Return what the run's one question shows."""
    (question,) = cli("show", run)[1]["questions"]
    assert question["key"] == "/topics"
    return question["shown"]


def test_a_window_takes_papers_of_its_days_in_an_order_that_the_seed_draws(cli, server):
    server.script = reports
    window = ("--since", "2024-08-01", "--until", "2024-09-15", "--words", "sleep")
    words = ("real-papers", *window, "--venue", "Nap Journal", "--most", "10", "--unconfirmed")
    code, document, _ = cli(*words, "--no-full-text", "--seed", "3", *SOURCE)
    assert (code, document["state"]) == (0, "done")
    assert document["usable"] + len(document["left_out"]) == 10
    assert document["confirmed_by"] == ""
    again = cli(*words, "--no-full-text", "--seed", "3", *SOURCE)[1]
    assert again["list"] == document["list"]
    other = cli(*words, "--no-full-text", "--seed", "4", *SOURCE)[1]
    assert other["list"] != document["list"]


def test_ids_or_a_window_are_needed_and_not_both(cli):
    for words, said in (
        ((), "Give ids of papers"),
        (("10.1/x", "--since", "2024-08-01", "--until", "2024-09-15"), "Give ids of papers"),
        (("--since", "2024-09-15", "--until", "2024-08-01"), "ends on 2024-08-01"),
        (("--since", "2024-08-01", "--until", "2024-09-15"), "needs words"),
    ):
        code, document, _ = cli("real-papers", *words, *SOURCE)
        assert code == 2
        assert said in document["reason"]


def test_a_file_among_the_ids_is_told_to_be_one(cli, ids):
    code, document, _ = cli("real-papers", str(ids), "--estimate", *SOURCE)
    assert (code, "is a file, and no paper's id" in str(document)) == (2, True), document
