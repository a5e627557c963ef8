"""The command line: every command, one JSON document, exit codes, over the real LangChain and
semanticscholar paths.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from tests import ROOT
from tests.support.headless import MODEL, cli, server
from tests.support.scripted import FIRST
from tests.support.servers.scholar_server import ScholarServer

__all__ = ["cli", "server"]
TOPIC = "retrieval of learned operators"


def refined(cli, *more: str) -> dict:
    code, document, _ = cli(
        "refine",
        "--topic",
        TOPIC,
        "--indicator",
        "novelty",
        "--model",
        MODEL,
        "--cheap-model",
        MODEL,
        "--max-rounds",
        "2",
        *more,
    )
    assert code == 0, document["reason"]
    return document


def test_the_main_job_through_the_real_langchain_and_semanticscholar_paths(
    cli, monkeypatch, server
):
    with ScholarServer() as scholar:
        monkeypatch.setenv("FOUNDRY_SEMANTIC_SCHOLAR_URL", scholar.url)
        topic = next(iter(scholar.papers.values()))["title"]
        code, chained, _ = cli(
            "chain", topic, "--source", "semantic-scholar", "--model", MODEL, "--cheap-model", MODEL
        )
        assert code == 0, chained["reason"]
        assert scholar.asked
    papers = chained["branches"][0]["papers"]
    assert len(papers) >= 2
    assert all(
        paper["id"].startswith("s2:") and paper["title"] and paper["year"] for paper in papers
    )
    assert set(chained["idea"]["fields"]) == {
        "title",
        "motivation",
        "novelty",
        "method",
        "difference",
        "challenges",
    }
    code, refined, _ = cli(
        "refine",
        "--run",
        chained["run"],
        "--indicator",
        "novelty",
        "--model",
        MODEL,
        "--max-rounds",
        "2",
    )
    assert (code, refined["outcome"]["round"], [one["n"] for one in refined["rounds"]]) == (
        0,
        2,
        [1, 2],
    )
    assert all({"review", "idea", "verdict"} <= set(one) for one in refined["rounds"])
    assert refined["first"] == chained["idea"]
    assert chained["calls"] + refined["calls"] == len(server.calls)
    assert all(call["stream"] for call in server.calls)


def test_a_refinement_starts_from_a_file(cli, tmp_path):
    (tmp_path / "idea.txt").write_text(FIRST.text)
    code, document, _ = cli(
        "refine",
        "--idea",
        str(tmp_path / "idea.txt"),
        "--indicator",
        "clarity",
        "--trait",
        "short",
        "--model",
        MODEL,
        "--max-rounds",
        "1",
    )
    assert (code, document["first"]["fields"]["hypothesis"]) == (0, FIRST.text)


def test_runs_and_show_tell_of_a_run(cli):
    made = refined(cli)
    _, listed, _ = cli("runs")
    assert [one["run"] for one in listed["runs"]] == [made["run"]]
    code, shown, _ = cli("show", made["run"])
    assert (code, shown["state"], len(shown["steps_list"])) == (0, "done", made["steps"])
    assert shown["rounds"] == made["rounds"]


def test_a_fork_with_another_prompt_pays_for_what_depends_on_it(cli, tmp_path, server):
    made = refined(cli)
    prompt = tmp_path / "verdict.md"
    prompt.write_text(Path("core/prompts/verdict.md").read_text() + "\nBe strict.\n")
    before = len(server.calls)
    code, forked, _ = cli(
        "fork", made["run"], "--at", "round-2/verdict", "--prompt", f"verdict={prompt}"
    )
    assert (code, forked["parent"], forked["fork_at"]) == (0, made["run"], "round-2/verdict")
    assert len(server.calls) - before == forked["calls"] == 1


def test_a_fork_with_another_model_asks_it_from_there(cli, server):
    made = refined(cli)
    _, forked, _ = cli(
        "fork", made["run"], "--at", "round-2/revise", "--model", "openai:other-model"
    )
    assert {call["model"] for call in server.calls[-forked["calls"] :]} == {"other-model"}
    assert forked["calls"] == 2, "revision and verdict; nobody reads a review after the last round"


def test_a_run_is_exported_both_ways(cli, tmp_path):
    made = refined(cli)
    for name in ("run.md", "run.json"):
        code, said, _ = cli("export", made["run"], "--to", str(tmp_path / name))
        assert (code, said["file"]) == (0, str(tmp_path / name))
        assert (tmp_path / name).read_text("utf-8")
    short = tmp_path / "short.md"
    assert cli("export", made["run"], "--to", str(short), "--short")[0] == 0
    assert 0 < short.stat().st_size < (tmp_path / "run.md").stat().st_size
    assert cli("export", made["run"], "--to", str(tmp_path / "x.json"), "--short")[0] == 2


def test_a_cap_parks_with_exit_4_and_a_higher_one_goes_on(cli):
    code, parked, _ = cli(
        "refine", "--topic", TOPIC, "--model", MODEL, "--max-rounds", "2", "--cap-tokens", "6000"
    )
    assert (code, parked["state"]) == (4, "capped")
    code, done, _ = cli("resume", parked["run"], "--cap-tokens", "1000000")
    assert (code, done["state"]) == (0, "done")
    assert done["calls"] == 7


def test_a_server_that_is_gone_fails_with_exit_3_and_resumes_when_it_is_back(
    cli, monkeypatch, server
):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    code, failed, _ = cli("refine", "--topic", TOPIC, "--model", MODEL, "--max-rounds", "1")
    assert (code, failed["state"]) == (3, "failed")
    assert "cannot be reached" in failed["reason"]
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    code, done, _ = cli("resume", failed["run"])
    assert (code, done["state"]) == (0, "done")


def test_models_says_what_can_be_reached_and_asks_once(cli, server):
    code, document, _ = cli("models", "--test", "--model", MODEL)
    assert code == 0
    assert document["test"]["model"] == "test-model"
    assert len(server.calls) == 1
    assert document["chosen"] == {
        "main": "builtin",
        "cheap": "builtin",
        "selector": "builtin",
        "novelty": "builtin",
    }


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chain", ""], "topic is empty"),
        (["chain", "x", "--length", "99"], "Length"),
        (["chain", "x", "--before", "soon"], "Before"),
        (["chain", "x", "--model", "nope"], "no model 'nope'"),
        (["chain", "x", "--source", "nope"], "nope"),
        (["chain"], "topic is empty"),
        (["dance"], "invalid choice"),
        ([], "required: COMMAND"),
        (["chain", "x", "--length", "many"], "invalid int"),
        (["refine", "--indicator", "novelty"], "One of the arguments"),
        (["refine", "--topic", "x", "--indicator", "beauty"], "at least one trait"),
        (["refine", "--idea", "/no/such/file"], "cannot be read"),
        (["refine", "--run", "nope"], "no run 'nope'"),
        (["show", "nope"], "no run 'nope'"),
        (["resume", "nope"], "no run 'nope'"),
        (["stop", "nope"], "no run 'nope'"),
        (["fork", "nope", "--at", "x"], "no run 'nope'"),
        (["export", "nope", "--to", "x.md"], "no run 'nope'"),
        (["chain", "x", "--sourc", "shelf"], "Unrecognized"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(cli, words, says):
    code, document, err = cli(*words)
    assert (code, document["state"], document["run"]) == (2, "refused", None)
    assert says in document["reason"]
    assert document["reason"] in err


def test_forks_say_what_is_wrong_with_them(cli, tmp_path):
    made = refined(cli)["run"]
    prompt = tmp_path / "p.md"
    prompt.write_text("x")
    for words, says in (
        (("--at", "nope"), "no step 'nope'"),
        (("--at", "round-1/verdict", "--prompt", "verdict"), "write NAME=FILE"),
        (("--at", "round-1/verdict", "--prompt", f"nope={prompt}"), "no prompt 'nope'"),
        (("--at", "round-1/verdict", "--prompt", f"trend={prompt}"), "never asks the prompt trend"),
        (("--at", "round-1/verdict", "--model", "nope"), "no model 'nope'"),
    ):
        code, document, _ = cli("fork", made, *words)
        assert (code, says in document["reason"]) == (2, True), document["reason"]


def test_a_finished_run_is_neither_stopped_nor_resumed(cli):
    made = refined(cli)["run"]
    assert cli("stop", made)[0] == 2
    assert cli("resume", made)[0] == 2


def test_without_json_a_person_reads_the_outcome(cli, capsys):
    made = refined(cli)["run"]
    assert main(["runs"]) == 0
    assert made in capsys.readouterr().out
    assert main(["show", "nope"]) == 2
    out, err = capsys.readouterr()
    assert (out, "no run 'nope'" in err) == ("", True)


def test_the_module_runs_from_a_shell(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "core", "runs", "--json", "--data", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, json.loads(done.stdout)["runs"], done.stderr) == (0, [], "")
