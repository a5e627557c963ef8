"""What the cells of a sweep come to, figure by figure: each with its interval, how many targets it
is made of, and the runs behind it.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product, zip_longest
from statistics import fmean, median, stdev, variance
from typing import TypeVar

import numpy as np

from core.experiments.contenders import ENDLESS, REFINING
from core.experiments.findings import Measured, What
from core.experiments.results import Group, Results, group, named
from core.records import Cell, Made, Standings, Unit, Value
from core.statistics.corrections import holm
from core.statistics.intervals import AMOUNT, SHARE, Figure, clustered_share
from core.statistics.paired import (
    REPORTED,
    PairedComparison,
    clustered_ci,
    compare,
    improvement,
    mean_ci,
)
from core.wording.numbers import counted

ROUNDLESS = ("initial", "direct", "rag", "chain")
T = TypeVar("T", Made, Standings)
K = TypeVar("K", bound=Hashable)


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return items by key, in the order they come."""
    found: defaultdict[K, list[T]] = defaultdict(list)
    for one in items:
        found[key(one)].append(one)
    return found


def group_cells(items: Iterable[T]) -> dict[Group, list[T]]:
    """Return what is of cells by method, model and indicator, in the order it comes."""
    return grouped(items, lambda one: group(one.cell))


def planned_targets(results: Results, key: Callable[[Cell], K]) -> dict[K, int]:
    """Return how many targets each group of cells ought to have, in the order of the matrix."""
    targets: defaultdict[K, set[str]] = defaultdict(set)
    for cell in results.planned:
        name = key(cell)
        targets[name].add(cell.target)
    return {name: len(shas) for name, shas in targets.items()}


def value_of(
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
    by_cell: defaultdict[Cell, list[float]] = defaultdict(list)
    for q, one in zip(qs, cells, strict=True):
        by_cell[one.cell].append(q)
    wrote = (run for one in cells for run in results.wrote.get(one.cell, ()))
    means = list(map(fmean, by_cell.values()))
    targets = [cell.target for cell in by_cell]
    figure = clustered_ci(means, targets, SHARE, "targets")
    return value_of(figure, cells, of, runs=wrote)


def quality(results: Results) -> Iterator[Measured]:
    """Yield Q by method, model and indicator, over repeats and targets."""
    held = group_cells(results.ranked)
    for key, of in planned_targets(results, group).items():
        cells = held.get(key, [])
        value = _over_repeats(results, cells, of)
        yield Measured(what="q", value=value, **named(key))


def judges(results: Results) -> Iterator[Measured]:
    """Yield Q by judge as well."""
    judged = (one for one in results.standings if one.q)
    held = grouped(judged, lambda one: (group(one.cell), one.judge))
    planned = planned_targets(results, group)
    for key, of in planned.items():
        for judge in results.judges:
            cells = held.get((key, judge), [])
            value = _over_repeats(results, cells, of)
            yield Measured(what="q", value=value, judge=judge, **named(key))


def categories(results: Results) -> Iterator[Measured]:
    """Yield Q by the category of the target as well, of those that have one."""

    def share(cell: Cell) -> tuple[Group, str]:
        return group(cell), results.category[cell.target]

    held = grouped(results.ranked, lambda one: share(one.cell))
    planned = planned_targets(results, share)
    for (key, name), of in planned.items():
        if name:
            cells = held.get((key, name), [])
            value = _over_repeats(results, cells, of)
            yield Measured(what="q", value=value, category=name, **named(key))


def rounds(results: Results) -> Iterator[Measured]:
    """Yield the median of the rounds an idea took, of methods that have rounds."""
    held = group_cells(one for one in results.made if one.rounds)
    for key, of in planned_targets(results, group).items():
        cells = held.get(key)
        if not cells or key[0] in ROUNDLESS:
            continue
        taken = list[int]()
        for one in cells:
            taken += rounds_given(one, results.max_rounds, results.broke_off.get(one.run, ()))
        if not taken:
            continue
        note = "A median over ideas, without an interval."
        if lost := sum(len(one.rounds) for one in cells) - len(taken):
            note += f" Left out: {counted(lost, 'idea')} that broke off."
        middle = float(median(taken))
        figure = Figure(middle, None, None, len(taken), note=note)
        digits = 0 if middle.is_integer() else 1
        value = value_of(figure, cells, of, digits=digits)
        yield Measured(what="rounds", value=value, **named(key))


def rounds_given(made: Made, most: int, broke_off: Sequence[bool] = ()) -> list[int]:
    """Return how many rounds each idea of a cell took: of one that did not converge all there were,
    since the round it is of is the last that was found better. Those that broke off before took no
    number of rounds, and are left out.
    """
    if made.cell.method not in REFINING or made.cell.method in ENDLESS:
        return list(made.rounds)
    ended = zip_longest(made.rounds, made.converged, broke_off, fillvalue=False)
    return [n if converged else most for n, converged, lost in ended if converged or not lost]


def converged(results: Results) -> Iterator[Measured]:
    """Yield the share of ideas that converged before the rounds ran out, of methods that can."""
    held = group_cells(one for one in results.made if one.converged)
    for key, of in planned_targets(results, group).items():
        cells = held.get(key)
        if not cells or key[0] in ENDLESS:
            continue
        ends = [yes for one in cells for yes in one.converged]
        targets = [one.cell.target for one in cells for _ in one.converged]
        share = clustered_share(
            np.array(ends, dtype=bool), np.array(targets), ("target", "targets")
        )
        value = value_of(share, cells, of, "percent")
        yield Measured(what="converged", value=value, **named(key))


def repeats(results: Results) -> Iterator[Measured]:
    """Yield how mean Q moves over the repeats of the ranking, on the targets that have all repeats:
    its mean, standard deviation and variance.
    """
    most, held = all_repeats(results)
    for key, cells in held.items():
        means = [fmean(one.q[k] for one in cells) for k in range(most)]
        whole = value_of(mean_ci(means, SHARE, "repeats"), cells)
        whole = whole.model_copy(update={"n": most, "counted": "repeats"})
        bare = {"low": None, "high": None, "note": ""}
        changes: dict[What, dict[str, object]] = {
            "q": {},
            "deviation": {**bare, "mean": stdev(means)},
            "variance": {**bare, "mean": variance(means), "digits": 8},
        }
        for what, change in changes.items():
            yield Measured(what=what, value=whole.model_copy(update=change), **named(key))


def all_repeats(results: Results) -> tuple[int, dict[Group, list[Standings]]]:
    """Return the highest number of repeats a ranking has and, by group, the rankings with that
    many; none if nothing was repeated.
    """
    most = max((len(one.q) for one in results.ranked), default=0)
    return most, group_cells(one for one in results.ranked if len(one.q) == most > 1)


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
        q = fmean(one.q)
        qs[group(one.cell)][one.cell.target].append(q)
    means = {}
    for key, targets in qs.items():
        ordered = sorted(targets.items())
        means[key] = {target: fmean(several) for target, several in ordered}
    return means


def changes(results: Results) -> Iterator[Measured]:
    """Yield the change of mean Q over the first idea of the same model, in percent, on the targets
    that both have.
    """
    means = by_target(results)
    for (method, model, indicator), held in means.items():
        first = means.get((FIRST, model, indicator), {})
        both = sorted(held.keys() & first.keys())
        if not both or method == FIRST:
            continue
        before, after = (fmean(qs[target] for target in both) for qs in (first, held))
        change = improvement(before, after)
        if change is not None:
            value = Value(mean=change, n=len(both), counted="targets", unit="change", digits=1)
            yield Measured(what="change", value=value, **named((method, model, indicator)))


def tests(results: Results) -> Iterator[Measured]:
    """Yield paired tests of every two methods of a model and an indicator, on the targets that both
    have, corrected by Holm for all of them.
    """
    means = by_target(results)
    made: list[tuple[str, str, PairedComparison]] = []
    for model, indicator in product(results.models, results.indicators):
        held = {}
        for name in results.methods:
            key = name, model, indicator
            if key in means:
                held[name] = means[key]
        for a, b in combinations(held, 2):
            one = compare(a, b, held, SHARE)
            made.append((model, indicator, one))
    corrected = holm([one.p for *_, one in made])
    for (model, indicator, one), holm_p in zip(made, corrected, strict=True):
        figures = _figures(one, holm_p)
        of = {"method": one.a, "against": one.b, "model": model, "indicator": indicator}
        for what, value in figures.items():
            yield Measured(what=what, value=value, **of)


def _figures(one: PairedComparison, corrected: float | None) -> Mapping[What, Value]:
    """Return what a comparison comes to; where a test could not be made, the reason stands where
    its figure would.
    """
    t, ranks = (
        {"text": "" if test.p is not None else test.note, "note": test.note}
        for test in (one.t, one.wilcoxon)
    )
    found = one.difference
    interval = {"mean": found.value, "low": found.low, "high": found.high}
    note = found.note or found.how
    return {
        "pairs": Value(mean=one.n, digits=0),
        "difference": Value(**interval, n=one.n, counted="targets", note=note),
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
        # What cells that came to no idea spent is in no mean per idea.
        lost = {
            results.runs(one)
            for one in results.made
            if not one.ideas and (one.cell.method, one.cell.model) == (method, model)
        }
        spent = sum(_dollars(results, several) or 0.0 for several in lost)
        if spent:
            note = f"{value.note} Cells that came to no idea spent ${spent:.4f} besides.".strip()
            value = value.model_copy(update={"note": note})
        yield Measured(what="cost", method=method, model=model, value=value)


def _cost(results: Results, held: Mapping[tuple[str, ...], Made]) -> Value:
    """Return the mean cost of an idea over the runs whose price is known."""
    runs = [run for several in held for run in several]
    costs: list[float] = []
    known: list[Made] = []
    for several, one in held.items():
        dollars = _dollars(results, several)
        # One of the runs that wrote an idea each was deleted: the others are cheaper than all.
        lost = len(results.writers.get(one.run, one.ideas)) < len(one.ideas)
        if dollars is not None and not lost:
            costs.append(dollars / len(one.ideas))
            known.append(one)
    if not known:
        return Value(text=UNPRICED, n=0, of=len(held), counted="cells", runs=tuple(runs))
    figure = clustered_ci(costs, [one.cell.target for one in known], AMOUNT, "targets")
    value = value_of(figure, known, len(held), "dollars", 4, runs)
    return value.model_copy(update={"n": len(known), "counted": "cells"})


def _dollars(results: Results, runs: tuple[str, ...]) -> float | None:
    """Return what runs cost together; None where that of one is unknown."""
    total = 0.0
    for run in runs:
        dollars = results.dollars.get(run)
        if dollars is None:
            return None
        total += dollars
    return total
