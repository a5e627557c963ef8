"""Means and comparisons over the same targets: intervals, paired tests with effect sizes, and what
several comparisons cost.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.statistics.corrections import holm
from core.statistics.intervals import (
    ALIKE,
    FEWEST,
    FREE,
    RESAMPLES,
    Figure,
    Floats,
    Scale,
    by_cluster,
    by_t,
    of_alike,
    percentiles,
    ratio,
    refused,
    resampled,
    t_chance,
    t_width,
)

REPORTED = "paired t-test"
"""Whose p-value is reported and corrected, whatever the data: tables hold means, and this one tests
them. Wilcoxon's, of signed ranks, stands beside.
"""

OVER_SIGNS = 13
"""Pairs up to which Wilcoxon's p-value is exact although some differ by nothing or by the same
(scipy's rule).
"""


class TestResult(NamedTuple):
    """A test's statistic and two-sided p-value; None where it could not be made, and `note` says
    why, or how it was made.
    """

    statistic: float | None
    p: float | None
    effect: float | None
    """Cohen's d_z for t (mean difference by its standard deviation); the matched-pairs
    rank-biserial correlation for Wilcoxon's (-1 to 1).
    """
    note: str = ""


class TestedDifference(NamedTuple):
    """A difference with its 95 % interval and its two-sided test, by Student's t."""

    value: float
    low: float
    high: float
    error: float
    t: float
    df: float
    p: float


class PairedComparison(NamedTuple):
    """Two methods on the same targets."""

    a: str
    b: str
    n: int
    """Targets that both have a value for."""
    difference: Figure
    """Mean of a - b, with its t interval."""
    t: TestResult
    wilcoxon: TestResult
    p: float | None
    """Of the reported test (REPORTED)."""
    p_holm: float | None
    """The same, by Holm's correction for all comparisons made together."""


def mean_ci(values: Sequence[float], scale: Scale = FREE, unit: str = "values") -> Figure:
    """Return the mean of independent values with its 95 % interval by Student's t, cut at the ends
    of the scale; where all are alike, as `of_alike` has it.

    `unit` says what the values are of, as "targets".
    """
    n = len(values)
    if not n:
        return refused(0, "There are no values.")
    mean = float(np.mean(values))
    if n < 2:
        return Figure(mean, None, None, n, note="One value has no interval.")
    if _alike(values):
        return of_alike(mean, n, scale, n, unit)
    half = t_width(n - 1) * float(np.std(values, ddof=1)) / n**0.5
    return Figure(mean, mean - half, mean + half, n, f"Student's t over {n} {unit}").within(scale)


def tested(value: float, error: float, df: float) -> TestedDifference:
    """Return a difference, from its standard error and degrees of freedom."""
    half = t_width(df) * error
    t = value / error
    p = t_chance(t, df)
    return TestedDifference(value, value - half, value + half, error, t, df, p)


def clustered_ci(
    values: Sequence[float],
    clusters: Sequence[str],
    scale: Scale = FREE,
    unit: str = "clusters",
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Figure:
    """Return the mean of all values with its 95 % interval from resampling clusters; `n` counts the
    values, and `unit` says what clusters are, as "targets".

    With fewer than 10 clusters, which resampling takes for too sure, the interval is Student's t
    over clusters, cut at the ends of the scale. Where all clusters are alike it is as `of_alike`
    has it.
    """
    n = len(values)
    if not n:
        return refused(0, "There are no values.")
    mean = float(np.mean(values))
    sums = by_cluster(np.array(clusters), values, np.ones(n))
    count = len(sums)
    if count < 2:
        note = f"All values are of one {unit.removesuffix('s')}: no interval can be given."
        return Figure(mean, None, None, n, note=note)
    if _alike(ratio(sums).tolist()):
        return of_alike(mean, n, scale, count, unit)
    over = f"{count} {unit}"
    if count < FEWEST:
        ends = by_t(sums)
        made = "Student's t"
        note = f"With {over} the interval is rough; {FEWEST} or more are better."
    else:
        means = ratio(resampled(sums, resamples, seed))
        ends = percentiles(means, count)
        made, note = "bootstrap", ""
    if ends is None:
        return Figure(mean, None, None, n, note=f"The {over} are too few for an interval.")
    return Figure(mean, *ends, n, f"{made} over {over}", note).within(scale)


def compare(
    a: str,
    b: str,
    values: Mapping[str, Mapping[str, float]],
    scale: Scale = FREE,
    unit: str = "targets",
) -> PairedComparison:
    """Compare two methods over the targets both have; `values` is by method, then target, and on a
    scale. Holm's correction is for `comparisons`.
    """
    common = sorted(values[a].keys() & values[b].keys())
    of_a = np.array([values[a][target] for target in common])
    of_b = np.array([values[b][target] for target in common])
    # Thirds are not exact: 2/3 - 1/3 and 1/3 - 0 must be one difference, or ranks would tell them
    # apart.
    differences = np.round(of_a - of_b, 12)
    t = paired_t(differences)
    difference = mean_ci(differences.tolist(), scale.differences, unit)
    wilcoxon = signed_ranks(differences)
    return PairedComparison(a, b, len(common), difference, t, wilcoxon, t.p, t.p)


def comparisons(
    values: Mapping[str, Mapping[str, float]], scale: Scale = FREE, unit: str = "targets"
) -> list[PairedComparison]:
    """Compare every two methods, corrected by Holm for as many tests as could be made."""
    pairs = [compare(a, b, values, scale, unit) for a, b in combinations(values, 2)]
    corrected = holm([pair.p for pair in pairs])
    return [pair._replace(p_holm=p) for pair, p in zip(pairs, corrected, strict=True)]


def paired_t(differences: Floats) -> TestResult:
    """Test by Student's t whether the mean difference is 0."""
    n = len(differences)
    if n < 2:
        return _too_few_pairs(n)
    if _alike(differences.tolist()):
        reason = "All differences are equal, so that t has nothing to measure the mean by."
        return TestResult(None, None, None, reason)
    effect = float(differences.mean() / differences.std(ddof=1))
    t = effect * n**0.5
    return TestResult(t, t_chance(t, n - 1), effect, f"{n - 1} degrees of freedom")


def signed_ranks(differences: Floats) -> TestResult:
    """Test by Wilcoxon's signed ranks whether differences lie evenly around 0, as scipy does: zeros
    are left out, equal differences share their mean rank.
    """
    n = len(differences)
    zeros = int((differences == 0).sum())
    if n < 2:
        return _too_few_pairs(n)
    if zeros == n:
        return TestResult(None, None, None, "No pair differs.")
    # Half a second to import, which pages without tests should not wait for.
    from scipy import stats  # type: ignore[import-untyped]

    apart = differences[differences != 0]
    ranks = stats.rankdata(np.abs(apart))
    tied = len(np.unique(ranks)) < len(ranks)
    plus = float(ranks[apart > 0].sum())
    minus = float(ranks[apart < 0].sum())
    less = min(plus, minus)
    uneven = tied or zeros > 0
    if uneven and n <= OVER_SIGNS:
        p = _over_all_signs(ranks, less)
        how = "exact p-value over all signs"
    else:
        p = float(stats.wilcoxon(differences).pvalue)
        # As scipy's `auto` decides.
        how = "p-value by normal approximation" if uneven or n > 50 else "exact p-value"
    if zeros:
        how += f"; {zeros} of {n} pairs do not differ and are left out"
    if tied:
        how += "; equal differences share a rank"
    effect = (plus - minus) / (plus + minus)
    return TestResult(less, p, effect, how)


def _too_few_pairs(n: int) -> TestResult:
    there = "there is 1" if n else "there are none"
    return TestResult(None, None, None, f"A paired test needs 2 pairs or more; {there}.")


def _over_all_signs(ranks: Floats, less: float) -> float:
    """Return the two-sided p-value of the smaller sum of signed ranks, over all signs that ranks,
    halves among them, could have had.
    """
    # scipy, asked for the same, goes through the signs one by one: 0.8 seconds for 13 pairs, and a
    # table of nine methods has 36 such tests.
    doubled = np.rint(2 * ranks).astype(int)
    ways = np.ones(1)
    for rank in doubled:
        minus = np.pad(ways, (0, rank))
        plus = np.pad(ways, (rank, 0))
        ways = minus + plus
    as_small = ways[: round(2 * less) + 1].sum()
    return min(1.0, 2 * float(as_small / ways.sum()))


def improvement(before: float, after: float) -> float | None:
    """Return the relative change in percent, (after - before) / before: from 0.171 to 0.550 is
    +221.6, not the ratio's 322; None from 0 or below.
    """
    return 100 * (after - before) / before if before > 0 else None


def _alike(values: Sequence[float]) -> bool:
    # A difference of means of thirds is never quite 0.
    return max(values) - min(values) < ALIKE
