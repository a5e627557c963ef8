"""The benchmark against something else: a general ranking of the same models, and the proxy of
fluency.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.benchmark import tables
from core.benchmark.figures.drawing import OWN, DrawnFigure, bars, laid_out, short
from core.benchmark.figures.labels import ROOM, Box, Point, label, spanned
from core.benchmark.generality import Against
from core.benchmark.proxies import Proxy
from core.experiments.drawing import plain
from core.statistics.statistic import Statistic, p_said

FEW, HIGH = 15, 360
"""Points that are named in the figure, of more the pointer says the name; and its height in pixels.
"""


def against(found: Against, ink: str) -> DrawnFigure | None:
    """Draw averages against a general ranking, with the regression line (supplementary figure 4 of
    the paper).
    """
    if not found.points:
        return None
    import plotly.graph_objects as go

    x, y = [one.general for one in found.points], [one.average.value or 0.0 for one in found.points]
    figure = go.Figure()
    if found.r is not None:
        slope, height = np.polyfit(x, y, 1)
        ends = [min(x), max(x)]
        figure.add_trace(
            go.Scatter(
                x=ends,
                y=[height + slope * end for end in ends],
                mode="lines",
                line={"color": ink, "dash": "dash", "width": 1.5},
                name=regressed(found),
                hoverinfo="skip",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"size": 9, "color": OWN, "symbol": "circle"},
            name="a model (bar: 95 % interval)",
            hovertemplate="%{customdata}<extra></extra>",
            error_y=bars(
                [(one.average.value, one.average.low, one.average.high) for one in found.points],
                OWN,
            ),
            customdata=[
                plain(
                    f"{one.model}: general {one.general:g}, average"
                    f" {tables.spread(one.average).said}"
                )
                for one in found.points
            ],
        )
    )
    laid_out(figure, "Score in the general ranking", "Average here", ink, HIGH, legend=True)
    _named(
        figure,
        [one.model for one in found.points],
        list(zip(x, y, strict=True)),
        ink,
        [
            (one.general, one.average.low or at, one.general, one.average.high or at)
            for one, at in zip(found.points, y, strict=True)
        ],
    )
    return DrawnFigure(
        "general-ranking", "Against a general ranking", figure, tables.against(found)
    )


def _named(
    figure: Any, models: Sequence[str], points: Sequence[Point], ink: str, lines: Sequence[Box]
) -> None:
    """Fix the axes around points and their intervals, and name the points where they are few."""
    for axis, update in ((0, figure.update_xaxes), (1, figure.update_yaxes)):
        update(range=spanned([end for box in lines for end in (box[axis], box[axis + 2])], 0.01))
    if len(models) <= FEW:
        label(
            figure, list(zip(points, short(models), strict=True)), points, lines, ink, (ROOM, HIGH)
        )


def regressed(found: Against) -> str:
    """Say how the two go together: "regression line: r = 0.36, p = 0.04, n = 41"."""
    p = f", {p_said(found.p)}" if found.p is not None else ""
    return f"regression line: r = {found.r:.2f}{p}, n = {found.n}" if found.r is not None else ""


def proxy(found: Sequence[Proxy], r: Statistic | None, ink: str) -> DrawnFigure | None:
    """Draw fluency as judged against its proxy, a point a model."""
    held = [one for one in found if one.distance.value is not None and one.fluency is not None]
    if not held:
        return None
    import plotly.graph_objects as go

    points = [(one.distance.value or 0.0, one.fluency or 0.0) for one in held]
    figure = go.Figure(
        go.Scatter(
            x=[x for x, _ in points],
            y=[y for _, y in points],
            mode="markers",
            marker={"size": 9, "color": OWN, "symbol": "circle"},
            error_x=bars(
                [(one.distance.value, one.distance.low, one.distance.high) for one in held], OWN
            ),
            hovertemplate="%{customdata}<extra></extra>",
            customdata=[
                plain(
                    f"{one.model}: judged {one.fluency:.2f}, proxy"
                    f" {tables.spread(one.distance, digits=3).said}"
                )
                for one in held
            ],
        )
    )
    laid_out(
        figure,
        "Proxy, not judged: mean distance of the ideas' embeddings (1 − cosine; bar: 95 %"
        " interval)",
        "Fluency as judged",
        ink,
        HIGH,
    )
    _named(
        figure,
        [one.model for one in held],
        points,
        ink,
        [
            (one.distance.low or x, y, one.distance.high or x, y)
            for one, (x, y) in zip(held, points, strict=True)
        ],
    )
    return DrawnFigure(
        "fluency-proxy", "Fluency as judged, and its proxy", figure, tables.proxies(found, r)
    )
