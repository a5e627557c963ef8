"""Intraclass correlation: how much of what scores vary by is due to the items, for one rater and
for the mean of all.
"""

import math
from typing import NamedTuple

from scipy import special  # type: ignore[import-untyped]

from core.statistics.intervals import COEFFICIENT, FEWEST, LEVEL, Floats
from core.statistics.matrix import Matrix
from core.statistics.statistic import (
    Statistic,
    beside_chance,
    between,
    raters_there,
    refused,
    shown,
)
from core.wording.numbers import counted

NAMES = ("ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)")
LABELS = {
    "ICC(A,1)": "ICC(2,1) in Shrout and Fleiss (1979)",
    "ICC(A,k)": "ICC(2,k) in Shrout and Fleiss (1979), ICC2k",
    "ICC(C,1)": "ICC(3,1) in Shrout and Fleiss (1979)",
    "ICC(C,k)": (
        "ICC(3,k) in Shrout and Fleiss (1979), ICC3k; LiveIdeaBench prints this consistency form as"
        ' "ICC(A,k)"'
    ),
}
_UPPER = (1 + LEVEL) / 2
_NOTHING = 1e-24
"""Mean squares below this share of the scores' own are rounding, which reaches 1e-31 of them."""


class Anova(NamedTuple):
    """Mean squares of a complete table of n items by k raters, one score a cell (McGraw and Wong's
    notation).
    """

    n: int
    k: int
    rows: float
    """Between items, n - 1 degrees of freedom."""
    columns: float
    """Between raters, k - 1."""
    error: float
    """What is left, (n - 1)(k - 1)."""


class _Estimate(NamedTuple):
    value: float
    low: float
    high: float


def iccs(ratings: Matrix, about: str, who: str = "experts") -> tuple[Statistic, ...]:
    """Return ICC(A,1), ICC(A,k), ICC(C,1), ICC(C,k) with 95 % intervals, over the items that every
    rater of the table rated.

    A is absolute agreement, where a rater's severity counts as disagreement, C consistency, where
    it does not; 1 is one rater's score, k the mean of all.
    `p` is of the F test that items do not differ. Each is refused with a reason under 2 raters or
    10 such items, and where items do not differ.
    Source: McGraw and Wong (1996), Psychological Methods 1, 30-46, tables 4 and 7 (two-way models,
    one score per cell).
    """
    block = ratings.complete()
    left_out = len(ratings.items) - len(block.items)
    reason = _reason(ratings, block, who)
    if not reason:
        found = anova(block.values)
        if found.rows <= _smallest(block.values):
            reason = (
                "All ideas have the same mean score, so there is nothing for raters to agree on."
            )
    if reason:
        return tuple(
            refused(name, about, len(block.items), reason, raters=len(ratings.raters))
            for name in NAMES
        )
    return tuple(_statistic(name, about, found, block, who, left_out) for name in NAMES)


def anova(scores: Floats) -> Anova:
    """Return the two-way mean squares of a complete table (items, raters) of at least 2 by 2."""
    n, k = scores.shape
    rows = scores.mean(axis=1)
    columns = scores.mean(axis=0)
    middle = scores.mean()
    left = scores - rows[:, None] - columns + middle
    return Anova(
        n,
        k,
        float(k * rows.var(ddof=1)),
        float(n * columns.var(ddof=1)),
        float((left**2).sum() / ((n - 1) * (k - 1))),
    )


def consistency(found: Anova) -> _Estimate:
    """Return ICC(C,1) with its exact F interval."""
    n = found.n
    k = found.k
    freedom = n - 1, (n - 1) * (k - 1)
    observed = found.rows / found.error
    # fdtri is the F distribution's quantile, by far quicker to import than scipy.stats.
    ends = (
        observed / special.fdtri(*freedom, _UPPER),
        observed * special.fdtri(*freedom[::-1], _UPPER),
    )
    return _Estimate(*(float((f - 1) / (f + k - 1)) for f in (observed, *ends)))


def absolute(found: Anova) -> _Estimate:
    """Return ICC(A,1) with its F interval, by Satterthwaite's degrees of freedom for the raters'
    and the error's mean square.
    """
    n, k, rows, columns, error = found
    value = (rows - error) / (rows + (k - 1) * error + k / n * (columns - error))
    # a = k r / (n (1 - r)) and b = 1 + (n - 1) a; put so, r = 1 needs no case of its own.
    a = (rows - error) / (columns + (n - 1) * error)
    b = 1 + (n - 1) * a
    freedom = rows**2 / ((a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    rest = k * columns + (k * n - k - n) * error
    lower = special.fdtri(n - 1, freedom, _UPPER)
    upper = special.fdtri(freedom, n - 1, _UPPER)
    low = n * (rows - lower * error) / (lower * rest + n * rows)
    return _Estimate(
        value, float(low), float(n * (upper * rows - error) / (rest + n * upper * rows))
    )


def of_mean(single: float, k: int) -> float:
    """Return the reliability of the mean of k raters from one rater's, by Spearman and Brown; -inf
    where one rater's is too low to have one.
    """
    below = 1 + (k - 1) * single
    return k * single / below if below > 0 else -math.inf


def _reason(ratings: Matrix, block: Matrix, who: str) -> str:
    raters = len(ratings.raters)
    n = len(block.items)
    if raters < 2:
        return f"An ICC needs 2 {who} or more; {raters_there(raters)}."
    if n < FEWEST:
        few = f"Only {n}" if n else "None"
        were = "was" if n < 2 else "were"
        return (
            f"{few} of {counted(len(ratings.items), 'idea')} {were} rated by all {raters} {who}: an"
            f" ICC needs {FEWEST}. Krippendorff's alpha takes ideas that some did not rate."
        )
    return ""


def _smallest(scores: Floats) -> float:
    return _NOTHING * float((scores**2).mean())


def _statistic(
    name: str, about: str, found: Anova, block: Matrix, who: str, left_out: int
) -> Statistic:
    kind = name[4]
    k = found.k
    how = f"{k} {who}, complete two-way table"
    if left_out:
        how += (
            f"; {counted(left_out, 'idea')} that not all rated left out (Krippendorff's alpha takes"
            " them)"
        )
    if found.error <= (tiny := _smallest(block.values)) and (kind == "C" or found.columns <= tiny):
        return Statistic(
            name=name,
            about=about,
            value=1.0,
            n=found.n,
            raters=k,
            label=LABELS[name],
            reading=_reading(name, 1.0, k, who),
            how=f"{how}; {who} do not disagree anywhere, so no interval can be given",
        )
    estimate = absolute(found) if kind == "A" else consistency(found)
    # A correlation of two raters: with few ideas the formula of absolute agreement goes below -1.
    # The mean of all has no lower end.
    estimate = _Estimate(
        *(of_mean(one, k) if name[6] == "k" else COEFFICIENT.cut(one) for one in estimate)
    )
    if not math.isfinite(estimate.value):
        reason = "Ideas differ so little, beside what raters disagree by, that it has no value."
        return refused(name, about, found.n, reason, raters=k)
    freedom = (found.n - 1, (found.n - 1) * (k - 1))
    p = float(special.fdtrc(*freedom, found.rows / found.error)) if found.error > 0 else 0.0
    low, high, method = None, None, "ideas differ too little for an interval"
    if math.isfinite(estimate.low):
        low = estimate.low
        high = estimate.high
        exact = "F interval with Satterthwaite's degrees of freedom"
        method = f"{exact if kind == 'A' else 'exact F interval'} (McGraw and Wong 1996)"
    return Statistic(
        name=name,
        about=about,
        value=estimate.value,
        low=low,
        high=high,
        p=p,
        n=found.n,
        raters=k,
        label=LABELS[name],
        how=f"{how}; {method}",
        reading=_reading(name, estimate.value, k, who, low, high),
    )


def _reading(
    name: str, value: float, k: int, who: str, low: float | None = None, high: float | None = None
) -> str:
    whose = f"The mean of {k} {who}" if name[6] == "k" else f"One of the {k} {who} alone"
    verb, severity = (
        ("agrees", "counted as disagreement") if name[4] == "A" else ("is consistent", "set aside")
    )
    chance = beside_chance(low, high, "which is what chance gives")
    return f"{whose} {verb} to {shown(value)}{between(low, high)}, severity {severity}.{chance}"
