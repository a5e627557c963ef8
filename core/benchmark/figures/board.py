"""The leaderboard as figures: every model with its interval, and what it pays in feasibility for
originality.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from core.benchmark import tables
from core.benchmark.board import Board, BoardRow, Spread, pareto
from core.benchmark.figures.drawing import (
    MARKED,
    OWN,
    PUBLISHED,
    ROW,
    laid_out,
    named_rows,
    short,
)
from core.charts.labels import ROOM, label, spanned
from core.charts.style import (
    DrawnFigure,
    colour_bar,
    dots,
    font_of,
    interval_bars,
    plain,
)
from core.tables.cells import spread
from core.wording.numbers import counted

FEW = 12
"""Models that are all named in the trade-off; of more only those on the front are."""
SMALL, LARGE = 11.0, 30.0
"""Diameters of the least and the greatest fluency, in pixels."""
THIN, THICK = 0.6, 4.0
"""Widths of the edge at the least and the greatest clarity, in pixels."""
SHADES = "Viridis"
NEUTRAL, WITHOUT = "#a9adb3", "grey: no flexibility"
"""Of models of whose ideas no two were compared."""
HIGH, COLOURS = 470, 70
"""Height of the trade-off, and what its bar of colours takes at its side, in pixels."""


def led_by(board: Board) -> str:
    """Return the figure a leaderboard is drawn by: the average, or where no two ideas were compared
    the first there is.
    """
    return next((name for name in tables.SHOWN if ranked(board, name)), tables.SHOWN[0])


def standing(
    board: Board, ink: str, published: Board | None = None, by: str = "average"
) -> DrawnFigure | None:
    """Draw one of the six figures of every model as a dot with its 95 % interval, the best on top;
    published ones below, in a part of their own.
    """
    held = ranked(board, by)
    beside = ranked(published, by) if published else []
    if not held:
        return None
    import plotly.graph_objects as go

    figure = go.Figure()
    colour = PUBLISHED if board.published else OWN
    for name, mark, mine in _looks(board, held, by):
        if mine:
            figure.add_trace(_dots([held[n] for n in mine], mine, by, colour, mark, name))
    if beside:
        at = [n + len(held) + 1 for n in range(len(beside))]
        figure.add_trace(_dots(beside, at, by, PUBLISHED, "diamond-open", MARKED))
    names = short([row.model for row in held])
    if beside:
        names += [f"<i>{MARKED}</i>", *short([row.model for row in beside])]
    legend = len(figure.data) > 1 or figure.data[0].marker.symbol != "circle"
    across = f"{by.capitalize()} (1 to 10; bar: 95 % interval)"
    laid_out(figure, across, "", ink, 30 + ROW * len(names), legend)
    named_rows(figure, names)
    figure.update_xaxes(showgrid=True)
    title = f"{by.capitalize()} of each model"
    return DrawnFigure(f"board-{by}", title, figure, tables.board(board, published))


def _looks(board: Board, held: Sequence[BoardRow], by: str) -> list[tuple[str, str, list[int]]]:
    """Return what is said of dots of one look, their mark, and the rows that have it."""
    rows = list(range(len(held)))
    if board.published:
        return [(MARKED, "diamond-open", rows)]
    tied = {held[0].model, *held[0].tied}
    if by != "average" or len(tied) == 1:
        return [("this benchmark", "circle", rows)]
    apart = [n for n, row in enumerate(held) if row.model not in tied]
    first = [n for n, row in enumerate(held) if row.model in tied]
    return [
        ("told apart from the first", "circle", apart),
        ("the first, and who is not told apart from it", "circle-open", first),
    ]


def ranked(board: Board, by: str) -> list[BoardRow]:
    """Return the rows that have a figure, the best first."""
    held = [row for row in board.rows if getattr(row, by).value is not None]
    return sorted(held, key=lambda row: (-(getattr(row, by).value or 0.0), row.rank))


def _dots(
    rows: Sequence[BoardRow], at: Sequence[int], by: str, colour: str, mark: str, name: str
) -> Any:
    spreads: list[Spread] = [getattr(row, by) for row in rows]
    texts = [
        f"{row.model}: {by} {spread(figure).said}"
        + (f", {counted(row.keywords, 'keyword')}" if row.keywords else "")
        for row, figure in zip(rows, spreads, strict=True)
    ]
    marker = {"size": 9, "symbol": mark, "color": colour, "line": {"width": 1.8, "color": colour}}
    return dots(
        [figure.value for figure in spreads],
        at,
        marker,
        list(map(plain, texts)),
        name=plain(name),
        error_x=interval_bars(spreads, colour),
    )


# -- feasibility against originality -----------------------------------------------------------


def trade_off(board: Board, ink: str, published: Board | None = None) -> DrawnFigure | None:
    """Draw originality against feasibility: size is fluency, colour flexibility, the edge clarity;
    the line is the Pareto front (figure 5 of the paper).
    """
    # The smallest are drawn last, on top.
    held = sorted(
        (
            row
            for row in board.rows
            if row.feasibility.value is not None and row.originality.value is not None
        ),
        key=lambda row: -(row.fluency.value or 0.0),
    )
    if not held:
        return None
    import plotly.graph_objects as go

    front, figure = pareto(board), go.Figure()
    beside = (
        [row for row in published.rows if row.feasibility.value is not None] if published else []
    )
    spans = [spanned([_at(row)[axis] for row in (*held, *beside)], 0.4) for axis in (0, 1)]
    on = sorted(
        (row for row in held if row.model in front), key=lambda row: (_at(row)[0], -_at(row)[1])
    )
    steps = [(spans[0][0], _at(on[0])[1]), *map(_at, on), (_at(on[-1])[0], spans[1][0])]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in steps],
            y=[y for _, y in steps],
            mode="lines",
            name="Pareto front",
            hoverinfo="skip",
            line={"shape": "vh", "color": ink, "width": 1.5, "dash": "dot"},
        )
    )
    if beside:
        marker = {"symbol": "diamond-open", "size": 8, "color": PUBLISHED}
        texts = [plain(f"{MARKED}: {_said(row)}") for row in beside]
        x, y = zip(*map(_at, beside), strict=True)
        figure.add_trace(dots(x, y, marker, texts, name=MARKED))
    for coloured in (False, True):
        part = [row for row in held if (row.flexibility.value is not None) == coloured]
        if part:
            figure.add_trace(_bubbles(part, held, front, ink))
    _keys(figure, held, ink)
    laid_out(figure, "Feasibility", "Originality", ink, HIGH, legend=True)
    figure.update_xaxes(range=spans[0])
    figure.update_yaxes(range=spans[1])
    named = held if len(held) <= FEW else on
    lines = [
        box
        for (left, y), (x, down) in pairwise(steps)
        for box in ((left, down, left, y), (left, down, x, down))
    ]
    label(
        figure,
        list(zip(map(_at, named), short([row.model for row in named]), strict=True)),
        [_at(row) for row in (*held, *beside)],
        lines,
        ink,
        (ROOM - COLOURS, HIGH),
    )
    table = tables.trade_off(board, front, published)
    return DrawnFigure("trade-off", "Feasibility and originality", figure, table)


def _at(row: BoardRow) -> tuple[float, float]:
    return row.feasibility.value or 0.0, row.originality.value or 0.0


def _said(row: BoardRow) -> str:
    figures = ", ".join(
        f"{name} {spread(getattr(row, name)).number}"
        for name in ("feasibility", "originality", "fluency", "flexibility", "clarity")
    )
    return f"{row.model}: {figures}"


def _scaled(values: Sequence[float | None], low: float, high: float) -> list[float]:
    """Return each value's place between two sizes; the middle where there is nothing to compare."""
    least, most = _reach(values)
    return [
        (
            (low + high) / 2
            if one is None or most == least
            else low + (high - low) * (one - least) / (most - least)
        )
        for one in values
    ]


def _bubbles(
    rows: Sequence[BoardRow], held: Sequence[BoardRow], front: frozenset[str], ink: str
) -> Any:
    """Return the marks of some of the models held, sized as among all of these; without flexibility
    they have no place among its colours.
    """
    known = rows[0].flexibility.value is not None
    sizes, edges = (
        _scaled([getattr(row, name).value for row in held], *ends)
        for name, ends in (("fluency", (SMALL, LARGE)), ("clarity", (THIN, THICK)))
    )
    mine = [n for n, row in enumerate(held) if row in rows]
    marker: dict[str, Any] = {
        "size": [sizes[n] for n in mine],
        "opacity": 0.85,
        "line": {"color": ink, "width": [edges[n] for n in mine]},
        "color": [row.flexibility.value for row in rows] if known else NEUTRAL,
    }
    if known:
        bar = colour_bar("Flexibility", font_of(ink))
        marker |= {"colorscale": SHADES, "showscale": True, "colorbar": bar}
    texts = [
        plain(_said(row)) + ("<br>on the Pareto front" if row.model in front else "")
        for row in rows
    ]
    x, y = zip(*map(_at, rows), strict=True)
    return dots(x, y, marker, texts, showlegend=not known, name="" if known else WITHOUT)


def _keys(figure: Any, held: Sequence[BoardRow], ink: str) -> None:
    """Say in the legend what size and edge mean, at the least and the greatest there are; sizes in
    words, since no mark of a legend is over 16 pixels.
    """
    import plotly.graph_objects as go

    (small, large), (thin, thick) = (
        _reach([getattr(row, name).value for row in held]) for name in ("fluency", "clarity")
    )
    sizes = [(f"size: fluency {small:.2f} to {large:.2f}", 1.0)] if small < large else []
    edges = [(f"clarity {thin:.2f}", THIN), (f"clarity {thick:.2f}", THICK)] if thin < thick else []
    for name, edge in (*sizes, *edges):
        figure.add_trace(
            go.Scatter(
                x=[None],
                y=[None],
                mode="markers",
                name=name,
                hoverinfo="skip",
                marker={
                    "color": "rgba(0,0,0,0)",
                    "size": 13,
                    "line": {"color": ink, "width": edge},
                },
            )
        )


def _reach(values: Sequence[float | None]) -> tuple[float, float]:
    known = [one for one in values if one is not None]
    return min(known, default=0.0), max(known, default=0.0)
