"""A model's six figures from its scores, keyword by keyword (LiveIdeaBench, Methods, Evaluation
metrics).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.records import GroupSums
from core.statistics.intervals import Floats, ratio

SCORED = ("fluency", "feasibility", "clarity", "originality")
FIGURES = (*SCORED, "flexibility", "average")
FLOOR = 0.3
"""Flexibility is this quantile, over keywords, of the mean of the four scores."""


class Means(NamedTuple):
    """What each model scored for each keyword on average."""

    keywords: tuple[int, ...]
    """Those for which anybody has a score, rising."""
    values: Floats
    """(SCORED, models, keywords): over judgments, of fluency over pairs; nan where there is none.
    """

    @property
    def whole(self) -> Floats:
        """Return the mean of the four: (models, keywords), nan where one of them is missing."""
        found: Floats = self.values.mean(axis=0)
        return found

    @property
    def counts(self) -> Floats:
        """Return how many keywords each figure is taken over: (models, FIGURES)."""
        whole = np.isfinite(self.whole).sum(axis=1)
        found: Floats = np.column_stack(
            [*np.isfinite(self.values).sum(axis=2), whole, whole]
        ).astype(np.float64)
        return found


def means(groups: Sequence[GroupSums], models: int) -> Means:
    """Return the scores of so many models by keyword; a group without judgments and pairs counts
    nowhere.
    """
    held = [one for one in groups if one.judgments or one.pairs]
    keywords = tuple(sorted({one.keyword for one in held}))
    values = np.full((len(SCORED), models, len(keywords)), np.nan)
    if held:
        rows = [one.model for one in held]
        columns = np.searchsorted(keywords, [one.keyword for one in held])
        for row, name in enumerate(SCORED):
            n = [one.pairs if name == "fluency" else one.judgments for one in held]
            sums = [getattr(one, name) for one in held]
            values[row, rows, columns] = ratio(np.array([sums, n], dtype=np.float64).T)
    return Means(keywords, values)


def measure(given: Means, drawn: Floats) -> Floats:
    """Return every model's figures in each resample: (resamples, models, FIGURES), nan where there
    is none.

    `drawn` (resamples, keywords) says how often each keyword is in each resample; of ones it gives
    the figures themselves.
    """
    figures = []
    for scores in given.values:
        there = np.isfinite(scores)
        sums = drawn @ np.where(there, scores, 0.0).T
        figures.append(ratio(np.stack([sums, drawn @ there.T], axis=-1)))
    figures.append(np.column_stack([floors(one, drawn) for one in given.whole]))
    five = np.stack(figures, axis=-1)
    six: Floats = np.concatenate([five, five.mean(axis=-1, keepdims=True)], axis=-1)
    return six


def floors(values: Floats, drawn: Floats) -> Floats:
    """Return the 30th percentile of values (keywords,), each as often as it was drawn (resamples,
    keywords): (resamples,), nan of none.

    Between two values it is interpolated as numpy's default does (Hyndman and Fan's type 7); a nan
    among the values is left out.
    """
    order = np.argsort(values)[: int(np.isfinite(values).sum())]
    if not len(order):
        return np.full(len(drawn), np.nan)
    rising = values[order]
    # Counts are whole numbers, which single precision holds up to 16 million, in half the time.
    reached = drawn.astype(np.float32)[:, order].cumsum(axis=1)
    n = reached[:, -1].astype(np.float64)
    place = FLOOR * np.maximum(n - 1, 0)
    below = np.floor(place)
    ends = []
    for at in (below, below + 1):
        rank = (reached <= at[:, None]).sum(axis=1)
        ends.append(rising[np.minimum(rank, len(order) - 1)])
    under, over = ends
    floor: Floats = np.where(n > 0, under + (over - under) * (place - below), np.nan)
    return floor
