"""The charts of a benchmark's progress: how far each model is, keyword by keyword or domain by
domain; and how fast it goes.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import streamlit as st

from components.shell.colours import LINE, WRONG, ink
from components.shell.plots import tool_bar
from core.benchmark.figures.drawing import short
from core.benchmark.progress import BenchProgress, ProgressSquare
from core.charts.style import CLEAR, FAINT, Font, font_of, hover, plain, titled
from core.records import Run

SHADES = [
    [0.0, "rgba(138,143,150,0.10)"],
    [0.01, "rgba(46,160,67,0.14)"],
    [1.0, "rgba(46,160,67,0.75)"],
]
"""From nothing to all of it, in the colour of what is done."""
SPAN, HALF = timedelta(minutes=14), timedelta(seconds=40)
"""What the chart of the pace spans at least, and what is left beside a minute's bar."""
BAR = 45_000
"""Width of a minute's bar, in milliseconds of the axis."""
TOOLS = {"bgcolor": CLEAR, "color": "#8a8f94", "activecolor": "#1f8490"}
"""The chart's own buttons, as on the other screens."""
MOST = 26
"""Letters of a place's name that are drawn."""
WIDE = 12
"""Columns that have room for their share in figures."""


def draw(run: Run, found: BenchProgress) -> None:
    """Draw both, each with its table."""
    st.markdown(f"##### By model and {found.by}")
    config = tool_bar(f"benchmark-{run.id}-progress")
    st.plotly_chart(shares(found.squares, ink()), key="bench:squares", config=config, theme=None)
    st.caption(
        "Share of the answers done, excluded ideas among them. A red cross: something failed."
    )
    with st.expander("The same as a table", key="bench:squares-table", on_change="rerun") as table:
        if table.open:
            st.dataframe(
                [
                    {
                        "Model": one.model,
                        found.by.capitalize(): one.place,
                        "Share": one.share,
                        "Failed": one.failed,
                    }
                    for one in found.squares
                ],
                hide_index=True,
                key="bench:squares-rows",
                column_config={"Share": st.column_config.NumberColumn(format="percent")},
            )
    if found.minutes:
        st.markdown("##### Pace")
        config = tool_bar(f"benchmark-{run.id}-pace")
        st.plotly_chart(pace(found.minutes, ink()), key="bench:pace", config=config, theme=None)
        st.caption(
            "By the minute in which calls ended (UTC), the last sixty minutes in which any did. The"
            " first and the last may be parts of a minute."
        )


def shares(squares: Sequence[ProgressSquare], colour: str) -> Any:
    """Return the map of shares (0 to 1), models down, keywords or domains across."""
    import plotly.graph_objects as go

    models = list(dict.fromkeys(one.model for one in squares))
    places = list(dict.fromkeys(one.place for one in squares))
    held = {(one.model, one.place): one for one in squares}
    grid = [[held[model, place] for place in places] for model in models]
    crosses = [(x, y) for y, row in enumerate(grid) for x, one in enumerate(row) if one.failed]
    font = font_of(colour)
    names = [plain(one if len(one) <= MOST else f"{one[: MOST - 1]}…") for one in places]
    across = {
        "tickvals": list(range(len(places))),
        "ticktext": names,
        "tickangle": -45 if len(places) > 6 else 0,
        **_bare(font),
        "automargin": True,
    }
    down = {
        "tickvals": list(range(len(models))),
        "ticktext": short(models),
        "autorange": "reversed",
        **_bare(font),
        "automargin": True,
    }
    failed = {
        "type": "scatter",
        "x": [x + 0.32 for x, _ in crosses],
        "y": [y for _, y in crosses],
        "mode": "markers",
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {"symbol": "x-thin", "size": 6, "line": {"color": WRONG, "width": 2}},
    }
    height = 134 + 26 * len(models) + 5 * min(28, max(map(len, places)))
    layout = _framed(height, {"l": 10, "r": 10, "t": 34, "b": 10}, font)
    # Made in one go: to update a figure part by part takes Plotly several times as long.
    return go.Figure(
        {"data": [_heat(grid, colour), failed], "layout": layout | {"xaxis": across, "yaxis": down}}
    )


def _heat(grid: Sequence[Sequence[ProgressSquare]], colour: str) -> dict[str, Any]:
    """Return the squares of the map as a trace."""
    shares = [[one.share for one in row] for row in grid]
    narrow = len(grid[0]) <= WIDE
    printed = [
        [f"{share:.0%}" if share is not None and narrow else "" for share in row] for row in shares
    ]
    return {
        "type": "heatmap",
        "z": shares,
        "x": list(range(len(grid[0]))),
        "y": list(range(len(grid))),
        "zmin": 0,
        "zmax": 1,
        "colorscale": SHADES,
        "xgap": 1,
        "ygap": 1,
        **hover([[plain(_said(one)) for one in row] for row in grid]),
        "textfont": {"color": colour},
        "texttemplate": "%{text}",
        "text": printed,
        "colorbar": {
            "title": titled("share", {"color": colour}),
            "tickformat": ".0%",
            "tickfont": {"color": colour},
            "thickness": 12,
        },
    }


def _framed(height: int, margin: dict[str, int], font: Font) -> dict[str, Any]:
    return {
        "height": height,
        "margin": margin,
        "font": font,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "modebar": TOOLS,
    }


def _bare(font: Font) -> dict[str, Any]:
    return {"tickfont": font, "showgrid": False, "zeroline": False}


def _said(one: ProgressSquare) -> str:
    share = "nothing is needed" if one.share is None else f"{one.share:.0%}"
    return f"{one.model}, {one.place}: {share}" + (f", {one.failed} failed" if one.failed else "")


def pace(minutes: Sequence[tuple[str, int, float]], colour: str) -> Any:
    """Return calls a minute, and below them the mean seconds a call, by minute."""
    import plotly.graph_objects as go

    at, font = [minute for minute, _, _ in minutes], font_of(colour)
    last = datetime.fromisoformat(at[-1])
    since = min(datetime.fromisoformat(at[0]), last - SPAN) - HALF
    span = [since.isoformat(), (last + HALF).isoformat()]
    across = {**_bare(font), "type": "date", "range": span}
    up = {"tickfont": font, "rangemode": "tozero", "zeroline": False, "gridcolor": FAINT}
    calls = {
        "type": "bar",
        "x": at,
        "y": [calls for _, calls, _ in minutes],
        "width": BAR,
        "marker": {"color": "#2f7fc1"},
        "hovertemplate": "%{x}: %{y} calls<extra></extra>",
    }
    seconds = {
        "type": "scatter",
        "x": at,
        "y": [seconds / calls for _, calls, seconds in minutes],
        "xaxis": "x2",
        "yaxis": "y2",
        "mode": "lines+markers",
        "line": {"color": LINE},
        "hovertemplate": "%{x}: %{y:.1f} s a call<extra></extra>",
    }
    axes = {
        "showlegend": False,
        "xaxis": {**across, "anchor": "y", "showticklabels": False},
        "xaxis2": {**across, "anchor": "y2", "matches": "x"},
        "yaxis": {**up, "domain": [0.56, 1], "title": titled("Calls a minute", font)},
        "yaxis2": {**up, "domain": [0, 0.44], "title": titled("Seconds a call", font)},
    }
    layout = _framed(344, {"l": 60, "r": 20, "t": 34, "b": 30}, font)
    return go.Figure({"data": [calls, seconds], "layout": layout | axes})
