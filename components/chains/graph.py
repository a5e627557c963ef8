"""The chain graph: one lane per branch on a common time axis, anchors diamonds, milestones ringed,
how ideas led on between papers.
"""

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from components.chains import lane as chain_lane
from components.chains.lane import LANE, against, wrapped
from components.shell.colours import INK
from core.charts.timeline import positions, when
from core.records import Chain
from core.story import Branch

__all__ = ["BranchLane", "against", "figure", "height", "wrapped"]

AXIS = 84
"""Height in pixels of what is above and below all lanes."""
PLACES = 22
"""How many papers fit beside one another: nearer ones are moved apart a little."""


class BranchLane(NamedTuple):
    """What stands in one lane: its name, what is said under it, and the branch, if there is
    anything of it yet.
    """

    n: int
    name: str
    note: str = ""
    branch: Branch | None = None

    @property
    def chain(self) -> Chain | None:
        return self.branch.chain if self.branch else None


def figure(lanes: Sequence[BranchLane], ink: str = INK) -> Any:
    """Return a Plotly figure: x = time, node size = citations; a selected point gives (branch,
    paper id) as customdata; names are written in `ink`.

    It must not depend on what is selected: Streamlit forgets a selection whose chart has changed.
    """
    import plotly.graph_objects as go

    dated = [
        moment
        for lane in lanes
        if lane.chain
        for paper in lane.chain.papers
        if (moment := when(paper)) is not None
    ]
    first, last = (min(dated), max(dated)) if dated else (0.0, 1.0)
    gap = max(last - first, 1.0) / PLACES
    spots = {lane.n: positions(lane.chain.papers, gap) for lane in lanes if lane.chain}
    ends = [first, last, *(spot for lane in spots.values() for spot in lane.values())]
    edge = max(
        2.2 * gap, 0.1 * (max(ends) - min(ends))
    )  # Half a label is to fit beyond the outermost papers.
    reach = [min(ends) - edge, max(ends) + edge]
    drawn = [
        chain_lane.drawn(
            lane.branch, lane.chain, spots[lane.n], -row, chain_lane.Pen(reach[1] - reach[0], ink)
        )
        for row, lane in enumerate(lanes)
        if lane.branch and lane.chain
    ]
    # All at once: Plotly checks every name it has each time another is added.
    names = [name for one in drawn for name in one.names]
    return go.Figure(
        [trace for one in drawn for trace in one.traces],
        _layout(lanes, reach, bool(dated), ink) | ({"annotations": names} if names else {}),
    )


def height(lanes: int) -> int:
    """Return the figure's height in pixels: known from the start, so that nothing below it moves
    while branches grow.
    """
    return AXIS + LANE * max(1, lanes)


def _layout(
    lanes: Sequence[BranchLane], reach: list[float], dated: bool, ink: str
) -> dict[str, Any]:
    names = [
        f"<b>{html.escape(lane.name, quote=False)}</b>"
        + (f"<br>{wrapped(lane.note, 16, 3)}" if lane.note else "")
        for lane in lanes
    ]
    every = max(1, round((reach[1] - reach[0]) / 14))
    return {
        "height": height(len(lanes)),
        "margin": {"l": 92, "r": 8, "t": 28, "b": 44},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": {
            "title": "Year of publication",
            "dtick": every,
            "tickformat": "d",
            "showgrid": dated,
            "gridcolor": "rgba(128,128,128,.15)",
            "zeroline": False,
            "range": reach,
            "showticklabels": dated,
            "fixedrange": True,
        },
        "yaxis": {
            "range": [-len(lanes) + 0.45, 0.55],
            "fixedrange": True,
            "zeroline": False,
            "showgrid": False,
            "tickvals": [-row for row in range(len(lanes))],
            "ticktext": names,
            "ticks": "",
            "tickfont": {"size": 13, "color": ink},
        },
    }
