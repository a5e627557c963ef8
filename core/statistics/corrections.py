"""What several tests cost: p-values corrected for their number."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

CorrectionName = Literal["Holm", "Bonferroni"]
PValues = Sequence[float | None]


def holm(p: PValues) -> list[float | None]:
    """Return p-values corrected by Holm's step-down method, in the order given; None, where no test
    could be made, stays None and is not counted.
    """
    corrected: list[float | None] = [None] * len(p)
    rising = sorted((value, at) for at, value in enumerate(p) if value is not None)
    highest = 0.0
    for tests_left, (value, at) in zip(range(len(rising), 0, -1), rising, strict=True):
        highest = max(highest, value * tests_left)
        corrected[at] = min(highest, 1.0)
    return corrected


def bonferroni(p: PValues) -> list[float | None]:
    """Return p-values times their number, at most 1; None stays None and is not counted."""
    tests = sum(value is not None for value in p)
    return [None if value is None else min(value * tests, 1.0) for value in p]


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """Return p-values corrected so that at most their level of rejections is false on average,
    however the tests depend on each other, in the order given.

    Source: Benjamini and Yekutieli (2001), The control of the false discovery rate in multiple
    testing under dependency, theorem 1.3.
    """
    m = len(p)
    order = np.argsort(p)
    ranks = np.arange(1, m + 1)
    scaled = np.asarray(p)[order] * m * float((1 / ranks).sum()) / ranks
    least = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    corrected = np.empty(m)
    corrected[order] = least
    return [float(value) for value in corrected]


CORRECTIONS: dict[CorrectionName, Callable[[PValues], list[float | None]]] = {
    "Holm": holm,
    "Bonferroni": bonferroni,
}
