"""The figures of a checklist experiment: sums and items step by step (EvoIdeator, figures 2, 3)."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from core.charts.style import (
    BRANCHES,
    DrawnFigure,
    dots,
    error_bars,
    font_of,
    lay_out,
    plain,
    symbol,
    titled,
)
from core.experiments.checklist.cells import Condition
from core.experiments.checklist.results import ChecklistResults, StepMeans, step_means
from core.experiments.checklist.tables import by_provider, per_item
from core.records import ITEMS
from core.statistics.intervals import Figure

DASHES = ("dot", "solid", "dash", "longdash", "dashdot")
"""Of lines: without directives, then provider by provider."""
ASIDE = 0.02
"""How far lines stand apart at a step, so that no interval covers another."""
COLUMNS = 3
WIDE, LINE = 820, 22
"""Pixels a line of the legend holds, and how high it is."""


def figures(held: ChecklistResults, ink: str) -> tuple[DrawnFigure, ...]:
    """Return both figures, where any idea was scored; `ink` is the colour of words."""
    means = step_means(held)
    if not means:
        return ()
    trajectories = {one: _trajectory(means, one) for one in held.by_condition}
    return (_draw_sums(held, trajectories, ink), _draw_items(held, trajectories, ink))


def _trajectory(means: Sequence[StepMeans], condition: Condition) -> list[StepMeans]:
    """Return the steps of a condition; all of a generator's begin with its first ideas."""
    mine = [
        one
        for one in means
        if one.generator == condition.generator and one.condition in (None, condition)
    ]
    return sorted(mine, key=lambda one: one.step)


Trajectories = dict[Condition, list[StepMeans]]


def _draw_sums(held: ChecklistResults, trajectories: Trajectories, ink: str) -> DrawnFigure:
    import plotly.graph_objects as go

    figure = go.Figure()
    for n, (condition, steps) in enumerate(trajectories.items()):
        values = [one.means[0].figure for one in steps]
        figure.add_trace(_line(held, condition, n, steps, values))
    _frame(figure, held, ink, 320)
    figure.update_yaxes(
        title=titled(f"Items that hold, of {len(ITEMS)} (bar: 95 % interval)", font_of(ink)),
        rangemode="tozero",
    )
    title = "Sum over items at each step (as in figure 2 of EvoIdeator)"
    return DrawnFigure("checklist-sums", title, figure, by_provider(held))


def _draw_items(held: ChecklistResults, trajectories: Trajectories, ink: str) -> DrawnFigure:
    from plotly.subplots import make_subplots

    rows = ceil(len(ITEMS) / COLUMNS)
    figure = make_subplots(
        rows,
        COLUMNS,
        subplot_titles=[item.name.capitalize() for item in ITEMS],
        shared_xaxes=True,
        shared_yaxes=True,
        vertical_spacing=0.09,
        horizontal_spacing=0.04,
    )
    for n, (condition, steps) in enumerate(trajectories.items()):
        for at, _ in enumerate(ITEMS):
            values = [one.means[at + 1].figure for one in steps]
            trace = _line(held, condition, n, steps, values)
            trace.update(showlegend=at == 0)
            row, column = divmod(at, COLUMNS)
            figure.add_trace(trace, row=row + 1, col=column + 1)
    figure.update_annotations(font=font_of(ink, 13))
    _frame(figure, held, ink, 200 * rows)
    figure.update_xaxes(title=None)
    figure.update_xaxes(title=titled("Step", font_of(ink)), row=rows)
    figure.update_yaxes(range=[-0.06, 1.06], tickformat=".0%")
    title = "Share of ideas for which each item holds (as in figure 3 of EvoIdeator)"
    return DrawnFigure("checklist-items", title, figure, per_item(held))


def _line(
    held: ChecklistResults,
    condition: Condition,
    n: int,
    steps: Sequence[StepMeans],
    values: Sequence[Figure],
) -> Any:
    """Return a condition's line: its colour says the generator, dash and mark who gives
    directives.
    """
    generators, providers = held.asked.generators, ("", *held.asked.providers)
    provider = providers.index(condition.provider)
    colour = BRANCHES[generators.index(condition.generator) % len(BRANCHES)]
    name = plain(f"{condition.generator}, {_by(condition)}")
    middle = (len(held.by_condition) - 1) / 2
    up = [_reach(one.value, one.high) for one in values]
    down = [_reach(one.low, one.value) for one in values]
    trace = dots(
        [one.step + ASIDE * (n - middle) for one in steps],
        [one.value for one in values],
        {"symbol": symbol(provider), "size": 8, "color": colour},
        [_said(name, one.step, value) for one, value in zip(steps, values, strict=True)],
        name=name,
        legendgroup=name,
        line={"color": colour, "dash": DASHES[provider % len(DASHES)], "width": 1.8},
        error_y=error_bars(up, down, colour, 1.2),
    )
    return trace.update(mode="lines+markers")


def _by(condition: Condition) -> str:
    return f"directives by {condition.provider}" if condition.provider else "without directives"


def _reach(low: float | None, high: float | None) -> float:
    # Of nan nothing is drawn.
    return float("nan") if low is None or high is None else max(0.0, high - low)


def _said(name: str, step: int, value: Figure) -> str:
    if value.value is None:
        return name
    ends = ""
    if value.low is not None and value.high is not None:
        ends = f" [{value.low:.2f}, {value.high:.2f}]"
    return f"{name}, step {step}: {value.value:.2f}{ends}, n = {value.n}"


def _frame(figure: Any, held: ChecklistResults, ink: str, height: int) -> None:
    names = [f"{one.generator}, {_by(one)}" for one in held.by_condition]
    lines = 1 + sum(len(name) * 7 + 50 for name in names) // WIDE
    margin = {"l": 60, "r": 20, "t": 40 + LINE * lines, "b": 50}
    across = "Step (0: the first idea)"
    lay_out(figure, across, font_of(ink), height, margin, showlegend=True)
    figure.update_xaxes(dtick=1, range=[-0.3, held.asked.steps - 0.7])
