"""What a checklist experiment came to, figure by figure: means over questions, and differences
between cells that began with the same first idea or answered the same questions.

The interval of a sum, and of a difference, is Student's t over questions (Wilson's where all are
equal), cut at the ends of the scale; that of an item is a percentile bootstrap over questions,
under 10 Wilson's or Student's t, the wider end of either.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.experiments.checklist.cells import ChecklistExperimentInputs, Condition, conditions
from core.records import ITEMS, EvolvedCell, Record, Run
from core.statistics.intervals import Figure, Scale, clustered_share
from core.statistics.paired import compare, mean_ci
from core.store import Store
from core.story import revive

SUM = Scale(0.0, float(len(ITEMS)))
QUESTION = ("question", "questions")
FINISHED = ("done", "failed")
Scores = tuple[int | None, ...]
"""What the scoring judge says of an idea, item by item; None where it gave no usable answer."""


class ChecklistResults(Record):
    """The cells of an experiment that are there, in the order of its plan."""

    run: str
    asked: ChecklistExperimentInputs
    cells: tuple[EvolvedCell, ...] = ()
    unfinished: bool = False
    """Whether more may come: then every figure is of what is there so far."""

    @cached_property
    def by_condition(self) -> dict[Condition, list[EvolvedCell]]:
        """The cells of every condition, those without any included."""
        found: dict[Condition, list[EvolvedCell]] = {one: [] for one in conditions(self.asked)}
        for cell in self.cells:
            found[Condition(cell.generator, cell.provider)].append(cell)
        return found

    @cached_property
    def means(self) -> "tuple[StepMeans, ...]":
        """The means of every step, worked out once: every table and figure is made of them."""
        return _step_means(self)

    @property
    def planned(self) -> int:
        """How many cells there ought to be."""
        return self.asked.questions * len(self.by_condition)


class ItemMean(NamedTuple):
    """An item's mean at a step, or that of the sum over items (`item` empty)."""

    item: str
    figure: Figure
    unjudged: int
    """Ideas left out because the scoring judge gave no usable answer."""


class StepMeans(NamedTuple):
    """The means of one step: of a generator's first ideas (`condition` None), or of what became
    of them under a condition.
    """

    generator: str
    condition: Condition | None
    step: int
    means: tuple[ItemMean, ...]
    """The sum first, then every item."""
    runs: tuple[str, ...]


class PairedDifference(NamedTuple):
    """A difference of mean sums, paired by question."""

    a: str
    b: str
    generator: str
    provider: str
    """Whose directives were followed; empty where there were none, or both kinds are compared."""
    figure: Figure
    """Mean of a - b."""
    kind: str
    """`informed`, `refined` or `generators`: what is compared."""


def collect(store: Store, run: Run) -> ChecklistResults:
    """Return the cells that an experiment has to show so far."""
    products = store.steps.products(run.id)
    found = [revive(one) for one in products if one.kind == EvolvedCell.__name__]
    return ChecklistResults(
        run=run.id,
        asked=run.inputs_as(ChecklistExperimentInputs),
        cells=tuple(one for one in found if isinstance(one, EvolvedCell)),
        unfinished=run.state not in FINISHED,
    )


def at_step(cell: EvolvedCell, step: int) -> Scores | None:
    """Return the scores of a cell's idea at a step; None where it did not come so far. One that
    ended early, because every item held, stands as it ended.
    """
    if step < len(cell.steps):
        return cell.steps[step]
    return cell.steps[-1] if cell.state == "done" and cell.steps else None


def sums(cells: Iterable[EvolvedCell], step: int) -> dict[str, float]:
    """Return the sum over items at a step, by question; without ideas of which an item was not
    judged.
    """
    found: dict[str, float] = {}
    for cell in cells:
        scores = at_step(cell, step)
        if scores and None not in scores:
            found[cell.question] = float(sum(score or 0 for score in scores))
    return found


def step_means(held: ChecklistResults) -> tuple[StepMeans, ...]:
    """Return the means of every step: first of each generator's first ideas, which all its
    conditions share, then of every condition's later steps.
    """
    return held.means


def _step_means(held: ChecklistResults) -> tuple[StepMeans, ...]:
    firsts = [_first(held, generator) for generator in held.asked.generators]
    later = [
        _means(condition.generator, condition, step, cells)
        for step in range(1, held.asked.steps)
        for condition, cells in held.by_condition.items()
    ]
    return tuple(one for one in (*firsts, *later) if one.means[0].figure.n or one.means[0].unjudged)


def _first(held: ChecklistResults, generator: str) -> StepMeans:
    shared = {cell.question: cell for cell in held.cells if cell.generator == generator}
    return _means(generator, None, 0, tuple(shared.values()))


def _means(
    generator: str, condition: Condition | None, step: int, cells: Sequence[EvolvedCell]
) -> StepMeans:
    at = [scores for cell in cells if (scores := at_step(cell, step))]
    total = list(sums(cells, step).values())
    means = [ItemMean("", mean_ci(total, SUM, QUESTION[1]), len(at) - len(total))]
    for n, item in enumerate(ITEMS):
        judged = [score for scores in at if (score := scores[n]) is not None]
        means.append(ItemMean(item.name, _share(judged), len(at) - len(judged)))
    runs = dict.fromkeys(run for cell in cells for run in (*cell.began, cell.run))
    return StepMeans(generator, condition, step, tuple(means), tuple(runs))


def _share(scores: Sequence[int]) -> Figure:
    if not scores:
        return mean_ci([])
    return clustered_share(np.array(scores, dtype=bool), np.arange(len(scores)), QUESTION)


def differences(held: ChecklistResults) -> tuple[PairedDifference, ...]:
    """Return what directives change, what revising changes, and how generators differ: sums over
    items after the last step, paired by question.
    """
    last = held.asked.steps - 1
    after = {one: sums(cells, last) for one, cells in held.by_condition.items()}
    found = []
    for (generator, provider), mine in after.items():
        alone = after.get(Condition(generator, ""))
        if provider and alone is not None:
            names = ("informed", "uninformed")
            found.append(_differ(names, mine, alone, generator, provider, "informed"))
    for one, mine in after.items():
        begun = sums(held.by_condition[one], 0)
        names = (f"step {last}", "step 0")
        found.append(_differ(names, mine, begun, one.generator, one.provider, "refined"))
    for n, first in enumerate(after):
        for other in list(after)[n + 1 :]:
            if first.provider == other.provider:
                names = (first.generator, other.generator)
                pair = (after[first], after[other])
                found.append(_differ(names, *pair, "", first.provider, "generators"))
    return tuple(found)


def _differ(
    names: tuple[str, str],
    a: Mapping[str, float],
    b: Mapping[str, float],
    generator: str,
    provider: str,
    kind: str,
) -> PairedDifference:
    figure = compare("a", "b", {"a": a, "b": b}, SUM, QUESTION[1]).difference
    return PairedDifference(*names, generator, provider, figure, kind)


class LostIdeas(NamedTuple):
    """How many ideas of a condition could not be read, or were not written because a run failed."""

    condition: Condition
    cells: int
    """That have come to an end."""
    discarded: int
    failed: int
    undirected: int
    """Items on which no directive could be given, in all cells."""
    runs: tuple[str, ...]


def losses(held: ChecklistResults) -> tuple[LostIdeas, ...]:
    """Return what every condition lost."""
    found = []
    for condition, cells in held.by_condition.items():
        gone = [cell for cell in cells if cell.state != "done"]
        discarded = sum(cell.state == "discarded" for cell in gone)
        runs = tuple(dict.fromkeys(cell.run for cell in gone))
        failed, undirected = len(gone) - discarded, sum(cell.undirected for cell in cells)
        found.append(LostIdeas(condition, len(cells), discarded, failed, undirected, runs))
    return tuple(found)
