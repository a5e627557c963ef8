"""The charts of a benchmark's progress: how far each model is, keyword by keyword or domain by
domain; and how fast it goes.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import streamlit as st

from components.refine.chart import CONFIG
from components.refine.tradeoff import plain
from components.shell.colours import LINE, WRONG, ink
from core.benchmark.figures.drawing import short
from core.benchmark.progress import BenchProgress, ProgressSquare
from core.records import Run

CLEAR = "rgba(0,0,0,0)"
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
WIDE = 12
"""Columns that have room for their share in figures."""


def draw(run: Run, found: BenchProgress) -> None:
    """Draw both, each with its table."""
    st.markdown(f"##### By model and {found.by}")
    config = {
        **CONFIG,
        "toImageButtonOptions": {"format": "svg", "filename": f"benchmark-{run.id}-progress"},
    }
    st.plotly_chart(shares(found.squares, ink()), key="bench:squares", config=config, theme=None)
    st.caption(
        "Share of the answers that are needed and there, excluded ideas among them. A red cross:"
        " something failed."
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
        st.plotly_chart(pace(found.minutes, ink()), key="bench:pace", config=CONFIG, theme=None)
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
    text = {"color": colour, "size": 12}
    crosses = [(x, y) for y, row in enumerate(grid) for x, one in enumerate(row) if one.failed]
    # Made in one go: to update a figure part by part takes Plotly several times as long.
    return go.Figure(
        {
            "data": [
                {
                    "type": "heatmap",
                    "z": [[one.share for one in row] for row in grid],
                    "x": list(range(len(places))),
                    "y": list(range(len(models))),
                    "zmin": 0,
                    "zmax": 1,
                    "colorscale": SHADES,
                    "xgap": 1,
                    "ygap": 1,
                    "customdata": [[plain(_said(one)) for one in row] for row in grid],
                    "hovertemplate": "%{customdata}<extra></extra>",
                    "textfont": {"color": colour},
                    "texttemplate": "%{text}",
                    "text": [
                        [
                            (
                                f"{one.share:.0%}"
                                if one.share is not None and len(places) <= WIDE
                                else ""
                            )
                            for one in row
                        ]
                        for row in grid
                    ],
                    "colorbar": {
                        "title": {"text": "share", "font": {"color": colour}},
                        "tickformat": ".0%",
                        "tickfont": {"color": colour},
                        "thickness": 12,
                    },
                },
                {
                    "type": "scatter",
                    "x": [x + 0.32 for x, _ in crosses],
                    "y": [y for _, y in crosses],
                    "mode": "markers",
                    "hoverinfo": "skip",
                    "showlegend": False,
                    "marker": {"symbol": "x-thin", "size": 6, "line": {"color": WRONG, "width": 2}},
                },
            ],
            "layout": {
                "height": 134 + 26 * len(models) + 5 * min(28, max(map(len, places))),
                "margin": {"l": 10, "r": 10, "t": 34, "b": 10},
                "font": text,
                "paper_bgcolor": CLEAR,
                "plot_bgcolor": CLEAR,
                "modebar": TOOLS,
                "xaxis": {
                    "tickvals": list(range(len(places))),
                    "ticktext": [_cut(one) for one in places],
                    "tickangle": -45 if len(places) > 6 else 0,
                    **_bare(text),
                    "automargin": True,
                },
                "yaxis": {
                    "tickvals": list(range(len(models))),
                    "ticktext": short(models),
                    "autorange": "reversed",
                    **_bare(text),
                    "automargin": True,
                },
            },
        }
    )


def _bare(text: dict[str, Any]) -> dict[str, Any]:
    return {"tickfont": text, "showgrid": False, "zeroline": False}


def _cut(name: str, most: int = 26) -> str:
    return plain(name if len(name) <= most else f"{name[: most - 1]}…")


def _said(one: ProgressSquare) -> str:
    share = "nothing is needed" if one.share is None else f"{one.share:.0%}"
    return f"{one.model}, {one.place}: {share}" + (f", {one.failed} failed" if one.failed else "")


def pace(minutes: Sequence[tuple[str, int, float]], colour: str) -> Any:
    """Return calls a minute, and below them the mean seconds a call, by minute."""
    import plotly.graph_objects as go

    at, text = [minute for minute, _, _ in minutes], {"color": colour, "size": 12}
    last = datetime.fromisoformat(at[-1])
    since = min(datetime.fromisoformat(at[0]), last - SPAN) - HALF
    across = {
        **_bare(text),
        "type": "date",
        "range": [since.isoformat(), (last + HALF).isoformat()],
    }
    up = {
        "tickfont": text,
        "rangemode": "tozero",
        "zeroline": False,
        "gridcolor": "rgba(138,143,150,0.25)",
    }
    return go.Figure(
        {
            "data": [
                {
                    "type": "bar",
                    "x": at,
                    "y": [calls for _, calls, _ in minutes],
                    "width": BAR,
                    "marker": {"color": "#2f7fc1"},
                    "hovertemplate": "%{x}: %{y} calls<extra></extra>",
                },
                {
                    "type": "scatter",
                    "x": at,
                    "y": [seconds / calls for _, calls, seconds in minutes],
                    "xaxis": "x2",
                    "yaxis": "y2",
                    "mode": "lines+markers",
                    "line": {"color": LINE},
                    "hovertemplate": "%{x}: %{y:.1f} s a call<extra></extra>",
                },
            ],
            "layout": {
                "height": 344,
                "margin": {"l": 60, "r": 20, "t": 34, "b": 30},
                "modebar": TOOLS,
                "font": text,
                "showlegend": False,
                "paper_bgcolor": CLEAR,
                "plot_bgcolor": CLEAR,
                "xaxis": {**across, "anchor": "y", "showticklabels": False},
                "xaxis2": {**across, "anchor": "y2", "matches": "x"},
                "yaxis": {
                    **up,
                    "domain": [0.56, 1],
                    "title": {"text": "Calls a minute", "font": text},
                },
                "yaxis2": {
                    **up,
                    "domain": [0, 0.44],
                    "title": {"text": "Seconds a call", "font": text},
                },
            },
        }
    )
