"""Faults at the scale of a sweep: every cell ends answered, left out or failed with the reason, and
nothing that failed is averaged into anything.
"""

import socket
from collections import defaultdict
from pathlib import Path

import pytest

from core import settings
from core.benchmark.conducting.coordinator import BREAK
from core.models import endpoint, langchain
from core.records import BENCH_DIMENSIONS
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests.core.benchmark.test_conducting import cells_of, counts, finished, tally
from tests.support.benchmark.bench_kit import script, small
from tests.support.servers.openai_server import OpenAIServer

FAULTS = {
    "429": 0.05,
    "500": 0.05,
    "hang": 0.01,
    "half": 0.05,
    "refusal": 0.05,
    "empty": 0.05,
    "cut": 0.05,
}
KEYWORDS = [f"keyword {n}" for n in range(15)]


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(endpoint, "FIRST_WAIT", 0.05)
    monkeypatch.setattr(langchain, "GONE", 0.3)


def runner_of(folder: Path, server: OpenAIServer, **environ: str) -> Runner:
    given = {
        "OPENAI_BASE_URL": server.url,
        "FOUNDRY_READ_TIMEOUT": "1.5",
        "FOUNDRY_PATIENCE": "6",
        **environ,
    }
    return Runner(Workshop(settings.read(given, data=folder)))


def careless(body):
    """Answer like a willing model, but judge `e`, who grades out of ten in words of its own."""
    said = script(body)
    return (
        said | {"originality": "8/10"} if body["model"] == "e" and isinstance(said, dict) else said
    )


def test_every_cell_of_a_sweep_under_faults_ends_and_what_failed_says_why(tmp_path):
    with OpenAIServer(script=careless, faults=FAULTS, seed=3, hang=2.0) as server:
        server.refusing = lambda body: (
            (400, "this prompt is too long")
            if body["model"] == "d" and "keyword 3 changes" in str(body)
            else None
        )
        runner = runner_of(tmp_path, server)
        run = small(runner.workshop, KEYWORDS)
        assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    store, run = runner.store, runner.store.runs.get(run.id)
    assert set(server.faulted) == set(FAULTS)
    found = counts(store, run)
    assert {state for _, state in found} <= {"done", "failed", "excluded"}
    assert found == tally(store, run)
    assert found["idea", "done"] + found["idea", "excluded"] + found["idea", "failed"] == 2 * 15 * 2
    failed = store.benchmarks.lost(run.id, "failed", limit=1_000)
    assert len(failed) == sum(n for (_, state), n in found.items() if state == "failed")
    assert all(cell.text and cell.why in ("NoUsableAnswer", "ModelFailed") for cell in failed)
    assert {cell.why for cell in failed if cell.asked == "openai:e" and cell.kind == "judge"} == {
        "NoUsableAnswer"
    }
    assert [
        cell
        for cell in failed
        if cell.asked == "openai:d" and "this prompt is too long" in cell.text and cell.keyword == 3
    ]
    assert len([cell for cell in failed if cell.asked not in ("openai:d", "openai:e")]) < 10, (
        "what passes by asking again passes"
    )
    nothing_failed_is_averaged_in(store, run)
    every_call_is_booked(store, run, server)


def nothing_failed_is_averaged_in(store, run):
    """Make every sum anew from the answers that were accepted."""
    given, pairs = defaultdict(list), defaultdict(list)
    for cell in cells_of(store, run, state="done"):
        if cell.kind == "judge":
            given[cell.model, cell.keyword].append(cell)
        if cell.kind == "fluency":
            pairs[cell.model, cell.keyword].append(cell.fluency)
    for one in store.benchmarks.sums.groups(run.id):
        mine = given[one.model, one.keyword]
        assert one.judgments == len(mine)
        assert [getattr(one, name) for name in BENCH_DIMENSIONS] == [
            sum(getattr(cell, name) for cell in mine) for name in BENCH_DIMENSIONS
        ]
        assert (one.pairs, one.fluency) == (
            len(pairs[one.model, one.keyword]),
            sum(pairs[one.model, one.keyword]),
        )
    for cell in cells_of(store, run, state="failed") + cells_of(store, run, state="excluded"):
        assert (cell.originality, cell.feasibility, cell.clarity, cell.score, cell.fluency) == (
            None,
        ) * 5


def every_call_is_booked(store, run, server):
    """Whatever the server began to answer is booked, as accepted or with what was wrong with it."""
    never_answered = server.faulted.count("429") + server.faulted.count("500")
    refused = store.connections.row(
        "SELECT count(*) AS n FROM bench_cells WHERE run = ? AND text LIKE '%this prompt is too"
        " long%'",
        run.id,
    )["n"]
    assert run.calls == len(server.calls) - never_answered - refused
    done = store.connections.row(
        "SELECT count(*) AS n FROM calls WHERE run = ? AND outcome = 'accepted'", run.id
    )["n"]
    assert done == sum(n for (_, state), n in tally(store, run).items() if state == "done")


def test_a_server_that_is_gone_parks_the_run_and_burns_no_cells(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        with OpenAIServer(script=script) as server:
            runner = runner_of(tmp_path, server, OLLAMA_HOST=dead, FOUNDRY_CALLS="4")
            run = small(
                runner.workshop,
                KEYWORDS,
                models=("openai:a", "ollama:gone"),
                judges=("openai:c", "openai:d"),
            )
            assert runner.work(run.id) == "failed"
            parked = runner.store.runs.get(run.id)
            assert "ollama:gone at" in parked.reason
            assert "cannot be reached" in parked.reason
            assert tally(runner.store, run) == {
                ("idea", "done"): 30,
                ("idea", "ready"): 30,
                ("judge", "done"): 60,
                ("fluency", "done"): 15,
            }
            tried = runner.store.connections.row(
                "SELECT sum(tries) AS n FROM bench_cells WHERE run = ? AND model = 1", run.id
            )["n"]
            assert tried <= BREAK + 4
            runner.workshop.settings = runner.workshop.settings.model_copy(
                update={"ollama_url": dead}
            )
            assert finished(runner, run).state == "failed", (
                "it may be tried again, and says the same while nobody is there"
            )
            assert tally(runner.store, run)["idea", "ready"] == 30
