"""Krippendorff's alpha: agreement beyond chance among any number of raters, of whom not all need to
have rated everything.
"""

from functools import partial
from typing import Literal

import numpy as np

from core.statistics.bootstrap import bca
from core.statistics.intervals import FEWEST, RESAMPLES, Floats
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

Level = Literal["nominal", "ordinal", "interval"]
MOST_COUNTED = 20_000_000
"""Counts of every different score on every idea and in every resample: ten thousand ideas may have
1,800 different scores.
"""


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
    n = len(paired.items)
    raters = int(paired.rated.any(axis=0).sum())
    columns = len(ratings.raters)
    name = f"Krippendorff's alpha ({level})"
    if columns < 2:
        reason = f"Alpha needs 2 {who} or more; {raters_there(columns)}."
        return refused(name, about, n, reason, raters=columns)
    if n < FEWEST:
        few = f"Only {n}" if n else "None"
        ideas = counted(len(ratings.items), "idea")
        reason = f"{few} of {ideas} got two scores or more: alpha needs {FEWEST}."
        return refused(name, about, n, reason, raters=raters)
    different = len(np.unique(paired.values[paired.rated]))
    if (n + resamples) * different > MOST_COUNTED:
        reason = (
            f"There are {different:,} different scores on {n:,} ideas, more than an interval can be"
            " made for in reasonable time. Round the scores, or split the ideas."
        )
        return refused(name, about, n, reason, raters=raters)
    measure = partial(alphas, *tally(paired), level=level)
    value = float(measure(np.ones((1, n)))[0])
    if not np.isfinite(value):
        reason = "All scores are equal, so that agreement cannot be told from chance."
        return refused(name, about, n, reason, raters=raters)
    figure = bca(measure, value, n, seed=seed, resamples=resamples)
    over = f"{raters} {who}"
    if left_out := len(ratings.items) - n:
        over += f"; {counted(left_out, 'idea')} with a single score left out"
    ends = between(figure.low, figure.high)
    chance = beside_chance(figure.low, figure.high, "so chance is not ruled out")
    reading = (
        f"The {raters} {who} agree to {shown(value)}{ends} beyond chance, severity counted as"
        f" disagreement; 0 is chance, 1 full agreement.{chance}"
    )
    figure = figure._replace(how=f"{over}; {figure.how}")
    return of_figure(figure, name, about, raters=raters, reading=reading)


def tally(ratings: Matrix) -> tuple[Floats, Floats]:
    """Return the different scores (values,) in rising order, and how often each item has each:
    (items, values).
    """
    rated = ratings.rated
    item, _ = np.nonzero(rated)
    scores, score = np.unique(ratings.values[rated], return_inverse=True)
    counts = np.zeros((len(ratings.items), len(scores)))
    np.add.at(counts, (item, score), 1.0)
    return scores, counts


def alphas(scores: Floats, counts: Floats, drawn: Floats, level: Level) -> Floats:
    """Return alpha in every resample: (resamples,), nan where all scores are equal.

    `counts` (items, values) has 2 scores or more an item; `drawn` (resamples, items) says how often
    each item is in the resample. Ordinal distance is interval distance between midranks, which the
    resample's own frequencies decide.
    """
    size = counts.sum(axis=1)
    totals = drawn @ counts
    n = totals.sum(axis=1)
    weights = drawn / (size - 1)
    if level == "nominal":
        within = weights @ (size**2 - (counts**2).sum(axis=1))
        across = n**2 - (totals**2).sum(axis=1)
    else:
        # Places about their middle, and scores in units of their range: sums of squares of large
        # numbers would cancel badly, and alpha knows no unit.
        if level == "ordinal":
            place = np.cumsum(totals, axis=1) - totals / 2 - n[:, None] / 2
        else:
            centred = scores - scores.mean()
            place = (centred / (np.ptp(scores) or 1))[None]
        squares = place**2
        of_sums = weights * (place @ counts.T) ** 2
        of_scores = (weights * size) @ counts * squares
        within = 2 * (of_scores.sum(axis=1) - of_sums.sum(axis=1))
        total_squares = n * (totals * squares).sum(axis=1)
        across = 2 * (total_squares - (totals * place).sum(axis=1) ** 2)
    observed = within / n
    expected = across / (n * (n - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(expected > 1e-12, 1 - observed / expected, np.nan)
    return found
