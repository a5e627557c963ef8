"""Evolutions compared: informed and uninformed, by provider of directives, per item; each table
with its files.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.checklist.scene import ChecklistScene
from components.shell import services
from components.shell import table as experiment_table
from components.shell.colours import ink, of_branch
from components.shell.plots import axis, lay_out, marked_line, tool_bar
from components.shell.text import ago, counted
from components.shell.widget_state import put
from core.charts.style import interval_bars, plain, symbol
from core.judging import evolution_tables
from core.judging.evolution_tables import Mean
from core.records import Run
from core.story import Story

TABLES = (
    evolution_tables.per_item,
    evolution_tables.by_provider,
    evolution_tables.steps_table,
    evolution_tables.discards,
)
MOST = 40


def draw(scene: ChecklistScene) -> None:
    """Draw the choice of other evolutions, and what all of them come to."""
    done = services.store().runs.listed(states=("done",), limit=200)
    evolutions = [run for run in done if run.config.method == "evolve"][:MOST]
    others = {run.id: run for run in evolutions if run.id != scene.run.id}
    if not others:
        st.info(
            "There is no other finished evolution to compare with yet. Start the same question once"
            " more, revised “by the model itself”: it then corrects itself without directives.",
            icon=":material/compare_arrows:",
        )
        st.page_link(
            "pages/checklist.py",
            label="Start it once more",
            icon=":material/checklist_rtl:",
            query_params={"topic": scene.inputs.topic[:1500]},
        )
    key = f"checklist:others:{scene.run.id}"
    put(key, [one for one in st.session_state.get(key, []) if one in others])
    asks = (
        "Pick evolutions; runs of the same models count together"
        if others
        else "None is finished yet"
    )
    picked = st.multiselect(
        "Compare with",
        list(others),
        key=key,
        disabled=not others,
        placeholder=asks,
        format_func=lambda one: _named(others[one]),
        persist_state="session",
        select_all=False,
    )
    held = [
        trial
        for run in (scene.run, *(others[name] for name in picked))
        for trial in evolution_tables.trials(
            run.config,
            run.id,
            Story.of(services.store(), run.id).parts,
            services.store().steps.answered(run),
        )
    ]
    if not any(one.steps for one in held):
        st.info("Tables appear with the first step.", icon=":material/table:")
        return
    ideas, runs = sum(bool(one.steps) for one in held), 1 + len(picked)
    st.caption(
        f"{counted(ideas, 'idea')} of {counted(runs, 'evolution')}. Scores are those of the scoring"
        " judge."
    )
    means = evolution_tables.trajectories(held)
    if any(one.figure.value is not None for one in means if not one.item):
        st.plotly_chart(
            sums(means, ink()),
            key=f"checklist:sums:{scene.run.id}",
            config=tool_bar("evolutions-compared"),
        )
    for make in TABLES:
        experiment_table.draw(make(held), f"checklist:{scene.run.id}")


def _named(run: Run) -> str:
    how = "informed" if run.config.inputs.get("informed", True) else "uninformed"
    return (
        f"{' '.join(run.title.split())[:70]} · {how} · {run.config.models.get('generator', '')} ·"
        f" {ago(run.created)}"
    )


def sums(means: Sequence[Mean], colour: str) -> Any:
    """Return the mean sum over items at each step, a line for each generator and provider of
    directives, with its 95 % interval (figure 2).
    """
    import plotly.graph_objects as go

    drawn = go.Figure()
    groups = list(dict.fromkeys((one.generator, one.provider) for one in means))
    for n, group in enumerate(groups):
        points = [
            one
            for one in means
            if (one.generator, one.provider) == group
            and not one.item
            and one.figure.value is not None
        ]
        generator, provider = group
        shade = of_branch(n + 1)
        drawn.add_trace(
            marked_line(
                [one.step for one in points],
                [one.figure.value for one in points],
                shade,
                plain(f"{generator}, directives by {provider}"),
                "step %{x}: %{y:.2f}",
                marker={"symbol": symbol(n), "size": 10},
                error_y=interval_bars([one.figure for one in points], shade),
            )
        )
    steps = axis("Step (0: as generated)", colour, dtick=1)
    items = axis("Items that hold, mean (bar: 95 % interval)", colour, range=[-0.3, 9.3])
    lay_out(drawn, colour, 300, steps, items)
    return drawn
