"""The judges of a benchmark: how strict each is, and how far they agree."""

from collections.abc import Sequence
from statistics import fmean

from core.benchmark.figures.drawing import LOOKS, OWN, ROW, frame, name_rows, short
from core.benchmark.results import tables
from core.benchmark.results.panel_figures import JudgeFigure
from core.charts.style import DrawnFigure, dots, interval_bars, plain
from core.records import BENCH_DIMENSIONS
from core.statistics.statistic import Statistic
from core.tables.cells import spread

APART = 0.24
"""How far the dimensions of one judge stand apart, in rows."""


def severity(found: Sequence[JudgeFigure], ink: str) -> DrawnFigure | None:
    """Draw how far each judge scores above (lenient) or below (strict) the others of the same
    ideas, the strictest on top.
    """
    held = [one for one in found if one.deviation.value is not None]
    if not held:
        return None
    import plotly.graph_objects as go

    strictness = {
        name: fmean([one.deviation.value or 0.0 for one in held if one.judge == name])
        for name in {one.judge for one in held}
    }
    judges = sorted(strictness, key=lambda name: (strictness[name], name))
    figure = go.Figure()
    for n, dimension in enumerate(BENCH_DIMENSIONS):
        mine = [one for one in held if one.dimension == dimension]
        colour, mark, _ = LOOKS[dimension]
        texts = [
            f"{one.judge}, {dimension}: {spread(one.deviation).said}, {one.deviation.n:,} judgments"
            for one in mine
        ]
        figure.add_trace(
            dots(
                [one.deviation.value for one in mine],
                [judges.index(one.judge) + (n - 1) * APART for one in mine],
                {"size": 9, "symbol": mark, "color": colour},
                list(map(plain, texts)),
                name=dimension,
                error_x=interval_bars([one.deviation for one in mine], colour),
            )
        )
    frame(
        figure,
        "Points above the other judges of the same ideas (below 0: strict; bar: 95 % interval)",
        "",
        ink,
        30 + 2 * ROW * len(judges),
        legend=True,
    )
    name_rows(figure, short(judges))
    figure.add_vline(x=0, line={"color": ink, "dash": "dot", "width": 1})
    return DrawnFigure("judges", "How strict each judge is", figure, tables.severity(found))


def agreement(found: Sequence[Statistic], ink: str) -> DrawnFigure | None:
    """Draw Krippendorff's alpha of each dimension with its interval."""
    held = [one for one in found if one.value is not None]
    if not held:
        return None
    import plotly.graph_objects as go

    looks = [LOOKS.get(one.about, (OWN, "circle", "")) for one in held]
    marker = {
        "size": 10,
        "color": [colour for colour, _, _ in looks],
        "symbol": [mark for _, mark, _ in looks],
    }
    figure = go.Figure(
        dots(
            [one.value for one in held],
            list(range(len(held))),
            marker,
            [plain(f"{one.about}: {one.reading}") for one in held],
            error_x=interval_bars(held, ink),
        )
    )
    frame(
        figure,
        f"{held[0].name} (0: chance, 1: the same; bar: 95 % interval)",
        "",
        ink,
        40 + 2 * ROW * len(held),
    )
    name_rows(figure, [plain(one.about) for one in held])
    lows = [one.low if one.low is not None else one.value or 0.0 for one in held]
    figure.update_xaxes(range=[min(0.0, *lows) - 0.05, 1.02])
    figure.add_vline(x=0, line={"color": ink, "dash": "dot", "width": 1})
    return DrawnFigure("agreement", "How far judges agree", figure, tables.agreement(found))
