"""Pictures for papers and slides, made without a browser: the ratings of an arena, the leaderboard
and the trade-off of a benchmark. Those of chains are drawn by `core.charts.chain_picture`.
"""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.benchmark.figures.board import led_by, rank_rows
from core.benchmark.figures.gallery import KINDS as FIGURE_KINDS
from core.benchmark.figures.gallery import Missing, attempted
from core.benchmark.results.board import Board, BoardRow, Spread
from core.benchmark.results.findings import BenchFindings
from core.charts.pictures import INK, RUST, TEAL, cut, draw_interval, name_rows, quiet, saved
from core.records import Table, Value

KINDS = ("svg", "png")


# -- arenas ------------------------------------------------------------------------------------

COLOURS, MARKS = {"models": TEAL, "people": RUST}, {"models": "o", "people": "D"}
PLAYER_HEIGHT, PANELS, LONGEST_PLAYER = 0.34, 3, 34
"""Height of a method in inches; panels in a row; letters of a name that are drawn."""


def arena_ratings(grid: Table, kind: str) -> bytes:
    """Return the grid of `core.judging.arena.tables` as `svg` or `png` (200 dots per inch), a panel
    for each criterion.
    """
    players, criteria = grid.head[2:], list(dict.fromkeys(row[0].text for row in grid.rows))
    down = -(-len(criteria) // PANELS)
    figure = Figure(
        figsize=(11, down * (1.0 + PLAYER_HEIGHT * len(players)) + 0.6), layout="constrained"
    )
    panels = figure.subplots(
        down, min(PANELS, len(criteria)), sharex=True, sharey=True, squeeze=False
    ).ravel()
    sides = list(dict.fromkeys(row[1].text for row in grid.rows))
    for axes, criterion in zip(panels, criteria, strict=False):
        for side in sides:
            values = next(
                (row[2:] for row in grid.rows if (row[0].text, row[1].text) == (criterion, side)),
                (),
            )
            _votes(axes, values, side, 0.0 if len(sides) == 1 else (-0.13, 0.13)[sides.index(side)])
        axes.set_title(criterion, fontsize=9, color=INK, loc="left", parse_math=False)
        axes.axvline(1000, color=INK, linewidth=0.6, linestyle=":", zorder=1)
        name_rows(axes, [cut(player, LONGEST_PLAYER) for player in players])
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


def _votes(axes: Axes, values: Sequence[Value], side: str, shift: float) -> None:
    colour, ratings, places = COLOURS[side], list[float](), list[float]()
    for place, value in enumerate(values):
        if value.mean is None:
            continue
        ratings.append(value.mean)
        places.append(place + shift)
        draw_interval(axes, value.low, value.high, place + shift, colour)
    of = f"votes of {side}"
    axes.plot(ratings, places, MARKS[side], color=colour, markersize=5, label=of, zorder=3)


# -- benchmarks --------------------------------------------------------------------------------

ROW_HEIGHT, LONGEST_MODEL = 0.24, 40
"""Height of a model in inches; letters of a name that are drawn."""
FEW = 12
"""Models that are all named in the trade-off."""


def benchmark_pictures(found: BenchFindings) -> tuple[dict[str, bytes], tuple[Missing, ...]]:
    """Return the pictures there are figures for, as SVG and PNG (200 dots per inch), by file name;
    and those that are missing.
    """
    files: dict[str, bytes] = {}
    missing = []
    drawings: tuple[tuple[str, str, Callable[[], Figure | None]], ...] = (
        ("leaderboard", "leaderboard", lambda: _leaderboard(found.board)),
        ("pareto", "trade-off", lambda: _trade_off(found.board, found.pareto)),
    )
    for name, of, draw in drawings:
        title = f"Picture {name}.svg, {name}.png"
        drawn = attempted(
            name,
            title,
            lambda: {kind: saved(figure, kind) for kind in KINDS} if (figure := draw()) else None,
        )
        if drawn is None:
            missing.append(Missing(name, title, FIGURE_KINDS[of].reason(found)))
        elif isinstance(drawn, Missing):
            missing.append(drawn)
        else:
            files |= {f"{name}.{kind}": data for kind, data in drawn.items()}
    return files, tuple(missing)


def _leaderboard(board: Board) -> Figure | None:
    """Draw every model's average with its 95 % interval, the best on top; the first and what is not
    told apart from it is hollow.

    Where no two ideas were compared there is no average, and another of the figures stands for it.
    """
    by = led_by(board)
    rows = rank_rows(board, by)
    if not rows:
        return None
    figure = Figure(figsize=(8, 1.2 + ROW_HEIGHT * len(rows)), layout="constrained")
    axes = figure.subplots()
    for at, row in enumerate(rows):
        spread: Spread = getattr(row, by)
        draw_interval(axes, spread.low, spread.high, at, TEAL)
        tied = by == "average" and (at == 0 or row.model in rows[0].tied)
        axes.plot(
            [spread.value or 0.0],
            [at],
            "o",
            color=TEAL,
            markerfacecolor="white" if tied else TEAL,
            markersize=5.5,
            zorder=3,
        )
    name_rows(axes, [cut(row.model, LONGEST_MODEL) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(
        (
            "Average of the five dimensions (1 to 10; bar: 95 % interval; hollow: the first, and"
            " what is not told apart from it)"
            if by == "average"
            else f"{by.capitalize()} (1 to 10; bar: 95 % interval)"
        ),
        fontsize=8,
    )
    quiet(axes)
    return figure


def _trade_off(board: Board, front: frozenset[str]) -> Figure | None:
    """Draw originality against feasibility; the Pareto front is a line, and its models are named;
    of few models all are.
    """
    rows = [
        row
        for row in board.rows
        if row.feasibility.value is not None and row.originality.value is not None
    ]
    if not rows:
        return None
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.subplots()
    axes.scatter(
        *_points(rows),
        s=[14 + 12 * (row.fluency.value or 0.0) for row in rows],
        color=TEAL,
        alpha=0.75,
        edgecolors=INK,
        linewidths=0.6,
        zorder=3,
    )
    on = sorted(
        (row for row in rows if row.model in front),
        key=lambda row: (row.feasibility.value or 0.0, -(row.originality.value or 0.0)),
    )
    axes.step(*_points(on), where="pre", color=RUST, linewidth=1.2, linestyle="--", zorder=2)
    named = rows if len(rows) <= FEW else on
    for row, x, y in zip(named, *_points(named), strict=True):
        axes.annotate(
            cut(row.model, LONGEST_MODEL),
            (x, y),
            xytext=(7, 7),
            textcoords="offset points",
            fontsize=8,
            color=INK,
            parse_math=False,
        )
    axes.margins(0.15)
    axes.set_xlabel("Feasibility", fontsize=9)
    axes.set_ylabel("Originality (larger: higher fluency; dashed: Pareto front)", fontsize=9)
    quiet(axes)
    return figure


def _points(rows: list[BoardRow]) -> tuple[list[float], list[float]]:
    feasible = [row.feasibility.value or 0.0 for row in rows]
    original = [row.originality.value or 0.0 for row in rows]
    return feasible, original
