"""A benchmark whose process is killed in mid-sweep loses no cell, and repeats no more calls than
were in flight.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import settings
from core.benchmark.conducting.kept import left
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests import ROOT
from tests.core.benchmark.test_conducting import cells_of, what_stands
from tests.support.benchmark.bench_kit import script, small
from tests.support.killing import kill
from tests.support.scripted import die
from tests.support.servers.openai_server import OpenAIServer

WIDTH = 8
"""How many calls a process has under way at the most."""
NOBODYS = 0
"""The epoch of no worker."""


def environment(server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_BASE_URL": server.url, "FOUNDRY_CALLS": str(WIDTH)}


def runner_of(folder: Path, server: OpenAIServer) -> Runner:
    return Runner(Workshop(settings.read(environment(server), data=folder)))


def spawn(folder: Path, server: OpenAIServer, run_id: str) -> subprocess.Popen:
    """Resume the benchmark in a process of its own."""
    env = {**os.environ, **environment(server), "FOUNDRY_DATA": str(folder)}
    return subprocess.Popen(
        [sys.executable, "tests/support/worker.py", "resume", run_id, "--json"],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def accepted(store: Store, run_id: str) -> dict[str, int]:
    """Return how many accepted calls are booked for each cell."""
    rows = store.connections.rows(
        "SELECT key, count(*) AS n FROM calls WHERE run = ? AND outcome = 'accepted' GROUP BY key",
        run_id,
    )
    return {row["key"]: row["n"] for row in rows}


@pytest.mark.parametrize(
    ("many", "kills"),
    [(5, (30,)), pytest.param(40, (60, 90, 150), marks=pytest.mark.soak)],
    ids=["once", "three times"],
)
def test_a_killed_benchmark_goes_on_at_the_next_call(tmp_path, many, kills):
    keywords = [f"keyword {n}" for n in range(many)]
    with OpenAIServer(script=script) as calm:
        runner = runner_of(tmp_path / "calm", calm)
        run = small(runner.workshop, keywords)
        assert runner.work(run.id) == "done"
        wanted, every = what_stands(runner.store, run), len(calm.calls)
    with OpenAIServer(script=script, latency=0.15) as server:
        runner = runner_of(tmp_path / "killed", server)
        run, lost = small(runner.workshop, keywords), 0
        die(runner, run.id)
        for after in kills:
            kill(spawn(tmp_path / "killed", server, run.id), server, after)
            assert runner.store.runs.get(run.id).state == "running", (
                "nobody was there to say otherwise"
            )
            heard = left(runner.store.spool(run.id, NOBODYS)).keys() & {
                one.id for one in cells_of(runner.store, run, state="taken")
            }
            held = runner.store.runs.get(run.id)
            written = held.calls - held.maybe_paid + len(heard)
            lost, before = len(server.calls) - written, lost
            assert 0 <= lost - before <= WIDTH, "only what was in flight is lost"
        runner.recover()  # As a server does when it starts.
        runner.wait(run.id, 60)
        done = runner.store.runs.get(run.id)
        assert done.state == "done", done.reason
        assert what_stands(runner.store, run) == wanted, "no cell is lost, and none is there twice"
        assert len(server.calls) == done.calls - done.maybe_paid + lost == every + lost, (
            "nothing is paid twice but what was in flight"
        )
        assert lost <= done.maybe_paid <= len(kills) * WIDTH, "and that stands in the account"
        assert server.most_in_flight <= WIDTH + 2, (
            "the server counts a call until its thread goes on, when the next one may have begun"
        )
        assert set(accepted(runner.store, run.id).values()) == {1}
