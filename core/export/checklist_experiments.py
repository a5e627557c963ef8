"""A checklist experiment as blocks: what it found, its tables with the published ones behind them,
how far it is, and what was lost and why.
"""

from collections.abc import Iterator

from core.experiments.checklist.outcome import independence, outcome
from core.experiments.checklist.progress import checklist_progress
from core.experiments.checklist.published import MARKED, beside
from core.experiments.checklist.results import collect
from core.experiments.checklist.tables import tables
from core.export.blocks import Block, Heading, grid, listing, prose
from core.export.facts import unfinished
from core.export.sweeps import took
from core.records import Run
from core.records import Table as Figures
from core.store import Store
from core.wording.numbers import counted

MOST = 300
"""Lost cells a report lists; all of them are in the bundle."""


def checklist_experiment(store: Store, run: Run) -> Iterator[Block]:
    """Write a checklist experiment as it stands, the outcome first."""
    held = collect(store, run)
    yield Heading("What it found")
    said = outcome(held)
    yield prose(" ".join(said) if said else "No idea is scored after its last step yet.")
    yield prose(independence(store, held.asked))
    if run.state != "done":
        yield prose(f"Partial: {unfinished(run)}")
    for table in both_tables(store, run):
        title = table.title.removesuffix(f", {MARKED}")
        caption = "EvoIdeator, as published" if title != table.title else ""
        yield from grid(table.model_copy(update={"title": title, "caption": caption}))
    cells = checklist_progress(store, run)
    states = ", ".join(f"{n:,} {state}" for state, n in cells.counts.items())
    yield Heading("How it stands")
    yield prose(f"{counted(len(cells.cells), 'cell')}: {states}. Its runs took {took(store, run)}.")
    lost = [
        f"{one.generator}, {_by(one.provider)}, {one.question} ({one.state}): {one.reason}"
        for one in cells.cells
        if one.reason
    ]
    if lost:
        yield Heading("Cells that were lost")
        yield from listing(lost[:MOST])
        if len(lost) > MOST:
            yield prose(f"{len(lost) - MOST:,} more are in the JSON bundle.")


def _by(provider: str) -> str:
    return f"directives by {provider}" if provider else "without directives"


def both_tables(store: Store, run: Run) -> tuple[Figures, ...]:
    """Return every table the experiment has figures for, each with the published one behind it."""
    known = beside()
    found: list[Figures] = []
    for table in tables(collect(store, run)):
        found.append(table)
        if table.name in known:
            found.append(known[table.name])
    return tuple(found)
