"""The map: where the ideas of all branches lie among the papers they came from and the papers found
near them.
"""

from collections.abc import Sequence
from math import hypot
from typing import Any

import streamlit as st

from components.runs import states
from components.shell import colours as chain_colours
from components.shell.colours import FOUND, INK, of_branch
from components.shell.plots import BARE, tool_bar, wrapped
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
    st.plotly_chart(
        figure(found, chain_colours.ink()),
        key=f"chains:map:{run.id}",
        config=tool_bar("map", moves=True),
    )
    st.caption(
        "Near means alike in meaning. Stars are ideas, numbered discs the papers of a branch, small"
        " dots papers a novelty check found. The axes are the two directions of greatest"
        " difference; other differences are not shown."
    )


def figure(found: Map, ink: str = INK) -> Any:
    """Return a Plotly scatter of the spots: colour and number say the branch, stars are ideas."""
    import plotly.graph_objects as go

    drawn = go.Figure(
        _marks(
            [spot for spot in found.spots if spot.kind == "found"],
            "Found by a novelty check",
            {"size": 8, "color": FOUND, "opacity": 0.8},
        )
    )
    for n in sorted({spot.branch for spot in found.spots if spot.branch}):
        mine, colour = [spot for spot in found.spots if spot.branch == n], of_branch(n)
        disc, star = (
            {"size": 19, "color": colour},
            {"size": 24, "color": colour, "symbol": "star"},
        )
        papers = [spot for spot in mine if spot.kind == "chain"]
        ideas = [spot for spot in mine if spot.kind == "idea"]
        drawn.add_trace(_marks(papers, f"Papers of branch {n}", disc, str(n), "#ffffff"))
        beside = [_free_side(spot, found.spots) for spot in ideas]
        drawn.add_trace(_marks(ideas, f"Idea of branch {n}", star, f"Idea {n}", ink, beside))
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


def _free_side(spot: Spot, spots: Sequence[Spot]) -> str:
    """Return the side of a star that faces away from the spot nearest to it."""
    others = [(other.x - spot.x, other.y - spot.y) for other in spots if other is not spot]
    across, up = min(others, key=lambda away: hypot(*away), default=(0.0, -1.0))
    if abs(up) >= abs(across):
        return "bottom center" if up > 0 else "top center"
    return "middle left" if across > 0 else "middle right"


def _axis(name: str, share: float) -> dict[str, Any]:
    return {
        "title": f"{name} direction of difference ({share:.0%} of the variance)",
        "showticklabels": False,
        "zeroline": False,
        "showgrid": False,
    }


def _marks(
    spots: list[Spot],
    name: str,
    marker: dict[str, Any],
    text: str = "",
    ink: str = "",
    beside: list[str] | None = None,
) -> dict[str, Any]:
    """Return spots as one trace; a `text` stands in a disc, or `beside` a star."""
    written = {
        "text": [text] * len(spots),
        "textfont": {"size": 12 if beside else 10, "color": ink},
        "textposition": beside or "middle center",
    }
    return {
        "type": "scatter",
        "x": [spot.x for spot in spots],
        "y": [spot.y for spot in spots],
        "mode": "markers+text" if text else "markers",
        "name": name,
        "marker": marker,
        "hovertext": [wrapped(f"{name}: {spot.label}" if text else spot.label) for spot in spots],
        "hovertemplate": "%{hovertext}<extra></extra>",
        **(written if text else {}),
    }
