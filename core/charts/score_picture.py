"""The scores of a refinement by version as a picture for reports: Q against a target, items of the
checklist that hold, and similarity, a panel each, one above the other.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.charts.letters import stand_ins
from core.charts.pictures import INK, RUST, TEAL, quiet, saved
from core.records import Ranked, Standing
from core.story import Line

Rounds = Collection[int]
QOf = Callable[[Ranked], float]
"""Gives Q of a single ranking."""
GOALS = ((TEAL, "o"), ("#b5569b", "s"), ("#8a8a1f", "D"), (RUST, "^"))
"""Colour and mark of each quality, in the order they were first ranked in."""
NEAREST = "to the nearest\nbackground paper"
NEAR = (
    ("to the first idea", "to_first", "-", "o"),
    ("to the version before", "to_previous", ":", "s"),
    (NEAREST, "to_nearest", "--", "D"),
)
PANEL, FOOT = 1.7, 0.35
"""Heights in inches."""
BESIDE = 0.1
"""Versions between two qualities."""
MANY = 20
"""Versions that still have a tick each."""


class Panel(NamedTuple):
    """A part of the picture: what its axis says, from where to where, and how it is drawn."""

    label: str
    span: tuple[float, float]
    draw: Callable[[Axes], None]


def score_chart(line: Line, better: Rounds, q_of: QOf, kind: str, width: float) -> bytes:
    """Return every score of a line by version, so many inches wide, as `svg` or `png` (200 dots per
    inch); a line without any gives an empty picture. `better` are the rounds that count.
    """
    return saved(figure(line, better, q_of, width), kind)


def figure(line: Line, better: Rounds, q_of: QOf, width: float) -> Figure:
    """Return the panels there are scores for."""
    panels = _panels(line, better, q_of)
    size = (width, PANEL * max(1, len(panels)) + FOOT)
    drawn = Figure(figsize=size, layout="constrained")
    rows = drawn.subplots(max(1, len(panels)), 1, sharex=True, squeeze=False).ravel()
    for axes, panel in zip(rows, panels, strict=False):
        panel.draw(axes)
        axes.set_ylabel(panel.label, fontsize=8, color=INK)
        axes.set_ylim(*panel.span)
        _mark_end(axes, line)
        quiet(axes)
        handles, labels = axes.get_legend_handles_labels()
        beside = axes.legend(
            handles, labels, fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1, 1)
        )
        for text in beside.get_texts():
            text.set_parse_math(False)
    last = rows[-1]
    last.set_xlim(-0.4, line.newest + 0.4)
    last.set_xticks(range(0, line.newest + 1, 1 if line.newest <= MANY else 5))
    last.set_xlabel("Version (0: the first idea)", fontsize=8, color=INK)
    return drawn


def _panels(line: Line, better: Rounds, q_of: QOf) -> list[Panel]:
    versions = range(line.newest + 1)
    standings = {n: line.standings(n) for n in versions}
    panels = []
    if any(one.q is not None for several in standings.values() for one in several):
        label = "Q (bar: range over repeats)"
        panels.append(Panel(label, (-0.05, 1.05), lambda axes: _draw_q(axes, standings, q_of)))
    lists = {n: found for n in versions if (found := line.checklist(n)) and found.complete}
    if lists:
        most = max(len(one.items) for one in lists.values())
        all_items = {n: one.total for n, one in lists.items()}
        primary = {n: one.primary for n, one in lists.items()}

        def draw_items(axes: Axes) -> None:
            look: dict[str, Any] = {"color": INK, "linewidth": 1.1, "markersize": 4.5}
            axes.plot(*_points(all_items), "-o", label="all items", **look)
            look["markerfacecolor"] = "white"
            axes.plot(*_points(primary), "--D", label="primary items", **look)
            axes.set_yticks(range(0, most + 1, 2))

        panels.append(Panel("Items that hold", (-0.3, most + 0.3), draw_items))
    near = [
        value
        for done in line.rounds
        for _, field, *_ in NEAR
        if done.measures and (value := getattr(done.measures, field)) is not None
    ]
    if near:
        least = min(0.0, *near) - 0.03
        drawn = partial(_draw_near, line=line, better=better)
        panels.append(Panel("Similarity", (least, 1.05), drawn))
    return panels


def _points(values: dict[int, int]) -> tuple[list[int], list[int]]:
    return list(values), list(values.values())


def _draw_q(axes: Axes, standings: Mapping[int, Sequence[Standing]], q_of: QOf) -> None:
    goals = dict.fromkeys(one.goal for several in standings.values() for one in several)
    drawn = stand_ins(goals)
    for k, (goal, (colour, mark)) in enumerate(zip(goals, GOALS, strict=False)):
        held = {
            n: one
            for n, several in standings.items()
            for one in several
            if one.goal == goal and one.q is not None
        }
        # Equal scores of two qualities stand side by side.
        shift = BESIDE * (k - (len(goals) - 1) / 2)
        means = [one.q or 0.0 for one in held.values()]
        for n, one in held.items():
            qs = [q_of(ranked) for ranked in one.rankings]
            axes.vlines([n + shift], min(qs), max(qs), color=colour, linewidth=1, zorder=2)
        across = [n + shift for n in held]
        # A legend leaves out what begins with an underscore.
        axes.plot(
            across, means, f"-{mark}", color=colour, markersize=5, label=f" {drawn.get(goal, goal)}"
        )


def _draw_near(axes: Axes, line: Line, better: Rounds) -> None:
    """Draw the similarities, open where no improvement was found."""
    for name, field, stroke, mark in NEAR:
        points = [
            (done.n, near, done.n in better)
            for done in line.rounds
            if done.measures and (near := getattr(done.measures, field)) is not None
        ]
        first = line.measures(0)
        if name == NEAREST and first and first.to_nearest is not None:
            points = [(0, first.to_nearest, True), *points]
        if not points:
            continue
        axes.plot(
            [n for n, *_ in points],
            [near for _, near, _ in points],
            f"{stroke}{mark}",
            color=INK,
            linewidth=1,
            markersize=4.5,
            label=name,
        )
        open_ = [(n, near) for n, near, improved in points if not improved]
        axes.plot(
            [n for n, _ in open_],
            [near for _, near in open_],
            mark,
            color=INK,
            markerfacecolor="white",
            markersize=4.5,
        )


def _mark_end(axes: Axes, line: Line) -> None:
    """Mark the version at which the refinement converged."""
    if line.outcome and line.outcome.converged:
        axes.axvline(line.outcome.round, color=INK, linewidth=0.7, linestyle=":", zorder=1)
