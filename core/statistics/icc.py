"""Intraclass correlation: how much of what scores vary by is due to the items, for one rater and
for the mean of all.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from scipy import special  # type: ignore[import-untyped]

from core.statistics.intervals import COEFFICIENT, FEWEST, LEVEL, Figure, Floats
from core.statistics.matrix import Matrix
from core.statistics.statistic import (
    Statistic,
    beside_chance,
    between,
    of_figure,
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

    def through(self, change: Callable[[float], float]) -> "_Estimate":
        """Return the estimate on another scale; `change` must rise."""
        return _Estimate(*map(change, self))


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
    n = len(block.items)
    raters = len(ratings.raters)
    reason = _refuse(ratings, n, who)
    if not reason:
        found = anova(block.values)
        if found.rows <= _smallest(block.values):
            reason = (
                "All ideas have the same mean score, so there is nothing for raters to agree on."
            )
    if reason:
        return tuple(refused(name, about, n, reason, raters=raters) for name in NAMES)
    over = f"{raters} {who}, complete two-way table"
    if left_out := len(ratings.items) - n:
        ideas = counted(left_out, "idea")
        over += f"; {ideas} that not all rated left out (Krippendorff's alpha takes them)"
    tiny = _smallest(block.values)
    return tuple(_statistic(name, about, found, tiny, who, over) for name in NAMES)


def anova(scores: Floats) -> Anova:
    """Return the two-way mean squares of a complete table (items, raters) of at least 2 by 2."""
    n, k = scores.shape
    rows = scores.mean(axis=1)
    columns = scores.mean(axis=0)
    middle = scores.mean()
    residuals = scores - rows[:, None] - columns + middle
    of_rows = float(k * rows.var(ddof=1))
    of_columns = float(n * columns.var(ddof=1))
    error = float((residuals**2).sum() / ((n - 1) * (k - 1)))
    return Anova(n, k, of_rows, of_columns, error)


def consistency(found: Anova) -> _Estimate:
    """Return ICC(C,1) with its exact F interval."""
    n, k, rows, _, error = found
    left = n - 1
    right = left * (k - 1)
    f = rows / error
    # fdtri is the F distribution's quantile, by far quicker to import than scipy.stats.
    lower = f / special.fdtri(left, right, _UPPER)
    upper = f * special.fdtri(right, left, _UPPER)
    return _Estimate(f, lower, upper).through(lambda f: float((f - 1) / (f + k - 1)))


def absolute(found: Anova) -> _Estimate:
    """Return ICC(A,1) with its F interval, by Satterthwaite's degrees of freedom for the raters'
    and the error's mean square.
    """
    n, k, rows, columns, error = found
    between_items = rows - error
    noise = (k - 1) * error
    value = between_items / (rows + noise + k / n * (columns - error))
    # a = k r / (n (1 - r)) and b = 1 + (n - 1) a; put so, r = 1 needs no case of its own.
    a = between_items / (columns + (n - 1) * error)
    b = 1 + (n - 1) * a
    of_columns = (a * columns) ** 2 / (k - 1)
    of_error = (b * error) ** 2 / ((n - 1) * (k - 1))
    freedom = rows**2 / (of_columns + of_error)
    rest = k * columns + (k * n - k - n) * error
    lower = special.fdtri(n - 1, freedom, _UPPER)
    upper = special.fdtri(freedom, n - 1, _UPPER)
    low = n * (rows - lower * error) / (lower * rest + n * rows)
    high = n * (upper * rows - error) / (rest + n * upper * rows)
    return _Estimate(value, float(low), float(high))


def of_mean(single: float, k: int) -> float:
    """Return the reliability of the mean of k raters from one rater's, by Spearman and Brown; -inf
    where one rater's is too low to have one.
    """
    below = 1 + (k - 1) * single
    return k * single / below if below > 0 else -math.inf


def _refuse(ratings: Matrix, n: int, who: str) -> str:
    """Say why there is no ICC of a table of which all rated n items, or nothing."""
    raters = len(ratings.raters)
    if raters < 2:
        return f"An ICC needs 2 {who} or more; {raters_there(raters)}."
    if n >= FEWEST:
        return ""
    few = f"Only {n}" if n else "None"
    were = "was" if n < 2 else "were"
    return (
        f"{few} of {counted(len(ratings.items), 'idea')} {were} rated by all {raters} {who}: an"
        f" ICC needs {FEWEST}. Krippendorff's alpha takes ideas that some did not rate."
    )


def _smallest(scores: Floats) -> float:
    return _NOTHING * float((scores**2).mean())


def _statistic(name: str, about: str, found: Anova, tiny: float, who: str, over: str) -> Statistic:
    absolute_form = name.startswith("ICC(A")
    of_all = name.endswith("k)")
    n, k, rows, columns, error = found
    p = None
    if error <= tiny and (columns <= tiny or not absolute_form):
        how = f"{who} do not disagree anywhere, so no interval can be given"
        figure = Figure(1.0, None, None, n, how)
    else:
        estimate = absolute(found) if absolute_form else consistency(found)
        # A correlation of two raters: with few ideas the formula of absolute agreement goes below
        # -1. The mean of all has no lower end.
        change = partial(of_mean, k=k) if of_all else COEFFICIENT.cut
        value, low, high = estimate.through(change)
        if not math.isfinite(value):
            reason = "Ideas differ so little, beside what raters disagree by, that it has no value."
            return refused(name, about, n, reason, raters=k)
        p = float(special.fdtrc(n - 1, (n - 1) * (k - 1), rows / error)) if error > 0 else 0.0
        exact = "exact F interval"
        if absolute_form:
            exact = "F interval with Satterthwaite's degrees of freedom"
        figure = Figure(value, low, high, n, f"{exact} (McGraw and Wong 1996)")
        if not math.isfinite(low):
            figure = Figure(value, None, None, n, "ideas differ too little for an interval")
    whose = f"The mean of {k} {who}" if of_all else f"One of the {k} {who} alone"
    verb, severity = "is consistent", "set aside"
    if absolute_form:
        verb, severity = "agrees", "counted as disagreement"
    seen = f"{shown(figure.value or 0.0)}{between(figure.low, figure.high)}"
    chance = beside_chance(figure.low, figure.high, "which is what chance gives")
    reading = f"{whose} {verb} to {seen}, severity {severity}.{chance}"
    figure = figure._replace(how=f"{over}; {figure.how}")
    made = of_figure(figure, name, about, raters=k, reading=reading)
    return made.model_copy(update={"p": p, "label": LABELS[name]})
