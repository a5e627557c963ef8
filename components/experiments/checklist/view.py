"""What a checklist experiment found, the outcome first: means per item and by provider, each beside
the published ones, figures, what was lost; settings and cost last.
"""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from components.experiments import joining
from components.experiments.joining import Joinable
from components.experiments.kept import kept
from components.runs import export as run_export
from components.runs import recipe, states
from components.runs.models import called
from components.runs.states import active
from components.shell import services
from components.shell import table as experiment_table
from components.shell.colours import ink
from components.shell.plots import tool_bar
from components.shell.text import counted, inline
from core.charts.style import DrawnFigure
from core.experiments.checklist.figures import figures
from core.experiments.checklist.outcome import caveats, independence, outcome
from core.experiments.checklist.progress import (
    EvolvedState,
    checklist_progress,
)
from core.experiments.checklist.published import beside
from core.experiments.checklist.results import ChecklistResults, collect
from core.experiments.checklist.tables import tables
from core.records import EvolvedCell, Run, Table, TrainingData

BADGES: Mapping[EvolvedState, str] = {
    "done": ":green-badge[:material/check_circle: {} done]",
    "discarded": ":orange-badge[:material/delete_sweep: {} discarded]",
    "failed": ":red-badge[:material/error: {} failed]",
    "running": ":blue-badge[:material/progress_activity: {} running]",
    "left": ":gray-badge[:material/hourglass_empty: {} left]",
}
"""Every state of a cell in colour, icon and word."""
SLOW = 5.0
"""Seconds after which the results of a running experiment are looked at again."""
MOST = 200
"""Lost cells that are listed."""


def whole(run: Run) -> None:
    """Draw the experiment; while it is active its parts renew themselves."""
    states.head(run, "checklist-experiment", "New experiment", "New experiment")
    recipe.draw(run)
    states.followed(run, _progress)
    states.draw_again(run, _found, SLOW if active(run) else None)


def badges(counts: Mapping[EvolvedState, int]) -> str:
    """Return how many cells are in each state, as Markdown badges."""
    return " ".join(BADGES[state].format(f"{n:,}") for state, n in counts.items() if n)


def _counts(run: Run) -> Mapping[EvolvedState, int]:
    return kept(run, "counts", lambda: checklist_progress(services.store(), run).counts)


def _progress(run: Run) -> None:
    with_runs = kept(run, "whole", lambda: services.store().runs.with_runs_made(run))
    # The strip has room for one model; all of them are named at the end.
    config = with_runs.config.model_copy(update={"models": {"main": run.config.models["main"]}})
    states.strip(with_runs.model_copy(update={"config": config}), "experiment")
    counts = _counts(run)
    st.markdown(badges(counts))
    if active(run):
        ended = counts["done"] + counts["discarded"] + counts["failed"]
        st.progress(ended / max(1, sum(counts.values())))
        states.doing(run)


class ChecklistOutcome(NamedTuple):
    """What an experiment came to, without its cells."""

    held: ChecklistResults
    ended: int
    said: tuple[str, ...]
    tables: dict[str, Table]
    drawn: tuple[DrawnFigure, ...]
    lost: tuple[EvolvedCell, ...]
    """Cells that came to no last step, as many as are listed."""
    questions: dict[str, str]
    """By their digests, where any cell was lost."""
    losses: int


def _find(run: Run, colour: str) -> ChecklistOutcome:
    store = services.store()
    held = collect(store, run)
    lost = [cell for cell in held.cells if cell.reason]
    asked = store.frozen.get(held.asked.data, TrainingData).held_out if lost else ()
    return ChecklistOutcome(
        held=ChecklistResults(run=run.id, asked=held.asked, unfinished=held.unfinished),
        ended=len(held.cells),
        said=outcome(held),
        tables={table.name: table for table in tables(held)},
        drawn=figures(held, colour),
        lost=tuple(lost[:MOST]),
        questions={query.digest(): query.question for query in asked},
        losses=len(lost),
    )


def _found(run: Run) -> None:
    colour = ink()
    made = kept(run, f"found {colour}", lambda: _find(run, colour))
    _outcome(run, made)
    known = beside()
    for name in ("checklist-items", "checklist-providers", "checklist-differences"):
        if name in made.tables:
            _table(run, made.tables[name], known.get(name))
    _figures(run, made.drawn)
    _lost(run, made)
    asked = made.held.asked
    there = Joinable(
        asked.generators, asked.providers, "They give directives, in cells of their own."
    )
    joining.draw(run, there, _counts(run)["failed"])
    _settings(run, made.held)


def _outcome(run: Run, made: ChecklistOutcome) -> None:
    said, held = made.said, made.held
    if said:
        first, *others = said
        st.markdown(f"##### {inline(first, 500)}")
        for sentence in others:
            st.markdown(inline(sentence, 500))
    elif active(run):
        st.info(
            "No idea has come to its last step yet. Figures appear with the first.",
            icon=":material/hourglass_top:",
        )
    elif run.state != "done":
        st.info("No idea came to its last step. Resume to go on.", icon=":material/pause_circle:")
    if said and held.unfinished:
        st.info(
            f"Partial: {counted(made.ended, 'cell')} of {held.planned:,} so far. Every figure"
            " is of what is there, and will change.",
            icon=":material/pending:",
        )
    trust = inline(independence(services.store(), held.asked), 1_500)
    if caveats(services.store(), held.asked):
        st.warning(trust, icon=":material/balance:")
    else:
        st.caption(trust)


def _table(run: Run, table: Table, published: Table | None) -> None:
    key = f"checklist-experiment:{run.id}"
    experiment_table.draw(table, key)
    if published:
        with st.expander(
            "The same table of EvoIdeator, as published",
            icon=":material/menu_book:",
            key=f"{key}:{table.name}:published",
        ):
            experiment_table.draw(published, key)


def _figures(run: Run, drawn: tuple[DrawnFigure, ...]) -> None:
    for one in drawn:
        st.markdown(f"##### {inline(one.title)}")
        config = tool_bar(f"{run_export.named(run)}-{one.name}")
        key = f"checklist-experiment:{run.id}:{one.name}"
        st.plotly_chart(one.figure, key=key, config=config, theme=None)


def _lost(run: Run, made: ChecklistOutcome) -> None:
    table = made.tables.get("checklist-discards")
    if table is None:
        return
    experiment_table.draw(table, f"checklist-experiment:{run.id}")
    if not made.lost:
        return
    with st.expander(f"Why {counted(made.losses, 'cell')} came to no last step"):
        rows = [
            {
                "State": one.state,
                "Why": one.reason,
                "Model": one.generator,
                "Directives by": one.provider or "none",
                "Question": made.questions.get(one.question, one.question),
            }
            for one in made.lost
        ]
        st.dataframe(rows, hide_index=True, key=f"checklist-experiment:{run.id}:lost")
        st.caption("A fork of this run tries failed ones again; what is done is taken over free.")


def _settings(run: Run, held: ChecklistResults) -> None:
    asked = held.asked
    with st.expander("Settings, cost and export", icon=":material/tune:"):
        usd, tokens = services.store().runs.caps(run.id)
        caps = [f"${usd:,.2f}"] if usd else []
        if tokens:
            caps.append(f"{tokens:,} tokens")
        facts = {
            "Questions": f"{asked.questions:,}, held out of data {asked.data[:12]}",
            "Models that write": ", ".join(map(called, asked.generators)),
            "Directives by": ", ".join(map(called, asked.providers)) or "nobody",
            "Scored by": called(asked.scorer),
            "Ideas are revised": " and ".join(asked.modes),
            "Ideas one after the other": str(asked.steps),
            "Caps": " and ".join(caps) or "none",
        }
        for name, value in facts.items():
            st.markdown(f"**{name}:** {inline(value, 1_000)}")
        st.caption("Calls, tokens and cost above are of all the runs it started.")
        run_export.draw(run, "experiments")
