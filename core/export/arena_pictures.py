"""The grid of an arena as a picture: ratings by criterion and method, models beside people, for
papers and slides; without a browser.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from core.charts.pictures import INK, RUST, TEAL, cut, draw_interval, name_rows, quiet, saved
from core.records import Table, Value

COLOURS, MARKS = {"models": TEAL, "people": RUST}, {"models": "o", "people": "D"}
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
        axes.axvline(1000, color=INK, linewidth=0.6, linestyle=":", zorder=1)
        name_rows(axes, [cut(name, LONGEST) for name in players])
        axes.set_ylim(len(players) - 0.5, -0.5)
        quiet(axes)
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
        draw_interval(axes, one.low, one.high, at, COLOURS[side])
    axes.plot(
        [one.mean for _, one in held],
        [at for at, _ in held],
        MARKS[side],
        color=COLOURS[side],
        markersize=5,
        label=f"votes of {side}",
        zorder=3,
    )
