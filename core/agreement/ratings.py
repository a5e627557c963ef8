"""What a set of ratings says: how far experts agree, who is strict, and how near models come to
them, criterion by criterion.
"""

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
from core.statistics.intervals import FREE, Floats, Scale, usual_scale
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
    """Every two raters, models too."""

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
    scale: Scale | None = None,
) -> RatingAgreement:
    """Return every figure of ratings by criterion; `models` names the raters that are model judges,
    whom no figure of the experts counts in.

    Without a scale, each criterion's is the narrowest of the usual ones that holds its scores.
    """
    raters = sorted(
        {rater for one in ratings.values() for rater in one.raters},
        key=lambda rater: (rater in models, rater),
    )
    return RatingAgreement(
        criteria={
            criterion: criterion_agreement(one, criterion, models, scale)
            for criterion, one in ratings.items()
        },
        conduct={rater: conduct(ratings, rater) for rater in raters},
    )


def criterion_agreement(
    ratings: Matrix,
    criterion: str,
    models: AbstractSet[str] = frozenset(),
    scale: Scale | None = None,
) -> CriterionAgreement:
    """Return every figure of one criterion, scored on a scale, or on the narrowest of the usual
    ones that holds its scores.
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
        between=_between(ratings, criterion),
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
    values = ratings.values[:, people]
    rated = ratings.rated[:, people]
    n = rated.sum(axis=1)
    sums = np.where(rated, values, 0.0).sum(axis=1)
    return settled(np.where(n > 0, sums / np.maximum(n, 1), np.nan))


def alphas_of_scores(ratings: Matrix, about: str, who: str) -> tuple[Statistic, ...]:
    """Return alpha of scores, which have an order: ordinal, interval."""
    return alpha(ratings, about, "ordinal", who), alpha(ratings, about, "interval", who)


def _against(
    scores: Floats, mean: Floats, model: str, criterion: str, experts: int, scale: Scale
) -> ModelAgainstExperts:
    about = f"{criterion}, {model} against the expert mean"
    given = (
        scores,
        mean,
        about,
        f"{model} and the mean of {counted(experts, 'expert')}",
        experts + 1,
    )
    return ModelAgainstExperts(
        pearson=pearson(*given),
        spearman=spearman(*given),
        kendall=kendall(*given),
        error=mean_absolute_error(*given, scale),
    )


def _means(experts: Matrix, criterion: str, scale: Scale) -> dict[str, Statistic]:
    found = {}
    for item, scores in zip(experts.items, experts.values, strict=True):
        figure = mean_ci(scores[np.isfinite(scores)].tolist(), scale, "experts")
        mean = f"{shown(figure.value or 0.0)} on average{between(figure.low, figure.high)}"
        reading = f"{counted(figure.n, 'expert')} gave {item!r} {mean}."
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
