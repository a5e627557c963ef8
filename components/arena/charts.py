"""The charts of an arena: ratings with their intervals, ratings as matches were played, and who
beat whom.
"""

from collections.abc import Sequence
from typing import Any

from components.shell.colours import BRANCHES
from components.shell.plots import BARE, axis, tool_bar
from core.charts.style import CLEAR, dots, error_bars, plain
from core.judging.arena.sheet import VoteStanding
from core.records import Value

CONFIG = tool_bar("arena")
BAR = {"bgcolor": CLEAR, "color": "#8a8f94", "activecolor": "#1f8490"}
"""Plotly's buttons: by themselves they stand on a dark bar, since the chart's ground is clear."""
SHARES = [[0.0, "#e5ab62"], [0.5, "#f4f1ea"], [1.0, "#71bcc3"]]
"""Lost, even, won; every number stands in its cell in a dark colour, on the dark theme too."""
LINES = ("solid", "dash", "dot", "dashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
SIDES = {"models": ("Models", "#1f8490", "circle"), "people": ("People", "#c08a12", "diamond")}
"""How each side is called and marked."""


def rating_chart(found: Sequence[VoteStanding], colour: str) -> Any:
    """Return ratings across, methods down, the best of the first side on top; each side has its own
    marker and line.
    """
    import plotly.graph_objects as go

    order = list(dict.fromkeys(row[0].text for stand in found for row in stand.ratings.rows))
    at, drawn = {name: len(order) - n for n, name in enumerate(order)}, go.Figure()
    for n, stand in enumerate(found):
        name, shade, symbol = SIDES[stand.who]
        shift = (0.16 - 0.32 * n) if len(found) > 1 else 0.0
        ratings = [row[1] for row in stand.ratings.rows]
        drawn.add_trace(
            dots(
                [value.mean for value in ratings],
                [at[row[0].text] + shift for row in stand.ratings.rows],
                {"size": 11, "symbol": symbol, "color": shade},
                [f"{name}: {value.number} {value.interval}" for value in ratings],
                name=name,
                error_x=error_bars(
                    [_reach(value, value.high) for value in ratings],
                    [_reach(value, value.low) for value in ratings],
                    shade,
                ),
            )
        )
    _frame(
        drawn,
        120 + 40 * len(order),
        colour,
        {"l": 10, "r": 20, "t": 40, "b": 45},
        showlegend=len(found) > 1,
        legend={
            "font": {"color": colour},
            "orientation": "h",
            "y": 1.02,
            "x": 0,
            "yanchor": "bottom",
        },
    )
    across = "Bradley-Terry rating (mean 1000; 400 points are odds of 10 to 1)"
    drawn.update_xaxes(axis(across, colour))
    drawn.update_yaxes(
        tickvals=list(at.values()),
        ticktext=short(order),
        tickfont={"color": colour},
        range=[0.4, len(order) + 0.6],
        automargin=True,
        showgrid=False,
        zeroline=False,
    )
    drawn.add_vline(x=1000, line={"color": colour, "dash": "dot", "width": 1})
    return drawn


def _reach(value: Value, end: float | None) -> float:
    return 0.0 if end is None or value.mean is None else abs(end - value.mean)


def settling_chart(stand: VoteStanding, colour: str) -> Any:
    """Return rating against matches played, a line a method; line and marker differ where the
    colour comes again.
    """
    import plotly.graph_objects as go

    players, drawn = stand.curve.head[1:], go.Figure()
    for n, name in enumerate(short(players)):
        known = [row for row in stand.curve.rows if row[n + 1].mean is not None]
        drawn.add_trace(
            go.Scatter(
                x=[row[0].mean for row in known],
                y=[row[n + 1].mean for row in known],
                name=name,
                mode="lines+markers",
                line={
                    "color": BRANCHES[n % len(BRANCHES)],
                    "dash": LINES[n // len(BRANCHES) % len(LINES)],
                    "width": 1.6,
                },
                marker={"symbol": MARKS[n % len(MARKS)], "size": 7},
                hovertemplate="after %{x:,} matches: %{y:.0f}<extra>" + name + "</extra>",
            )
        )
    _frame(
        drawn,
        340 + 12 * max(0, len(players) - 10),
        colour,
        {"l": 60, "r": 10, "t": 10, "b": 45},
        showlegend=True,
        legend={"font": {"color": colour}},
    )
    drawn.update_xaxes(axis("Matches judged", colour, rangemode="tozero"))
    drawn.update_yaxes(axis("Rating", colour))
    return drawn


def win_chart(stand: VoteStanding, colour: str) -> Any:
    """Return the heat map of shares won, the number in every cell."""
    import plotly.graph_objects as go

    players = short(stand.matches.head[1:])
    cells = [row[1:] for row in stand.matches.rows]
    percent = " %" if len(players) <= 8 else ""

    def printed(value: Value) -> str:
        return "" if value.mean is None else f"{100 * value.mean:.0f}{percent}"

    def hover(value: Value) -> str:
        return f"{value.number} of {value.n} matches" if value.n else "never met"

    drawn = go.Figure(
        go.Heatmap(
            z=[[value.mean for value in row] for row in cells],
            x=players,
            y=players,
            text=[[printed(value) for value in row] for row in cells],
            customdata=[[hover(value) for value in row] for row in cells],
            texttemplate="%{text}",
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            textfont={"color": "#101316"},
            colorscale=SHARES,
            showscale=False,
            hovertemplate="%{y} against %{x}: %{customdata}<extra></extra>",
        )
    )
    _frame(drawn, 150 + 36 * len(players), colour, {"l": 10, "r": 10, "t": 10, "b": 10})
    # Said of each axis: Streamlit's template has a pale colour of its own for them.
    plain = {"tickfont": {"color": colour}, "automargin": True, "showgrid": False}
    drawn.update_yaxes(autorange="reversed", **plain)
    drawn.update_xaxes(side="top", **plain)
    return drawn


def _frame(drawn: Any, height: int, colour: str, margin: dict[str, int], **more: Any) -> None:
    """Give a chart its height, and the page's ground and colour of text."""
    drawn.update_layout(
        height=height, margin=margin, font={"color": colour}, modebar=BAR, **BARE, **more
    )


def short(names: Sequence[str]) -> list[str]:
    """Return names as a chart's axis takes them: no markup, cut where no two become the same."""
    cut = [name if len(name) <= 34 else f"{name[:33]}…" for name in names]
    return [plain(name) for name in (cut if len(set(cut)) == len(cut) else names)]
