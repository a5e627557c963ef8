"""The funnel: how many ideas go from stage to stage and what becomes of the others, as a Sankey
diagram and as a list for the keyboard, with the way to the evidence.
"""

from typing import Any

import streamlit as st

from components.shell import colours
from components.shell.paper_links import listed
from components.shell.plots import BARE, tool_bar, wrapped
from components.shell.text import counted, inline
from components.shortlist import steps
from core.charts.style import GREY, TEAL, font_of
from core.export.shortlist_report import (
    NAMES,
    WHY,
    Flow,
    FlowKind,
    describe_choices,
    describe_count,
    describe_distinct,
    list_flows,
    name_idea,
)
from core.methods.shortlist.so_far import Present, StageSoFar
from core.records import Run
from core.records.shortlist import SetAside

PERSON = "#c08a12"
"""What people do, as on the screens of the arena."""
COLOURS: dict[FlowKind, str] = {
    "goes on": TEAL,
    "known": colours.WRONG,
    "absorbed": "#5c6bc8",
    "dropped": PERSON,
    "added": PERSON,
    "ranked lower": GREY,
    "under way": GREY,
}
"""Red is prior work that has the idea, as in a novelty check's matrix."""
HEIGHT = 300
ICONS = {"done": ":material/check_circle:", "under way": ":material/progress_activity:"}
SAYS = (
    "Teal: goes on. Red: known already. Blue: joined with another. Amber: a person's doing. Grey:"
    " under way, or ranked lower. Hover over a band to read the titles."
)


def draw(run: Run, now: Present) -> None:
    """Draw the diagram, and the list that says the same."""
    found = list_flows(now)
    if found:
        st.plotly_chart(
            figure(now, found, colours.ink()),
            key=f"shortlist:funnel:{run.id}",
            config=tool_bar("shortlist"),
        )
        st.caption(SAYS)
    for at in now.stages:
        _stage(now, at)


def figure(now: Present, found: tuple[Flow, ...], ink: str) -> Any:
    """Return the diagram: a node for each stage and each end, a band for ideas that go from one to
    the other.
    """
    import plotly.graph_objects as go

    places = _places(now, found)
    names = [name for name, _ in places]
    at = {place: n for n, place in enumerate(names)}
    sums = {name: set() for name in names}  # type: dict[str, set[int]]
    for flow in found:
        sums[flow.start].update(flow.ideas)
        sums[flow.end].update(flow.ideas)
    drawn = go.Figure(
        go.Sankey(
            arrangement="snap",
            node={
                "label": [f"{name}: {len(sums[name])}" for name in names],
                "color": [colour for _, colour in places],
                "pad": 18,
                "thickness": 14,
                "line": {"width": 0},
                "hovertemplate": "%{label}<extra></extra>",
            },
            link={
                "source": [at[flow.start] for flow in found],
                "target": [at[flow.end] for flow in found],
                "value": [len(flow.ideas) for flow in found],
                "color": [_pale(COLOURS[flow.kind]) for flow in found],
                "customdata": [_titles(now, flow) for flow in found],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
            textfont={**font_of(ink, 12), "shadow": "none"},
        )
    )
    drawn.update_layout(height=HEIGHT, margin={"l": 8, "r": 8, "t": 12, "b": 12}, **BARE)
    return drawn


def _places(now: Present, found: tuple[Flow, ...]) -> list[tuple[str, str]]:
    """Return the nodes with their colours: the stages in order, then where ideas end."""
    kinds: dict[str, FlowKind] = {}
    for flow in found:
        kinds.setdefault(flow.start, "added" if flow.kind == "added" else "goes on")
        kinds.setdefault(flow.end, "goes on" if flow.kind == "added" else flow.kind)
    order = [NAMES[at.stage] for at in now.stages if NAMES[at.stage] in kinds]
    order += [name for name in kinds if name not in order]
    return [(name, COLOURS[kinds[name]]) for name in order]


def _pale(colour: str) -> str:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.35)"


def _titles(now: Present, flow: Flow) -> str:
    head = f"{counted(len(flow.ideas), 'idea')}: {flow.start} → {flow.end}"
    return "<br>".join([head, *(wrapped(name_idea(now, n), 70, 2) for n in flow.ideas[:12])])


# -- the same as a list ----------------------------------------------------------------------------


def _stage(now: Present, at: StageSoFar) -> None:
    icon = ICONS.get(at.state, ":material/circle:")
    colour = {"done": "green", "under way": "blue"}.get(at.state, "gray")
    said = f":{colour}[{icon}] **{NAMES[at.stage]}**: {describe_count(now, at)}."
    if known := describe_distinct(at):
        said += f" :gray[{inline(known)}]"
    lines = [_ended(now, one) for one in at.aside]
    lines += [f"- Added by a person: {inline(name_idea(now, n), 200)}" for n in at.added]
    lines += [f"- :red[Failed and left out:] {inline(one, 600)}" for one in at.lost]
    if at.choices and (did := describe_choices(at.choices)):
        lines.append(f"- {inline(at.choices.by or 'A person', 80)}: {did}.")
    st.markdown("\n".join([said, "", *lines]))


def _ended(now: Present, one: SetAside) -> str:
    evidence = steps.link(one.made, "evidence")
    paper = f" {listed(one.paper).removeprefix('- ')}" if one.paper else ""
    name = inline(name_idea(now, one.n), 200)
    return f"- **{name}**, {WHY[one.why]}: {inline(one.reason, 600)}{evidence}{paper}"
