"""The branches of a refinement as a tree: one lane a branch, one mark a round."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from components.refine import branch, family
from components.refine.family import FamilyLane
from components.refine.scene import RefineScene
from components.runs.states import badge
from components.shell import colours as chain_colours
from components.shell.colours import INK, of_branch
from components.shell.plots import clicked, lay_out_lanes, tool_bar, wrapped
from components.shell.text import counted, inline
from core.charts.style import plain
from core.records import Round

ROW, AXIS = 74, 78
"""Height in pixels of a lane, and of what is above and below all lanes."""


def draw(scene: RefineScene) -> None:
    """Draw the whole family of runs this one belongs to; a mark opens its round."""
    branch.go_on_there()
    lanes = family.lanes(scene.run, scene.story)
    here = f"{scene.run.id}:{scene.line.n}"
    if len(lanes) == 1:
        st.info(
            "This run has no branches yet. Open a round and choose “Branch from here” below it"
            " to go on from that version with another quality, model or rule; both runs then stand"
            " here side by side.",
            icon=":material/call_split:",
        )
    else:
        st.markdown("##### Branches: where each left, and how each of its rounds was judged")
    key = f"refine:tree:{scene.run.id}"
    st.plotly_chart(
        figure(lanes, here, chain_colours.ink()),
        key=key,
        on_select=partial(_open_round, key),
        selection_mode="points",
        config=tool_bar("branches"),
    )
    st.caption(
        "Filled: judged an improvement. Open: no improvement. Square: no verdict. Diamond:"
        " the first idea. Ring: the idea a run ended with. Cross: still to come. Click a mark to"
        " open its round; the list below says the same."
    )
    for lane in lanes:
        _row(lane, lane.id == here)


def figure(lanes: Sequence[FamilyLane], here: str, ink: str = INK) -> Any:
    """Return a Plotly figure: x = round, a row a lane; a selected point gives (run, line, round) as
    customdata.
    """
    import plotly.graph_objects as go

    paths, marks = map(_path, lanes), (_marks(lane, ink) for lane in lanes)
    last = max(map(_last, lanes))
    across = {
        "title": "Round",
        "dtick": max(1, round(last / 24)),
        "range": [-0.5, max(last, 3) + 0.5],
        "showgrid": True,
    }
    names = []
    for lane in lanes:
        name = f"{lane.n}. {wrapped(lane.name, 30, 3)}"
        names.append(f"<b>{name}</b>" if lane.id == here else name)
    layout = lay_out_lanes(names, AXIS + ROW * len(lanes), 230, ink, across)
    return go.Figure([*paths, *marks, _rings(lanes, ink)], layout)


def _path(lane: FamilyLane) -> dict[str, Any]:
    """Return the line of a lane: from the round it left, if it left one, to its last."""
    last, y = _last(lane), 1 - lane.n
    xs, ys = [0, last], [y, y]
    if lane.left:
        xs, ys = [lane.shared, lane.shared + 1, last], [1 - lane.left, y, y]
    return {
        "type": "scatter",
        "x": xs,
        "y": ys,
        "mode": "lines",
        "line": {"color": of_branch(lane.n), "width": 2},
        "hoverinfo": "skip",
    }


def _marks(lane: FamilyLane, ink: str) -> dict[str, Any]:
    spots: list[tuple[int, str, str]] = []
    if not lane.left and lane.line.first:
        spots.append((0, "diamond", "The first idea"))
    spots += [(one.n, *_look(one)) for one in lane.own]
    if lane.live:
        spots.append((_last(lane), "x-thin", "To come"))
    elif not spots:
        spots.append((_last(lane), "x-thin", "No round was made"))
    colour = of_branch(lane.n)
    return {
        "type": "scatter",
        "x": [x for x, _, _ in spots],
        "y": [1 - lane.n] * len(spots),
        "mode": "markers",
        "customdata": [(lane.run.id, lane.line.n, x) for x, _, _ in spots],
        "marker": {
            "symbol": [symbol for _, symbol, _ in spots],
            "size": 15,
            "color": colour,
            "opacity": 1,
            "line": {"width": 2.5, "color": colour},
        },
        "unselected": {"marker": {"opacity": 1}},
        "hovertext": [f"{plain(lane.name)}, {said}" for _, _, said in spots],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoverlabel": {"font": {"color": ink}},
    }


def _rings(lanes: Sequence[FamilyLane], ink: str) -> dict[str, Any]:
    """Return a ring around the idea each lane ended with, where that idea was made."""
    ended = [(lane, lane.line.outcome.round) for lane in lanes if lane.line.outcome]
    return {
        "type": "scatter",
        "x": [n for _, n in ended],
        "y": [1 - _maker(lanes, lane, n).n for lane, n in ended],
        "mode": "markers",
        "hoverinfo": "skip",
        "marker": {"symbol": "circle-open", "size": 27, "color": ink, "line": {"width": 2}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _maker(lanes: Sequence[FamilyLane], lane: FamilyLane, n: int) -> FamilyLane:
    """Return the lane that played round `n` of this one."""
    while lane.left and n <= lane.shared:
        lane = lanes[lane.left - 1]
    return lane


def _last(lane: FamilyLane) -> int:
    """Return the last round there is something to draw for."""
    least = lane.shared + 1 if lane.left else 0
    return max(least, lane.line.newest + (1 if lane.live else 0))


def _look(done: Round) -> tuple[str, str]:
    """Return the symbol of a round, and what is said of it."""
    if done.verdict is None:
        symbol, judged = "square", "no verdict"
    elif done.verdict.improved:
        symbol, judged = "circle", "improved"
    else:
        symbol, judged = "circle-open", "no improvement"
    goal = f", in {plain(done.goal)}" if done.goal else ""
    return symbol, f"round {done.n}: {judged}{goal}"


def _open_round(key: str) -> None:
    if data := clicked(key, 3):
        run, line, n = data
        branch.open_other(str(run), int(line), int(n))


def _row(lane: FamilyLane, here: bool) -> None:
    with st.container(border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(
                "pages/refine.py",
                label=f"{lane.n}\\. {inline(lane.name, 120)}",
                query_params=branch.address(lane.run.id, lane.line.n),
            )
            st.markdown(
                badge(lane.run) + (" :gray-badge[open now]" if here else ""), width="content"
            )
            st.markdown(f":small[{_ending(lane)}]", width="content")
        if lane.own or (not lane.left and lane.line.first):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.markdown(":small[Rounds]", width="content")
                for n in [*([] if lane.left else [0]), *(one.n for one in lane.own)]:
                    st.page_link(
                        "pages/refine.py",
                        label=str(n) if n else "first idea",
                        query_params=branch.address(lane.run.id, lane.line.n, n),
                    )


def _ending(lane: FamilyLane) -> str:
    left = ""
    if lane.left:
        after = f"round {lane.shared}" if lane.shared else "the first idea"
        left = f"Branched off branch {lane.left} after {after}. "
    if lane.line.outcome:
        return left + inline(lane.line.outcome.reason, 300)
    if lane.own:
        return left + f"{counted(len(lane.own), 'round')} so far."
    return left + f"No round {'of its own ' if lane.left else ''}is finished yet."
