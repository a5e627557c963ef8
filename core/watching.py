"""Watching a run from a terminal: a progress bar on standard error, nothing where that is no terminal."""
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from core.records import Run
from core.store import Store


def expected_steps(run: Run) -> int:
    """Estimate how many steps a run may take: the most it will usually need."""
    inputs = run.config.inputs
    if run.config.method == "chain":
        return 15 + 4 * int(str(inputs["length"])) + 12
    rules = inputs["rules"]
    assert isinstance(rules, dict)
    return 2 + 5 * int(rules["max_rounds"])


@contextmanager
def watched(store: Store, run_id: str) -> Iterator[None]:
    """Show a bar while the run goes on in the block."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    bar = Progress(SpinnerColumn(), BarColumn(), TextColumn("{task.completed} steps"), TimeElapsedColumn(), TextColumn("{task.description}"),
                   console=Console(stderr=True), transient=True)
    with bar:
        thread = threading.Thread(target=_follow, args=(store, run_id, bar, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _follow(store: Store, run_id: str, bar: Progress, over: threading.Event) -> None:
    task = bar.add_task("starting", total=expected_steps(store.runs.get(run_id)))
    while not over.wait(0.25):
        doing = store.steps.partials(run_id)
        said = ", ".join(f"{one.key}{': ' + one.note if one.note else ''}" for one in doing[:2])
        bar.update(task, completed=store.runs.get(run_id).steps, description=said)
