"""The benchmark against something else: a general ranking of the same models, and the proxy of
fluency.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.benchmark.figures.drawing import OWN, frame, short
from core.benchmark.results import tables
from core.benchmark.results.generality import Against
from core.benchmark.results.proxies import Proxy
from core.charts.labels import ROOM, Box, Point, label, spanned
from core.charts.style import DrawnFigure, dots, interval_bars, plain
from core.statistics.statistic import Statistic, p_said
from core.tables.cells import spread

FEW, HIGH = 15, 360
"""Points that are named in the figure, of more the pointer says the name; and its height in pixels.
"""
DOT = {"size": 9, "color": OWN, "symbol": "circle"}


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
    texts = [
        f"{one.model}: general {one.general:g}, average {spread(one.average).said}"
        for one in found.points
    ]
    figure.add_trace(
        dots(
            x,
            y,
            DOT,
            list(map(plain, texts)),
            name="a model (bar: 95 % interval)",
            error_y=interval_bars([one.average for one in found.points], OWN),
        )
    )
    frame(figure, "Score in the general ranking", "Average here", ink, HIGH, legend=True)
    bars = [
        (one.general, one.average.low or at, one.general, one.average.high or at)
        for one, at in zip(found.points, y, strict=True)
    ]
    points = list(zip(x, y, strict=True))
    _name_points(figure, [one.model for one in found.points], points, ink, bars)
    title = "Against a general ranking"
    return DrawnFigure("general-ranking", title, figure, tables.against(found))


def _name_points(
    figure: Any, models: Sequence[str], points: Sequence[Point], ink: str, bars: Sequence[Box]
) -> None:
    """Fix the axes around points and their intervals, and name the points where they are few."""
    left, low, right, high = map(list, zip(*bars, strict=True))
    figure.update_xaxes(range=spanned(left + right, 0.01))
    figure.update_yaxes(range=spanned(low + high, 0.01))
    if len(models) <= FEW:
        named = list(zip(points, short(models), strict=True))
        label(figure, named, points, bars, ink, (ROOM, HIGH))


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
    texts = [
        f"{one.model}: judged {one.fluency:.2f}, proxy {spread(one.distance, digits=3).said}"
        for one in held
    ]
    x, y = [x for x, _ in points], [y for _, y in points]
    bars = interval_bars([one.distance for one in held], OWN)
    figure = go.Figure(dots(x, y, DOT, list(map(plain, texts)), error_x=bars))
    across = (
        "Proxy, not judged: mean distance of the ideas' embeddings (1 − cosine; bar: 95 % interval)"
    )
    frame(figure, across, "Fluency as judged", ink, HIGH)
    reach = [
        (one.distance.low or x, y, one.distance.high or x, y)
        for one, (x, y) in zip(held, points, strict=True)
    ]
    _name_points(figure, [one.model for one in held], points, ink, reach)
    title = "Fluency as judged, and its proxy"
    return DrawnFigure("fluency-proxy", title, figure, tables.proxies(found, r))
