"""Watching a run from a terminal: a progress bar on standard error, nothing where that is no terminal."""
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from core.estimates import of_run
from core.store import Store


@contextmanager
def watched(store: Store, run_id: str) -> Iterator[None]:
    """Show a bar while the run goes on in the block."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    bar = Progress(SpinnerColumn(), BarColumn(), TextColumn("{task.completed} steps"), TimeElapsedColumn(), TextColumn("{task.description}", markup=False),
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
    task = bar.add_task("starting", total=of_run(store.runs.get(run_id)).steps)
    while not over.wait(0.25):
        doing = store.steps.partials(run_id)
        said = ", ".join(f"{one.key}{': ' + one.note if one.note else ''}" for one in doing[:2])
        bar.update(task, completed=store.runs.get(run_id).steps, description=said)
