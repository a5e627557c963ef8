"""Watching a run from a terminal: a progress bar on standard error, nothing where that is no
terminal.
"""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from core.benchmark.doing import CALLS
from core.errors import StoreFailed
from core.runs.catalogue import entry
from core.runs.estimates import of_run
from core.store import Store


@contextmanager
def watched(store: Store, run_id: str) -> Iterator[None]:
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
            bar.update(task, description=str(error))
            continue
        bar.update(task, completed=completed, description=said)


def _steps(store: Store, run_id: str) -> tuple[int, str]:
    doing = store.steps.partials(run_id)
    return store.runs.get(run_id).steps, ", ".join(
        f"{one.key}{': ' + one.note if one.note else ''}" for one in doing[:2]
    )


def _cells(store: Store, run_id: str) -> tuple[int, str]:
    """Return how many answers of a benchmark are settled, and what else there is to say, from its
    counts.
    """
    n: Counter[str] = Counter()
    for (_, _, state), cells in store.benchmarks.sums.tally(run_id).items():
        n[state] += cells
    last = store.benchmarks.sums.pace(run_id, 2)
    said = (
        f"{n['taken']:,} under way",
        f"{n['failed']:,} failed" if n["failed"] else "",
        f"{n['excluded']:,} left out" if n["excluded"] else "",
        f"{last[0][1]:,} calls in the last whole minute" if len(last) == 2 else "",
        *(one.note for one in store.steps.partials(run_id) if one.key == CALLS),
    )
    return n["done"] + n["failed"] + n["excluded"], ", ".join(filter(None, said))
