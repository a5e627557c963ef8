"""The whole analysis of a set of ratings, from a file or a session: every figure, what to mind, and
tables for screen, CSV and LaTeX alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from core.agreement.conduct import SelfAgreement, self_agreement
from core.agreement.ratings import (
    CriterionAgreement,
    RatingAgreement,
    rating_agreement,
    several,
    shared_scale,
)
from core.agreement.sheet_tables import tables
from core.agreement.standing_in import Annotators, JudgeStanding, standings
from core.agreement.standing_in import table as standing_table
from core.errors import BadInput
from core.records import Record, Table
from core.statistics.intervals import FEWEST, Scale
from core.statistics.matrix import Matrix
from core.statistics.statistic import Statistic, p_said
from core.wording.numbers import counted

MOST_IDEAS, MOST_RATERS, MOST_CRITERIA = 2_000, 300, 30
"""Every idea is left out once for each figure, every two raters are compared, and all of it on each
criterion.
"""
MOST_COMPARED, MOST_PAIRED = 20_000_000, 30_000
"""Comparisons of two raters on an idea that both rated, over all criteria: half a minute of a
processor; and squares of the raters over all criteria up to which every two raters have figures of
their own.
"""


class AgreementSheet(Record):
    """What a set of ratings says."""

    experts: tuple[str, ...]
    models: tuple[str, ...]
    """Raters that are model judges; no figure of the experts counts them in."""
    ideas: int
    scores: int
    lowest: float
    highest: float
    agreement: RatingAgreement
    repeats: SelfAgreement | None = None
    """None where nothing was rated twice."""
    warnings: tuple[str, ...] = ()
    """What to mind before a figure is printed."""
    tables: tuple[Table, ...] = ()
    standings: tuple[JudgeStanding, ...] = ()
    """What each model judge may be used for, by criterion."""

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """The figures a paper reports, by criterion, the human ceiling beside every model's."""
        return tuple(one for criterion in self.agreement.criteria for one in self.on(criterion))

    def on(self, criterion: str) -> tuple[Statistic, ...]:
        """Return the figures of a criterion that a paper reports."""
        judges = [one for one in self.standings if one.criterion == criterion]
        figures = (figure for one in judges for figure in one.statistics)
        return *headline(self.agreement.criteria[criterion]), *figures


def agreement_sheet(
    ratings: Mapping[str, Matrix],
    models: AbstractSet[str] = frozenset(),
    repeats: Sequence[tuple[float, float]] = (),
    scale: Scale | Mapping[str, Scale] | None = None,
    annotators: Annotators = "experts",
) -> AgreementSheet:
    """Analyse ratings by criterion (tables of items by raters); `models` names the raters that are
    model judges, `repeats` holds (first, second) scores. `annotators` says what kind of people the
    raters are, by which a judge may be worse than they.

    `scale` is what all was scored on, or by criterion what each was. Without one, as of a file, it
    is for each criterion the narrowest of the usual ones that holds its scores; intervals are cut
    at its ends. Where criteria have different scales, no figure takes points of one for points of
    another. Raises BadInput for more ideas, raters or criteria than intervals can be made
    for in reasonable time.
    """
    ideas = {item for one in ratings.values() for item in one.items}
    names = {rater for one in ratings.values() for rater in one.raters}
    there_are = len(ideas), len(names), len(ratings)
    most = MOST_IDEAS, MOST_RATERS, MOST_CRITERIA
    compared = sum(int((one.rated.sum(axis=1) ** 2).sum()) for one in ratings.values())
    pairs = len(names) ** 2 * len(ratings) <= MOST_PAIRED
    too_many = any(here > limit for here, limit in zip(there_are, most, strict=True))
    if too_many or compared > MOST_COMPARED:
        raise BadInput(
            f"There are {len(ideas):,} ideas, {len(names):,} raters and {len(ratings):,} criteria;"
            f" {MOST_IDEAS:,}, {MOST_RATERS} and {MOST_CRITERIA} are analysed at once, and not all"
            " as many together. Split the ratings, by topic or criterion for instance."
        )
    found = rating_agreement(ratings, models, scale, pairs)
    again = None
    if repeats:
        one_scale = shared_scale(scale)
        again = self_agreement(repeats, "all criteria", "raters", one_scale, mixed=several(scale))
    raters = tuple(found.conduct)
    scores = [one.values[one.rated] for one in ratings.values() if one.rated.any()]
    judges = standings(ratings, frozenset(models), annotators, scale)
    whole = tables(found, ratings, again)
    if judges:
        whole = (*whole, standing_table(judges))
    return AgreementSheet(
        experts=tuple(one for one in raters if one not in models),
        models=tuple(one for one in raters if one in models),
        ideas=len(ideas),
        scores=sum(len(one) for one in scores),
        lowest=min((float(one.min()) for one in scores), default=0.0),
        highest=max((float(one.max()) for one in scores), default=0.0),
        agreement=found,
        repeats=again,
        warnings=tuple(_warnings(ratings, models, found)),
        tables=whole,
        standings=judges,
    )


def headline(found: CriterionAgreement) -> tuple[Statistic, ...]:
    """Return the figures of a criterion that a paper reports."""
    ceiling = found.ceilings
    return (
        *found.agreement,
        ceiling.pearson.mean,
        ceiling.spearman.mean,
        ceiling.error.mean,
        *(one for against in found.against.values() for one in against.figures),
    )


def _warnings(
    ratings: Mapping[str, Matrix], models: AbstractSet[str], found: RatingAgreement
) -> Iterator[str]:
    for criterion, one in ratings.items():
        experts = one.without(models)
        ideas = counted(len(experts.items), "idea")
        if len(experts.raters) < 2:
            yield (
                f"{criterion}: {counted(len(experts.raters), 'expert')}, so that agreement among"
                " experts cannot be measured; 2 are needed."
            )
        elif len(experts.items) < FEWEST:
            yield f"{criterion}: only {ideas} with scores of experts; figures need {FEWEST}."
        elif left_out := len(experts.items) - len(experts.complete().items):
            yield (
                f"{criterion}: {left_out} of {ideas} were not rated by every expert. ICCs leave"
                " them out; Krippendorff's alpha and severity take them."
            )
        for model, against in found.criteria[criterion].against.items():
            if against.pearson.p is not None and not against.pearson.significant:
                yield (
                    f"{criterion}: the correlation of {model} with the experts' mean is not"
                    f" significant at 0.05 ({p_said(against.pearson.p)})."
                )
    for name, other in combinations(sorted(found.conduct), 2):
        if name.casefold() == other.casefold():
            yield (
                f"{name!r} and {other!r} differ in capitals only. If they are one rater, write the"
                " name in one way."
            )
    if len(found.conduct) > 1 and not any(one.between for one in found.criteria.values()):
        yield (
            f"Not every two of the {len(found.conduct)} raters are held against each other on"
            f" {len(found.criteria)} criteria: that is too many pairs to read."
        )
    if not models & set(found.conduct):
        yield "No rater is taken for a model judge, so that no model is held against the experts."
