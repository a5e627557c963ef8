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
from components.shell.plots import axis, lay_out, tool_bar
from components.shell.text import ago, counted
from core.charts.style import plain
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
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")
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
    st.session_state[key] = [one for one in st.session_state.get(key, []) if one in others]
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
            run.config, run.id, Story.of(services.store(), run.id).parts
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
            config=tool_bar("refinement"),
            theme="streamlit",
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
        values = [one.figure.value or 0.0 for one in points]
        shade, name = of_branch(n + 1), plain(f"{group[0]}, directives by {group[1]}")
        drawn.add_trace(
            go.Scatter(
                x=[one.step for one in points],
                y=values,
                name=name,
                mode="lines+markers",
                line={"color": shade},
                marker={"symbol": SYMBOLS[n % len(SYMBOLS)], "size": 10, "color": shade},
                hovertemplate="step %{x}: %{y:.2f}<extra></extra>",
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "thickness": 1.2,
                    "width": 5,
                    "array": [
                        (one.figure.high or y) - y if one.figure.high is not None else 0
                        for one, y in zip(points, values, strict=True)
                    ],
                    "arrayminus": [
                        y - (one.figure.low or 0) if one.figure.low is not None else 0
                        for one, y in zip(points, values, strict=True)
                    ],
                },
            )
        )
    steps = axis("Step (0: as generated)", colour, dtick=1)
    items = axis("Items that hold, mean (bar: 95 % interval)", colour, range=[-0.3, 9.3])
    lay_out(drawn, colour, 300, steps, items)
    return drawn
