"""What the Plotly charts of all pages share: tool bar, ground, legend, and labels."""

import textwrap
from typing import Any

from core.charts.style import CLEAR, plain, titled

BARE = {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR}
"""A ground that leaves the page's own to be seen, light or dark."""
SELECTING = ["select2d", "lasso2d"]
MOVING = ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d"]


def tool_bar(name: str) -> dict[str, Any]:
    """Return the tool bar of a chart: only the way to save it, under this name."""
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": [*SELECTING, *MOVING],
        "toImageButtonOptions": {"format": "svg", "filename": name},
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


def table_height(rows: int) -> int:
    """Return the height in pixels of the small table below a chart."""
    return 37 + 35 * min(rows, 6)
