"""Whether clearer ideas are judged more original and more feasible (LiveIdeaBench, supplementary
figure 5).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Literal

from core.benchmark.results.lengths import FitKind, LineFit, fits
from core.records import GroupDetail, Record

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
    details: Mapping[tuple[int, int], GroupDetail], models: Sequence[str]
) -> tuple[Clarity, ...]:
    """Return originality, feasibility and the mean of the two against clarity, over judged ideas;
    each is a mean over the idea's judges.
    """
    ideas = [
        (keyword, model, *one[:3])
        for (model, keyword), detail in details.items()
        for one in detail.ideas
    ]
    beside = {
        "originality": [(k, m, c, o) for k, m, o, _, c in ideas],
        "feasibility": [(k, m, c, f) for k, m, _, f, c in ideas],
        "both": [(k, m, c, (o + f) / 2) for k, m, o, f, c in ideas],
    }
    return tuple(
        Clarity(
            beside=name,
            fits=fits(starmap(_sums, beside[name]), models, SCALE),
            counts=counted((halves(c), halves(other)) for _, _, c, other in beside[name]),
        )
        for name in BESIDE
    )


def _sums(keyword: int, model: int, c: float, other: float) -> tuple[float, ...]:
    return keyword, model, 1, c, c * c, other, other * other, c * other


def counted(places: Iterable[tuple[float, float]]) -> tuple[tuple[float, float, int], ...]:
    """Return how many points stand at each place, in the order of the places."""
    return tuple((x, y, n) for (x, y), n in sorted(Counter(places).items()))


def halves(score: float) -> float:
    """Return a score to the nearest half point, the upper one between two."""
    return int(2 * score + 0.5) / 2
