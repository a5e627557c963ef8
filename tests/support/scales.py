"""Every interval in what a builder returns, with the scale it must stay on: figures, tables,
drawings and the words around them.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from core.benchmark.results.lengths import LineFit
from core.records import Table, Value
from core.statistics.clusters import Spread
from core.statistics.intervals import COEFFICIENT, FREE, SCORE, SHARE, Figure, Scale
from core.statistics.statistic import Statistic

ROOM = 1e-9
WIDTH = Scale(0.0, 9.0)
"""Of distances in points from 1 to 10."""
NAMED: tuple[tuple[str, Scale], ...] = (
    (
        r"ICC\([AC],1\)|Krippendorff's alpha.*|Pearson's r|Spearman's rho|Kendall's tau-b|tau-b|"
        r"Cohen's kappa",
        COEFFICIENT,
    ),
    (r"human ceiling \((Pearson's r|Spearman's rho)\)", COEFFICIENT),
    (r"ICC\([AC],k\)", Scale(-math.inf, 1.0)),
    (
        r"mean absolute (error|difference)|human ceiling \(mean absolute error\)|"
        r"standard deviation of scores",
        WIDTH,
    ),
    (r"severity|mean difference|difference of sources|drift over the list", SCORE.differences),
    (r"adjusted quality|expert mean|mean score|prediction-powered mean", SCORE),
    (
        r"straight-lining|exact agreement|left share|agreement with(out)? ties|self-agreement|both"
        r" weak|"
        r"share of .*|same answer",
        SHARE,
    ),
    (r"probability of superiority|winning rate|advantage probability", SHARE),
    (r"rank-biserial r|pull of the order shown", COEFFICIENT),
    (r"Kendall's W|Q|A\(Q\)|D\(S\)|target found|mean place", SHARE),
    (r"position term|rating", FREE),
)
SAID = re.compile(r"(?:95 % interval |\()(-?[\d.]+) to (-?[\d.]+)[,)]")
"""Ends in a sentence."""
BRACKETS = re.compile(r"\[\$?(-?[\d.]+)\$?, \$?(-?[\d.]+)\$?\]")
"""Ends in a cell."""


def scale_of(one: Statistic, scored: Scale = SCORE) -> Scale:
    """Return the scale of a statistic by its name, of scores on `scored`; a name nobody knows is a
    mistake in this test.
    """
    found = [scale for pattern, scale in NAMED if re.fullmatch(pattern, one.name)]
    assert len(found) == 1, f"no scale is known for {one.name!r}"
    of = {
        SCORE: scored,
        SCORE.differences: scored.differences,
        WIDTH: Scale(0.0, scored.high - scored.low),
    }
    return of.get(found[0], found[0])


def on_scale(
    what: str, value: float | None, low: float | None, high: float | None, scale: Scale
) -> None:
    """Fail where a figure or its interval lies beyond the scale, or where the interval has one end,
    or no sense.
    """
    assert (low is None) == (high is None), what
    for end in (value, low, high):
        if end is not None:
            assert math.isfinite(end), what
            assert scale.low - ROOM <= end <= scale.high + ROOM, (
                f"{what}: {value} [{low}, {high}] leaves {scale.low} to {scale.high}"
            )
    if low is not None and high is not None:
        assert low <= high, what


def figures_in(found: object) -> Iterator[Any]:
    """Yield every statistic, figure, spread, line and table anywhere in a record, a tuple or a
    mapping.
    """
    if isinstance(found, Statistic | Figure | Spread | LineFit | Table):
        yield found
    elif isinstance(found, BaseModel):
        for name in type(found).model_fields:
            yield from figures_in(getattr(found, name))
    elif isinstance(found, Mapping):
        for one in found.values():
            yield from figures_in(one)
    elif isinstance(found, tuple | list):
        for one in found:
            yield from figures_in(one)


def statistics_stay(found: object, scored: Scale = SCORE) -> list[Statistic]:
    """Check every statistic of scores on `scored`, with what its reading says; return them."""
    held = [one for one in figures_in(found) if isinstance(one, Statistic)]
    for one in held:
        scale = scale_of(one, scored)
        on_scale(f"{one.name}, {one.about}", one.value, one.low, one.high, scale)
        for ends in SAID.findall(one.reading):
            for end in map(float, ends):
                # Written to two digits.
                assert scale.low - 0.005 <= end <= scale.high + 0.005, one.reading
    return held


def cells_stay(
    tables: Iterable[Table], held: Iterable[Statistic], scales: Iterable[tuple[str, Scale]] = ()
) -> int:
    """Check every cell with an interval: by the scale of its column, or as one of the statistics
    that were checked; return how many there were.
    """
    known, n = {(one.low, one.high) for one in held}, 0
    for table in tables:
        for row in table.rows:
            for head, value in zip(table.head, row, strict=True):
                scale = next(
                    (
                        scale
                        for pattern, scale in scales
                        if re.fullmatch(pattern, f"{table.name}/{head}")
                    ),
                    None,
                )
                n += value.low is not None
                if scale is not None and value.low is not None:
                    on_scale(f"{table.name}, {head}", value.mean, value.low, value.high, scale)
                    _written(value, scale)
                elif value.low is not None or value.high is not None:
                    assert (value.low, value.high) in known, (
                        f"{table.name}/{head}: nothing is known of its scale"
                    )
    return n


def _written(value: Value, scale: Scale) -> None:
    factor = 100 if value.unit == "percent" else 1
    for ends in BRACKETS.findall(value.said.replace(" %", "")):
        for end in map(float, ends):
            assert factor * scale.low - ROOM <= end <= factor * scale.high + ROOM, value.said


def bars_stay(figure: Any, axis: str, scale: Scale) -> int:
    """Check the error bars of a drawing along `x` or `y`; return how many there were."""
    n = 0
    for trace in figure.data:
        bar = getattr(trace, f"error_{axis}", None)
        if bar is None or bar.array is None:
            continue
        for at, up, down in zip(trace[axis], bar.array, bar.arrayminus, strict=True):
            for end in (up, -down):
                if at is not None and end is not None and not math.isnan(end):
                    n += bool(end)
                    assert scale.low - ROOM <= at + end <= scale.high + ROOM, (
                        f"{trace.name}: {at} {end:+} leaves {scale.low} to {scale.high}"
                    )
    return n
