"""Whether the order in which texts were shown moved what experts said of them. It is kept with each
answer; which side a text stood on is tested by `core.agreement.sides`.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from core.records import RankAnswer, RateAnswer
from core.statistics.intervals import COEFFICIENT, FEWEST, Floats, Scale
from core.statistics.paired import mean_ci, paired_t
from core.statistics.statistic import Statistic, between, of_figure, p_said, refused, shown
from core.studies.filed import Filed

DRIFT, PULL = "drift over the list", "pull of the order shown"
EXPERTS = 3
"""Experts that a drift is taken over, at least."""
UNITS = 5
"""Units of an expert that a slope needs."""


def drift(filed: Filed, criterion: str, scale: Scale) -> Statistic:
    """Return by how many points scores rise from the first unit of a list to the last: the mean
    over experts of their slopes, by Student's t.

    An expert's score counts less the mean of the other experts on the same idea. Refused under 3
    experts with 5 such units.
    """
    places: dict[str, dict[str, tuple[float, float]]] = defaultdict(dict)
    for place, answer in filed.said(RateAnswer):
        score = answer.scores.get(criterion)
        if place.seat in filed.taking.experts and score is not None:
            listed = filed.lists[place.seat, place.unit, place.time]
            places[place.unit][place.seat] = (float(listed.position), float(score))
    by_seat: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for by_expert in places.values():
        for seat, (at, own) in by_expert.items():
            others = [other for one, (_, other) in by_expert.items() if one != seat]
            if others:
                by_seat[seat].append((at, own - float(np.mean(others))))
    slopes = [_slope(np.array(some)) for some in by_seat.values() if len(some) >= UNITS]
    if len(slopes) < EXPERTS:
        reason = (
            f"A drift needs {EXPERTS} experts with {UNITS} units that others scored, too; there"
            f" {'is' if len(slopes) == 1 else 'are'} {len(slopes)}."
        )
        return refused(DRIFT, criterion, len(slopes), reason, "experts")
    return _tested(
        DRIFT,
        criterion,
        slopes,
        scale.differences,
        "experts",
        "From the first unit of a list to the last, scores move by {} points",
    )


def _slope(points: Floats) -> float:
    """Return the least-squares slope over the list, from its first place to its last."""
    place = points[:, 0]
    away = place - place.mean()
    whole = float(np.ptp(place))
    return float(away @ points[:, 1] / (away @ away)) * whole


def pull(filed: Filed, criterion: str) -> Statistic:
    """Return how far orders follow the order shown: Kendall's tau-b of the two, the mean over
    orders, by Student's t. Refused under 10 orders.
    """
    from scipy import stats  # type: ignore[import-untyped]

    taus = []
    for place, answer in filed.said(RankAnswer):
        if place.seat not in filed.taking.experts:
            continue
        if filed.units[place.unit].criterion != criterion:
            continue
        stood = {label: n for n, label in enumerate(filed.shown(place))}
        ranks = {label: n for n, group in enumerate(answer.groups) for label in group}
        both = sorted(stood.keys() & ranks.keys())
        tau = stats.kendalltau([stood[one] for one in both], [ranks[one] for one in both])
        if np.isfinite(tau.statistic):
            taus.append(float(tau.statistic))
    if len(taus) < FEWEST:
        reason = f"The pull of the order shown needs {FEWEST} orders; there are {len(taus)}."
        return refused(PULL, criterion, len(taus), reason, "orders")
    said = "The order given follows the order shown by a tau-b of {}, 0 by chance"
    return _tested(PULL, criterion, taus, COEFFICIENT, "orders", said)


def _tested(
    name: str, criterion: str, values: Sequence[float], scale: Scale, unit: str, said: str
) -> Statistic:
    figure = mean_ci(values, scale, unit)
    test = paired_t(np.array(values))
    p = "" if test.p is None else f"; {p_said(test.p)}"
    reading = said.format(f"{shown(figure.value or 0.0)}{between(figure.low, figure.high)}")
    found = of_figure(figure, name, criterion, unit, reading=f"{reading}{p}.")
    return found.model_copy(update={"p": test.p})
