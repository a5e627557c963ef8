"""The judges of a benchmark: how strict each is, and how far they agree."""

from collections.abc import Sequence

from core.benchmark import tables
from core.benchmark.figures.drawing import (
    LOOKS,
    OWN,
    ROW,
    DrawnFigure,
    bars,
    laid_out,
    named_rows,
    short,
)
from core.benchmark.panel_figures import JudgeFigure
from core.experiments.drawing import FAINT, plain
from core.records import BENCH_DIMENSIONS
from core.statistics.statistic import Statistic

APART = 0.24
"""How far the dimensions of one judge stand apart, in rows."""


def severity(found: Sequence[JudgeFigure], ink: str) -> DrawnFigure | None:
    """Draw how far each judge scores above (lenient) or below (strict) the others of the same
    ideas, the strictest on top.
    """
    held = [one for one in found if one.deviation.value is not None]
    if not held:
        return None
    import plotly.graph_objects as go

    mean = {
        name: _mean([one.deviation.value or 0.0 for one in held if one.judge == name])
        for name in {one.judge for one in held}
    }
    judges, figure = sorted(mean, key=lambda name: (mean[name], name)), go.Figure()
    for n, dimension in enumerate(BENCH_DIMENSIONS):
        mine = [one for one in held if one.dimension == dimension]
        colour, mark, _ = LOOKS[dimension]
        figure.add_trace(
            go.Scatter(
                x=[one.deviation.value for one in mine],
                y=[judges.index(one.judge) + (n - 1) * APART for one in mine],
                mode="markers",
                name=dimension,
                marker={"size": 9, "symbol": mark, "color": colour},
                hovertemplate="%{customdata}<extra></extra>",
                error_x=bars(
                    [(one.deviation.value, one.deviation.low, one.deviation.high) for one in mine],
                    colour,
                ),
                customdata=[
                    plain(
                        f"{one.judge}, {dimension}: {tables.spread(one.deviation).said},"
                        f" {one.deviation.n:,} judgments"
                    )
                    for one in mine
                ],
            )
        )
    laid_out(
        figure,
        "Points above the other judges of the same ideas (below 0: strict; bar: 95 % interval)",
        "",
        ink,
        30 + 2 * ROW * len(judges),
        legend=True,
    )
    named_rows(figure, short(judges))
    figure.add_vline(x=0, line={"color": ink, "dash": "dot", "width": 1})
    return DrawnFigure("judges", "How strict each judge is", figure, tables.severity(found))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def agreement(found: Sequence[Statistic], ink: str) -> DrawnFigure | None:
    """Draw Krippendorff's alpha of each dimension with its interval."""
    held = [one for one in found if one.value is not None]
    if not held:
        return None
    import plotly.graph_objects as go

    figure = go.Figure(
        go.Scatter(
            x=[one.value for one in held],
            y=list(range(len(held))),
            mode="markers",
            hovertemplate="%{customdata}<extra></extra>",
            marker={
                "size": 10,
                "color": [LOOKS[one.about][0] if one.about in LOOKS else OWN for one in held],
                "symbol": [LOOKS[one.about][1] if one.about in LOOKS else "circle" for one in held],
            },
            error_x=bars([(one.value, one.low, one.high) for one in held], ink),
            customdata=[plain(f"{one.about}: {one.reading}") for one in held],
        )
    )
    laid_out(
        figure,
        f"{held[0].name} (0: chance, 1: the same; bar: 95 % interval)",
        "",
        ink,
        40 + 2 * ROW * len(held),
    )
    named_rows(figure, [plain(one.about) for one in held])
    figure.update_xaxes(
        range=[
            min(0.0, *(one.low if one.low is not None else one.value or 0.0 for one in held))
            - 0.05,
            1.02,
        ],
        gridcolor=FAINT,
    )
    figure.add_vline(x=0, line={"color": ink, "dash": "dot", "width": 1})
    return DrawnFigure("agreement", "How far judges agree", figure, tables.agreement(found))
