"""The charts of an arena: ratings with their intervals, ratings as matches were played, and who
beat whom.
"""

from collections.abc import Sequence
from typing import Any

from components.shell.colours import BRANCHES
from core.judging.arena.sheet import VoteStanding
from core.records import Value

CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": [
        "select2d",
        "lasso2d",
        "zoom2d",
        "pan2d",
        "zoomIn2d",
        "zoomOut2d",
        "autoScale2d",
        "resetScale2d",
    ],
    "toImageButtonOptions": {"format": "svg", "filename": "arena"},
}
BAR = {"bgcolor": "rgba(0,0,0,0)", "color": "#8a8f94", "activecolor": "#1f8490"}
"""Plotly's buttons: by themselves they stand on a dark bar, since the chart's ground is clear."""
SHARES = ((0.0, "#e5ab62"), (0.5, "#f4f1ea"), (1.0, "#71bcc3"))
"""Lost, even, won; every number stands in its cell in a dark colour, on the dark theme too."""
LINES = ("solid", "dash", "dot", "dashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star")
SIDES = {"models": ("Models", "#1f8490", "circle"), "people": ("People", "#c08a12", "diamond")}
"""How each side is called and marked."""


def rated(found: Sequence[VoteStanding], colour: str) -> Any:
    """Return ratings across, methods down, the best of the first side on top; each side has its own
    marker and line.
    """
    import plotly.graph_objects as go

    order = list(dict.fromkeys(row[0].text for stand in found for row in stand.ratings.rows))
    at, drawn = {name: len(order) - n for n, name in enumerate(order)}, go.Figure()
    for n, stand in enumerate(found):
        name, shade, symbol = SIDES[stand.who]
        shift = (0.16 - 0.32 * n) if len(found) > 1 else 0.0
        held = [(row[0].text, row[1]) for row in stand.ratings.rows]
        drawn.add_trace(
            go.Scatter(
                x=[value.mean for _, value in held],
                y=[at[player] + shift for player, _ in held],
                mode="markers",
                name=name,
                marker={"size": 11, "symbol": symbol, "color": shade},
                customdata=[f"{value.number} {value.interval}" for _, value in held],
                hovertemplate="%{customdata}<extra>" + name + "</extra>",
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [_reach(value, value.high) for _, value in held],
                    "arrayminus": [_reach(value, value.low) for _, value in held],
                    "color": shade,
                    "thickness": 1.6,
                    "width": 5,
                },
            )
        )
    text = {"color": colour}
    _framed(
        drawn,
        120 + 40 * len(order),
        colour,
        {"l": 10, "r": 20, "t": 40, "b": 45},
        showlegend=len(found) > 1,
        legend={"orientation": "h", "y": 1.02, "x": 0, "yanchor": "bottom", "font": text},
    )
    drawn.update_xaxes(
        title={
            "text": "Bradley-Terry rating (mean 1000; 400 points are odds of 10 to 1)",
            "font": text,
        },
        tickfont=text,
        zeroline=False,
    )
    drawn.update_yaxes(
        tickvals=[at[name] for name in order],
        ticktext=short(order),
        tickfont=text,
        range=[0.4, len(order) + 0.6],
        automargin=True,
        showgrid=False,
        zeroline=False,
    )
    drawn.add_vline(x=1000, line={"color": colour, "dash": "dot", "width": 1})
    return drawn


def _reach(value: Value, end: float | None) -> float:
    return 0.0 if end is None or value.mean is None else abs(end - value.mean)


def settled(stand: VoteStanding, colour: str) -> Any:
    """Return rating against matches played, a line a method; line and marker differ where the
    colour comes again.
    """
    import plotly.graph_objects as go

    players, drawn, text = stand.curve.head[1:], go.Figure(), {"color": colour}
    for n, name in enumerate(short(players)):
        points = [
            (row[0].mean, row[n + 1].mean)
            for row in stand.curve.rows
            if row[n + 1].mean is not None
        ]
        drawn.add_trace(
            go.Scatter(
                x=[x for x, _ in points],
                y=[y for _, y in points],
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
    _framed(
        drawn,
        340 + 12 * max(0, len(players) - 10),
        colour,
        {"l": 60, "r": 10, "t": 10, "b": 45},
        showlegend=True,
        legend={"font": text},
    )
    drawn.update_xaxes(
        title={"text": "Matches played", "font": text},
        tickfont=text,
        zeroline=False,
        rangemode="tozero",
    )
    drawn.update_yaxes(title={"text": "Rating", "font": text}, tickfont=text, zeroline=False)
    return drawn


def won(stand: VoteStanding, colour: str) -> Any:
    """Return the heat map of shares won, the number in every cell."""
    import plotly.graph_objects as go

    players, text = short(stand.matches.head[1:]), {"color": colour}
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
            colorscale=[list(one) for one in SHARES],
            showscale=False,
            hovertemplate="%{y} against %{x}: %{customdata}<extra></extra>",
        )
    )
    _framed(drawn, 150 + 36 * len(players), colour, {"l": 10, "r": 10, "t": 10, "b": 10})
    drawn.update_yaxes(autorange="reversed", tickfont=text, automargin=True, showgrid=False)
    drawn.update_xaxes(side="top", tickfont=text, automargin=True, showgrid=False)
    return drawn


def _framed(drawn: Any, height: int, colour: str, margin: dict[str, int], **more: Any) -> None:
    """Give a chart its height, and the page's ground and colour of text."""
    drawn.update_layout(
        height=height,
        margin=margin,
        font={"color": colour},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        modebar=BAR,
        **more,
    )


def short(names: Sequence[str]) -> list[str]:
    """Return names as a chart's axis takes them: no markup, cut where no two become the same."""
    cut = [name if len(name) <= 34 else f"{name[:33]}…" for name in names]
    kept = cut if len(set(cut)) == len(cut) else list(names)
    # Plotly reads a few HTML tags in its texts.
    return [name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for name in kept]
