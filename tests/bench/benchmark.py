"""The benchmark bench: 2,000 cells over a loopback model of known latency and a limit of 64 calls:
how well the limit is used, how memory grows.
"""

import resource
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from core import settings
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from tests.bench.chain import serving
from tests.support.benchmark.bench_kit import JUDGES, MODELS, small

LATENCY, LIMIT = 0.3, 64
"""Seconds the loopback model takes for an answer, and calls at once."""
KEYWORDS = 112
"""With two models, two ideas and three judges each: 2,016 cells."""
TARGETS = {"bench_idle_share": 0.10, "bench_growth_mb": 50.0}
"""The share of the limit that is not used until fewer than 64 calls remain to begin; MB of resident
memory from the first to the last thousand.
"""


def benchmark_figures(folder: Path, keywords: int = KEYWORDS) -> dict[str, float]:
    """Return the share of the limit that lay idle during a sweep, and by how many MB its process
    grew from the first to the last thousand calls.
    """
    with serving(
        "tests.support.servers.openai_server",
        "--latency",
        str(LATENCY),
        "--script",
        "tests.support.benchmark.bench_kit:script",
    ) as url:
        runner = Runner(
            Workshop(
                settings.read({"OPENAI_BASE_URL": url, "FOUNDRY_CALLS": str(LIMIT)}, data=folder)
            )
        )
        for name in (*MODELS, *JUDGES):
            runner.workshop.model(name).abilities(lambda _text, _note: None)  # type: ignore[attr-defined]  # Finds out what the server can do, once.
        run = small(runner.workshop, [f"keyword {n}" for n in range(keywords)], judges_each=3)
        watched = Watched(runner.store, run)
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        state = runner.work(run.id)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
        grown = watched.grown()
    assert state == "done", runner.store.runs.get(run.id).reason
    held = calls(runner.store, run)
    busy = utilisation(held)
    cpu = (after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime) / len(held) * 1000
    print(
        f"{len(held)} cells in {wall:.1f} s: {busy:.3f} of {LIMIT} calls at once in use until fewer"
        f" than {LIMIT} remain to begin; {len(held) * LATENCY / LIMIT / wall:.3f} counting what the"
        f" server takes alone, over the whole; {cpu:.1f} ms of this process a call; {grown:+.1f} MB"
        " from the first to the last thousand"
    )
    return {"bench_idle_share": 1 - busy, "bench_growth_mb": grown}


def calls(store: Store, run: Run) -> Sequence[tuple[float, float]]:
    """Return when every call began and ended, in seconds, in the order they began."""
    rows = store.connections.rows("SELECT at, latency FROM calls WHERE run = ?", run.id)
    ends = [(datetime.fromisoformat(row["at"]).timestamp(), row["latency"]) for row in rows]
    return sorted((end - latency, end) for end, latency in ends)


def utilisation(held: Sequence[tuple[float, float]]) -> float:
    """Return the sum of call times by the limit times the wall clock, up to the moment when fewer
    calls than the limit remain to begin.
    """
    first, last = held[0][0], held[-LIMIT][0]
    return sum(min(ended, last) - began for began, ended in held if began < last) / (
        LIMIT * (last - first)
    )


class Watched:
    """Looks five times a second at how many calls are booked and how much memory this process
    holds.
    """

    def __init__(self, store: Store, run: Run):
        self._store, self._run, self._over = store, run.id, threading.Event()
        self._seen: list[tuple[int, float]] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            self._seen.append(
                (self._store.runs.get(self._run).calls, pages * resource.getpagesize() / 2**20)
            )

    def grown(self) -> float:
        """Return the most MB held during the last thousand calls, less the most during the first
        thousand.
        """
        self._over.set()
        self._thread.join()
        last = self._seen[-1][0]
        return max(mb for n, mb in self._seen if n > last - 1_000) - max(
            mb for n, mb in self._seen if n <= 1_000
        )
