"""How raters go about it: the same score on every criterion, scores that hardly vary, and whether a
rater says the same again.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.records import Record
from core.statistics.bootstrap import bca
from core.statistics.correlation import mean_absolute_error
from core.statistics.icc import iccs
from core.statistics.intervals import FEWEST, Figure, Floats, Scale, usual_scale, wilson
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic, between, of_figure, refused, shown
from core.wording.numbers import counted


class Conduct(Record):
    """One rater's way of scoring, over all criteria."""

    straight: Statistic
    """The share of units with the same score on every criterion."""
    spread: Statistic
    """The standard deviation of scores within a criterion."""


class SelfAgreement(Record):
    """How far raters say the same of an item they are shown again."""

    same: Statistic
    """The share of exactly equal scores."""
    difference: Statistic
    """Mean absolute difference."""
    icc: Statistic
    """ICC(A,1) of the first and the second score."""


def conduct(ratings: Mapping[str, Matrix], rater: str, among: str = "") -> Conduct:
    """Return how a rater scored; `ratings` is by criterion, and `among` says which these are where
    others have another scale. Refused with a reason under 10 units, straight-lining also with one
    criterion.
    """
    columns = [
        dict(zip(matrix.items, matrix.column(rater), strict=True))
        for matrix in ratings.values()
        if rater in matrix.raters
    ]
    items = sorted({item for column in columns for item in column})
    rows = [[column.get(item, np.nan) for column in columns] for item in items]
    scores = np.array(rows).reshape(len(items), len(columns))
    scores = scores[np.isfinite(scores).any(axis=1)]
    straight = straight_lining(scores, rater, among)
    return Conduct(straight=straight, spread=spread(scores, rater, among=among))


def straight_lining(scores: Floats, rater: str, among: str = "") -> Statistic:
    """Return the share of units (units, criteria), of those scored on 2 criteria or more, whose
    scores are all equal, with Wilson's interval.
    """
    name = "straight-lining"
    several = scores[np.isfinite(scores).sum(axis=1) >= 2]
    n = len(several)
    if scores.shape[1] < 2:
        there = "No two criteria have the same scale" if among else "There is one criterion only"
        reason = f"{there}: straight-lining is the same score on several."
        return refused(name, rater, n, reason, "units", 1)
    if n < FEWEST:
        scored = f"{rater} scored {counted(n, 'unit')} on several criteria"
        return refused(name, rater, n, f"{scored}: a share needs {FEWEST}.", "units", 1)
    same = np.nanmax(several, axis=1) == np.nanmin(several, axis=1)
    hits = int(same.sum())
    figure = Figure(hits / n, *wilson(hits, n), n, "Wilson's interval")
    reading = f"{rater} gave {hits} of {n} units the same score on every criterion{among}."
    return of_figure(figure, name, rater, "units", 1, reading)


def spread(scores: Floats, rater: str, seed: int = 0, among: str = "") -> Statistic:
    """Return the standard deviation of scores around their criterion's mean (units, criteria), in
    points, with a bootstrap interval over units.
    """
    name = "standard deviation of scores"
    n = len(scores)
    if n < FEWEST:
        few = f"{rater} scored {counted(n, 'unit')}: {FEWEST} are needed."
        return refused(name, rater, n, few, "units", 1)
    known = np.isfinite(scores)
    # About the mean, so that squares do not cancel.
    centred = np.where(known, scores - np.nanmean(scores, axis=0), 0.0)
    sums = np.stack([known.astype(np.float64), centred, centred**2], axis=-1)
    [value] = _deviations(sums.sum(axis=0)[None]).tolist()
    if not math.isfinite(value):
        return refused(name, rater, n, "No criterion has two scores.", "units", 1)

    def measure(drawn: Floats) -> Floats:
        return _deviations(np.tensordot(drawn, sums, axes=1))

    figure = bca(measure, value, n, "units", seed)
    if figure.low is None:
        figure = figure._replace(how="nearly all resamples are alike, so no interval can be given")
    varies = f"{shown(value)} points{between(figure.low, figure.high)}"
    reading = f"{rater}'s scores of one criterion{among} vary by {varies}."
    return of_figure(figure, name, rater, "units", 1, reading)


def self_agreement(
    pairs: Sequence[tuple[float, float]],
    about: str,
    who: str = "experts",
    scale: Scale | None = None,
    *,
    mixed: bool = False,
) -> SelfAgreement:
    """Return how far the second scores of repeated units equal the first; `pairs` holds (first,
    second), all taken as independent.

    Each figure is refused with a reason under 10 pairs, and those in points where pairs are
    `mixed`, of scales that differ.
    """
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    n = len(table)
    what = f"{about}, asked again"
    if n < FEWEST:
        scores = f"Only {counted(n, 'score')} {'was' if n == 1 else 'were'}"
        few = f"{scores} asked for again: {FEWEST} are needed."
        return SelfAgreement(
            same=refused("exact agreement", what, n, few, "repeats"),
            difference=refused("mean absolute difference", what, n, few, "repeats"),
            icc=refused("ICC(A,1)", what, n, few, "repeats", 2),
        )
    hits = int((table[:, 0] == table[:, 1]).sum())
    same = of_figure(
        Figure(hits / n, *wilson(hits, n), n, "Wilson's interval, repeats independent"),
        "exact agreement",
        what,
        "repeats",
        reading=f"Asked again, {who} gave the same score {hits} of {n} times.",
    )
    if mixed:
        apart = "The criteria have different scales, so that points of one are not those of another"
        return SelfAgreement(
            same=same,
            difference=refused("mean absolute difference", what, n, f"{apart}.", "repeats"),
            icc=refused("ICC(A,1)", what, n, f"{apart}.", "repeats", 2),
        )
    error = mean_absolute_error(
        table[:, 0],
        table[:, 1],
        what,
        f"The {who}' first and second scores",
        scale=scale or usual_scale(table),
    )
    icc = iccs(Matrix(tuple(map(str, range(n))), ("first", "second"), table), what, "scores")[0]
    if icc.value is not None:
        agreed = f"{shown(icc.value)}{between(icc.low, icc.high)}"
        reading = f"A first and a second score agree to {agreed}."
        icc = icc.model_copy(update={"reading": reading})
    return SelfAgreement(
        same=same,
        difference=error.model_copy(
            update={"name": "mean absolute difference", "unit": "repeats", "raters": 0}
        ),
        icc=icc.model_copy(update={"unit": "repeats"}),
    )


def _deviations(sums: Floats) -> Floats:
    """Return pooled standard deviations from (resamples, criteria, (n, sum, sum of squares)); nan
    where no criterion has two scores.
    """
    n, total, squares = np.moveaxis(sums, -1, 0)
    centred = squares - total**2 / np.maximum(n, 1)
    within = np.maximum(centred, 0).sum(axis=1)
    freedom = np.maximum(n - 1, 0).sum(axis=1)
    pooled = np.sqrt(within / np.maximum(freedom, 1))
    deviations: Floats = np.where(freedom > 0, pooled, np.nan)
    return deviations
