"""The grid of an arena as a picture: ratings by criterion and method, models beside people, for
papers and slides; without a browser.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from core.charts.files import saved
from core.records import Table, Value

COLOURS, MARKS = {"models": "#1f6f78", "people": "#b3541e"}, {"models": "o", "people": "D"}
INK, FAINT = "#22252a", "#d8d4cb"
LINE, ACROSS, LONGEST = 0.34, 3, 34
"""Height of a method in inches; panels in a row; letters of a name that are drawn."""


def picture(grid: Table, kind: str) -> bytes:
    """Return the grid of `core.judging.arena_tables` as `svg` or `png` (200 dots per inch), a panel
    for each criterion.
    """
    players, criteria = grid.head[2:], list(dict.fromkeys(row[0].text for row in grid.rows))
    down = -(-len(criteria) // ACROSS)
    figure = Figure(figsize=(11, down * (1.0 + LINE * len(players)) + 0.6), layout="constrained")
    panels = figure.subplots(
        down, min(ACROSS, len(criteria)), sharex=True, sharey=True, squeeze=False
    ).ravel()
    sides = list(dict.fromkeys(row[1].text for row in grid.rows))
    for axes, criterion in zip(panels, criteria, strict=False):
        for side in sides:
            values = next(
                (row[2:] for row in grid.rows if (row[0].text, row[1].text) == (criterion, side)),
                (),
            )
            _side(axes, values, side, 0.0 if len(sides) == 1 else (-0.13, 0.13)[sides.index(side)])
        axes.set_title(criterion, fontsize=9, color=INK, loc="left", parse_math=False)
        _quiet(axes, players)
    for axes in panels[len(criteria) :]:
        axes.set_visible(False)
    figure.supxlabel(
        "Bradley-Terry rating (mean 1000; 400 points are odds of 10 to 1; bar: 95 % interval from "
        "resampling topics)",
        fontsize=8,
    )
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside upper right",
        ncols=2,
        fontsize=8,
        frameon=False,
    )
    return saved(figure, kind)


def _side(axes: Any, values: Sequence[Value], side: str, shift: float) -> None:
    held = [(at + shift, one) for at, one in enumerate(values) if one.mean is not None]
    for at, one in held:
        if one.low is not None and one.high is not None:
            axes.plot([one.low, one.high], [at, at], color=COLOURS[side], linewidth=1.4, zorder=2)
    axes.plot(
        [one.mean for _, one in held],
        [at for at, _ in held],
        MARKS[side],
        color=COLOURS[side],
        markersize=5,
        label=f"votes of {side}",
        zorder=3,
    )


def _quiet(axes: Any, players: Sequence[str]) -> None:
    axes.axvline(1000, color=INK, linewidth=0.6, linestyle=":", zorder=1)
    names = [name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…" for name in players]
    axes.set_yticks(range(len(players)), names, fontsize=8, parse_math=False)
    axes.set_ylim(len(players) - 0.5, -0.5)
    axes.spines[["right", "top"]].set_visible(False)
    axes.grid(True, color=FAINT, linewidth=0.6, zorder=0)
    axes.tick_params(labelsize=8)
