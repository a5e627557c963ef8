"""What the Plotly charts of all pages share: tool bar, ground, legend, and labels."""

import textwrap
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.charts.style import CLEAR, FAINT, font_of, plain, titled

BARE = {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR}
"""A ground that leaves the page's own to be seen, light or dark."""
SELECTING = ["select2d", "lasso2d"]
MOVING = ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"]


def tool_bar(name: str, moves: bool = False) -> dict[str, Any]:
    """Return the tool bar of a chart: the way to save it, under the name of what it shows, and to
    zoom where it `moves`.
    """
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": SELECTING if moves else [*SELECTING, *MOVING],
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }


def clicked(key: str, length: int) -> Sequence[Any] | None:
    """Return the custom data, of this length, of the point that was clicked on a chart."""
    points = st.session_state[key].selection.points
    data = points[0].get("customdata") if points else None
    return data if isinstance(data, (list, tuple)) and len(data) == length else None


def draw_table(rows: Sequence[Any], key: str) -> None:
    """Draw the small table that says the same as the chart above it."""
    height = 37 + 35 * min(len(rows), 6)
    st.dataframe(rows, hide_index=True, key=key, height=height)


def marked_line(
    x: Sequence[Any], y: Sequence[Any], colour: str, name: str, hover: str, **more: Any
) -> dict[str, Any]:
    """Return a line with marks, named in the legend and where it is pointed at."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines+markers",
        "hovertemplate": f"{hover}<extra>{name}</extra>",
        "line": {"color": colour, **more.pop("line", {})},
        "marker": {"color": colour, **more.pop("marker", {})},
        **more,
    }


def axis(title: str, colour: str, **more: Any) -> dict[str, Any]:
    """Return an axis whose texts are of this colour, without a line at zero."""
    font = {"color": colour}
    return {"title": titled(title, font), "tickfont": font, "zeroline": False, **more}


def lay_out(drawn: Any, colour: str, height: int, x: dict[str, Any], y: dict[str, Any]) -> None:
    """Give a figure its axes, and its legend in a row above it."""
    font = {"color": colour}
    drawn.update_layout(
        height=height,
        margin={"l": 60, "r": 20, "t": 40, "b": 45},
        font=font,
        showlegend=True,
        legend={
            "orientation": "h",
            "y": 1.02,
            "x": 0,
            "xanchor": "left",
            "yanchor": "bottom",
            "font": font,
        },
        xaxis=x,
        yaxis=y,
        **BARE,
    )


def wrapped(text: str, width: int = 60, lines: int = 8) -> str:
    """Return a text for a label, word for word, in at most `lines` lines of `width` letters."""
    cut = textwrap.wrap(text, width, max_lines=lines, placeholder=" …")
    return "<br>".join(map(plain, cut))


def lay_out_lanes(
    names: Sequence[str], height: int, left: int, ink: str, across: dict[str, Any]
) -> dict[str, Any]:
    """Return the layout of a figure of lanes, the first of them on top at 0, the next at -1; their
    names stand in `left` pixels beside them.
    """
    fixed = {"fixedrange": True, "zeroline": False}
    return {
        "height": height,
        "margin": {"l": left, "r": 8, "t": 28, "b": 44},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        **BARE,
        "xaxis": {"gridcolor": FAINT, **fixed, **across},
        "yaxis": {
            **fixed,
            "range": [-len(names) + 0.45, 0.55],
            "showgrid": False,
            "tickvals": [-row for row in range(len(names))],
            "ticktext": list(names),
            "ticks": "",
            "tickfont": font_of(ink, 13),
        },
    }
