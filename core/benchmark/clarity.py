"""Whether clearer ideas are judged more original and more feasible (LiveIdeaBench, supplementary
figure 5).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from core.benchmark.lengths import FitKind, LineFit, fits
from core.records import GroupDetail, Record
from core.statistics.intervals import RESAMPLES

Beside = Literal["originality", "feasibility", "both"]
BESIDE: tuple[Beside, ...] = ("originality", "feasibility", "both")
SCALE = FitKind("equally clear", "scored alike", 1.0, 10.0)


class Clarity(Record):
    """One figure of ideas against their clarity: lines, and how many ideas stand where."""

    beside: Beside
    """`both` is the mean of originality and feasibility."""
    fits: tuple[LineFit, ...]
    counts: tuple[tuple[float, float, int], ...]
    """(clarity, the other, ideas), in half points."""


def clarity(
    details: Mapping[tuple[int, int], GroupDetail],
    models: Sequence[str],
    resamples: int = RESAMPLES,
) -> tuple[Clarity, ...]:
    """Return originality, feasibility and the mean of the two against clarity, over judged ideas;
    each is a mean over the idea's judges.
    """
    ideas = [
        (keyword, model, *one[:3])
        for (model, keyword), detail in details.items()
        for one in detail.ideas
    ]
    return tuple(_beside(name, ideas, models, resamples) for name in BESIDE)


def _beside(
    name: Beside,
    ideas: Sequence[tuple[int, int, float, float, float]],
    models: Sequence[str],
    resamples: int,
) -> Clarity:
    points = [
        (keyword, model, c, {"originality": o, "feasibility": f, "both": (o + f) / 2}[name])
        for keyword, model, o, f, c in ideas
    ]
    counts = Counter((halves(c), halves(other)) for _, _, c, other in points)
    rows = (
        (keyword, model, 1, c, c * c, other, other * other, c * other)
        for keyword, model, c, other in points
    )
    return Clarity(
        beside=name,
        fits=fits(rows, models, SCALE, resamples=resamples),
        counts=tuple((*place, n) for place, n in sorted(counts.items())),
    )


def halves(score: float) -> float:
    """Return a score to the nearest half point, the upper one between two."""
    return int(2 * score + 0.5) / 2
