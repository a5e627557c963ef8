"""Working on a run until it ends or is parked, with a bar on standard error where that is a
terminal.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from core.benchmark.conducting.doing import CALLS
from core.commands.documents import nothing, plain
from core.commands.going_on import with_commands
from core.commands.options import Answer
from core.errors import BadInput, Parked, StoreFailed, StoreUnusable
from core.export import document as reports
from core.records import Record
from core.runs.beginning import begin
from core.runs.catalogue import entry
from core.runs.estimates import of_run
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store

EXIT = {"done": 0, "failed": 3}
"""Exit code by state; every other state is parked, 4."""


def start(shop: Workshop, method: str, inputs: Record, title: str, **asked: Any) -> Answer:
    """Begin a run of any kind and work on it to its end."""
    runner = Runner(shop)
    return work(runner, begin(runner, method, inputs, title, **asked).id)


def work(runner: Runner, run_id: str, begin: Callable[[str], None] | None = None) -> Answer:
    """Work on a run until it ends or is parked, showing how far it is; Control-C stops it and keeps
    what it has.
    """
    print(f"Run {run_id}", file=sys.stderr)
    if runner.workshop.compares(runner.store.runs.get(run_id).config):
        runner.workshop.embedder.load_beside()  # Beside the first model calls.
    with show_progress(runner.store, run_id):
        try:
            (begin or runner.start)(run_id)
            runner.wait(run_id)
        except KeyboardInterrupt:
            print("Stopping. Everything up to here is kept.", file=sys.stderr)
            with suppress(
                BadInput, StoreUnusable
            ):  # It may have come to its end at this very moment.
                runner.stop(run_id)
            runner.wait(run_id)
    document = _how_it_ended(runner, run_id)
    return document, EXIT.get(document["state"], Parked.exit_code)


def _how_it_ended(runner: Runner, run_id: str) -> dict[str, Any]:
    """Return the run's document; where the store could not take its end, or cannot be read, with
    what is known here.
    """
    owed = runner.endings.owed(run_id)
    try:
        document = with_commands(runner.workshop, reports.document(runner.store, run_id))
    except StoreUnusable as error:
        document = {**nothing("interrupted"), "run": run_id, "reason": str(error)}
    return {**document, "state": owed.state, "reason": owed.reason} if owed else document


@contextmanager
def show_progress(store: Store, run_id: str) -> Iterator[None]:
    """Show a bar while the run goes on in the block."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    bar = Progress(
        SpinnerColumn(),
        BarColumn(),
        TextColumn("{task.completed} {task.fields[counted]}"),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        thread = threading.Thread(target=_follow, args=(store, run_id, bar, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _follow(store: Store, run_id: str, bar: Progress, over: threading.Event) -> None:
    run = store.runs.get(run_id)
    look, counted = (_cells, "answers") if entry(run.config).cells else (_steps, "steps")
    task = bar.add_task("starting", total=of_run(run).steps, counted=counted)
    while not over.wait(0.25):
        try:
            completed, said = look(store, run_id)
        except StoreFailed as error:
            bar.update(task, description=plain(str(error)))
            continue
        bar.update(task, completed=completed, description=plain(said))


def _steps(store: Store, run_id: str) -> tuple[int, str]:
    doing = []
    for partial in store.steps.partials(run_id)[:2]:
        doing.append(f"{partial.key}: {partial.note}" if partial.note else partial.key)
    return store.runs.get(run_id).steps, ", ".join(doing)


def _cells(store: Store, run_id: str) -> tuple[int, str]:
    """Return how many answers of a benchmark are settled, and what else there is to say, from its
    counts.
    """
    n = Counter[str]()
    for (_, _, state), cells in store.benchmarks.sums.tally(run_id).items():
        n[state] += cells
    said = [f"{n['taken']:,} under way"]
    for state, name in (("failed", "failed"), ("excluded", "left out")):
        if n[state]:
            said.append(f"{n[state]:,} {name}")
    last = store.benchmarks.sums.pace(run_id, 2)
    if len(last) == 2:
        said.append(f"{last[0][1]:,} calls in the last whole minute")
    said += [one.note for one in store.steps.partials(run_id) if one.key == CALLS and one.note]
    return n["done"] + n["failed"] + n["excluded"], ", ".join(said)
