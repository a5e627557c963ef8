"""An experiment as blocks: how far it is, every table of its results, what it took, and which runs
are behind each cell.
"""

from collections.abc import Iterator

from core.experiments.cells import SweepInputs
from core.experiments.found import findings
from core.experiments.progress import CellProgress, progress
from core.experiments.published import MARKED, beside
from core.experiments.results import collect
from core.experiments.tables import METHODS, tables
from core.export.asked import inputs_as
from core.export.blocks import Block, Blocks, Heading, Table, grid, listing, prose
from core.export.facts import money, unfinished
from core.records import Paper, Run, Standings, Target, usage
from core.records import Table as Figures
from core.store import Store
from core.story import Story
from core.wording.numbers import counted

MOST = 300
"""Cells a report lists; all of them are in the bundle."""


def sweep(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write an experiment as it stands."""
    cells = progress(store, run).cells
    yield Heading("How it stands")
    yield from _numbers(store, run)
    for table in figures(store, run, ""):
        # The caption of a published table says so, too, and stands alone as a heading.
        title = table.title.removesuffix(f", {MARKED}")
        yield from grid(table.model_copy(update={"title": title}))
    yield from _list_failed(cells)
    yield from _cells(cells, story)


def figures(store: Store, run: Run, title: str) -> tuple[Figures, ...]:
    """Return every table the experiment has figures for, in the order of the paper (InfAL, tables 1
    to 14), each with the published one behind it.

    Captions begin with the title, if there is one; published tables say that they are.
    """
    found = findings(collect(store, run.id), title)
    known = beside(found)
    both: list[Figures] = []
    for table in tables(found):
        both.append(table)
        if table.name in known:
            both.append(known[table.name])
    return tuple(both)


def targets(store: Store, run: Run) -> tuple[Paper, ...]:
    """Return the papers the ideas are ranked with."""
    shas = tuple(target.sha for target in inputs_as(run, SweepInputs).targets)
    return tuple(target.paper for target in store.frozen.several(shas, Target).values())


def took(store: Store, run: Run) -> str:
    """Say what all runs of an experiment took together; calls of unknown price are named, never
    counted as free.
    """
    spent = store.runs.spent(run.id)
    cost = money(spent["cost"], spent["unpriced"])
    calls = usage.calls(spent["calls"], spent["maybe_paid"])
    tokens = usage.tokens(
        spent["tokens_in"], spent["tokens_out"], spent["calls"], spent["unreported"]
    )
    return f"{calls} in {counted(spent['runs'], 'run')}; {tokens}; {cost}"


def _numbers(store: Store, run: Run) -> Iterator[Block]:
    found = progress(store, run)
    states = ", ".join(f"{n:,} {state}" for state, n in found.counts.items())
    text = f"{counted(len(found.cells), 'cell')}: {states}. Its runs took {took(store, run)}."
    if run.parent:
        text += (
            f" What it took over from run {run.parent}, which it extends, is not in these numbers."
        )
    yield prose(text)
    if run.state != "done":
        yield prose(f"Partial: {unfinished(run)}")


def _list_failed(cells: tuple[CellProgress, ...]) -> Blocks:
    failures = [
        f"{_method(part)}, {part.cell.model}, {part.cell.indicator}, {part.title}: {part.reason}"
        for part in cells
        if part.state == "failed"
    ]
    if not failures:
        return ()
    note = (
        "They are in no figure. Extending the experiment, with nothing new if you like, tries them"
        " again."
    )
    return (Heading("Cells that failed"), prose(note), *listing(failures))


def _cells(cells: tuple[CellProgress, ...], story: Story) -> Iterator[Block]:
    qs = {
        standings.cell.rank_by(standings.judge): f"{sum(standings.q) / len(standings.q):.3f}"
        for standings in story.all(Standings)
        if standings.q
    }
    rows = []
    for part in cells[:MOST]:
        q = ", ".join(f"{qs[piece.name]} ({piece.by})" for piece in part.pieces if piece.name in qs)
        runs = ", ".join(f"{piece.what} {piece.run}" for piece in part.pieces if piece.run)
        of = _method(part), part.cell.model, part.cell.indicator, part.title, part.state
        rows.append((*of, q or "–", runs or "–"))
    head = ("Method", "Model", "Quality", "Target", "State", "Mean Q (judge)", "Runs")
    yield Heading("The cells, and the runs behind them")
    yield Table(head, tuple(rows))
    if len(cells) > MOST:
        yield prose(
            f"{len(cells) - MOST:,} more cells are not listed here; the JSON bundle has them all."
        )


def _method(part: CellProgress) -> str:
    return METHODS.get(part.cell.method, part.cell.method)
