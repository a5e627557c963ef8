"""The chain graph: one lane per branch on a common time axis, anchors diamonds, milestones ringed,
how ideas led on between papers.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from components.chains.paper import marks
from components.shell.colours import INK, LINE, WRONG, of_branch
from components.shell.plots import lay_out_lanes, wrapped
from core.charts.edges import Edge, edge, hops, said_date
from core.charts.style import plain
from core.charts.timeline import positions, when
from core.records import Chain, Link, Paper
from core.story import Branch

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


LANE = 112
"""Height of a lane in pixels."""
BEND = 0.15
"""How far, in lanes, a line goes around papers it does not join."""
WIDTH, NARROW, LETTER = 800, 520, 6.2
"""Pixels that labels are fitted to beside one another (a wider screen gives them more room than
they need), and at the edges, where a label would be cut on a narrow screen; and those a letter
takes.
"""
STYLES = {
    "cited": (LINE, "solid"),
    "near": (LINE, "dash"),
    "placed": (LINE, "dot"),
    "against": (WRONG, "solid"),
}


def figure(lanes: Sequence[BranchLane], ink: str = INK) -> Any:
    """Return a Plotly figure: x = time, node size = citations; a selected point gives (branch,
    paper id) as customdata; names are written in `ink`.

    It must not depend on what is selected: Streamlit forgets a selection whose chart has changed.
    """
    import plotly.graph_objects as go

    papers = [paper for lane in lanes if lane.chain for paper in lane.chain.papers]
    dated = [moment for moment in map(when, papers) if moment is not None]
    first, last = (min(dated), max(dated)) if dated else (0.0, 1.0)
    gap = max(last - first, 1.0) / PLACES
    spots = {lane.n: positions(lane.chain.papers, gap) for lane in lanes if lane.chain}
    ends = [first, last, *(spot for lane in spots.values() for spot in lane.values())]
    # Half a label is to fit beyond the outermost papers.
    margin = max(2.2 * gap, 0.14 * (max(ends) - min(ends)))
    reach = [min(ends) - margin, max(ends) + margin]
    drawn = [
        _draw_lane(lane.branch, lane.chain, spots[lane.n], -row, reach, ink)
        for row, lane in enumerate(lanes)
        if lane.branch and lane.chain
    ]
    # All at once: Plotly checks every name it has each time another is added.
    names = [name for lane in drawn for name in lane.names]
    layout = _layout(lanes, reach, bool(dated), ink)
    if names:
        layout["annotations"] = names
    return go.Figure([trace for lane in drawn for trace in lane.traces], layout)


def height(lanes: int) -> int:
    """Return the figure's height in pixels: known from the start, so that nothing below it moves
    while branches grow.
    """
    return AXIS + LANE * max(1, lanes)


def _layout(
    lanes: Sequence[BranchLane], reach: list[float], dated: bool, ink: str
) -> dict[str, Any]:
    names = []
    for lane in lanes:
        note = f"<br>{wrapped(lane.note, 16, 3)}" if lane.note else ""
        names.append(f"<b>{plain(lane.name)}</b>{note}")
    across = {
        "title": "Year of publication",
        "dtick": max(1, round((reach[1] - reach[0]) / 14)),
        "tickformat": "d",
        "showgrid": dated,
        "range": reach,
        "showticklabels": dated,
    }
    return lay_out_lanes(names, height(len(lanes)), 92, ink, across)


class LaneDrawing(NamedTuple):
    """What a lane adds to a Plotly figure, as Plotly takes it: traces, and the names of its papers
    as annotations.
    """

    traces: list[dict[str, Any]]
    names: list[dict[str, Any]]


def _draw_lane(
    branch: Branch, chain: Chain, spots: dict[str, float], y: int, reach: list[float], ink: str
) -> LaneDrawing:
    """Draw a branch's chain: its papers stand at `spots` (years), all at height `y` (lanes), on an
    axis that reaches from year to year; names are written in `ink`.
    """
    years = reach[1] - reach[0]
    in_time = sorted(chain.links, key=lambda link: spots[link.paper.id])
    edges, bends = _join(branch, chain, spots, y, [link.paper.id for link in in_time])
    names = []
    for n, link in enumerate(in_time):
        above = n % 2 == 0
        # A line of a name has the room up to the nearest names on its side, and to the edges.
        x = spots[link.paper.id]
        beside = [in_time[k] for k in (n - 2, n + 2) if 0 <= k < len(in_time)]
        gaps = [abs(spots[other.paper.id] - x) * WIDTH for other in beside]
        gaps += [2 * abs(edge - x) * NARROW for edge in reach]
        letters = max(9, int(min([24.0, *(gap / years / LETTER for gap in gaps)])))
        shift = _size(link.paper) / 2 + (10 if link.milestone else 5)
        if (BEND if above else -BEND) in bends:
            shift += BEND * LANE
        # Annotations, not labels of the points: those fade when a point is selected.
        names.append(
            {
                "x": x,
                "y": y,
                "yshift": shift if above else -shift,
                "yanchor": "bottom" if above else "top",
                "showarrow": False,
                "text": _label(link.paper, letters),
                "font": {"size": 11, "color": ink},
            }
        )
    return LaneDrawing([*edges, *_draw_papers(branch.n, chain.links, spots, y)], names)


def _label(paper: Paper, letters: int) -> str:
    """Return a short title in two lines; a word too long for a line is divided before a capital
    inside it, where there is one: `LiveIdea- Bench`.
    """
    head = paper.title.split(":")[0]
    if len(head) > 48:
        head = head[:46].rsplit(" ", 1)[0] + " …"
    words = head.split()
    for n, word in enumerate(words):
        capitals = [at.start() for at in re.finditer(r"(?<=[a-z])(?=[A-Z])", word[:letters])]
        if len(word) > letters and capitals:
            cut = capitals[-1]
            words[n] = f"{word[:cut]}- {word[cut:]}"
    return wrapped(" ".join(words), letters, 2)


def _join(
    branch: Branch, chain: Chain, spots: dict[str, float], y: int, in_time: list[str]
) -> tuple[list[dict[str, Any]], set[float]]:
    """Return the lines between neighbours, and how far they are bent; `in_time` are the papers'
    ids from left to right.
    """
    steps = branch.trend.steps if branch.trend else ()
    trend = {(step.earlier, step.later): step.how for step in steps}
    given = hops(branch)
    lines, bends = [], set()
    for a, b in pairwise(chain.papers) if chain.ordered else ():
        # One that passes over other papers goes around them, against time below and otherwise
        # above.
        forward = in_time.index(b.id) - in_time.index(a.id)
        bend = 0.0
        if forward != 1:
            bend = BEND if forward > 0 else -BEND
        bends.add(bend)
        pair = (a.id, b.id)
        how = edge(a, b, given.get(pair), trend.get(pair, ""))
        lines += _draw_edge((spots[a.id], spots[b.id]), (y, bend), how)
    return lines, bends


def _draw_edge(
    ends: tuple[float, float], height: tuple[float, float], how: Edge
) -> list[dict[str, Any]]:
    # The line itself takes no part in hovering and clicking, so that the papers do; a mark in its
    # middle says how one led to the next.
    (start, end), (y, bend), (colour, dash) = ends, height, STYLES[how.kind]
    middle = (start + end) / 2
    shape = "spline" if bend else "linear"
    line = {
        "type": "scatter",
        "x": [start, middle, end],
        "y": [y, y + bend, y],
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": colour, "width": 2, "dash": dash, "shape": shape},
    }
    sign = "triangle-right" if end >= start else "triangle-left"
    mark = {
        "type": "scatter",
        "x": [middle],
        "y": [y + bend],
        "mode": "markers",
        "text": [wrapped(how.said)],
        "unselected": {"marker": {"opacity": 1}},
        "marker": {"symbol": sign, "size": 11, "color": colour},
        "hovertemplate": "%{text}<extra></extra>" if how.said else None,
        "hoverinfo": None if how.said else "skip",
    }
    return [line, mark]


def _draw_papers(
    n: int, links: Sequence[Link], spots: dict[str, float], y: int
) -> list[dict[str, Any]]:
    def places(chosen: Sequence[Link]) -> dict[str, Any]:
        return {
            "type": "scatter",
            "x": [spots[link.paper.id] for link in chosen],
            "y": [y] * len(chosen),
            "mode": "markers",
            "unselected": {"marker": {"opacity": 1}},
        }

    traces = [
        places(links)
        | {
            "customdata": [[n, link.paper.id] for link in links],
            "marker": {
                "size": [_size(link.paper) for link in links],
                "color": of_branch(n),
                "opacity": 1,
                "symbol": [symbol(link) for link in links],
            },
            "hovertext": [_hover(link) for link in links],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "selected": {"marker": {"opacity": 1, "size": 23}},
        }
    ]
    if rings := [link for link in links if link.milestone]:
        sizes = [_size(link.paper) + 9 for link in rings]
        ring = {"symbol": "circle-open", "color": INK, "size": sizes, "line": {"width": 2}}
        traces.append(places(rings) | {"hoverinfo": "skip", "marker": ring})
    if pins := [link for link in links if link.pinned]:
        dot = {"symbol": "circle", "color": "#ffffff", "size": 6}
        traces.append(places(pins) | {"hoverinfo": "skip", "marker": dot})
    return traces


def _hover(link: Link) -> str:
    paper = link.paper
    facts = [f"{paper.title} ({said_date(paper)})", *marks(link)]
    if paper.citations is not None:
        facts.append(f"{paper.citations:,} citations")
    return wrapped(", ".join(facts))


def symbol(link: Link) -> str:
    """Return the shape of a paper's node: the anchor a diamond, what a person put in a square."""
    return {"anchor": "diamond", "person": "square"}.get(link.hop, "circle")


def _size(paper: Paper) -> float:
    return 15.0 if paper.citations is None else 10.6 + 2.4 * min(8.0, (paper.citations + 1) ** 0.25)
