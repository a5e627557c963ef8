"""How the methods stand, with intervals, models and people beside each other; and who beat whom."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.arena import parts
from components.arena.parts import SIDES, files, height, short, stands
from components.shell.colours import ink
from components.shell.text import inline
from core.judging.arena_sheet import RatingsSheet, Trust, VoteStanding
from core.judging.ratings import FEWEST_TOPICS
from core.records import Lineup, Run, Value

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
OPENED = "arena:opened"
SHARES = ((0.0, "#e5ab62"), (0.5, "#f4f1ea"), (1.0, "#71bcc3"))
"""Lost, even, won; every number stands in its cell in a dark colour, on the dark theme too."""


def draw(run: Run, _: Lineup, who: str, criterion: str | None) -> None:
    """Draw ratings as dots with 95 % intervals, then as tables with Elo beside; a click on a line
    opens its matches.
    """
    parts.followed(run, "sheet", criterion, partial(_ratings, run, who))


def _ratings(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    if st.session_state.pop(OPENED, False):
        st.rerun()  # The tick has drawn this part of the page alone.
    found = stands(made, who)
    if not found:
        return
    st.plotly_chart(rated(found, ink()), key=f"arena:ratings:{run.id}:{who}", config=CONFIG)
    st.caption(
        "Dot: Bradley-Terry rating, mean 1000; a difference of 400 points is odds of 10 to 1 of"
        " winning a match. Bar: 95 % interval from resampling topics. No bar: too few topics for"
        " one."
    )
    for column, stand in zip(st.columns(len(found), gap="medium"), found, strict=True):
        with column:
            st.markdown(f"##### {SIDES[stand.who][0]}")
            _table(run, stand)
            _words(stand)
            files(stand.ratings, f"arena:files:{stand.who}")


def _table(run: Run, stand: VoteStanding) -> None:
    key = f"arena:table:{run.id}:{stand.who}"
    rows = [
        {
            "Method": row[0].text,
            "Rating": round(row[1].mean or 0),
            "95 % interval": row[1].interval or "none",
            "Elo": round(row[2].mean or 0),
            "Matches": int(row[3].mean or 0),
            "Won · lost · tied": " · ".join(value.number for value in row[4:]),
        }
        for row in stand.ratings.rows
    ]
    st.dataframe(
        rows,
        hide_index=True,
        key=key,
        on_select=partial(_opened, key, [row[0].text for row in stand.ratings.rows]),
        selection_mode="single-row",
        height=height(len(rows)),
    )
    st.caption(
        "Tick a line to see its matches. Each quality counts as a match of its own, with a judge's"
        " two orders merged into one. Elo depends on the order of the matches; the rating does not."
    )


def _opened(key: str, methods: Sequence[str]) -> None:
    """Look at the matches of the line that was ticked."""
    ticked = st.session_state[key].selection.rows
    if ticked and ticked[0] < len(methods):
        st.session_state["tab"], st.session_state["method"] = "Matches", methods[ticked[0]]
        st.session_state[OPENED] = True


def _words(stand: VoteStanding) -> None:
    for said in stand.level:
        st.markdown(f":material/compress: {inline(said, 600)}")
    if not stand.level and len(stand.ratings.rows) > 1:
        st.markdown(":material/expand: Every two methods are separable: no two intervals overlap.")
    st.markdown(f":material/hub: {inline(stand.connected, 400)}")
    if stand.unplayed:
        st.markdown(f":material/block: {inline(stand.unplayed, 600)}")
    if any(row[1].low is None for row in stand.ratings.rows):
        st.markdown(
            ":material/help: Some methods have no interval: it comes from resampling topics, and"
            f" these were seen on fewer than {FEWEST_TOPICS}."
        )


def matrices(run: Run, _: Lineup, who: str, criterion: str | None) -> None:
    """Draw who beat whom as a heat map, for models and for people."""
    parts.followed(run, "sheet", criterion, partial(_matrices, run, who))


def _matrices(run: Run, who: str, made: RatingsSheet | Trust) -> None:
    found = stands(made, who)
    for column, stand in zip(
        st.columns(len(found), gap="medium") if found else (), found, strict=True
    ):
        with column:
            st.markdown(f"##### {SIDES[stand.who][0]}")
            st.plotly_chart(
                won(stand, ink()), key=f"arena:matrix:{run.id}:{stand.who}", config=CONFIG
            )
            st.caption(
                "Share of matches that the row's method won against the column's; a tie counts"
                " half."
            )
            with st.expander("As a table"):
                parts.plain(stand.matches, f"arena:matches:{stand.who}")


# -- figures -----------------------------------------------------------------------------------


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
    drawn.update_layout(
        height=120 + 40 * len(order),
        margin={"l": 10, "r": 20, "t": 40, "b": 45},
        font=text,
        paper_bgcolor="rgba(0,0,0,0)",
        modebar=BAR,
        plot_bgcolor="rgba(0,0,0,0)",
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


def won(stand: VoteStanding, colour: str) -> Any:
    """Return the heat map of shares won, the number in every cell."""
    import plotly.graph_objects as go

    players, text = short(stand.matches.head[1:]), {"color": colour}
    shares = [[value.mean for value in row[1:]] for row in stand.matches.rows]
    said = [
        [
            (
                ""
                if value.mean is None
                else f"{100 * value.mean:.0f}" + (" %" if len(players) <= 8 else "")
            )
            for value in row[1:]
        ]
        for row in stand.matches.rows
    ]
    hover = [
        [f"{value.number} of {value.n} matches" if value.n else "never met" for value in row[1:]]
        for row in stand.matches.rows
    ]
    drawn = go.Figure(
        go.Heatmap(
            z=shares,
            x=players,
            y=players,
            text=said,
            customdata=hover,
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
    drawn.update_layout(
        height=150 + 36 * len(players),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        font=text,
        paper_bgcolor="rgba(0,0,0,0)",
        modebar=BAR,
        plot_bgcolor="rgba(0,0,0,0)",
    )
    drawn.update_yaxes(autorange="reversed", tickfont=text, automargin=True, showgrid=False)
    drawn.update_xaxes(side="top", tickfont=text, automargin=True, showgrid=False)
    return drawn
