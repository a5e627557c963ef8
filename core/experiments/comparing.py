"""Methods against each other: the change over the first idea, paired tests on the same targets, and
what an idea costs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from statistics import fmean

from core.experiments.findings import Measured, What
from core.experiments.measuring import valued
from core.experiments.results import Group, Results, group
from core.records import Made, Value
from core.statistics.intervals import AMOUNT, SHARE
from core.statistics.paired import (
    REPORTED,
    PairedComparison,
    clustered_ci,
    compare,
    holm,
    improvement,
)

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
    corrected = iter(holm([one.p for *_, one in made if one.p is not None]))
    for model, indicator, one in made:
        figures = _tested(one, None if one.p is None else next(corrected))
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
