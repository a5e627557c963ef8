"""An experiment over topics as blocks: how the contenders stand, its tables with what was published
behind them, and what failed.
"""

from collections.abc import Iterator

from core.experiments.topics.results import collect, outcome
from core.experiments.topics.tables import tables
from core.export.blocks import Block, Heading, grid, listing, prose
from core.export.facts import unfinished
from core.export.sweeps import took
from core.records import Run
from core.store import Store
from core.wording.numbers import counted

MOST = 300
"""Failed cells a report lists; all of them are in the tables."""


def topic_experiment(store: Store, run: Run) -> Iterator[Block]:
    """Write an experiment over topics as it stands, the outcome first."""
    held = collect(store, run)
    yield Heading("What it found")
    said = outcome(store, held)
    yield prose(" ".join(said) if said else "There are no votes to tell by.")
    if run.state != "done":
        yield prose(f"Partial: {unfinished(run)}")
    for table in tables(store, held):
        yield from grid(table)
    yield Heading("How it stands")
    done = f"{len(held.cells)} of {counted(held.planned, 'cell')}"
    yield prose(f"{done} ended. Its runs took {took(store, run)}.")
    for arena in held.arenas:
        text = f"The arena of {arena.kind}s is run {arena.run}: {counted(arena.entries, 'text')}."
        yield prose(text if arena.run else f"There is no arena of {arena.kind}s. {arena.reason}")
    failed = [
        f"{held.names.get(cell.player, cell.player)}, {cell.topic}: {cell.reason}"
        for cell in held.cells
        if cell.state == "failed"
    ]
    if failed:
        yield Heading("Cells that failed")
        yield from listing(failed[:MOST])
