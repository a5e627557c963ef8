"""What rankings of a session say, by label: how far experts agree on an order, models beside them;
the hidden idea once sources are revealed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.hidden import HiddenAgreement, HumanGuess, found_target, hidden_agreement
from core.agreement.orders import OrderAgreement, order_agreement, tau_b
from core.agreement.rankings import RankedSet, mean_ranks
from core.records import NOTHING, ItemKey, RankAnswer, StudyUnit, Table, Value
from core.statistics.intervals import COEFFICIENT
from core.statistics.pooled import pooled
from core.statistics.statistic import Statistic, shown
from core.studies.filed import Filed
from core.tables.cells import cell, slug
from core.tables.stat_tables import grid, statistics

Groups = tuple[tuple[str, ...], ...]
"""An order: labels by place, best first; those of one group are tied."""


class Hidden(NamedTuple):
    """Where the idea by people stands, by criterion, and how often experts took it for one."""

    by_criterion: dict[str, HiddenAgreement]
    found: Statistic
    each: dict[str, Statistic]
    """By expert."""


class Ordered(NamedTuple):
    """All figures of a session's rankings."""

    sets: dict[str, tuple[RankedSet, ...]]
    """By criterion; without targets before unblinding."""
    agreement: dict[str, OrderAgreement]
    again: dict[str, Statistic]
    """By criterion: an expert's first order of a set and the second."""
    hidden: Hidden | None
    """None before unblinding, and where no set hides an idea by people."""


def ordered(filed: Filed, key: Mapping[str, ItemKey] | None = None) -> Ordered:
    """Return the figures of a session's rankings; with the `key`, those of the hidden idea too."""
    targets = frozenset(label for label, item in (key or {}).items() if item.target)
    sets = {}
    again: dict[str, list[tuple[Groups, Groups]]] = {}
    for criterion in filed.study.plan.criteria:
        sets[criterion.name] = ranked_sets(filed, criterion.name, targets)
        again[criterion.name] = []
    for place, first, second in filed.said_twice(RankAnswer):
        again[filed.units[place.unit].criterion].append((first.groups, second.groups))
    found = of_sets(sets, again, filed.models)
    if targets and filed.study.plan.hidden_target:
        return found._replace(hidden=_hidden(filed, sets, targets))
    return found


def of_sets(
    sets: dict[str, tuple[RankedSet, ...]],
    again: Mapping[str, Sequence[tuple[Groups, Groups]]],
    models: frozenset[str],
) -> Ordered:
    """Return the figures of rankings by criterion, from wherever they are; `again` holds experts'
    first and second orders of one set.
    """
    return Ordered(
        sets,
        {name: order_agreement(some, models, name) for name, some in sets.items()},
        {name: _again(name, again.get(name, ())) for name in sets},
        None,
    )


def ranked_sets(
    filed: Filed, criterion: str, targets: frozenset[str] = frozenset()
) -> tuple[RankedSet, ...]:
    """Return the sets that were ranked by a criterion, by unit, each with everybody's order and its
    target, where one is given.
    """
    orders: dict[str, dict[str, Groups]] = defaultdict(dict)
    for place, answer in filed.said(RankAnswer):
        if filed.units[place.unit].criterion == criterion:
            orders[place.unit][filed.called[place.seat]] = answer.groups
    return tuple(
        RankedSet(unit, by_rater, _target(filed.units[unit], targets))
        for unit, by_rater in sorted(orders.items())
    )


def _target(unit: StudyUnit, targets: frozenset[str]) -> str:
    """Return the text of a set that is by people; empty where none is."""
    return next((label for label in unit.labels if label in targets), "")


def _again(criterion: str, pairs: Sequence[tuple[Groups, Groups]]) -> Statistic:
    taus = []
    for first, second in pairs:
        ranks = mean_ranks(RankedSet("asked again", {"first": first, "second": second}))
        tau = tau_b(ranks["first"], ranks["second"])
        if tau is not None:
            taus.append(tau)
    return pooled(
        "tau-b",
        f"{criterion}, asked again",
        np.column_stack([taus, np.ones(len(taus))]),
        lambda seen: f"Asked again, experts order a set as before at tau-b = {seen}.",
        "repeats",
        scale=COEFFICIENT,
        few_alone=True,
    )


def _hidden(
    filed: Filed, sets: Mapping[str, tuple[RankedSet, ...]], targets: frozenset[str]
) -> Hidden:
    # A set is asked about once, whichever criteria it was ranked by: it is called by its labels.
    asked = {}
    names = {}
    for unit in filed.units.values():
        if unit.id not in filed.expected:
            name = names[unit.id] = " ".join(unit.labels)
            asked[name] = RankedSet(name, {"asked": (unit.labels,)}, _target(unit, targets))
    guesses = [
        HumanGuess(filed.called[seat], names[unit], label)
        for seat in filed.taking.experts
        if seat in filed.afterwards
        for unit, label in filed.afterwards[seat].human.items()
        if label and unit in names
    ]
    every = [asked[name] for name in sorted(asked)]
    each = {}
    for rater in sorted({guess.rater for guess in guesses}):
        mine = [guess for guess in guesses if guess.rater == rater]
        each[rater] = found_target(every, mine, rater)
    return Hidden(
        {name: hidden_agreement(some, filed.models, name) for name, some in sets.items()},
        found_target(every, guesses),
        each,
    )


def figures(found: Ordered) -> dict[str, tuple[Statistic, ...]]:
    """Return the statistics by criterion, in the order they are read; the guesses at the hidden
    idea stand under the empty name.
    """
    by: dict[str, tuple[Statistic, ...]] = {
        name: (
            one.w,
            one.tau,
            one.ceiling,
            *one.models.values(),
            *_placed(found.hidden, name),
            found.again[name],
        )
        for name, one in found.agreement.items()
    }
    if found.hidden:
        by[""] = (found.hidden.found, *found.hidden.each.values())
    return by


def _placed(hidden: Hidden | None, criterion: str) -> tuple[Statistic, ...]:
    if hidden is None:
        return ()
    one = hidden.by_criterion[criterion]
    return (
        one.q_experts,
        *one.q.values(),
        one.a_ceiling,
        *one.a.values(),
        one.d_ceiling,
        *one.d.values(),
    )


def tables(found: Ordered) -> tuple[Table, ...]:
    """Return the figures as tables: statistics by criterion, every two raters, every set."""
    figured = (
        statistics(
            f"rankings-{name or 'hidden-idea'}",
            f"Agreement: {name}" if name else "Was the idea by people found?",
            some,
        )
        for name, some in figures(found).items()
    )
    pairs = (
        grid(
            f"pairs-{name}",
            f"Every two raters: {name}",
            (*one.experts, *one.models),
            dict(one.pairs),
            "Kendall's tau-b of their orders, with 95 % intervals over sets.",
        )
        for name, one in found.agreement.items()
    )
    return *figured, *pairs, *(_sets(name, one) for name, one in found.agreement.items())


def _sets(criterion: str, found: OrderAgreement) -> Table:
    raters = (*found.experts, *found.models)
    rows = []
    for one in found.sets:
        taus = {**one.experts, **one.models}
        cells = (
            Value(text=NOTHING) if taus.get(rater) is None else Value(mean=taus[rater], digits=2)
            for rater in raters
        )
        rows.append((Value(text=one.name), cell(one.w), *cells))
    return Table(
        name=slug(f"sets-{criterion}"),
        title=f"Sets: {criterion}",
        head=("Set", "Kendall's W", *raters),
        rows=tuple(rows),
        note=(
            "Tau-b of each rater's order with the mean order of the experts, the own left out. W"
            f" of so many experts is {shown(1.0)} in full agreement, and 1 / experts by chance. One"
            " set gives no interval."
        ),
    )
