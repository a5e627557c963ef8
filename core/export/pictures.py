"""Pictures for papers and slides, made without a browser: the graph of chains, the ratings of an
arena, the leaderboard and the trade-off of a benchmark.
"""

import textwrap
from collections.abc import Callable, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from core.benchmark.figures.board import led_by, rank_rows
from core.benchmark.figures.gallery import KINDS as FIGURE_KINDS
from core.benchmark.figures.gallery import Missing, attempted
from core.benchmark.results.board import Board, BoardRow, Spread
from core.benchmark.results.findings import BenchFindings
from core.charts.pictures import INK, RUST, TEAL, cut, draw_interval, name_rows, quiet, saved
from core.charts.timeline import positions, when
from core.records import Chain, Table, Value
from core.story import Branch

KINDS = ("svg", "png")


# -- chains ------------------------------------------------------------------------------------

ANCHOR, HOP, RING = "#f2b84b", "#8f8a7e", "#d1495b"
MARKERS = {"anchor": "D", "person": "s"}
LANE = 1.5
"""Height of a branch in inches."""


def chain_graph(
    branches: tuple[Branch, ...], best: int | None, kind: str, tied: bool = False
) -> bytes:
    """Return the graph of these branches as `svg` or `png` (200 dots per inch); `tied`: whether the
    best was chosen in a tie.
    """
    mark = " (chosen in a tie)" if tied else " (chosen)"
    figure = Figure(figsize=(11, 0.9 + LANE * len(branches)), layout="constrained")
    axes = figure.subplots()
    gap = crowding(branches)
    for lane, branch in enumerate(reversed(branches)):
        if branch.chain:
            draw_chain(axes, branch.chain, lane, gap)
        axes.annotate(
            f"Branch {branch.n}" + (mark if branch.n == best else ""),
            (0, lane + 0.42),
            xycoords=("axes fraction", "data"),
            fontsize=9,
            fontweight="bold",
            color=INK,
        )
    axes.set_ylim(-0.6, len(branches) - 0.4)
    axes.margins(x=0.08)
    axes.set_xlabel("Year of publication")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_yticks([])
    axes.spines[["left", "right", "top"]].set_visible(False)
    return saved(figure, kind)


def crowding(branches: tuple[Branch, ...]) -> float:
    """Return how many years two papers must be apart for their titles to stand side by side: a
    sixteenth of all that is drawn.
    """
    moments = []
    for branch in branches:
        papers = branch.chain.papers if branch.chain else ()
        moments += [moment for paper in papers if (moment := when(paper)) is not None]
    span = max(moments) - min(moments) if moments else 0.0
    return max(0.12, span / 16)


def draw_chain(axes: Axes, chain: Chain, lane: int, gap: float) -> None:
    """Draw one chain in its lane: anchor a diamond, milestones ringed, hops that are no citations
    dashed.
    """
    spots = positions(chain.papers, gap)
    for a, b in pairwise(chain.papers) if chain.ordered else ():
        style = "--" if a.near or b.near else "-"
        arrow = {"arrowstyle": "->", "color": HOP, "linestyle": style, "shrinkA": 7, "shrinkB": 7}
        axes.annotate("", (spots[b.id], lane), (spots[a.id], lane), arrowprops=arrow)
    for n, link in enumerate(chain.links):
        paper, above = link.paper, n % 2 == 0
        # In square points, by citations where they are known.
        area = 60.0 if paper.citations is None else 50 + 18 * min(8, (paper.citations + 1) ** 0.25)
        axes.scatter(
            [spots[paper.id]],
            [lane],
            s=area,
            marker=MARKERS.get(link.hop, "o"),
            color=ANCHOR if link.hop == "anchor" else TEAL,
            edgecolors=RING if link.milestone else "none",
            linewidths=2,
            zorder=3,
        )
        title = textwrap.wrap(paper.title.split(":")[0], 24, max_lines=2, placeholder=" …")
        axes.annotate(
            "\n".join([*title, str(paper.year or "undated")]),
            (spots[paper.id], lane),
            xytext=(0, 11 if above else -11),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            fontsize=7,
            color=INK,
            parse_math=False,
        )


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
