"""Tests of two independent samples: Welch's of their means, Mann and Whitney's of their ranks."""

import numpy as np

from core.statistics.intervals import ALIKE, Floats
from core.statistics.paired import TestedDifference, TestResult, tested

EXACT = 8
"""Values of the smaller sample up to which p of Mann and Whitney is exact without ties (scipy)."""


def welch(x: Floats, y: Floats) -> TestedDifference | str:
    """Test by Welch's t whether two means differ, or say why it cannot be tested."""
    n, m = len(x), len(y)
    # Means of thirds that are all the same differ by rounding.
    if max(np.ptp(x), np.ptp(y)) < ALIKE:
        return "have the same score, so that t has nothing to measure by"
    of_x = x.var(ddof=1) / n
    of_y = y.var(ddof=1) / m
    variance = of_x + of_y
    df = variance**2 / (of_x**2 / (n - 1) + of_y**2 / (m - 1))
    return tested(float(x.mean() - y.mean()), float(variance) ** 0.5, float(df))


def mann_whitney(x: Floats, y: Floats) -> TestResult:
    """Test by Mann and Whitney's U whether values of one sample tend to be larger, as scipy does:
    exact where nothing is tied and the samples are small, else by the normal distribution.
    """
    from scipy import stats  # type: ignore[import-untyped]

    together = np.concatenate([x, y])
    if np.ptp(together) < ALIKE:
        return TestResult(None, None, None, "All values are the same.")
    exact = len(np.unique(together)) == len(together) and min(len(x), len(y)) <= EXACT
    method = "exact" if exact else "asymptotic"
    found = stats.mannwhitneyu(x, y, method=method)
    how = "exact p-value" if exact else "p-value by normal approximation"
    return TestResult(float(found.statistic), float(found.pvalue), None, how)
