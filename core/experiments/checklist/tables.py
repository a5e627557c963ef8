"""The tables of a checklist experiment (EvoIdeator, tables 1 and 2), and what was lost."""

from collections import defaultdict

from core.experiments.checklist.cells import Condition
from core.experiments.checklist.results import (
    ChecklistResults,
    ItemMean,
    StepMeans,
    differences,
    losses,
    step_means,
)
from core.records import ITEMS, Table, Value
from core.statistics.intervals import Figure
from core.tables.cells import Cell, make_table

ALONE = "none (the model itself)"
"""Who gives directives where nobody does."""
INTERVALS = (
    "Brackets: 95 % interval over questions. Of an item a percentile bootstrap, under 10 questions"
    " Wilson's or Student's t, the wider end of either; of a sum or a difference Student's t, or"
    " Wilson's where all are equal."
)
STANDS = (
    "An idea that ended early because every item held stands as it ended; one that was discarded"
    " counts as far as it came; ideas of which the scorer left an item unjudged are in no sum."
)
PAIRED = "Paired by question: only questions that both sides answered count."


def tables(held: ChecklistResults) -> tuple[Table, ...]:
    """Return every table there are figures for."""
    made = (per_item(held), by_provider(held), differing(held), lost(held))
    return tuple(_as_printed(table) for table in made if table.rows)


def _as_printed(one: Table) -> Table:
    """Return a table whose caption says which one of the paper it is like."""
    like = {"checklist-items": "table 1", "checklist-providers": "table 2"}.get(one.name)
    if like is None:
        return one
    return one.model_copy(update={"caption": f"{one.title} (as in {like} of EvoIdeator)"})


def per_item(held: ChecklistResults) -> Table:
    """Return the mean of each item and of their sum, step by step (table 1)."""
    rows = list[tuple[Cell, ...]]()
    for one in step_means(held):
        total, *items = (_mean(mean, one) for mean in one.means)
        rows.append((str(one.step), one.generator, _directives(one), total, *items))
    head = ("Step", "Model", "Directives by", "Sum", *(item.name.capitalize() for item in ITEMS))
    return make_table(
        "checklist-items", "Mean score per item", head, rows, _note(held, INTERVALS, STANDS)
    )


def by_provider(held: ChecklistResults) -> Table:
    """Return the mean sum over items at every step, by provider of directives (table 2)."""
    firsts: dict[str, Value] = {}
    later: defaultdict[Condition, dict[int, Value]] = defaultdict(dict)
    for one in step_means(held):
        if one.condition:
            later[one.condition][one.step] = _mean(one.means[0], one)
        else:
            firsts[one.generator] = _mean(one.means[0], one)
    steps = range(1, held.asked.steps)
    rows = list[tuple[Cell, ...]]()
    for condition, sums in sorted(later.items(), key=lambda one: _in_order(held, one[0])):
        named = (condition.provider or ALONE, condition.generator)
        rows.append((*named, firsts.get(condition.generator), *map(sums.get, steps)))
    head = ("Directives by", "Model", "Step 0", *(f"Step {n}" for n in steps))
    shared = "All providers of a model are given the same first ideas, scored once."
    return make_table(
        "checklist-providers",
        "Sum over items by provider of directives",
        head,
        rows,
        _note(held, shared, INTERVALS),
    )


def _in_order(held: ChecklistResults, condition: Condition) -> tuple[int, int]:
    providers = ("", *held.asked.providers)
    generators = held.asked.generators
    return providers.index(condition.provider), generators.index(condition.generator)


def differing(held: ChecklistResults) -> Table:
    """Return what directives and revising change, and how generators differ."""
    rows = list[tuple[Cell, ...]]()
    for one in differences(held):
        if one.figure.value is not None:
            pair = f"{one.a} − {one.b}"
            figure = _cell(one.figure, one.figure.n)
            rows.append((pair, one.generator, one.provider or ALONE, figure))
    head = ("Compared", "Model", "Directives by", "Difference of the sum")
    return make_table(
        "checklist-differences",
        "Differences of the sum over items",
        head,
        rows,
        _note(held, PAIRED, INTERVALS),
    )


def lost(held: ChecklistResults) -> Table:
    """Return how many ideas could not be read, and how many cells failed."""
    rows = list[tuple[Cell, ...]]()
    for one in losses(held):
        if not one.cells:
            continue
        share = Value(
            mean=one.discarded / one.cells,
            n=one.cells,
            counted="cells",
            unit="percent",
            runs=one.runs,
        )
        by = one.condition.provider or ALONE
        counts = (one.cells, one.discarded, share, one.failed, one.undirected)
        rows.append((one.condition.generator, by, *counts))
    head = ("Model", "Directives by", "Cells", "Discarded", "Share", "Failed", "No directive")
    note = (
        "Discarded: no idea could be read from a reply, after it was asked for again. Failed: a run"
        " ended for another reason. Both are in no mean of the steps they did not reach. No"
        " directive: items of which the provider gave no usable answer, so that the generator was"
        " told nothing of them."
    )
    return make_table("checklist-discards", "Ideas that were lost", head, rows, note)


def _directives(one: StepMeans) -> str:
    if one.condition is None:
        return "– (first idea)"
    return one.condition.provider or ALONE


def _mean(one: ItemMean, of: StepMeans) -> Value:
    return _cell(one.figure, one.figure.n + one.unjudged, of.runs)


def _cell(figure: Figure, of: int, runs: tuple[str, ...] = ()) -> Value:
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        of=of,
        counted="questions",
        digits=2,
        note=". ".join(filter(None, (figure.how, figure.note))),
        runs=runs,
    )


def _note(held: ChecklistResults, *sentences: str) -> str:
    partial = "Partial: the experiment is not finished." if held.unfinished else ""
    scored = f"Scored by {held.asked.scorer}; Length and Layout are decided by code."
    return " ".join(filter(None, (partial, scored, *sentences)))
