"""The published results as figures of their own: the board of table 3 and the energy of table 4
(LiveIdeaBench, March 2025).
"""

import csv
from pathlib import Path
from typing import NamedTuple

from core.benchmark.board import published
from core.benchmark.figures import board
from core.benchmark.figures.drawing import (
    MARKED,
    ROLES,
    ROW,
    DrawnFigure,
    laid_out,
    log_axis,
    named_rows,
    short,
)
from core.records import Table, Value

ENERGY = Path(__file__).parents[3] / "assets" / "benchmark" / "table4_energy.csv"
TOTAL = "Total"
"""The last line of the table, which is no model."""


class PublishedEnergy(NamedTuple):
    """What one model took as published, in kWh and kg CO2eq; None where it was no judge."""

    model: str
    idea_kwh: float
    idea_kg: float
    judge_kwh: float | None
    judge_kg: float | None


def energies() -> tuple[PublishedEnergy, ...]:
    """Return the published energy of every model (supplementary table 4)."""

    def number(text: str) -> float | None:
        return float(text) if text.strip() else None

    with ENERGY.open(encoding="utf-8", newline="") as file:
        return tuple(
            PublishedEnergy(
                line["model"].strip(),
                float(line["idea_kwh"]),
                float(line["idea_kgco2eq"]),
                number(line["critic_kwh"]),
                number(line["critic_kgco2eq"]),
            )
            for line in csv.DictReader(file)
            if line["model"].strip() != TOTAL
        )


def standing(ink: str, by: str = "average") -> DrawnFigure | None:
    """Draw one of the six published figures of every model."""
    return board.standing(published(), ink, by=by)


def trade_off(ink: str) -> DrawnFigure | None:
    """Draw published originality against feasibility."""
    return board.trade_off(published(), ink)


def energy(ink: str) -> DrawnFigure:
    """Draw the published energy of each model as a writer of ideas and as a judge, the greatest on
    top.
    """
    import plotly.graph_objects as go

    held = sorted(energies(), key=lambda one: -one.idea_kwh - (one.judge_kwh or 0.0))
    figure = go.Figure()
    for role, of in (
        ("idea", [(one, one.idea_kwh, one.idea_kg) for one in held]),
        ("judge", [(one, one.judge_kwh, one.judge_kg) for one in held]),
    ):
        words, colour, _, mark = ROLES[role]
        mine = [(n, one, kwh, kg) for n, (one, kwh, kg) in enumerate(of) if kwh is not None]
        figure.add_trace(
            go.Scatter(
                x=[kwh for *_, kwh, _ in mine],
                y=[n for n, *_ in mine],
                mode="markers",
                name=words,
                hovertemplate="%{customdata}<extra></extra>",
                marker={
                    "size": 8,
                    "symbol": f"{mark}-open",
                    "color": colour,
                    "line": {"width": 1.8},
                },
                customdata=[
                    f"{one.model}, {words}: {kwh:g} kWh, {kg:g} kg CO2eq, {MARKED}"
                    for _, one, kwh, kg in mine
                ],
            )
        )
    laid_out(
        figure,
        "kWh, estimated, as published (the axis is logarithmic)",
        "",
        ink,
        40 + ROW * len(held),
        legend=True,
    )
    named_rows(figure, short([one.model for one in held]))
    log_axis(figure, [kwh for one in held for kwh in (one.idea_kwh, one.judge_kwh) if kwh])
    rows = tuple(
        (Value(text=one.model), *(Value(mean=value, digits=2) for value in one[1:])) for one in held
    )
    return DrawnFigure(
        "published-energy",
        f"Energy, {MARKED}",
        figure,
        Table(
            name="published-energy",
            title=f"Energy, {MARKED}",
            head=("Model", "Ideas, kWh", "Ideas, kg CO2eq", "Judging, kWh", "Judging, kg CO2eq"),
            rows=rows,
            note="Estimated by the authors with EcoLogits, for 1,180 keywords.",
        ),
    )
