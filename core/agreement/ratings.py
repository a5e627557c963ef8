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
from core.statistics.alpha import LEVELS, alpha
from core.statistics.correlation import kendall, mean_absolute_error, pearson, spearman
from core.statistics.icc import iccs
from core.statistics.intervals import FREE, Floats, Scale, usual_scale
from core.statistics.matrix import Matrix, settled
from core.statistics.paired import mean_ci
from core.statistics.severity import Severities, severities
from core.statistics.statistic import Statistic, between, counted, of_figure, shown


class ModelAgainstExperts(Record):
    """A model judge against the mean of the experts, over the ideas both scored."""

    pearson: Statistic
    spearman: Statistic
    kendall: Statistic
    error: Statistic


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
    experts, machines = ratings.without(judges), ratings.only(judges)
    about = f"{criterion}, experts only" if judges else criterion
    together = f"experts and {counted(len(judges), 'model judge')}"
    with_models = (
        _alphas(ratings, f"{criterion}, {together}", "experts and models") if judges else ()
    )
    mean = expert_mean(ratings, judges)
    return CriterionAgreement(
        criterion=criterion,
        experts=experts.raters,
        models=judges,
        iccs=iccs(experts, about),
        alphas=_alphas(experts, about, "experts"),
        alphas_with_models=with_models,
        alphas_of_models=(
            _alphas(machines, f"{criterion}, models only", "models") if len(judges) > 1 else ()
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
    values, rated = ratings.values[:, people], ratings.rated[:, people]
    n = rated.sum(axis=1)
    return settled(
        np.where(n > 0, np.where(rated, values, 0.0).sum(axis=1) / np.maximum(n, 1), np.nan)
    )


def _alphas(ratings: Matrix, about: str, who: str) -> tuple[Statistic, ...]:
    return tuple(alpha(ratings, about, level, who) for level in LEVELS if level != "nominal")


def _against(
    scores: Floats, mean: Floats, model: str, criterion: str, experts: int, scale: Scale
) -> ModelAgainstExperts:
    about, whose = (
        f"{criterion}, {model} against the expert mean",
        f"{model} and the mean of {counted(experts, 'expert')}",
    )
    return ModelAgainstExperts(
        error=mean_absolute_error(scores, mean, about, whose, experts + 1, scale),
        **{
            name: measure(scores, mean, about, whose, experts + 1)
            for name, measure in (
                ("pearson", pearson),
                ("spearman", spearman),
                ("kendall", kendall),
            )
        },
    )


def _means(experts: Matrix, criterion: str, scale: Scale) -> dict[str, Statistic]:
    found = {}
    for item, scores in zip(experts.items, experts.values, strict=True):
        figure = mean_ci(scores[np.isfinite(scores)].tolist(), scale, "experts")
        reading = (
            f"{counted(figure.n, 'expert')} gave {item!r} {shown(figure.value or 0.0)} on"
            f" average{between(figure.low, figure.high)}."
        )
        found[item] = of_figure(
            figure, "expert mean", f"{criterion}, {item}", "scores", figure.n, reading
        )
    return found


def _between(ratings: Matrix, criterion: str) -> tuple[Between, ...]:
    pairs = [(one, other, f"{one} and {other}") for one, other in combinations(ratings.raters, 2)]
    return tuple(
        Between(
            one=one,
            other=other,
            figure=spearman(
                ratings.column(one), ratings.column(other), f"{criterion}, {both}", both
            ),
        )
        for one, other, both in pairs
    )
