"""An experiment over topics on screen: ratings with what was published beside them first, then
figures, the cells with the ways to their runs and to the arena, and the export.
"""

from collections.abc import Callable

import streamlit as st

from components.experiments import standing
from components.experiments.extend import extends
from components.experiments.standing import CellLine, Counts
from components.experiments.topics import extend, people
from components.runs import export as run_export
from components.runs import recipe, states
from components.runs.states import active
from components.shell import services
from components.shell import table as shown_table
from components.shell.colours import ink
from components.shell.frame import told
from components.shell.plots import tool_bar
from components.shell.text import inline
from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.figures import figures
from core.experiments.topics.published import beside
from core.experiments.topics.results import TopicResults, collect, outcome
from core.experiments.topics.tables import tables
from core.records import Run, Table
from core.runs.reproducing import reproduction

FIRST = (
    *("topics-ratings-", "topics-differences-", "topics-length-", "topics-branches-"),
    "topics-same-",
)
"""Tables before the published values, which stand beside these."""
EVERY = "topics-cells"
"""The table of every cell, which the list of cells offers as a file."""
SLOW = 10.0
"""Seconds after which a running experiment is looked at again."""


def whole(run: Run) -> None:
    """Draw the experiment; while it is active its parts renew themselves."""
    states.head(run, "topic-experiment", "New experiment", "New experiment")
    extends(run)
    recipe.draw(run, tables=False)
    states.followed(run, lambda now: standing.draw(now, progress(now)))
    names = list(VIEWS)
    tabs = st.tabs(names, key="topics-tab", bind="query-params", on_change="rerun")
    for tab, draw in zip(tabs, VIEWS.values(), strict=True):
        if tab.open:
            with tab:
                states.draw_again(run, draw, SLOW if active(run) else None)


def progress(run: Run) -> Counts:
    """Return how many cells are in each state."""
    planned = TopicResults(run=run.id, asked=run.inputs_as(TopicExperimentInputs)).planned
    ended = services.store().steps.field(run.id, "TopicCell", "state")
    return standing.counts(run, ended, planned)


def _results(run: Run) -> None:
    store = services.store()
    held = collect(store, run)
    standing.outcome(run, outcome(store, held), len(held.cells), held.planned)
    people.draw(run, held)
    made = [one for one in tables(store, held) if one.name != EVERY]
    first = [one for one in made if one.name.startswith(FIRST)]
    for one in first:
        _table(run, one)
    if not any(one.name.startswith("topics-ratings-") for one in first):
        st.caption(
            "Ratings and differences need votes, and nobody has judged anything yet. Vote yourself,"
            " ask experts, or add a judge under “Cells”."
        )
    if not run.config.recipe or "coi" in reproduction(store, run).recipe.published:
        _table(run, beside(store, held))
    for one in made:
        if one not in first:
            _table(run, one)


def _table(run: Run, one: Table) -> None:
    shown_table.draw(one, f"topic-experiment:{run.id}")


def _figures(run: Run) -> None:
    store = services.store()
    drawn = figures(store, collect(store, run), ink())
    if not drawn:
        st.caption("Figures need votes. They appear once the arena has some.")
    for one in drawn:
        st.markdown(f"##### {inline(one.title)}{shown_table.printed_as(one.table)}")
        key = f"topic-experiment:{run.id}:figure:{one.name}"
        config = tool_bar(f"{run_export.named(run)}-{one.name}")
        st.plotly_chart(one.figure, key=key, config=config, theme=None)


def _cells(run: Run) -> None:
    store = services.store()
    held = collect(store, run)
    lines = [
        CellLine(
            said=f"{held.names.get(cell.player, cell.player)} · {cell.topic}"
            + (f" · time {cell.seed}" if held.asked.seeds > 1 else ""),
            state=cell.state,
            run=cell.run,
            reason=cell.reason,
        )
        for cell in held.cells
    ]
    extend.draw(run, held)
    standing.cells(lines, "topics-cells")
    for one in tables(store, held):
        if one.name == EVERY:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption("All of them as a file:", width="content")
                shown_table.save_as(one, f"topic-experiment:{run.id}:{EVERY}")


def _export(run: Run) -> None:
    if run.config.recipe:
        st.caption(
            "“Everything (zip)” above holds configuration, digests, tables as CSV and LaTeX,"
            " figures as SVG, published values, a methods paragraph, and every answer."
        )
    with told():
        run_export.draw(run, "experiments")


VIEWS: dict[str, Callable[[Run], None]] = {
    "Results": _results,
    "Figures": _figures,
    "Cells": _cells,
    "Export": _export,
}
