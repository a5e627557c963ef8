"""Every verb prints every kind of run in every state, for people and as JSON; a run that waits
names what answers it.
"""

import gzip
import io
import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import get_args

import pytest

from core import settings
from core.__main__ import main
from core.records import State
from core.runs.leases import me
from core.store import Store
from core.store.connection import now
from tests.support import stored
from tests.support.headless import MODEL, cli, server

__all__ = ["cli", "server"]
NAME = "edition-2"
KNOWN = json.loads((stored.HERE / f"{NAME}.json").read_text("utf-8"))
STATES = get_args(State)
LISTED = 200
OWN = {"benchmark": (("bench", "status"),), "arena": (("arena", "--show"),)}
"""Verbs of one kind of run alone."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("states")
    with (
        gzip.open(stored.HERE / f"{NAME}.db.gz") as packed,
        (place / "foundry.db").open("wb") as whole,
    ):
        shutil.copyfileobj(packed, whole)
    return place


@pytest.fixture
def printed(folder, capsys, monkeypatch):
    """Return what runs a command and gives (exit code, what it printed)."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-at-all")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    def run(*words: str) -> tuple[int, str]:
        code = main([*words, "--data", str(folder)])
        out, err = capsys.readouterr()
        return code, out or err

    return run


def brought_into(folder: Path, run: str, state: str) -> None:
    """Write a state to a run as the runner would leave it: whoever works on it is this process."""
    reason = (
        "It was brought into this state by a test."
        if state in ("failed", "capped", "stopped", "interrupted")
        else ""
    )
    Store(folder).connections.write(
        "UPDATE runs SET state = ?, reason = ?, owner = ?, heartbeat = ? WHERE id = ?",
        state,
        reason,
        me(),
        now(),
        run,
    )


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", KNOWN)
def test_every_verb_prints_every_kind_of_run_in_every_state(printed, folder, kind, state, tmp_path):
    run = KNOWN[kind].get("waiting" if state == "waiting" else "ended") or next(
        iter(KNOWN[kind].values())
    )
    brought_into(folder, run, state)
    verbs = [
        ("show", run),
        ("runs", "--limit", str(LISTED), "--lookups"),
        ("export", run, "--to", str(tmp_path / "run.json")),
        *((*words, run) for words in OWN.get(kind, ())),
    ]
    for words in verbs:
        code, said = printed(*words)
        as_json, document = printed(*words, "--json")
        read = json.loads(document)
        assert (code, as_json) == (0, 0), (words, said)
        assert run in said
        assert read["state"] == (state if words[0] != "runs" else "listed") or words[0] == "bench"
        if words[0] == "runs":
            assert next(one["state"] for one in read["runs"] if one["run"] == run) == state


@pytest.mark.parametrize("kind", KNOWN)
def test_runs_as_they_were_left_are_printed(printed, kind):
    for run in KNOWN[kind].get("stopped", ()):
        code, said = printed("show", run)
        assert (code, f"-m core {'bench ' * (kind == 'benchmark')}resume {run} --data" in said) == (
            0,
            True,
        )
        assert json.loads(printed("show", run, "--json")[1])["state"] == "stopped"


def test_an_experiment_and_its_extension_are_printed_for_people(tmp_path, capsys, monkeypatch):
    """The document of an experiment names its runs, and was taken for a list of runs: the work was
    done, and the command crashed.
    """
    with stored.opened(NAME, tmp_path) as (_, server, known):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none-at-all")
        run = known["experiment"]["ended"]
        here = ("--data", str(tmp_path))
        assert main(["extend", run, "--method", "direct", "--estimate", *here]) == 0
        assert json.loads(capsys.readouterr().out)["estimate"]["calls"] > 0
        assert server.calls == []
        assert main(["extend", run, "--method", "direct", *here]) == 0
        said = capsys.readouterr().out
        assert '"direct/' in said
        assert main(["stop", run, *here]) == 2


# -- what waits --------------------------------------------------------------------------------


def typed(monkeypatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def follow(document: dict, cli) -> tuple[int, dict, str]:
    """Run the one command that a document names, as it stands there."""
    (command,) = document["next"]
    interpreter, *words = shlex.split(command)
    assert words[:2] == ["-m", "core"]
    assert Path(shutil.which(interpreter) or "").is_file()
    return cli(*words[2:])


@pytest.mark.parametrize("kind", stored.WAITING)
def test_a_run_that_waits_names_the_command_that_answers_it(kind, tmp_path, capsys, monkeypatch):
    with stored.opened(NAME, tmp_path) as (runner, server, known):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none-at-all")
        monkeypatch.setattr("core.literature.embeddings.Embedder", lambda _: stored.WordEmbedder())
        run, answered = known[kind]["waiting"], 0
        while runner.store.runs.get(run).state == "waiting":
            assert main(["show", run, "--data", str(tmp_path)]) == 0
            heading, command = capsys.readouterr().out.splitlines()[-2:]
            assert (heading, command.endswith(f"--confirm --data {tmp_path}")) == (
                "To answer:",
                True,
            )
            main(shlex.split(command)[3:])
            capsys.readouterr()
            answered += 1
            assert answered < 5, "its command does not answer it"
        assert answered
        assert runner.store.runs.get(run).state in ("done", "failed"), runner.store.runs.get(
            run
        ).reason


SEATS = {
    "optimizer": ("round-0/review", ("Too safe.", "Be bold.", "Say for whom.", "")),
    "generator": ("round-0/first-idea", ("Naps restore memory.",)),
    "discriminator": ("round-1/verdict", ("It says for whom.", "perhaps", "yes")),
}


@pytest.mark.parametrize("actor", SEATS)
def test_what_a_person_plays_is_answered_at_the_terminal_by_the_command_named(
    actor, cli, server, monkeypatch
):
    key, lines = SEATS[actor]
    _, document, _ = cli(
        "refine",
        "--topic",
        "naps and memory",
        "--model",
        MODEL,
        "--max-rounds",
        "1",
        "--background",
        "0",
        "--person",
        actor,
    )
    assert (document["state"], key in document["next"][0]) == ("waiting", True), document["reason"]
    typed(monkeypatch, *lines)
    code, document, shown = follow(document, cli)
    assert (code in (0, 4), document["state"] in ("done", "waiting")) == (True, True), document
    reply = Store(settings.read().data).steps.get(document["run"], key).reply
    assert (
        reply
        == {
            "optimizer": {
                "summary": "Too safe.",
                "remarks": [
                    {"id": "r1", "text": "Be bold.", "trait": ""},
                    {"id": "r2", "text": "Say for whom.", "trait": ""},
                ],
            },
            "generator": {"hypothesis": "Naps restore memory."},
            "discriminator": {"reason": "It says for whom.", "improved": True},
        }[actor]
    )
    assert ("Say no or yes." in shown) == (actor == "discriminator")


def test_a_person_ranks_and_judges_at_the_terminal(cli, server, monkeypatch, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(f"Naps help, way {name}.")
    _, document, _ = cli(
        "rank",
        "--ideas",
        str(tmp_path / "one.txt"),
        str(tmp_path / "two.txt"),
        "--person",
        "--as-they-are",
    )
    typed(monkeypatch, "A A", "b, a")
    code, document, shown = follow(document, cli)
    assert (code, document["state"], "Name each of A, B exactly once." in shown) == (
        0,
        "done",
        True,
    )
    _, document, _ = cli("checklist", str(tmp_path / "one.txt"), "--person-judges")
    items = len(
        next(one for one in Store(settings.read().data).answers.open(document["run"])).question[
            "shown"
        ]["items"]
    )
    typed(monkeypatch, "no", "", "It says no risk.", "Name one.", *["yes"] * (items - 1))
    code, document, _ = follow(document, cli)
    scores = [
        one["score"]
        for one in document["lines"][0]["steps"][0]["scores"]["items"]
        if one["by"] == "command line"
    ]
    assert (code, scores) == (0, [0] + [1] * (items - 1))


def test_an_answer_that_breaks_off_files_nothing_and_nothing_is_confirmed_that_was_not_proposed(
    cli, server, monkeypatch
):
    _, document, _ = cli(
        "refine",
        "--topic",
        "naps and memory",
        "--model",
        MODEL,
        "--max-rounds",
        "1",
        "--background",
        "0",
        "--person",
        "optimizer",
    )
    typed(monkeypatch, "Too safe.")
    code, broken, _ = follow(document, cli)
    assert (code, "nothing was filed" in broken["reason"]) == (2, True)
    code, refused, _ = cli("answer", document["run"], "round-0/review", "--confirm")
    assert (code, "proposes nothing" in refused["reason"]) == (2, True)
    assert cli("show", document["run"])[1]["state"] == "waiting"
