"""A dask cluster on this machine for tests: a scheduler and workers, each a process of its own that
may be killed, and benchmarks on it.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from core import settings
from core.records import Run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from tests import ROOT
from tests.conftest import WordEmbedder
from tests.support.benchmark.bench_kit import small
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import until

KEY = "sk-planted-on-the-worker"
PLACES = 8
AT_ONCE = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
"""What a dead worker leaves is given back, as the README has it; otherwise dask has another worker
make those calls.
"""


class Cluster:
    """Processes that are killed at the end whatever happens; `address` is what FOUNDRY_CLUSTER
    would be.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], program: Path = ROOT):
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._file, self._program = folder, folder / "scheduler.json", program
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            **environment,
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
        }
        self.workers: list[subprocess.Popen] = []
        self.scheduler = self.start_scheduler("--port", "0")

    @property
    def address(self) -> str:
        return "dask://" + str(json.loads(self._file.read_text())["address"]).removeprefix("tcp://")

    def start_scheduler(self, *words: str) -> subprocess.Popen:
        """Start the scheduler and wait until it says where it is."""
        self._file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", "--scheduler-file", str(self._file), *words)
        # The file is there a moment before its text is.
        until(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        return self.scheduler

    def start_worker(self, threads: int = 4) -> subprocess.Popen:
        """Start one worker more."""
        words = (
            self.address.removeprefix("dask://"),
            "--no-nanny",
            "--nthreads",
            str(threads),
            "--memory-limit",
            "0",
        )
        self.workers.append(self._start("worker", *words, "--local-directory", str(self._folder)))
        return self.workers[-1]

    def kill(self, child: subprocess.Popen, by: signal.Signals = signal.SIGKILL) -> None:
        child.send_signal(by)
        child.wait(10)

    def end(self) -> None:
        for child in (*self.workers, self.scheduler):
            if child.poll() is None:
                self.kill(child)

    def _start(self, *words: str) -> subprocess.Popen:
        with (self._folder / f"{words[0]}.log").open("ab") as log:
            return subprocess.Popen(
                [Path(sys.executable).parent / "dask", *words, "--no-dashboard"],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**self._environment, "PYTHONPATH": str(self._program)},
            )


@contextmanager
def cluster(
    folder: Path, url: str, threads: Sequence[int] = (4, 4), **environment: str
) -> Iterator[Cluster]:
    """Give a scheduler and workers with so many threads, whose own environment points at a model
    server; they may still be starting.
    """
    made = Cluster(folder, {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY, **environment})
    try:
        for count in threads:
            made.start_worker(count)
        yield made
    finally:
        made.end()


# -- benchmarks that something happens to ------------------------------------------------------


def shop_at(folder: Path, server: OpenAIServer, **more: object) -> Workshop:
    """Return a real workshop whose models are at the server."""
    shop = Workshop(
        settings.read({"OPENAI_BASE_URL": server.url}, data=folder, **({"calls": PLACES} | more))
    )
    shop.embedder = WordEmbedder()  # type: ignore[assignment]
    return shop


def outcome(shop: Workshop, run: Run) -> tuple[object, ...]:
    """Return everything a benchmark found, without times and tries."""
    rows, count = shop.store.benchmarks, len(shop.store.benchmarks.keywords(run.id))
    cells = [rows.cells(run.id, model, k) for k in range(count) for model in range(2)]
    return [
        one.model_copy(update={"id": 0, "tries": 0}) for group in cells for one in group
    ], sorted(rows.sums.groups(run.id))


def booked(shop: Workshop, run: Run) -> int:
    """Return how many calls stand in the account of a benchmark."""
    return sum(one.calls for one in shop.store.benchmarks.sums.usage(run.id))


def undisturbed(folder: Path, server: OpenAIServer, words: list[str]) -> tuple[object, ...]:
    """Return what the same benchmark finds by threads."""
    shop, server.latency = shop_at(folder, server), 0.0
    run = small(shop, keywords=words)
    Runner(shop).work(run.id)
    return outcome(shop, run)


def worked(
    shop: Workshop, run: Run, server: OpenAIServer, happenings: Mapping[int, Callable[[], object]]
) -> Run:
    """Work a run to its end; something happens each time so many calls more were made."""
    calls, over = len(server.calls), threading.Event()

    def watch() -> None:
        for after, happen in sorted(happenings.items()):
            until(lambda: len(server.calls) >= calls + after or over.is_set(), 120)
            happen()

    watcher = threading.Thread(target=watch)
    watcher.start()
    Runner(shop).work(run.id)
    over.set()
    watcher.join()
    return shop.store.runs.get(run.id)
