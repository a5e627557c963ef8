"""Chains headless: every input, baselines, a real paper, candidates, edits that pay only what
depends on them, exports.
"""

import json

import pytest

from tests.support.headless import MODEL, cli, server
from tests.support.servers.pdf_server import PARAGRAPH, pdf
from tests.support.servers.scholar_server import ScholarServer

__all__ = ["cli", "server"]
TOPIC = "Iterative Novelty Boosting for Generated Research Ideas"
SOURCE = ("--source", "semantic-scholar", "--model", MODEL, "--cheap-model", MODEL)


@pytest.fixture(autouse=True)
def scholar(monkeypatch):
    with ScholarServer() as scholar:
        monkeypatch.setenv("FOUNDRY_SEMANTIC_SCHOLAR_URL", scholar.url)
        yield scholar


@pytest.fixture
def chained(cli):
    """Return the document of a chain of two branches over the loopback Semantic Scholar."""
    code, document, _ = cli(
        "chain", TOPIC, "--branches", "2", "--length", "3", "--before", "2024-06-01", *SOURCE
    )
    assert code == 0, document["reason"]
    return document


def test_a_chain_obeys_and_reports_what_it_was_asked(chained):
    assert [branch["branch"] for branch in chained["branches"]] == [1, 2]
    papers = [paper for branch in chained["branches"] for paper in branch["papers"]]
    assert all(paper["published"] < "2024-06-01" for paper in papers)
    assert len({paper["id"] for paper in papers}) == len(papers)
    assert chained["inputs"]["branches"] == 2
    assert chained["models"] == {"main": MODEL, "cheap": MODEL, "selector": MODEL, "novelty": MODEL}
    assert chained["selection"]["best"] == chained["outcome"]["branch"]
    assert (chained["design"] is not None, len(chained["design_rounds"])) == (True, 1)


def test_an_ablation_and_its_absence_of_a_design(cli):
    code, document, _ = cli(
        "chain", TOPIC, "--length", "0", "--no-design", "--without", "entities", *SOURCE
    )
    assert (code, document["branches"][0]["ordered"], document["design"]) == (0, False, None)
    assert 3 < len(document["branches"][0]["papers"]) <= 5
    assert {paper["hop"] for paper in document["branches"][0]["papers"]} == {"retrieved"}


@pytest.mark.parametrize("kind", ["rag", "direct"])
def test_a_baseline_gives_an_idea_and_a_design_in_the_common_form(cli, kind):
    code, document, _ = cli("baseline", kind, TOPIC, *SOURCE)
    assert code == 0, document["reason"]
    assert set(document["idea"]["fields"]) == {
        "title",
        "motivation",
        "novelty",
        "method",
        "difference",
        "challenges",
    }
    assert document["design"]["procedure"]
    assert ("found" in document) == (kind == "rag")


def test_a_real_paper_waits_until_its_topic_is_confirmed(cli):
    code, document, _ = cli("real-paper", "10.5555/a5", *SOURCE)
    assert (code, document["state"]) == (4, "waiting"), document["reason"]
    question = cli("show", document["run"])[1]["questions"][0]
    assert question["shown"]["proposed"]["topic"]
    code, done, _ = cli("answer", document["run"], question["key"], "--confirm")
    assert (code, done["topic"]["topic"]) == (0, question["shown"]["proposed"]["topic"])


def test_an_edit_says_beforehand_what_it_costs_and_pays_that(cli, chained, server):
    drop = chained["branches"][1]["papers"][0]["id"]
    words = ("edit", chained["run"], "--branch", "2", "--change", f"drop={drop}")
    planned = cli(*words, "--dry-run")[1]["forecast"]
    before = len(server.calls)
    code, forked, _ = cli(*words)
    assert code == 0, forked["reason"]
    assert len(server.calls) - before == planned["calls"], planned["redone"]
    assert drop not in [paper["id"] for paper in forked["branches"][1]["papers"]]
    assert forked["branches"][0] == chained["branches"][0]
    assert (forked["parent"], forked["fork_at"]) == (chained["run"], "branch-2/chain")


def test_candidates_can_be_added(cli, chained):
    branch = chained["branches"][0]
    ends = [("--backward", branch["papers"][0]["id"]), ("--backward", branch["papers"][-1]["id"])]
    asked = [
        cli("candidates", chained["run"], "--branch", "1", way, "--paper", paper, "--model", MODEL)
        for way, paper in ends
    ]
    assert all(code == 0 for code, _, _ in asked)
    found = [one for _, document, _ in asked for one in document["candidates"]["candidates"]]
    assert all(
        one["score"] is not None
        and one["paper"]["id"] not in [paper["id"] for paper in branch["papers"]]
        for one in found
    )
    assert found[0]["reason"]
    code, forked, _ = cli("edit", chained["run"], "--change", f"add={found[0]['paper']['id']}")
    assert code == 0, forked["reason"]
    assert {paper["id"]: paper["hop"] for paper in forked["branches"][0]["papers"]}[
        found[0]["paper"]["id"]
    ] == "person"


def test_a_direction_may_be_put_in(cli, chained, tmp_path):
    (tmp_path / "direction.json").write_text(
        json.dumps({"direction": "Toward naps.", "reasoning": "Because."})
    )
    code, forked, _ = cli(
        "edit", chained["run"], "--branch", "1", "--direction", str(tmp_path / "direction.json")
    )
    assert (code, forked["branches"][0]["direction"]["direction"]) == (0, "Toward naps.")


CANNOT = (
    (["--change", "dance=x"], "write one of drop="),
    (["--change", "drop=nope"], "has no paper 'nope'"),
    (["--branch", "9"], "has no branch 9"),
    ([], "Say what to change"),
    (["--change", "merge=x"], "merge=RUN/BRANCH"),
    (["--trend", "/no/file"], "cannot be read"),
    (["--trend", "/dev/null"], "is a device"),
)


def test_an_edit_that_cannot_be_is_a_sentence(cli, chained):
    for words, says in CANNOT:
        code, document, _ = cli("edit", chained["run"], *words)
        assert (code, says in document["reason"]) == (2, True), (words, document["reason"])


def test_a_paper_is_found_by_doi_and_a_pdf_attached(cli, tmp_path):
    code, document, _ = cli("find", "10.5555/a2", "--source", "semantic-scholar")
    assert (code, [paper["doi"] for paper in document["found"]["papers"]]) == (0, ["10.5555/a2"])
    (tmp_path / "a.pdf").write_bytes(pdf("\n".join([PARAGRAPH] * 10)))
    code, held, _ = cli(
        "attach", "10.5555/a2", str(tmp_path / "a.pdf"), "--source", "semantic-scholar"
    )
    assert (code, held["text"]["state"], held["text"]["pages"]) == (0, "read", 1)


def test_a_chain_starts_from_a_paper(cli):
    code, document, _ = cli(
        "chain",
        "--anchor",
        "doi:10.5555/a4",
        "--branches",
        "1",
        "--length",
        "2",
        "--no-design",
        *SOURCE,
    )
    assert code == 0, document["reason"]
    anchor = next(paper for paper in document["branches"][0]["papers"] if paper["hop"] == "anchor")
    assert (anchor["doi"], document["inputs"]["topic"]) == (
        "10.5555/a4",
        "Seeded Hypothesis Generation from Background and Gap",
    )


def test_on_the_shelf_a_paper_is_known_by_its_arxiv_id_too(cli):
    code, document, _ = cli("find", "arXiv:2410.13185")
    assert (code, [paper["id"] for paper in document["found"]["papers"]]) == (
        0,
        ["shelf:li2024coi"],
    )


def test_a_title_that_names_no_single_paper_is_not_guessed(cli):
    code, document, _ = cli("chain", "--anchor", "Generated Research Ideas", *SOURCE)
    assert code == 2
    assert "Give one of these ids" in document["reason"]


def test_own_literature_is_imported_and_a_chain_grows_on_it_alone(cli, tmp_path):
    entries = [
        f"@article{{p{year}, title={{Generated research ideas, part {year}}}, author={{Ada Alm}},"
        f" year={{{year}}}, abstract={{On ideas {year}.}}}}"
        for year in range(2015, 2021)
    ]
    (tmp_path / "refs.bib").write_text("\n".join([*entries, "@article{bad, year={2020}}"]))
    code, told, _ = cli("import", str(tmp_path / "refs.bib"))
    assert (code, told["imports"][0]["counts"]) == (0, {"added": 6, "known": 0, "skipped": 1})
    assert told["imports"][0]["skipped"][0]["where"]
    code, document, _ = cli(
        "chain",
        "Generated research ideas, part 2017",
        "--branches",
        "1",
        "--length",
        "3",
        "--source",
        "library",
        "--no-design",
        "--model",
        MODEL,
        "--cheap-model",
        MODEL,
    )
    assert code == 0, document["reason"]
    papers = document["branches"][0]["papers"]
    assert len(papers) == 3
    assert [paper["near"] for paper in papers if paper["hop"] != "anchor"] == [True, True], (
        "a hop that is no citation says so"
    )


def test_a_file_that_cannot_be_taken_makes_the_exit_code_and_takes_no_other_along(
    cli, tmp_path, scholar
):
    (tmp_path / "refs.bib").write_text(
        "@article{a, title={Naps and memory}, author={Ada Alm}, year={2020}}"
    )
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "hollow.bib").write_text("@article{bad, year={2020}}")
    (tmp_path / "line.pdf").write_bytes(pdf("Naps restore memory."))
    (tmp_path / "ids.txt").write_text("10.5555/a2")
    for files, wanted in (
        (("refs.bib", "line.pdf"), 0),
        (("broken.pdf", "refs.bib"), 2),
        (("refs.bib", "nowhere.bib"), 2),
        (("hollow.bib",), 2),
    ):
        code, told, _ = cli("import", *(str(tmp_path / name) for name in files))
        assert (code, len(told["imports"])) == (wanted, len(files)), told
        if files[0] == "broken.pdf":
            assert told["imports"][1]["counts"]["known"] == 1
    assert told["imports"][0]["skipped"]
    (tmp_path / "junk.txt").write_text("no doi\n" * 12_000)
    code, told, _ = cli("import", str(tmp_path / "junk.txt"))
    (junk,) = told["imports"]
    assert (code, junk["counts"]["skipped"], len(junk["skipped"])) == (2, 12_000, 10_000)
    scholar.fail("/", "500")
    code, told, _ = cli(
        "import",
        str(tmp_path / "broken.pdf"),
        str(tmp_path / "ids.txt"),
        "--source",
        "semantic-scholar",
    )
    assert (code, bool(told["imports"][1]["failed"])) == (3, True)
