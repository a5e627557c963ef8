"""An experiment as blocks: how far it is, every table of its results, what it took, and which runs
are behind each cell.
"""

from collections.abc import Iterator

from core.errors import StoreFailed, boundary
from core.experiments.cells import SweepInputs
from core.experiments.found import findings
from core.experiments.progress import CellProgress, progress
from core.experiments.published import beside
from core.experiments.results import collect
from core.experiments.tables import METHODS, tables
from core.export.asked import counted
from core.export.blocks import Block, Blocks, Heading, Table, listed, said
from core.export.facts import money, unfinished
from core.export.grids import grid
from core.records import Paper, Run, Standings, Target, usage
from core.records import Table as Figures
from core.store import Store
from core.story import Story

MOST = 300
"""Cells a report lists; all of them are in the bundle."""


def asked(run: Run) -> SweepInputs:
    """Return what an experiment was asked for, of whichever version; raises StoreFailed."""
    with boundary(
        StoreFailed,
        f"reading what run {run.id} was asked for, which another version of this program may have"
        " written",
    ):
        return run.inputs_as(SweepInputs)


def sweep(store: Store, run: Run, story: Story) -> Blocks:
    """Write an experiment as it stands."""
    cells = progress(store, run).cells
    results = tuple(block for table in figures(store, run, "") for block in grid(table))
    return (
        Heading("How it stands"),
        *_numbers(store, run),
        *results,
        *_failed(cells),
        *_cells(cells, story),
    )


def figures(store: Store, run: Run, title: str) -> tuple[Figures, ...]:
    """Return every table the experiment has figures for, in the order of the paper (InfAL, tables 1
    to 14), each with the published one behind it.

    Captions begin with the title, if there is one; published tables say that they are.
    """
    found = findings(collect(store, run.id), title)
    known = beside(found)
    return tuple(
        one
        for table in tables(found)
        for one in (table, *([known[table.name]] if table.name in known else []))
    )


def targets(store: Store, run: Run) -> tuple[Paper, ...]:
    """Return the papers the ideas are ranked with."""
    return tuple(
        one.paper
        for one in store.frozen.several(
            tuple(one.sha for one in asked(run).targets), Target
        ).values()
    )


def took(store: Store, run: Run) -> str:
    """Say what all runs of an experiment took together; calls of unknown price are named, never
    counted as free.
    """
    spent = store.runs.spent(run.id)
    cost = money(run.model_copy(update={name: spent[name] for name in ("cost", "unpriced")}))
    made = usage.calls(spent["calls"], spent["maybe_paid"])
    tokens = usage.tokens(
        spent["tokens_in"], spent["tokens_out"], spent["calls"], spent["unreported"]
    )
    return f"{made} in {counted(spent['runs'], 'run')}; {tokens}; {cost}"


def _numbers(store: Store, run: Run) -> Iterator[Block]:
    found = progress(store, run)
    states = ", ".join(f"{n:,} {state}" for state, n in found.counts.items())
    over = f"What it took over from run {run.parent}, which it extends, is not in these numbers."
    yield said(
        f"{counted(len(found.cells), 'cell')}: {states}. Its runs took {took(store, run)}."
        f"{f' {over}' if run.parent else ''}"
    )
    if run.state != "done":
        yield said(f"Partial: {unfinished(run)}")


def _failed(cells: tuple[CellProgress, ...]) -> Blocks:
    told = [f"{_called(one)}: {one.reason}" for one in cells if one.state == "failed"]
    return (
        (
            Heading("Cells that failed"),
            said(
                "They are in no figure. Extending the experiment, with nothing new if you like,"
                " tries them again."
            ),
            *listed(told),
        )
        if told
        else ()
    )


def _cells(cells: tuple[CellProgress, ...], story: Story) -> Iterator[Block]:
    qs = {
        one.cell.rank_by(one.judge): f"{sum(one.q) / len(one.q):.3f}"
        for one in story.all(Standings)
        if one.q
    }
    rows = tuple(
        (
            METHODS.get(one.cell.method, one.cell.method),
            one.cell.model,
            one.cell.indicator,
            one.title,
            one.state,
            ", ".join(f"{qs[part.name]} ({part.by})" for part in one.pieces if part.name in qs)
            or "–",
            ", ".join(f"{part.what} {part.run}" for part in one.pieces if part.run) or "–",
        )
        for one in cells[:MOST]
    )
    yield Heading("The cells, and the runs behind them")
    yield Table(("Method", "Model", "Quality", "Target", "State", "Mean Q (judge)", "Runs"), rows)
    if len(cells) > MOST:
        yield said(
            f"{len(cells) - MOST:,} more cells are not listed here; the JSON bundle has them all."
        )


def _called(one: CellProgress) -> str:
    return (
        f"{METHODS.get(one.cell.method, one.cell.method)}, {one.cell.model}, {one.cell.indicator},"
        f" {one.title}"
    )
