"""600 cells made by a dask cluster whose workers, coordinator and scheduler are killed: each is
answered, and only what was in flight is asked twice.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.benchmark.conducting import cluster
from core.records import Run
from core.runs.runner import Runner
from tests.support.benchmark.bench_kit import script, small
from tests.support.benchmark.cluster_kit import (
    AT_ONCE,
    PLACES,
    ROOT,
    Cluster,
    booked,
    outcome,
    shop_at,
    undisturbed,
    worked,
)
from tests.support.benchmark.cluster_kit import cluster as a_cluster
from tests.support.scripted import die
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

LONG = [f"word {n}" for n in range(43)]
"""Enough for 602 cells."""


@pytest.mark.soak
@pytest.mark.parametrize("environment", [AT_ONCE, {}], ids=["given back", "dask asks again"])
def test_600_cells_outlive_two_workers(tmp_path, environment):
    with (
        OpenAIServer(script=script) as server,
        a_cluster(tmp_path / "cluster", server.url, **environment) as made,
    ):
        wanted = undisturbed(tmp_path / "calm", server, LONG)
        cells, server.latency = len(server.calls), 0.2
        shop = shop_at(tmp_path / "killed", server, cluster=made.address)
        happenings = {
            100: lambda: made.kill(made.workers[0]),
            200: made.start_worker,
            300: lambda: made.kill(made.workers[1]),
            400: made.start_worker,
        }
        ended = worked(shop, small(shop, keywords=LONG), server, happenings)
        assert (ended.state, ended.reason) == ("done", "")
        assert outcome(shop, ended) == wanted
        calls = len(server.calls) - cells
    assert cells == 602
    assert cells < calls <= cells + 2 * PLACES


@pytest.mark.soak
def test_a_killed_coordinator_goes_on_at_the_next_call(tmp_path):
    with OpenAIServer(script=script) as server, a_cluster(tmp_path / "cluster", server.url) as made:
        wanted = undisturbed(tmp_path / "calm", server, LONG)
        cells, server.latency = len(server.calls), 0.2
        shop = shop_at(tmp_path / "killed", server)
        run, spent = small(shop, keywords=LONG), []
        die(Runner(shop), run.id)
        for after in (100, 300):
            child = coordinator(tmp_path / "killed", server, made, run)
            until(lambda: len(server.calls) - cells >= after or child.poll() is not None, 120)
            assert child.poll() is None, child.communicate()
            made.kill(child)
            spent.append(len(server.calls) - cells - booked(shop, run))
            until(
                lambda: server.in_flight == 0, 3.0
            )  # The workers hang up on what nobody waits for.
        out, _ = coordinator(tmp_path / "killed", server, made, run).communicate(timeout=300)
        assert json.loads(out)["state"] == "done"
        assert outcome(shop, run) == wanted
        calls = len(server.calls) - cells
        assert calls <= booked(shop, run), "what was in flight may have been paid"
    assert cells < calls <= cells + 2 * PLACES, (calls - cells, spent)


@pytest.mark.soak
def test_a_lost_scheduler_parks_the_run_until_there_is_another(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "REACH", 3.0)
    with OpenAIServer(script=script) as server, a_cluster(tmp_path / "cluster", server.url) as made:
        wanted = undisturbed(tmp_path / "calm", server, LONG)
        cells, server.latency = len(server.calls), 0.2
        shop = shop_at(tmp_path / "killed", server, cluster=made.address)
        run = small(shop, keywords=LONG)
        failed = worked(shop, run, server, {300: lambda: made.kill(made.scheduler)})
        assert failed.state == "failed"
        assert "Start it and its workers again, then resume." in failed.reason
        assert not shop.store.benchmarks.lost(run.id, "failed"), "it is no failure of a cell"
        until(lambda: all(child.poll() is not None for child in made.workers), 60)
        made.start_scheduler("--port", made.address.rpartition(":")[2])
        made.start_worker(PLACES)
        assert resumed(Runner(shop), run.id, 300) == "done"
        assert outcome(shop, run) == wanted
        calls = len(server.calls) - cells
    assert cells < calls <= cells + PLACES


def coordinator(folder: Path, server: OpenAIServer, made: Cluster, run: Run) -> subprocess.Popen:
    """Go on with a run in a process of its own, whose calls the cluster makes."""
    env = {
        **os.environ,
        "OPENAI_BASE_URL": server.url,
        "FOUNDRY_DATA": str(folder),
        "FOUNDRY_CLUSTER": made.address,
        "FOUNDRY_CALLS": str(PLACES),
    }
    return subprocess.Popen(
        [sys.executable, "tests/support/worker.py", "resume", run.id, "--json"],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def resumed(runner: Runner, run_id: str, seconds: float) -> str:
    """Resume a run, wait for it, and return its state."""
    runner.resume(run_id)
    runner.wait(run_id, seconds)
    return runner.store.runs.get(run_id).state
