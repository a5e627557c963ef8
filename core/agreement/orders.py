"""How far raters put the ideas of a set in the same order: W over all experts, tau-b between two,
and each model beside the human ceiling.

Tau-b: M. G. Kendall and J. D. Gibbons, Rank Correlation Methods (5th ed., 1990), chapter 3. Over
several sets it is the mean of the sets' tau-b weighted by their untied pairs of ideas, so that
every set counts by what its rankings say, and one that ties everything does not count.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.agreement.rankings import RankedSet, mean_ranks, named_once
from core.statistics.concordance import of_set, over_sets
from core.statistics.intervals import COEFFICIENT, Floats
from core.statistics.pooled import pooled
from core.statistics.statistic import Statistic


class SetFigures(NamedTuple):
    """One set: how far the experts agree on it, and everybody's tau-b with the experts."""

    name: str
    w: Statistic
    experts: Mapping[str, float | None]
    """Each against the mean order of the other experts; None where one of the two ties everything,
    or there is no other.
    """
    models: Mapping[str, float | None]
    """Each against the mean order of all experts."""


class OrderAgreement(NamedTuple):
    """Agreement on orders; of fewer than 10 sets every figure stands alone, without interval and
    verdict.
    """

    sets: tuple[SetFigures, ...]
    w: Statistic
    tau: Statistic
    """Over all pairs of experts."""
    pairs: Mapping[tuple[str, str], Statistic]
    """Every two raters, models included; keys in the order of the alphabet."""
    ceiling: Statistic
    """Every expert against the mean order of the others: what to hold a model's figure against."""
    experts: Mapping[str, Statistic]
    models: Mapping[str, Statistic]


class _Ranks(NamedTuple):
    name: str
    by: Mapping[str, Floats]
    experts: tuple[str, ...]

    def of(self, *names: str) -> Floats:
        items = len(next(iter(self.by.values())))
        return np.array([self.by[name] for name in names]).reshape(len(names), items)


def order_agreement(
    sets: Sequence[RankedSet], models: Collection[str] = (), about: str = "quality"
) -> OrderAgreement:
    """Return how far raters agree on the order of ideas within sets, on one criterion; `models`
    names the raters that are model judges.

    Raises BadInput where the rankings of a set are not of the same ideas, each named once, and
    where two sets share a name.
    """
    ranked = [
        _Ranks(one.name, mean_ranks(one), tuple(sorted(one.rankings.keys() - set(models))))
        for one in named_once(sets).values()
    ]
    names = sorted({name for ranks in ranked for name in ranks.by})
    people = [name for name in names if name not in models]
    k = len(people)
    against = {name: _parts(_against_experts(ranks, name) for ranks in ranked) for name in names}
    pairs = {}
    for one, other in combinations(names, 2):
        parts = _parts(_between(ranks, [(one, other)]) for ranks in ranked)
        what = f"{one} and {other} order ideas alike"
        pairs[one, other] = _tau(f"{about}, {one} and {other}", parts, what, 2)
    experts = {}
    judges = {}
    for name, parts in against.items():
        if name in models:
            judges[name] = _with_mean_order(about, name, "the experts", parts)
        else:
            experts[name] = _with_mean_order(about, name, "the other experts", parts)
    return OrderAgreement(
        tuple(_set_figures(ranks, about) for ranks in ranked),
        over_sets({ranks.name: ranks.of(*ranks.experts) for ranks in ranked}, about, k),
        _tau(
            f"{about}, between experts",
            _parts(_between(ranks, combinations(ranks.experts, 2)) for ranks in ranked),
            "Two experts order the ideas of a set alike",
            k,
            ", where 0 is chance and 1 the same order",
            of_raters=True,
        ),
        pairs,
        _tau(
            f"{about}, each expert with the others",
            sum((against[name] for name in people), np.zeros((len(ranked), 2))),
            "The human ceiling: an expert's order agrees with the mean order of the others",
            k,
            of_raters=True,
        ),
        experts,
        judges,
    )


def _tau(
    about: str,
    parts: Floats,
    what: str,
    raters: int = 0,
    meaning: str = "",
    *,
    of_raters: bool = False,
) -> Statistic:
    """Return tau-b over sets from its parts (sets, 2); `what` begins its reading."""
    return pooled(
        "tau-b",
        about,
        parts,
        lambda seen: f"{what} at tau-b = {seen}{meaning}.",
        "sets",
        raters,
        scale=COEFFICIENT,
        of_raters=of_raters,
        few_alone=True,
    )


def _with_mean_order(about: str, name: str, whom: str, parts: Floats) -> Statistic:
    """Return how a rater's orders go with the mean order of others."""
    what = f"{name} and the mean order of {whom} agree"
    return _tau(f"{about}, {name} with {whom}", parts, what)


def tau_b(one: Floats, other: Floats) -> float | None:
    """Return Kendall's tau-b of two vectors of ranks; None where one of them ties everything."""
    return _ratio(_tau_parts(one, other))


def _ratio(parts: tuple[float, float]) -> float | None:
    return parts[0] / parts[1] if parts[1] else None


def _tau_parts(one: Floats, other: Floats) -> tuple[float, float]:
    """Return concordant less discordant pairs of ideas, and the root of the pairs that the one does
    not tie times those that the other does not.
    """
    up, down = np.triu_indices(len(one), 1)
    x = np.sign(one[up] - one[down])
    y = np.sign(other[up] - other[down])
    untied = np.sqrt((x @ x) * (y @ y))
    return float(x @ y), float(untied)


def _parts(found: Iterable[tuple[float, float]]) -> Floats:
    return np.array(list(found), dtype=np.float64).reshape(-1, 2)


def _against_experts(ranked: _Ranks, name: str) -> tuple[float, float]:
    """Return the parts of a rater's tau-b with the mean order of the experts, the rater left
    out.
    """
    others = [expert for expert in ranked.experts if expert != name]
    if not others or name not in ranked.by:
        return 0.0, 0.0
    # Not the mean: totals of halves are exact, so that ideas with equal means are tied.
    return _tau_parts(ranked.by[name], ranked.of(*others).sum(axis=0))


def _between(ranked: _Ranks, pairs: Iterable[tuple[str, str]]) -> tuple[float, float]:
    """Return the parts of tau-b summed over those of the pairs of raters that ranked the set."""
    ranks = ranked.by
    parts = _parts(
        _tau_parts(ranks[one], ranks[other]) for one, other in pairs if {one, other} <= ranks.keys()
    )
    difference, untied = parts.sum(axis=0).tolist()
    return difference, untied


def _set_figures(ranked: _Ranks, about: str) -> SetFigures:
    w = of_set(ranked.of(*ranked.experts), f"{about}, set {ranked.name}")
    models = {name: _ratio(_against_experts(ranked, name)) for name in ranked.by}
    experts = {name: models.pop(name) for name in ranked.experts}
    return SetFigures(ranked.name, w, experts, models)
