"""The style of Plotly figures: colours, marks, texts, interval bars and the frame around a panel.

Texts stand in the colour that the screen hands in (`ink`) and backgrounds are clear, so that a
figure fits the light and the dark theme.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.records import Actor, Table
from core.statistics.clusters import Spread
from core.statistics.intervals import Figure
from core.statistics.statistic import Statistic

Font = dict[str, Any]
CLEAR = "rgba(0,0,0,0)"
FAINT = "rgba(138,143,150,0.25)"
"""Of grids."""
GREY, TEAL = "#8a8f96", "#1f8490"
BRANCHES = (TEAL, "#c08a12", "#4f9a4a", "#b5569b", "#5c6bc8", "#97694a", "#7d8f22", "#4f7f9e")
"""Of the branches of a chain, by number."""
ACTORS: Mapping[Actor, str] = {
    "optimizer": "#d9822b",
    "generator": "#2f7fc1",
    "discriminator": "#8a5fbf",
}
"""Of the actors of a refinement, the same wherever they speak."""
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "star",
    "x",
    "triangle-down",
    "pentagon",
    "hexagram",
    "bowtie",
    "hourglass",
)
PATTERNS = ("", "/", "x", ".", "\\", "-", "+", "|")


class DrawnFigure(NamedTuple):
    """A Plotly figure, and the table that says the same."""

    name: str
    title: str
    figure: Any
    table: Table


def plain(text: str) -> str:
    """Escape a text, so that Plotly shows it word for word."""
    # Plotly reads a few HTML tags in its texts.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def symbol(n: int) -> str:
    """Return the mark of the n-th of several things."""
    return SYMBOLS[n % len(SYMBOLS)]


def font_of(ink: str, size: int = 12) -> Font:
    """Return the font of a figure's texts; `size` in pixels."""
    return {"color": ink, "size": size}


def titled(text: str, font: Font) -> dict[str, Any]:
    """Return the title of an axis or of a bar of colours."""
    return {"text": text, "font": font}


def hover(texts: Sequence[Any]) -> dict[str, Any]:
    """Return what makes a trace show a text at each of its points, and nothing else."""
    return {"customdata": list(texts), "hovertemplate": "%{customdata}<extra></extra>"}


def hatched(colour: str, pattern: str, opacity: float = 0.6, size: int = 5) -> dict[str, Any]:
    """Return the marker of bars with a white pattern over their colour."""
    overlay = {"shape": pattern, "fgcolor": f"rgba(255,255,255,{opacity})", "size": size}
    return {"color": colour, "pattern": {**overlay, "fillmode": "overlay"}}


def colour_bar(title: str, font: Font, **more: Any) -> dict[str, Any]:
    """Return the bar beside a figure that says what its shades mean."""
    return {
        "title": {**titled(title, font), "side": "right"},
        "thickness": 12,
        "tickfont": font,
        "outlinewidth": 0,
        **more,
    }


def dots(
    x: Sequence[Any], y: Sequence[Any], marker: dict[str, Any], texts: Sequence[Any], **more: Any
) -> Any:
    """Return points that show a text where they are pointed at."""
    import plotly.graph_objects as go

    return go.Scatter(x=x, y=y, mode="markers", marker=marker, **hover(texts), **more)


def interval_bars(found: Sequence[Figure | Spread | Statistic], colour: str) -> dict[str, Any]:
    """Return the bars of intervals around points; a figure without an interval has none."""

    def reach(a: float | None, b: float | None) -> float:
        # Of nan nothing is drawn. None in a list would become 0 on the screen, and that is drawn.
        return np.nan if a is None or b is None else max(0.0, b - a)

    up = np.array([reach(one.value, one.high) for one in found])
    down = np.array([reach(one.low, one.value) for one in found])
    return error_bars(up, down, colour)


def error_bars(up: Any, down: Any, colour: str, thickness: float = 1.4) -> dict[str, Any]:
    """Return bars that reach so far up and down (lists or arrays) from their points."""
    return {
        "type": "data",
        "symmetric": False,
        "array": up,
        "arrayminus": down,
        "visible": bool(np.nansum(up) or np.nansum(down)),
        "thickness": thickness,
        "width": 4,
        "color": colour,
    }


def lay_out(
    figure: Any,
    across: str,
    font: Font,
    height: int,
    margin: Mapping[str, int],
    legend_at: float = 1,
    **layout: Any,
) -> Any:
    """Frame a figure: the panel is `height` pixels high, its margins come on top, its legend stands
    above it at a share of the whole height.
    """
    put(
        [figure.layout],
        height=height + margin["t"] + margin["b"],
        margin=dict(margin),
        font=font,
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        legend={
            "orientation": "h",
            "yref": "container",
            "y": legend_at,
            "yanchor": "top",
            "x": 0,
            "xanchor": "left",
            "font": font,
        },
        **layout,
    )
    axis = {"tickfont": font, "gridcolor": FAINT, "zeroline": False}
    put(figure.select_xaxes(), title=titled(plain(across), font), **axis)
    put(figure.select_yaxes(), **axis)
    return figure


def put(parts: Iterable[Any], **values: Any) -> None:
    """Set properties of parts of a figure (its layout, axes), whatever they were.

    Plotly's own `update_layout` and `update_xaxes` merge, and take six times as long.
    """
    for part in parts:
        for name, value in values.items():
            part[name] = value
