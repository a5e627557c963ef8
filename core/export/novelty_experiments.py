"""A measurement of novelty checks as blocks: what it found, its tables, and what failed."""

from collections.abc import Iterator

from core.experiments.novelty.figures import collect, outcome, tables
from core.export.blocks import Block, Heading, grid, listing, prose
from core.export.facts import unfinished
from core.export.sweeps import took
from core.records import Run
from core.store import Store
from core.wording.numbers import counted


def novelty_experiment(store: Store, run: Run) -> Iterator[Block]:
    """Write a measurement as it stands, the outcome first."""
    held = collect(store, run)
    yield Heading("What it found")
    said = outcome(store, held)
    yield prose(" ".join(said) if said else "No idea is checked yet.")
    if run.state != "done":
        yield prose(f"Partial: {unfinished(run)}")
    for table in tables(store, held):
        yield from grid(table)
    yield Heading("How it stands")
    done = f"{len(held.cells)} of {counted(held.planned, 'check')}"
    yield prose(f"{done} ended. Its runs took {took(store, run)}.")
    failed = [f"{cell.run}: {cell.reason}" for cell in held.cells if cell.state == "failed"]
    if failed:
        yield Heading("Checks that failed")
        yield from listing(failed)
