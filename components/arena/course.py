"""How the ratings settled as matches were played."""

from functools import partial
from typing import Any

import streamlit as st

from components.arena import parts
from components.arena.parts import SIDES, short, stands
from components.arena.ratings import BAR, CONFIG
from components.shell.colours import BRANCHES, ink
from core.judging.arena_sheet import RatingsSheet, Trust, VoteStanding
from core.records import Lineup, Run

LINES, MARKS = (
    ("solid", "dash", "dot", "dashdot"),
    ("circle", "square", "diamond", "triangle-up", "x", "cross", "star"),
)


def draw(run: Run, _: Lineup, who: str, criterion: str | None) -> None:
    """Draw the ratings after ever more matches, for models and for people."""
    parts.followed(run, "sheet", criterion, partial(_curves, run, who))


def _curves(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    for stand in stands(made, who):
        st.markdown(f"##### {SIDES[stand.who][0]}")
        st.plotly_chart(
            settled(stand, ink()), key=f"arena:course:{run.id}:{stand.who}", config=CONFIG
        )
        with st.expander("As a table"):
            parts.plain(stand.curve, f"arena:curve:{stand.who}")
    st.caption(
        "Bradley-Terry ratings of the first so many matches, in the order they were played; lines"
        " that have become level say that more matches would change little."
    )


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
    drawn.update_layout(
        height=340 + 12 * max(0, len(players) - 10),
        margin={"l": 60, "r": 10, "t": 10, "b": 45},
        font=text,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        modebar=BAR,
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
