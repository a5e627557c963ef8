"""What gaining in one quality costs in another: the path of the versions in the plane of two
qualities.
"""

from collections.abc import Sequence
from itertools import accumulate, combinations
from typing import Any

import streamlit as st

from components.refine.scene import RefineScene
from components.shell.plots import axis, draw_table, lay_out, tool_bar
from core.charts.style import plain
from core.records import Round
from core.story import Line

WORTH = {"better": 1, "unchanged": 0, "worse": -1}
GOALS = (
    ("#1f8490", "circle"),
    ("#b5569b", "square"),
    ("#8a8a1f", "diamond"),
    ("#97694a", "triangle-up"),
)
"""Colour and marker of each quality, in the order they were chosen in."""
START = ("#8a8f96", "star")


def draw(scene: RefineScene, goals: Sequence[str], colour: str) -> None:
    """Draw the path of the versions; with more than two qualities a person picks which two."""
    line = scene.line
    st.markdown("##### Trade-off between qualities")
    pairs = list(combinations(goals, 2))
    pair = (
        st.segmented_control(
            "Which two",
            pairs,
            format_func=" and ".join,
            default=pairs[0],
            required=True,
            wrap=True,
            key=f"refine:pair:{scene.run.id}",
        )
        if len(pairs) > 1
        else pairs[0]
    )
    x, y = pair
    ranked = all(_q(line, n, goal) is not None for n in range(line.newest + 1) for goal in (x, y))
    xs, ys = (course(line, goal, ranked) for goal in (x, y))
    aimed = ["", *(one.goal for one in line.rounds)]
    st.plotly_chart(
        figure((xs, ys), (x, y), aimed, goals, ranked, colour),
        key=f"refine:chart:trade-off:{scene.run.id}",
        config=tool_bar("refinement-trade-off", moves=True),
    )
    if not ranked:
        st.caption(
            "Nothing is ranked against a target here, so each quality counts better minus worse,"
            " round by round: the verdict where a round was made for it, the side effect where it"
            " was not."
        )
    rows = [
        {"Round": n, "Made for": aimed[n], x: round(xs[n], 3), y: round(ys[n], 3)}
        for n in range(len(xs))
    ]
    draw_table(rows, f"refine:table:trade-off:{scene.run.id}")


def course(line: Line, goal: str, ranked: bool) -> list[float]:
    """Return where each version stands in a quality: Q, or the running count of better minus
    worse.
    """
    if ranked:
        return [_q(line, n, goal) or 0.0 for n in range(line.newest + 1)]
    gains = (gained(done, goal) for done in line.rounds)
    return [float(total) for total in accumulate(gains, initial=0)]


def gained(one: Round, goal: str) -> int:
    """Return 1, 0 or -1: whether a round made the idea better in a quality, left it, or made it
    worse.
    """
    if one.goal == goal:
        return int(one.verdict.improved) if one.verdict else 0
    for effect in one.effects:
        if effect.goal == goal:
            return WORTH[effect.said.effect]
    return 0


def figure(
    places: tuple[Sequence[float], Sequence[float]],
    axes: tuple[str, str],
    aimed: Sequence[str],
    goals: Sequence[str],
    ranked: bool,
    colour: str,
) -> Any:
    """Return the path; versions at one spot share a label, and a marker says which quality a round
    was made for.
    """
    import plotly.graph_objects as go

    xs, ys = places
    drawn = go.Figure(
        go.Scatter(
            x=xs,
            y=ys,
            mode="lines",
            line={"color": colour, "width": 1, "dash": "dot"},
            showlegend=False,
            hoverinfo="skip",
        )
    )
    looks = dict(zip(goals, GOALS, strict=False))
    for goal in dict.fromkeys(aimed):
        here = [n for n, one in enumerate(aimed) if one == goal]
        shade, symbol = looks.get(goal, START)
        drawn.add_trace(
            go.Scatter(
                x=[xs[n] for n in here],
                y=[ys[n] for n in here],
                mode="markers",
                name=plain(f"made for {goal}" if goal else "first idea"),
                marker={"symbol": symbol, "size": 12, "color": shade},
                customdata=here,
                hovertemplate="round %{customdata}: %{x:.2f}, %{y:.2f}<extra>"
                + plain(goal)
                + "</extra>",
            )
        )
    spots: dict[tuple[float, float], list[str]] = {}
    for n, spot in enumerate(zip(xs, ys, strict=True)):
        spots.setdefault(spot, []).append(str(n))
    font = {"color": colour}
    for (at_x, at_y), numbers in spots.items():
        label = {"text": ", ".join(numbers), "yshift": 14, "xshift": 12, "font": font}
        drawn.add_annotation(x=at_x, y=at_y, showarrow=False, **label)
    what, dtick = ("Q", None) if ranked else ("better minus worse", 1)
    spans = [
        [-0.08, 1.15] if ranked else [min(values) - 0.7, max(values) + 0.9] for values in places
    ]
    x, y = (
        axis(f"{plain(goal)}: {what}", colour, range=span, dtick=dtick)
        for goal, span in zip(axes, spans, strict=True)
    )
    lay_out(drawn, colour, 380, x, y)
    return drawn


def _q(line: Line, n: int, goal: str) -> float | None:
    return next((one.q for one in line.standings(n) if one.goal == goal), None)
