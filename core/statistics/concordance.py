"""Kendall's coefficient of concordance W: how far several raters put the same ideas in the same
order.

M. G. Kendall and J. D. Gibbons, Rank Correlation Methods (5th ed., 1990), chapter 6: W, its
correction for ties, and the chi-square approximation.
"""

from collections.abc import Mapping

import numpy as np
from scipy import special  # type: ignore[import-untyped]

from core.statistics.intervals import Floats
from core.statistics.pooled import pooled, too_few_raters
from core.statistics.statistic import Statistic, refused, shown, significance

W = "Kendall's W"
PERMUTATIONS = 9_999
FEW_ITEMS = 7
"""Up to so many ideas the chi-square approximation is poor (Siegel and Castellan, 1988, section
9.6), and p comes from permutations.
"""


def kendalls_w(ranks: Floats) -> float:
    """Return W of mean ranks (raters, items), corrected for ties: 0 to 1, and 1 / raters by chance;
    nan where every rater ties everything.
    """
    return float(_w(ranks.sum(axis=0), _most_spread(ranks)))


def of_set(ranks: Floats, about: str) -> Statistic:
    """Return W of one set, ranks (experts, items), with the p-value of orders made by chance;
    refused with fewer than 2 experts.
    """
    m, n = ranks.shape
    if m < 2:
        return too_few_raters(W, about, "ideas", m)
    value = kendalls_w(ranks)
    if not np.isfinite(value):
        reason = "Every expert ties all ideas of this set, so that there is no order to agree on."
        return refused(W, about, n, reason, raters=m)
    if n <= FEW_ITEMS:
        p = _p_of_permutations(_permute(ranks, 0), value)
        made = f"{PERMUTATIONS:,} permutations"
    else:
        p = float(special.chdtrc(n - 1, m * (n - 1) * value))
        made = f"chi-square, {n - 1} degrees of freedom"
    return Statistic(
        name=W,
        about=about,
        value=value,
        p=p,
        n=n,
        raters=m,
        how=f"p from {made}; one set gives no interval",
        chance=1 / m,
        reading=(
            f"{m} experts agree on the order of {n} ideas at W = {shown(value)}, where chance gives"
            f" {shown(1 / m)}; {significance(p)}."
        ),
    )


def over_sets(blocks: Mapping[str, Floats], about: str, experts: int) -> Statistic:
    """Return the mean W over sets, each by name with its ranks (experts, items), with a bootstrap
    interval over sets.

    p is the share of shuffles, of every expert's ranks within every set, whose mean W is as high.
    Sets with one expert, or none, and sets in which everybody ties everything are left out. Of
    fewer than 10 sets the mean stands alone. Refused with fewer than 2 experts.
    """
    used = [block for block in blocks.values() if len(block) > 1 and _most_spread(block) > 0]
    chance = float(np.mean([1 / len(block) for block in used])) if used else None
    sums = np.array([(kendalls_w(block), 1.0) for block in used]).reshape(-1, 2)
    by_chance = f"where chance gives {shown(chance or 0)}"
    found = pooled(
        W,
        about,
        sums,
        lambda seen: f"The experts' orders agree at a mean W = {seen}, {by_chance}",
        "sets",
        experts,
        chance,
        of_raters=True,
        few_alone=True,
    )
    if found.value is None or found.few:
        return found
    permuted = [_permute(block, seed) for seed, block in enumerate(used)]
    p = _p_of_permutations(np.mean(permuted, axis=0), found.value)
    how = f"mean over sets; {found.how}; p from {PERMUTATIONS:,} permutations"
    reading = f"{found.reading}; {significance(p)}."
    return found.model_copy(update={"p": p, "how": how, "reading": reading})


def _most_spread(ranks: Floats) -> float:
    """Return the spread of rank totals under full agreement: the number of raters times the sum of
    each one's spread, which ties make smaller.
    """
    away = ranks - ranks.mean(axis=1, keepdims=True)
    return float(len(ranks) * (away**2).sum())


def _w(totals: Floats, most_spread: float) -> Floats:
    """Return W of rank totals (..., items)."""
    away = totals - totals.mean(axis=-1, keepdims=True)
    spread = (away**2).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        w: Floats = spread / np.float64(most_spread)
    return w


def _permute(ranks: Floats, seed: int) -> Floats:
    """Return W of raters who shuffle their own ranks: (permutations,)."""
    generator = np.random.default_rng(seed)
    totals = np.zeros((PERMUTATIONS, ranks.shape[1]))
    for row in ranks:
        rows = np.tile(row, (PERMUTATIONS, 1))
        totals += generator.permuted(rows, axis=1)
    return _w(totals, _most_spread(ranks))


def _p_of_permutations(permuted: Floats, value: float) -> float:
    """Return the share of permutations that reach a value, itself counted among them so that p is
    never 0.
    """
    # Equal figures must count as equal, however their sums were rounded.
    reached = (permuted >= value - 1e-9).sum()
    return float((1 + reached) / (1 + len(permuted)))
