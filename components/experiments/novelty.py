"""Novelty checks measured, on screen: how they agree with people by depth and judge, what they
found, and every check with the way to it.
"""

from collections.abc import Callable

import streamlit as st

from components.experiments import standing
from components.experiments.standing import CellLine, Counts
from components.runs import export as run_export
from components.runs.states import active
from components.shell import services
from components.shell import table as shown_table
from components.shell.frame import told
from core.errors import BadInput
from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.novelty.figures import NoveltyResults, collect, outcome, tables
from core.records import CheckedIdea, Run
from core.store import Store

EVERY = "novelty-checks"
"""The table of every check, which the list of checks offers as a file."""
AGREED, AGAINST, OPEN = "as people said", "against what people said", "inconclusive"
"""What a check came to."""


def whole(run: Run) -> None:
    """Draw the measurement."""
    standing.whole(run, progress, VIEWS, "novelty-tab")


def progress(run: Run) -> Counts:
    """Return how many checks are in each state."""

    def planned() -> int:
        return NoveltyResults(run=run.id, asked=run.inputs_as(NoveltyExperimentInputs)).planned

    return standing.counts(run, "CheckedIdea", planned)


def _results(run: Run) -> None:
    store = services.store()
    held = collect(store, run)
    standing.outcome(run, outcome(store, held), len(held.cells), held.planned)
    for one in tables(store, held):
        if one.name != EVERY and one.rows:
            shown_table.draw(one, f"novelty-experiment:{run.id}")


def _checks(run: Run) -> None:
    store = services.store()
    held = collect(store, run)
    lines = [_line(store, held, cell) for cell in held.cells]
    if not run.packed and not active(run) and any(one.state == "failed" for one in lines):
        st.caption("A fork of this run tries failed checks again; what is done is taken over free.")
    standing.cells(lines, "checks", {one: one.capitalize() for one in (AGAINST, AGREED, OPEN)})
    for one in tables(store, held):
        if one.name == EVERY and one.rows:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("All of them as a file:", width="content")
                shown_table.save_as(one, f"novelty-experiment:{run.id}:{EVERY}")


def _line(store: Store, held: NoveltyResults, cell: CheckedIdea) -> CellLine:
    people = "known" if cell.known else "new"
    came_to = ""
    if cell.said:
        came_to = OPEN if cell.said == OPEN else AGREED if cell.said == people else AGAINST
    facts = [f"{cell.depth}, {cell.judge}", f"people: {people}"]
    if cell.verdict:
        facts.append(f"the check: {cell.verdict}")
    if came_to:
        facts.append(came_to)
    if held.asked.seeds > 1:
        facts.append(f"time {cell.seed}")
    return CellLine(
        said=_title(store, cell),
        state=cell.state,
        run=cell.run,
        reason=cell.reason,
        came_to=came_to,
        facts=" · ".join(facts),
    )


def _title(store: Store, cell: CheckedIdea) -> str:
    try:
        return store.runs.get(cell.run).title
    except BadInput:
        return f"idea {cell.idea[:12]}"  # Its run was removed since.


def _export(run: Run) -> None:
    with told():
        run_export.draw(run, "experiments")


VIEWS: dict[str, Callable[[Run], None]] = {
    "Results": _results,
    "Checks": _checks,
    "Export": _export,
}
