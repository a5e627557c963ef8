"""The figures of a benchmark as tests look at them: those that are drawn."""

from typing import Any

from core.benchmark.figures.gallery import GROUPS, FigureRequest, gallery
from core.benchmark.results.findings import BenchFindings
from core.charts.style import DrawnFigure


def figures(found: BenchFindings, ink: str, *more: Any, **given: Any) -> tuple[DrawnFigure, ...]:
    """Return every figure there are points for."""
    return gallery(FigureRequest(found, ink, *more, **given), GROUPS).drawn


def figures_of(
    group: str, found: BenchFindings, ink: str, *more: Any, **given: Any
) -> tuple[DrawnFigure, ...]:
    """Return the figures of one group that there are points for."""
    return gallery(FigureRequest(found, ink, *more, **given), (group,)).drawn
