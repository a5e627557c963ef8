"""May a model judge stand in for experts? The alternative annotator test: each expert is left out
in turn, and the judge is held against him or her by how near either comes to the others.

Source: Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge,
section 3: alignment with the other annotators unit by unit, one-sided tests with a penalty epsilon
for what an annotator costs, Benjamini and Yekutieli's correction, and a winning rate of one half.
"""

from typing import Literal, NamedTuple

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.statistics.corrections import benjamini_yekutieli
from core.statistics.intervals import ALIKE, Floats

Alignment = Literal["distance", "same"]
"""Negative root mean square distance, of scores; the share of others who said the same, of
categories.
"""
LEVEL = 0.05
NORMAL_FROM = 30
"""Units of an expert from which the test is Student's t; under it Wilcoxon's signed ranks."""
PASSING = 0.5


class ExpertLeftOut(NamedTuple):
    """One expert against the judge, by the experts who stay."""

    expert: str
    n: int
    """Units that this expert, the judge and another expert scored."""
    judge: float
    """How often the judge is as near to the others as this expert, or nearer: the advantage
    probability.
    """
    human: float
    """How often this expert is as near as the judge, or nearer."""
    p: float
    """One-sided, of the judge being worse by epsilon or more."""
    corrected: float

    @property
    def won(self) -> bool:
        """Whether the judge stands in for this expert."""
        return self.corrected <= LEVEL


class AlternativeTest(NamedTuple):
    """The judge against every expert."""

    epsilon: float
    experts: tuple[ExpertLeftOut, ...]

    @property
    def winning_rate(self) -> float:
        """The share of experts whom the judge stands in for."""
        return sum(one.won for one in self.experts) / len(self.experts)

    @property
    def advantage(self) -> float:
        """The average advantage probability."""
        return sum(one.judge for one in self.experts) / len(self.experts)

    @property
    def passed(self) -> bool:
        """Whether the judge may stand in."""
        return self.winning_rate >= PASSING


def alternative_test(
    experts: tuple[str, ...],
    scores: Floats,
    judge: Floats,
    epsilon: float,
    alignment: Alignment = "distance",
    fewest: int = NORMAL_FROM,
) -> AlternativeTest | None:
    """Hold a judge's scores (units) against those of experts (units, experts); nan where there is
    none.

    A unit counts with the judge's score and those of two experts; an expert with `fewest` such
    units. None without such an expert.
    """
    known = np.isfinite(scores)
    counts = (known.sum(axis=1) >= 2) & np.isfinite(judge)
    found = []
    for column, expert in enumerate(experts):
        rows = np.flatnonzero(counts & known[:, column])
        if len(rows) < fewest:
            continue
        others = np.delete(scores[rows], column, axis=1)
        of_judge = _aligned(judge[rows], others, alignment)
        of_human = _aligned(scores[rows, column], others, alignment)
        as_near = of_judge >= of_human - ALIKE
        human = of_human >= of_judge - ALIKE
        p = _worse(human.astype(np.float64) - as_near, epsilon)
        found.append((expert, len(rows), float(as_near.mean()), float(human.mean()), p))
    if not found:
        return None
    corrected = benjamini_yekutieli([one[-1] for one in found])
    lines = (ExpertLeftOut(*one, p) for one, p in zip(found, corrected, strict=True))
    return AlternativeTest(epsilon, tuple(lines))


def _aligned(given: Floats, others: Floats, alignment: Alignment) -> Floats:
    """Return how near what was given is to what others gave, unit by unit."""
    if alignment == "same":
        same = np.where(np.isfinite(others), others == given[:, None], np.nan)
        shares: Floats = np.nanmean(same, axis=1)
        return shares
    squares = np.nanmean((others - given[:, None]) ** 2, axis=1)
    distances: Floats = -np.sqrt(squares)
    return distances


def _worse(differences: Floats, epsilon: float) -> float:
    """Return the one-sided p-value of the mean difference being epsilon or more."""
    n = len(differences)
    if n < NORMAL_FROM:
        from scipy import stats

        away = np.round(differences - epsilon, 12)
        return float(stats.wilcoxon(away, alternative="less").pvalue) if away.any() else 1.0
    spread = float(differences.std(ddof=1))
    far = float(differences.mean()) - epsilon
    if spread < ALIKE:
        return 0.0 if far < 0 else 1.0
    return float(special.stdtr(n - 1, far * n**0.5 / spread))
