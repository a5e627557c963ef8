"""What plots of a session are drawn from: plain figures, labels for ideas, and the human ceiling
beside every model.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.agreement.orders import OrderAgreement
from core.agreement.ratings import RatingAgreement
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic


class IdeaPoint(NamedTuple):
    """One idea: the experts' mean with its interval, and what a model said."""

    item: str
    experts: Statistic
    model: float


class AgainstExperts(NamedTuple):
    """A model against the experts' mean on one criterion; `figure` is Pearson's r, `ceiling` an
    expert's with the mean of the others.
    """

    criterion: str
    model: str
    points: tuple[IdeaPoint, ...]
    figure: Statistic
    ceiling: Statistic


class Severity(NamedTuple):
    """How strictly an expert scores, in points of the scale."""

    criterion: str
    rater: str
    figure: Statistic


class Grid(NamedTuple):
    """Agreement of every two raters by one measure; a pair with too little in common has its
    reason.
    """

    criterion: str
    measure: str
    raters: tuple[str, ...]
    """Experts first."""
    models: frozenset[str]
    cells: Mapping[tuple[str, str], Statistic]
    """Once for each pair."""

    def of(self, one: str, other: str) -> Statistic | None:
        """Return the cell of two raters, whoever comes first."""
        return self.cells.get((one, other)) or self.cells.get((other, one))


class SetTau(NamedTuple):
    """How one rater's order of one set goes with the experts' mean order (an expert's own order
    left out).
    """

    criterion: str
    set: str
    rater: str
    model: bool
    tau: float | None


class BesideCeiling(NamedTuple):
    """A model's figure and the human one it is to be held against."""

    criterion: str
    model: str
    measure: str
    figure: Statistic
    ceiling: Statistic


class SessionSeries(NamedTuple):
    """Everything there is to draw; what a task does not have is empty."""

    against: tuple[AgainstExperts, ...] = ()
    severity: tuple[Severity, ...] = ()
    grids: tuple[Grid, ...] = ()
    taus: tuple[SetTau, ...] = ()
    ceilings: tuple[BesideCeiling, ...] = ()
    sides: tuple[Statistic, ...] = ()
    """Each rater's share of winners on the left."""


def of_ratings(found: RatingAgreement, ratings: Mapping[str, Matrix]) -> SessionSeries:
    """Return what plots of ratings are drawn from; `ratings` are those the figures were made of, by
    criterion.
    """
    parts = found.criteria.values()
    return SessionSeries(
        against=tuple(
            AgainstExperts(
                one.criterion,
                model,
                _points(ratings[one.criterion], model, one.means),
                figures.pearson,
                one.ceilings.pearson.mean,
            )
            for one in parts
            for model, figures in one.against.items()
        ),
        severity=tuple(
            Severity(one.criterion, rater, figure)
            for one in parts
            for rater, figure in one.severities.raters.items()
        ),
        grids=tuple(
            Grid(
                one.criterion,
                "Spearman's rho",
                (*one.experts, *one.models),
                frozenset(one.models),
                {(cell.one, cell.other): cell.figure for cell in one.between},
            )
            for one in parts
        ),
        ceilings=tuple(
            BesideCeiling(one.criterion, model, figure.name, figure, ceiling.mean)
            for one in parts
            for model, against in one.against.items()
            for figure, ceiling in zip(
                (against.pearson, against.spearman, against.error),
                one.ceilings.measures,
                strict=True,
            )
        ),
    )


def _points(ratings: Matrix, model: str, means: Mapping[str, Statistic]) -> tuple[IdeaPoint, ...]:
    column = ratings.column(model)
    return tuple(
        IdeaPoint(item, means[item], float(score))
        for item, score in zip(ratings.items, column, strict=True)
        if np.isfinite(score) and item in means
    )


def of_orders(found: Mapping[str, OrderAgreement]) -> SessionSeries:
    """Return what plots of rankings are drawn from, by criterion."""
    return SessionSeries(
        grids=tuple(
            Grid(
                criterion,
                "Kendall's tau-b",
                (*one.experts, *one.models),
                frozenset(one.models),
                one.pairs,
            )
            for criterion, one in found.items()
        ),
        taus=tuple(
            SetTau(criterion, each.name, rater, rater in one.models, tau)
            for criterion, one in found.items()
            for each in one.sets
            for rater, tau in (*each.experts.items(), *each.models.items())
        ),
        ceilings=tuple(
            BesideCeiling(criterion, model, "Kendall's tau-b", figure, one.ceiling)
            for criterion, one in found.items()
            for model, figure in one.models.items()
        ),
    )
