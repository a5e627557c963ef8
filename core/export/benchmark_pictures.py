"""The leaderboard and the trade-off of a benchmark as pictures, for papers and slides; without a
browser.
"""

from collections.abc import Callable

from matplotlib.figure import Figure

from core.benchmark.board import Board, BoardRow, Spread
from core.benchmark.figures.board import led_by, ranked
from core.benchmark.figures.gallery import KINDS as FIGURE_KINDS
from core.benchmark.figures.gallery import Missing, attempted
from core.benchmark.findings import BenchFindings
from core.charts.pictures import INK, RUST, TEAL, cut, draw_interval, name_rows, quiet, saved

LINE, LONGEST = 0.24, 40
"""Height of a row in inches; letters of a name that are drawn."""
FEW = 12
"""Models that are all named in the trade-off."""
KINDS = ("svg", "png")


def pictures(found: BenchFindings) -> tuple[dict[str, bytes], tuple[Missing, ...]]:
    """Return the pictures there are figures for, as SVG and PNG (200 dots per inch), by file name;
    and those that are missing.
    """
    made: dict[str, bytes] = {}
    missing = []
    asked: tuple[tuple[str, str, Callable[[], Figure | None]], ...] = (
        ("leaderboard", "leaderboard", lambda: _leaderboard(found.board)),
        ("pareto", "trade-off", lambda: _trade_off(found.board, found.pareto)),
    )
    for name, of, draw in asked:
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
            made |= {f"{name}.{kind}": data for kind, data in drawn.items()}
    return made, tuple(missing)


def _leaderboard(board: Board) -> Figure | None:
    """Draw every model's average with its 95 % interval, the best on top; the first and what is not
    told apart from it is hollow.

    Where no two ideas were compared there is no average, and another of the figures stands for it.
    """
    by = led_by(board)
    rows = ranked(board, by)
    if not rows:
        return None
    figure = Figure(figsize=(8, 1.2 + LINE * len(rows)), layout="constrained")
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
    name_rows(axes, [cut(row.model, LONGEST) for row in rows])
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
    told = rows if len(rows) <= FEW else on
    for row, x, y in zip(told, *_points(told), strict=True):
        axes.annotate(
            cut(row.model, LONGEST),
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
    return [row.feasibility.value or 0.0 for row in rows], [
        row.originality.value or 0.0 for row in rows
    ]
