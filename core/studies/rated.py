"""What ratings of a session say, by label: the same analysis as of a file of ratings."""

from typing import NamedTuple

from core.agreement.sheet import AgreementSheet, agreement_sheet, headline
from core.records import RateAnswer, Table
from core.statistics.intervals import SCORE
from core.statistics.matrix import Matrix, matrix
from core.statistics.statistic import Statistic
from core.studies.filed import Filed
from core.studies.series import SessionSeries, of_ratings


class Rated(NamedTuple):
    """All figures of a session's ratings."""

    ratings: dict[str, Matrix]
    """By criterion: labels by raters."""
    sheet: AgreementSheet


def rated(filed: Filed) -> Rated:
    """Return the figures of a session's ratings."""
    ratings = matrices(filed)
    repeats = tuple(pair for one in filed.study.plan.criteria for pair in pairs(filed, one.name))
    return Rated(ratings, agreement_sheet(ratings, filed.models, repeats, SCORE))


def matrices(filed: Filed) -> dict[str, Matrix]:
    """Return the scores by criterion, in the plan's order: labels by raters, nan where somebody
    could not judge, or was not asked.
    """
    said = [
        (filed.units[place.unit].labels[0], filed.called[place.seat], answer.scores)
        for place, answer in filed.said(RateAnswer)
    ]
    return {
        one.name: matrix(
            (label, rater, score)
            for label, rater, scores in said
            if (score := scores.get(one.name)) is not None
        )
        for one in filed.study.plan.criteria
    }


def pairs(filed: Filed, criterion: str) -> list[tuple[float, float]]:
    """Return experts' first and second scores of the units they were given twice."""
    first = {place: answer.scores.get(criterion) for place, answer in filed.said(RateAnswer)}
    models = filed.taking.models
    both = [
        (first.get(place._replace(time=1)), answer.scores.get(criterion))
        for place, answer in filed.said(RateAnswer, time=2)
        if place.seat not in models
    ]
    return [(one, other) for one, other in both if one is not None and other is not None]


def figures(found: Rated) -> dict[str, tuple[Statistic, ...]]:
    """Return the statistics a paper reports, by criterion; repeats, taken over all criteria, stand
    under the empty name.
    """
    again = found.sheet.repeats
    return {
        **{name: headline(one) for name, one in found.sheet.agreement.criteria.items()},
        **({"": (again.same, again.difference, again.icc)} if again else {}),
    }


def series(found: Rated) -> SessionSeries:
    """Return what plots are drawn from."""
    return of_ratings(found.sheet.agreement, found.ratings)


def tables(found: Rated) -> tuple[Table, ...]:
    """Return the figures as tables."""
    return found.sheet.tables
