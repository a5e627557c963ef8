"""What the cells of a sweep come to, figure by figure: each with its interval, how many targets it
is made of, and the runs behind it.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean, median, stdev, variance
from typing import TypeVar

import numpy as np

from core.experiments.findings import Measured, What
from core.experiments.results import Group, Results, group, named
from core.records import Cell, Made, Standings, Unit, Value
from core.statistics.intervals import AMOUNT, SHARE, Figure, clustered_share
from core.statistics.paired import (
    REPORTED,
    PairedComparison,
    clustered_ci,
    compare,
    holm,
    improvement,
    mean_ci,
)

ENDLESS = ("initial", "no-discriminator", "evolve-uninformed", "direct", "rag", "chain")
"""Contenders that nothing tells to stop before the end: a share that converged says nothing of
them.
"""
ROUNDLESS = ("initial", "direct", "rag", "chain")
T = TypeVar("T", Made, Standings)
K = TypeVar("K", bound=Hashable)


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return items by key, in the order they come."""
    found: defaultdict[K, list[T]] = defaultdict(list)
    for one in items:
        found[key(one)].append(one)
    return found


def planned_targets(results: Results, key: Callable[[Cell], K]) -> dict[K, int]:
    """Return how many targets each group of cells ought to have, in the order of the matrix."""
    targets: defaultdict[K, set[str]] = defaultdict(set)
    for cell in results.planned:
        targets[key(cell)].add(cell.target)
    return {name: len(held) for name, held in targets.items()}


def valued(
    figure: Figure,
    cells: Sequence[T],
    of: int | None = None,
    unit: Unit = "",
    digits: int = 3,
    runs: Iterable[str] = (),
) -> Value:
    """Return a figure as a cell of a table; it counts targets, and names the runs of its cells."""
    behind = dict.fromkeys((*runs, *(one.run for one in cells if one.run)))
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=len({one.cell.target for one in cells}),
        of=of,
        counted="targets",
        unit=unit,
        digits=digits,
        note=". ".join(filter(None, (figure.how, figure.note))),
        runs=tuple(behind),
    )


def clustered(
    results: Results, qs: Sequence[float], cells: Sequence[Standings], of: int | None = None
) -> Value:
    """Return the mean of one Q a cell, with its interval clustered by target, and the runs that
    wrote and ranked the ideas.

    A cell that several sweeps ranked counts once, by the mean of what they found, as in the paired
    tests.
    """
    if not cells:
        return Value(n=0, of=of, counted="targets")
    said: defaultdict[Cell, list[float]] = defaultdict(list)
    for q, one in zip(qs, cells, strict=True):
        said[one.cell].append(q)
    wrote = (run for one in cells for run in results.wrote.get(one.cell, ()))
    figure = clustered_ci(
        [fmean(each) for each in said.values()], [cell.target for cell in said], SHARE, "targets"
    )
    return valued(figure, cells, of, runs=wrote)


def quality(results: Results) -> Iterator[Measured]:
    """Yield Q by method, model and indicator, over repeats and targets."""
    held = grouped(results.ranked, lambda one: group(one.cell))
    for key, of in planned_targets(results, group).items():
        yield Measured(what="q", value=_over_repeats(results, held.get(key, []), of), **named(key))


def judges(results: Results) -> Iterator[Measured]:
    """Yield Q by judge as well."""
    held = grouped(
        (one for one in results.standings if one.q), lambda one: (group(one.cell), one.judge)
    )
    for key, of in planned_targets(results, group).items():
        for judge in results.judges:
            yield Measured(
                what="q",
                value=_over_repeats(results, held.get((key, judge), []), of),
                judge=judge,
                **named(key),
            )


def categories(results: Results) -> Iterator[Measured]:
    """Yield Q by the category of the target as well, of those that have one."""
    category = results.category
    held = grouped(results.ranked, lambda one: (group(one.cell), category[one.cell.target]))
    for (key, name), of in planned_targets(
        results, lambda cell: (group(cell), category[cell.target])
    ).items():
        if name:
            yield Measured(
                what="q",
                value=_over_repeats(results, held.get((key, name), []), of),
                category=name,
                **named(key),
            )


def rounds(results: Results) -> Iterator[Measured]:
    """Yield the median of the rounds an idea took, of methods that have rounds."""
    held = grouped((one for one in results.made if one.rounds), lambda one: group(one.cell))
    for key, of in planned_targets(results, group).items():
        if key[0] not in ROUNDLESS and (cells := held.get(key)):
            taken = [n for one in cells for n in one.rounds]
            middle = Figure(
                float(median(taken)),
                None,
                None,
                len(taken),
                note="A median over ideas, without an interval.",
            )
            yield Measured(
                what="rounds",
                value=valued(
                    middle, cells, of, digits=0 if float(median(taken)).is_integer() else 1
                ),
                **named(key),
            )


def converged(results: Results) -> Iterator[Measured]:
    """Yield the share of ideas that converged before the rounds ran out, of methods that can."""
    held = grouped((one for one in results.made if one.converged), lambda one: group(one.cell))
    for key, of in planned_targets(results, group).items():
        if key[0] not in ENDLESS and (cells := held.get(key)):
            each = [(yes, one.cell.target) for one in cells for yes in one.converged]
            share = clustered_share(
                np.array([yes for yes, _ in each], dtype=bool),
                np.array([target for _, target in each]),
                ("target", "targets"),
            )
            yield Measured(
                what="converged", value=valued(share, cells, of, "percent"), **named(key)
            )


def repeats(results: Results) -> Iterator[Measured]:
    """Yield how mean Q moves over the repeats of the ranking, on the targets that have all repeats:
    its mean, standard deviation and variance.
    """
    most = max((len(one.q) for one in results.ranked), default=0)
    held = grouped(
        (one for one in results.ranked if len(one.q) == most > 1), lambda one: group(one.cell)
    )
    for key, cells in held.items():
        means = [fmean(one.q[k] for one in cells) for k in range(most)]
        whole = valued(mean_ci(means, SHARE, "repeats"), cells).model_copy(
            update={"n": most, "counted": "repeats"}
        )
        bare = whole.model_copy(update={"low": None, "high": None, "note": ""})
        yield Measured(what="q", value=whole, **named(key))
        yield Measured(
            what="deviation", value=bare.model_copy(update={"mean": stdev(means)}), **named(key)
        )
        yield Measured(
            what="variance",
            value=bare.model_copy(update={"mean": variance(means), "digits": 8}),
            **named(key),
        )


def _over_repeats(results: Results, cells: Sequence[Standings], of: int) -> Value:
    return clustered(results, [fmean(one.q) for one in cells], cells, of)


# -- methods against each other -------------------------------------------------------------------

FIRST = "initial"
"""The contender that all changes are measured from."""
UNPRICED = "price unknown"


def by_target(results: Results) -> dict[Group, dict[str, float]]:
    """Return Q by group and target: the mean over repeats, and over sweeps that ranked the same
    cell.
    """
    qs: defaultdict[Group, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results.ranked:
        qs[group(one.cell)][one.cell.target].append(fmean(one.q))
    return {
        key: {target: fmean(held) for target, held in sorted(targets.items())}
        for key, targets in qs.items()
    }


def changes(results: Results) -> Iterator[Measured]:
    """Yield the change of mean Q over the first idea of the same model, in percent, on the targets
    that both have.
    """
    means = by_target(results)
    for (method, model, indicator), held in means.items():
        first = means.get((FIRST, model, indicator), {})
        both = sorted(held.keys() & first.keys())
        change = (
            improvement(fmean(first[one] for one in both), fmean(held[one] for one in both))
            if both and method != FIRST
            else None
        )
        if change is not None:
            yield Measured(
                what="change",
                method=method,
                model=model,
                indicator=indicator,
                value=Value(mean=change, n=len(both), counted="targets", unit="change", digits=1),
            )


def tests(results: Results) -> Iterator[Measured]:
    """Yield paired tests of every two methods of a model and an indicator, on the targets that both
    have, corrected by Holm for all of them.
    """
    means = by_target(results)
    made = [
        (model, indicator, compare(a, b, held, SHARE))
        for model in results.models
        for indicator in results.indicators
        for held in [
            {
                name: means[name, model, indicator]
                for name in results.methods
                if (name, model, indicator) in means
            }
        ]
        for a, b in combinations(held, 2)
    ]
    corrected = holm([one.p for *_, one in made])
    for (model, indicator, one), p_holm in zip(made, corrected, strict=True):
        figures = _tested(one, p_holm)
        yield from (
            Measured(
                what=what,
                value=value,
                method=one.a,
                against=one.b,
                model=model,
                indicator=indicator,
            )
            for what, value in figures.items()
        )


def _tested(one: PairedComparison, corrected: float | None) -> Mapping[What, Value]:
    """Return what a comparison comes to; where a test could not be made, the reason stands where
    its figure would.
    """
    t, ranks = (
        {"text": "" if test.p is not None else test.note, "note": test.note}
        for test in (one.t, one.wilcoxon)
    )
    said = one.difference
    return {
        "pairs": Value(mean=one.n, digits=0),
        "difference": Value(
            mean=said.value,
            low=said.low,
            high=said.high,
            n=one.n,
            counted="targets",
            note=said.note or said.how,
        ),
        "test": Value(text=REPORTED),
        "p": Value(mean=one.p, unit="p", **t),
        "holm": Value(mean=corrected, unit="p"),
        "d_z": Value(mean=one.t.effect, digits=2),
        "wilcoxon": Value(mean=one.wilcoxon.p, unit="p", **ranks),
        "rank_biserial": Value(mean=one.wilcoxon.effect, digits=2),
    }


def costs(results: Results) -> Iterator[Measured]:
    """Yield what an idea cost by method and model; ideas that served several indicators were paid
    once and count once.
    """
    cells: defaultdict[tuple[str, str], dict[tuple[str, ...], Made]] = defaultdict(dict)
    for one in results.made:
        if one.ideas:
            cells[one.cell.method, one.cell.model][results.runs(one)] = one
    for (method, model), held in cells.items():
        value = _cost(results, held)
        yield Measured(
            what="cost",
            method=method,
            model=model,
            value=value.model_copy(update={"note": _with_lost(results, method, model, value.note)}),
        )


def _with_lost(results: Results, method: str, model: str, note: str) -> str:
    """Say what cells that came to no idea spent on top: it is in no mean per idea."""
    lost = {
        results.runs(one)
        for one in results.made
        if not one.ideas and (one.cell.method, one.cell.model) == (method, model)
    }
    spent = sum(dollars for several in lost if (dollars := _dollars(results, several)))
    return (
        f"{note} Cells that came to no idea spent ${spent:.4f} besides.".strip() if spent else note
    )


def _cost(results: Results, held: Mapping[tuple[str, ...], Made]) -> Value:
    """Return the mean cost of an idea over the runs whose price is known."""
    runs = [run for several in held for run in several]
    known = [
        (dollars / len(one.ideas), one)
        for several, one in held.items()
        if (dollars := _dollars(results, several)) is not None
    ]
    if not known:
        return Value(text=UNPRICED, n=0, of=len(held), counted="cells", runs=tuple(runs))
    figure = clustered_ci(
        [cost for cost, _ in known], [one.cell.target for _, one in known], AMOUNT, "targets"
    )
    value = valued(figure, [one for _, one in known], len(held), "dollars", 4, runs)
    return value.model_copy(update={"n": len(known), "counted": "cells"})


def _dollars(results: Results, runs: tuple[str, ...]) -> float | None:
    each = [results.dollars.get(run) for run in runs]
    known = [dollars for dollars in each if dollars is not None]
    return sum(known) if len(known) == len(each) else None
