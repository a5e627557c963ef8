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
    cells: tuple[tuple[str, str, Statistic], ...]
    """Once for each pair; as JSON holds it, which has no keys of two names."""

    @property
    def by_pair(self) -> dict[tuple[str, str], Statistic]:
        """The cells by both raters, whoever comes first."""
        found = {}
        for one, other, figure in self.cells:
            found[one, other] = found[other, one] = figure
        return found


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
    against = []
    severity = []
    grids = []
    ceilings = []
    for one in found.criteria.values():
        criterion = one.criterion
        table = ratings[criterion]
        for model, figures in one.against.items():
            scores = zip(table.items, table.column(model), strict=True)
            points = tuple(
                IdeaPoint(item, one.means[item], float(score))
                for item, score in scores
                if np.isfinite(score) and item in one.means
            )
            ceiling = one.ceilings.pearson.mean
            against.append(AgainstExperts(criterion, model, points, figures.pearson, ceiling))
            measures = (figures.pearson, figures.spearman, figures.error)
            for figure, human in zip(measures, one.ceilings.measures, strict=True):
                ceilings.append(BesideCeiling(criterion, model, figure.name, figure, human.mean))
        for rater, figure in one.severities.raters.items():
            severity.append(Severity(criterion, rater, figure))
        raters = (*one.experts, *one.models)
        cells = tuple((cell.one, cell.other, cell.figure) for cell in one.between)
        grids.append(Grid(criterion, "Spearman's rho", raters, frozenset(one.models), cells))
    return SessionSeries(tuple(against), tuple(severity), tuple(grids), ceilings=tuple(ceilings))


def of_orders(found: Mapping[str, OrderAgreement]) -> SessionSeries:
    """Return what plots of rankings are drawn from, by criterion."""
    grids = []
    taus = []
    ceilings = []
    for criterion, one in found.items():
        raters = (*one.experts, *one.models)
        cells = tuple((*pair, figure) for pair, figure in one.pairs.items())
        grids.append(Grid(criterion, "Kendall's tau-b", raters, frozenset(one.models), cells))
        for each in one.sets:
            for rater, tau in (*each.experts.items(), *each.models.items()):
                taus.append(SetTau(criterion, each.name, rater, rater in one.models, tau))
        for model, figure in one.models.items():
            ceilings.append(BesideCeiling(criterion, model, "Kendall's tau-b", figure, one.ceiling))
    return SessionSeries(grids=tuple(grids), taus=tuple(taus), ceilings=tuple(ceilings))
