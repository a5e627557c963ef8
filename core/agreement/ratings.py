"""What a set of ratings says: how far experts agree, who is strict, and how near models come to
them, criterion by criterion.
"""

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import combinations

import numpy as np

from core.agreement.ceiling import Ceilings, ceilings
from core.agreement.conduct import Conduct, conduct
from core.records import Record
from core.statistics.alpha import alpha
from core.statistics.correlation import kendall, mean_absolute_error, pearson, spearman
from core.statistics.icc import iccs
from core.statistics.intervals import FREE, SHARE, Floats, Scale, usual_scale
from core.statistics.matrix import Matrix, settled
from core.statistics.paired import mean_ci
from core.statistics.severity import Severities, severities
from core.statistics.statistic import Statistic, between, of_figure, shown
from core.wording.numbers import counted


class ModelAgainstExperts(Record):
    """A model judge against the mean of the experts, over the ideas both scored."""

    pearson: Statistic
    spearman: Statistic
    kendall: Statistic
    error: Statistic

    @property
    def figures(self) -> tuple[Statistic, ...]:
        """All of them."""
        return self.pearson, self.spearman, self.kendall, self.error


class Between(Record):
    """Two raters, as a cell of the agreement matrix."""

    one: str
    other: str
    figure: Statistic
    """Spearman's rho."""


class CriterionAgreement(Record):
    """All figures of one criterion."""

    criterion: str
    experts: tuple[str, ...]
    models: tuple[str, ...]
    iccs: tuple[Statistic, ...]
    """Of experts only."""
    alphas: tuple[Statistic, ...]
    """Of experts only: ordinal, interval."""
    alphas_with_models: tuple[Statistic, ...] = ()
    """Of experts and models together; empty without models."""
    alphas_of_models: tuple[Statistic, ...] = ()
    """Of models only; empty with fewer than two."""
    ceilings: Ceilings
    severities: Severities
    """Of experts only."""
    means: dict[str, Statistic]
    """By idea, the mean of the experts' scores."""
    against: dict[str, ModelAgainstExperts]
    """By model."""
    between: tuple[Between, ...]
    """Every two raters, models too; empty of very many."""

    @property
    def agreement(self) -> tuple[Statistic, ...]:
        """How far raters agree: experts, experts with models, models."""
        return *self.iccs, *self.alphas, *self.alphas_with_models, *self.alphas_of_models


class RatingAgreement(Record):
    """All figures of a set of ratings."""

    criteria: dict[str, CriterionAgreement]
    conduct: dict[str, Conduct]
    """By rater, experts first."""


def rating_agreement(
    ratings: Mapping[str, Matrix],
    models: AbstractSet[str] = frozenset(),
    scale: Scale | Mapping[str, Scale] | None = None,
    pairs: bool = True,
) -> RatingAgreement:
    """Return every figure of ratings by criterion; `models` names the raters that are model judges,
    whom no figure of the experts counts in. Every two raters are held against each other where
    `pairs` asks for that.

    Without a scale, each criterion's is the narrowest of the usual ones that holds its scores.
    """
    names = {rater for matrix in ratings.values() for rater in matrix.raters}
    raters = sorted(names, key=lambda rater: (rater in models, rater))
    scales = scale if isinstance(scale, Mapping) else dict.fromkeys(ratings, scale)
    comparable, among = on_one_scale(ratings, scale)
    return RatingAgreement(
        criteria={
            criterion: criterion_agreement(matrix, criterion, models, scales.get(criterion), pairs)
            for criterion, matrix in ratings.items()
        },
        conduct={rater: conduct(comparable, rater, among) for rater in raters},
    )


def several(scale: Scale | Mapping[str, Scale] | None) -> bool:
    """Say whether criteria are known to have different scales."""
    return isinstance(scale, Mapping) and len(set(scale.values())) > 1


def shared_scale(scale: Scale | Mapping[str, Scale] | None) -> Scale | None:
    """Return the scale of all criteria, where it is known and one."""
    if not isinstance(scale, Mapping):
        return scale
    return next(iter(scale.values()), None) if not several(scale) else None


def on_one_scale(
    ratings: Mapping[str, Matrix], scale: Scale | Mapping[str, Scale] | None
) -> tuple[Mapping[str, Matrix], str]:
    """Return the ratings on the scale that most criteria have, yes and no apart, and how to name
    them; all, and no name, where there is one scale.
    """
    if not isinstance(scale, Mapping) or not several(scale):
        return ratings, ""
    counted_scales = Counter(one for one in scale.values() if one != SHARE)
    ((commonest, _),) = counted_scales.most_common(1)
    alike = {name: one for name, one in ratings.items() if scale.get(name) == commonest}
    return alike, f" scored from {commonest.low:g} to {commonest.high:g}"


def criterion_agreement(
    ratings: Matrix,
    criterion: str,
    models: AbstractSet[str] = frozenset(),
    scale: Scale | None = None,
    pairs: bool = True,
) -> CriterionAgreement:
    """Return every figure of one criterion, scored on a scale, or on the narrowest of the usual
    ones that holds its scores; those of every two raters where `pairs` asks for that.
    """
    scale = scored_on(ratings, scale)
    judges = tuple(rater for rater in ratings.raters if rater in models)
    experts = ratings.without(judges)
    machines = ratings.only(judges)
    about = f"{criterion}, experts only" if judges else criterion
    together = f"experts and {counted(len(judges), 'model judge')}"
    mean = expert_mean(ratings, judges)
    return CriterionAgreement(
        criterion=criterion,
        experts=experts.raters,
        models=judges,
        iccs=iccs(experts, about),
        alphas=alphas_of_scores(experts, about, "experts"),
        alphas_with_models=(
            alphas_of_scores(ratings, f"{criterion}, {together}", "experts and models")
            if judges
            else ()
        ),
        alphas_of_models=(
            alphas_of_scores(machines, f"{criterion}, models only", "models")
            if len(judges) > 1
            else ()
        ),
        ceilings=ceilings(experts, criterion, scale=scale),
        severities=severities(experts, criterion, scale=scale),
        means=_means(experts, criterion, scale),
        against={
            model: _against(
                ratings.column(model), mean, model, criterion, len(experts.raters), scale
            )
            for model in judges
        },
        between=_between(ratings, criterion) if pairs else (),
    )


def scored_on(ratings: Matrix, scale: Scale | None = None) -> Scale:
    """Return the scale, or, where it is not known, the narrowest of the usual ones that holds the
    scores.
    """
    return scale or (usual_scale(ratings.values) if ratings.rated.any() else FREE)


def expert_mean(ratings: Matrix, models: tuple[str, ...]) -> Floats:
    """Return the mean score of all raters but `models`: (items,), nan where none scored the
    item.
    """
    people = np.array([rater not in models for rater in ratings.raters], dtype=bool)
    rated = ratings.rated[:, people]
    scores = np.where(rated, ratings.values[:, people], 0.0)
    n = rated.sum(axis=1)
    means = scores.sum(axis=1) / np.maximum(n, 1)
    return settled(np.where(n > 0, means, np.nan))


def alphas_of_scores(ratings: Matrix, about: str, who: str) -> tuple[Statistic, ...]:
    """Return alpha of scores, which have an order: ordinal, interval."""
    return alpha(ratings, about, "ordinal", who), alpha(ratings, about, "interval", who)


def _against(
    scores: Floats, mean: Floats, model: str, criterion: str, experts: int, scale: Scale
) -> ModelAgainstExperts:
    about = f"{criterion}, {model} against the expert mean"
    whose = f"{model} and the mean of {counted(experts, 'expert')}"
    given = (scores, mean, about, whose, experts + 1)
    return ModelAgainstExperts(
        pearson=pearson(*given),
        spearman=spearman(*given),
        kendall=kendall(*given),
        error=mean_absolute_error(*given, scale),
    )


def _means(experts: Matrix, criterion: str, scale: Scale) -> dict[str, Statistic]:
    found = {}
    for item, scores in zip(experts.items, experts.values, strict=True):
        known = scores[np.isfinite(scores)]
        figure = mean_ci(known.tolist(), scale, "experts")
        mean = shown(figure.value or 0.0)
        ends = between(figure.low, figure.high)
        reading = f"{counted(figure.n, 'expert')} gave {item!r} {mean} on average{ends}."
        about = f"{criterion}, {item}"
        found[item] = of_figure(figure, "expert mean", about, "scores", figure.n, reading)
    return found


def _between(ratings: Matrix, criterion: str) -> tuple[Between, ...]:
    found = []
    for one, other in combinations(ratings.raters, 2):
        both = f"{one} and {other}"
        columns = (ratings.column(one), ratings.column(other))
        figure = spearman(*columns, f"{criterion}, {both}", both)
        found.append(Between(one=one, other=other, figure=figure))
    return tuple(found)
