"""Krippendorff's alpha: agreement beyond chance among any number of raters, of whom not all need to
have rated everything.
"""

from typing import Literal, get_args

import numpy as np

from core.statistics.bootstrap import over_items
from core.statistics.intervals import FEWEST, RESAMPLES, Floats
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic, between, counted, refused, shown

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)


def alpha(
    ratings: Matrix,
    about: str,
    level: Level,
    who: str = "experts",
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Statistic:
    """Return alpha with a 95 % interval from resampling items, over the items that two raters or
    more rated.

    `level` says how far apart two scores are: nominal (same or not), ordinal (how many scores lie
    between them), interval (their squared difference).
    Refused with a reason under 2 raters or 10 such items, and where all scores are equal.
    The interval resamples whole items, since scores of one item hang together, and takes raters as
    given.
    Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    """
    paired = ratings.rows(ratings.rated.sum(axis=1) >= 2)
    n, raters = len(paired.items), int(paired.rated.any(axis=0).sum())
    name = f"Krippendorff's alpha ({level})"
    if len(ratings.raters) < 2:
        return refused(
            name,
            about,
            n,
            f"Alpha needs 2 {who} or more; there {'is 1' if ratings.raters else 'are none'}.",
            raters=len(ratings.raters),
        )
    if n < FEWEST:
        few = (
            f"{f'Only {n}' if n else 'None'} of {counted(len(ratings.items), 'idea')} got two"
            " scores or more"
        )
        return refused(name, about, n, f"{few}: alpha needs {FEWEST}.", raters=raters)
    counts = tally(paired)
    value = float(alphas(*counts, np.ones((1, n)), level)[0])
    if not np.isfinite(value):
        return refused(
            name,
            about,
            n,
            "All scores are equal, so that agreement cannot be told from chance.",
            raters=raters,
        )
    low, high = over_items(lambda drawn: alphas(*counts, drawn, level), n, seed, resamples) or (
        None,
        None,
    )
    left_out = len(ratings.items) - n
    how = f"{raters} {who}" + (
        f"; {counted(left_out, 'idea')} with a single score left out" if left_out else ""
    )
    how += (
        f"; BCa bootstrap over {n} ideas"
        if low is not None
        else "; nearly all resamples are alike or undefined, so no interval can be given"
    )
    return Statistic(
        name=name,
        about=about,
        value=value,
        low=low,
        high=high,
        n=n,
        raters=raters,
        how=how,
        reading=_reading(value, low, high, raters, who),
    )


def tally(ratings: Matrix) -> tuple[Floats, Floats]:
    """Return the different scores (values,) in rising order, and how often each item has each:
    (items, values).
    """
    scores, at = np.unique(ratings.values[ratings.rated], return_inverse=True)
    counts = np.zeros((len(ratings.items), len(scores)))
    np.add.at(counts, (np.nonzero(ratings.rated)[0], at), 1.0)
    return scores, counts


def alphas(scores: Floats, counts: Floats, drawn: Floats, level: Level) -> Floats:
    """Return alpha in every resample: (resamples,), nan where all scores are equal.

    `counts` (items, values) has 2 scores or more an item; `drawn` (resamples, items) says how often
    each item is in the resample. Ordinal distance is interval distance between midranks, which the
    resample's own frequencies decide.
    """
    size = counts.sum(axis=1)
    totals = drawn @ counts
    n, weights = totals.sum(axis=1), drawn / (size - 1)
    if level == "nominal":
        within, across = (
            weights @ (size**2 - (counts**2).sum(axis=1)),
            n**2 - (totals**2).sum(axis=1),
        )
    else:
        # Places about their middle, and scores in units of their range: sums of squares of large
        # numbers would cancel badly, and alpha knows no unit.
        place = (
            np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
            if level == "ordinal"
            else ((scores - scores.mean()) / (np.ptp(scores) or 1))[None]
        )
        sums = (place @ counts.T) ** 2
        within = 2 * (
            ((weights * size) @ counts * place**2).sum(axis=1) - (weights * sums).sum(axis=1)
        )
        across = 2 * (n * (totals * place**2).sum(axis=1) - (totals * place).sum(axis=1) ** 2)
    observed = within / n
    expected = across / (n * (n - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(expected > 1e-12, 1 - observed / expected, np.nan)
    return found


def _reading(value: float, low: float | None, high: float | None, raters: int, who: str) -> str:
    chance = (
        ""
        if low is None or high is None or low > 0
        else (
            " The interval includes 0, so chance is not ruled out."
            if high >= 0
            else " That is less than chance gives: raters contradict each other."
        )
    )
    agreed = f"The {raters} {who} agree to {shown(value)}{between(low, high)} beyond chance"
    return f"{agreed}, severity counted as disagreement; 0 is chance, 1 full agreement.{chance}"
