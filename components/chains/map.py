"""The map: where the ideas of all branches lie among the papers they came from and the papers found
near them.
"""

from typing import Any

import streamlit as st

from components.runs import states
from components.shell import colours as chain_colours
from components.shell.colours import FOUND, INK, of_branch
from components.shell.plots import BARE, SELECTING, wrapped
from core.records import Map, Run, Spot
from core.story import Story


def draw(run: Run, story: Story) -> None:
    """Draw the map, or say why there is none."""
    found = story.last(Map)
    if found is None:
        st.caption(
            "The map is drawn last, when all ideas are there."
            if states.active(run)
            else (
                "There is no map of this run: it ended before, an older version made it, or the"
                " embedding model was missing."
            )
        )
        return
    bar = {"displaylogo": False, "modeBarButtonsToRemove": SELECTING}
    st.plotly_chart(figure(found, chain_colours.ink()), key=f"chains:map:{run.id}", config=bar)
    st.caption(
        "Near means alike in meaning. Stars are ideas, numbered discs the papers of a branch, small"
        " dots papers a novelty check found. The two axes are those along which all of them differ"
        " most; what they do not show is not seen here."
    )


def figure(found: Map, ink: str = INK) -> Any:
    """Return a Plotly scatter of the spots: colour and number say the branch, stars are ideas."""
    import plotly.graph_objects as go

    drawn = go.Figure()
    drawn.add_trace(_dots(go, [spot for spot in found.spots if spot.kind == "found"]))
    for n in sorted({spot.branch for spot in found.spots if spot.branch}):
        mine = [spot for spot in found.spots if spot.branch == n]
        drawn.add_trace(
            _marks(
                go,
                [spot for spot in mine if spot.kind == "chain"],
                f"Papers of branch {n}",
                str(n),
                {"size": 19, "color": of_branch(n)},
                {"size": 10, "color": "#ffffff"},
                "middle center",
            )
        )
        drawn.add_trace(_ideas(go, [spot for spot in mine if spot.kind == "idea"], n, ink))
    across, up = found.explained
    drawn.update_layout(
        height=560,
        margin={"l": 60, "r": 20, "t": 20, "b": 50},
        hovermode="closest",
        **BARE,
        xaxis=_axis("First", across),
        yaxis=_axis("Second", up) | {"scaleanchor": "x"},
        legend={"orientation": "v", "x": 1.01, "xanchor": "left", "y": 1},
    )
    return drawn


def _axis(name: str, share: float) -> dict[str, Any]:
    return {
        "title": f"{name} direction of difference ({share:.0%} of the variance)",
        "showticklabels": False,
        "zeroline": False,
        "showgrid": False,
    }


def _dots(go: Any, spots: list[Spot]) -> Any:
    return go.Scatter(
        x=[spot.x for spot in spots],
        y=[spot.y for spot in spots],
        mode="markers",
        name="Found by a novelty check",
        marker={"size": 8, "color": FOUND, "opacity": 0.8},
        hovertext=[wrapped(spot.label) for spot in spots],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _ideas(go: Any, spots: list[Spot], n: int, ink: str) -> Any:
    star = {"size": 24, "color": of_branch(n), "symbol": "star"}
    return _marks(
        go,
        spots,
        f"Idea of branch {n}",
        f"Idea {n}",
        star,
        {"size": 12, "color": ink},
        "top center",
    )


def _marks(
    go: Any,
    spots: list[Spot],
    name: str,
    text: str,
    marker: dict[str, Any],
    font: dict[str, Any],
    where: str,
) -> Any:
    return go.Scatter(
        x=[spot.x for spot in spots],
        y=[spot.y for spot in spots],
        mode="markers+text",
        name=name,
        text=[text] * len(spots),
        textfont=font,
        textposition=where,
        marker=marker,
        hovertext=[wrapped(f"{name}: {spot.label}") for spot in spots],
        hovertemplate="%{hovertext}<extra></extra>",
    )
