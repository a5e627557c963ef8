"""What ratings of a session say, by label: the same analysis as of a file of ratings."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.agreement.sheet import AgreementSheet, agreement_sheet
from core.records import Criterion, RateAnswer
from core.statistics.intervals import Scale
from core.statistics.matrix import Matrix, matrix
from core.statistics.statistic import Statistic
from core.studies.filed import Filed


class Rated(NamedTuple):
    """All figures of a session's ratings."""

    ratings: dict[str, Matrix]
    """By criterion: labels by raters."""
    sheet: AgreementSheet
    scales: dict[str, Scale] = {}
    """By criterion, where it is known what was scored on."""


def rated(filed: Filed) -> Rated:
    """Return the figures of a session's ratings."""
    ratings = matrices(filed)
    repeats = [pair for criterion in ratings for pair in _repeated(filed, criterion)]
    scales = scales_of(filed.study.plan.criteria)
    return Rated(ratings, agreement_sheet(ratings, filed.models, repeats, scales), scales)


def scales_of(criteria: Iterable[Criterion]) -> dict[str, Scale]:
    """Return what every criterion is scored on; those of free text are not there."""
    return {one.name: Scale(*map(float, one.ends)) for one in criteria if one.scored}


def matrices(filed: Filed) -> dict[str, Matrix]:
    """Return the scores by criterion, in the plan's order: labels by raters, nan where somebody
    could not judge, or was not asked.
    """
    criteria = [one.name for one in filed.study.plan.criteria if one.scored]
    scores: dict[str, list[tuple[str, str, float]]] = {name: [] for name in criteria}
    for place, answer in filed.said(RateAnswer):
        label = filed.units[place.unit].labels[0]
        rater = filed.called[place.seat]
        for name, score in answer.scores.items():
            if score is not None:
                scores[name].append((label, rater, score))
    return {name: matrix(some) for name, some in scores.items()}


def _repeated(filed: Filed, criterion: str) -> Iterator[tuple[float, float]]:
    """Yield experts' first and second scores of the units they were given twice."""
    for _, before, after in filed.said_twice(RateAnswer):
        first = before.scores.get(criterion)
        second = after.scores.get(criterion)
        if first is not None and second is not None:
            yield first, second


def figures(found: Rated) -> dict[str, tuple[Statistic, ...]]:
    """Return the statistics a paper reports, by criterion; repeats, taken over all criteria, stand
    under the empty name.
    """
    by_criterion = {name: found.sheet.on(name) for name in found.sheet.agreement.criteria}
    if again := found.sheet.repeats:
        by_criterion[""] = (again.same, again.difference, again.icc)
    return by_criterion
