"""An experiment over topics on screen: ratings with what was published beside them first, then
figures, the cells with the ways to their runs and to the arena, and the export.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import streamlit as st

from components.experiments import joining, standing
from components.experiments.joining import Joinable
from components.experiments.kept import kept
from components.experiments.standing import CellLine, Counts
from components.experiments.topics import people
from components.runs import export as run_export
from components.shell import services
from components.shell import table as shown_table
from components.shell.colours import ink
from components.shell.frame import told
from components.shell.plots import tool_bar
from components.shell.text import inline
from core.experiments.progress import CellProgressState
from core.experiments.topics import TopicExperimentInputs, experts
from core.experiments.topics.figures import of_tables
from core.experiments.topics.published import beside
from core.experiments.topics.results import TopicResults, collect, experiment_of, outcome
from core.experiments.topics.tables import every_cell, summed_up
from core.records import Kind, Run, Study, Table, TopicArena, TopicCell
from core.runs.reproducing import reproduction
from core.store import Store
from core.story import Story
from core.tables.sheets import sheet

FIRST = (
    *("topics-ratings-", "topics-differences-", "topics-length-", "topics-branches-"),
    "topics-same-",
)
"""Tables before the published values, which stand beside these."""
EVERY = "topics-cells"
"""The table of every cell, which is offered as a file."""


def whole(run: Run) -> None:
    """Draw the experiment."""
    standing.whole(run, progress, VIEWS, "topics-tab")


def progress(run: Run) -> Counts:
    """Return how many cells are in each state."""

    def planned() -> int:
        return TopicResults(run=run.id, asked=run.inputs_as(TopicExperimentInputs)).planned

    return standing.counts(run, "TopicCell", planned)


class TopicOutcome(NamedTuple):
    """What an experiment came to, without its cells."""

    held: TopicResults
    ended: int
    said: tuple[str, ...]
    tables: tuple[Table, ...]
    beside: Table
    sessions: Mapping[Kind, tuple[Study, ...]]
    """Sessions with experts, by what they compare."""


def found(run: Run) -> TopicOutcome:
    """Return what an experiment came to; with another vote it is made anew."""
    store = services.store()
    arenas = Story.only(store, run.id, TopicArena).all(TopicArena)
    votes = [sum(store.ballots.count(one.run)) for one in arenas if one.run]
    comparing = [
        (one.id, one.state, one.unblinded)
        for one in store.studies.listed()
        if one.plan.task == "compare"
    ]
    return kept(run, "found", lambda: _found(store, run), *votes, *comparing)


def _found(store: Store, run: Run) -> TopicOutcome:
    held = collect(store, run)
    said = outcome(store, held)
    made, theirs = summed_up(store, held), beside(store, held)
    asked = {kind: experts.sessions(store, experiment_of(held), kind) for kind in held.asked.kinds}
    bare = held.model_copy(update={"cells": ()})
    return TopicOutcome(bare, len(held.cells), said, made, theirs, asked)


def _results(run: Run) -> None:
    made = found(run)
    standing.outcome(run, made.said, made.ended, made.held.planned)
    people.draw(run, made.held, made.sessions)
    first = [one for one in made.tables if one.name.startswith(FIRST)]
    for one in first:
        _table(run, one)
    if not any(one.name.startswith("topics-ratings-") for one in first):
        there = any(one.run for one in made.held.arenas)
        st.caption(
            "Ratings and differences need votes, and there are none to tell by."
            + (" Vote yourself, ask experts, or add a judge under “Cells”." if there else "")
        )
    if not run.config.recipe or "coi" in reproduction(services.store(), run).recipe.published:
        _table(run, made.beside)
    for one in made.tables:
        if one not in first:
            _table(run, one)


def _table(run: Run, one: Table) -> None:
    shown_table.draw(one, f"topic-experiment:{run.id}")


def _figures(run: Run) -> None:
    drawn = of_tables(found(run).tables, ink())
    if not drawn:
        st.caption("Figures need votes. They appear once the arena has some.")
    for one in drawn:
        st.markdown(f"##### {inline(one.title)}{shown_table.printed_as(one.table)}")
        key = f"topic-experiment:{run.id}:figure:{one.name}"
        config = tool_bar(f"{run_export.named(run)}-{one.name}")
        st.plotly_chart(one.figure, key=key, config=config, theme=None)


def _cells(run: Run) -> None:
    store, counts = services.store(), progress(run)
    held = TopicResults(run=run.id, asked=run.inputs_as(TopicExperimentInputs))

    def fetch(state: CellProgressState, skip: int, most: int) -> list[CellLine]:
        shown = store.steps.with_field(run.id, "TopicCell", "state", state, skip, most)
        return [_line(held, TopicCell.model_validate(one.data)) for one in shown]

    asked = held.asked
    does = "They judge what is there, and what comes."
    there = Joinable(asked.models, asked.judges, does, contenders=True)
    joining.draw(run, there, counts["failed"])
    standing.cells_by_page(counts, "topics-cells", fetch)
    if counts["failed"] + counts["done"]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("All of them as a file:", width="content")
            st.download_button(
                "CSV",
                lambda: sheet(every_cell(collect(store, run))),
                f"{EVERY}.csv",
                "text/csv",
                key=f"topic-experiment:{run.id}:{EVERY}:csv",
                icon=":material/download:",
                on_click="ignore",
                type="tertiary",
            )


def _line(held: TopicResults, cell: TopicCell) -> CellLine:
    time = f" · time {cell.seed}" if held.asked.seeds > 1 else ""
    return CellLine(
        said=f"{held.names.get(cell.player, cell.player)} · {cell.topic}{time}",
        state=cell.state,
        run=cell.run,
        reason=cell.reason,
    )


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
