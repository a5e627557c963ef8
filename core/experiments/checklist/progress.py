"""How far a checklist experiment is, cell by cell."""

from collections import Counter
from typing import Literal

from core.experiments.checklist.cells import (
    ChecklistExperimentInputs,
    Condition,
    conditions,
    directives_name,
    first_name,
)
from core.experiments.checklist.results import collect
from core.records import Record, Run, TrainingData, TrainingQuery
from core.store import Store
from core.store.sweeps import SweepRun

EvolvedState = Literal["done", "discarded", "failed", "running", "left"]
STATES: tuple[EvolvedState, ...] = ("done", "discarded", "failed", "running", "left")
UNDER_WAY = ("queued", "running")


class EvolvedProgress(Record):
    """One cell: a question answered under a condition."""

    name: str
    generator: str
    provider: str
    question: str
    state: EvolvedState
    reason: str = ""
    run: str | None = None
    """The run that fills it, or the one that kept it from being filled; None before it begins."""


class ChecklistProgress(Record):
    cells: tuple[EvolvedProgress, ...]

    @property
    def counts(self) -> dict[EvolvedState, int]:
        """How many cells are in each state."""
        found = Counter(one.state for one in self.cells)
        return {state: found[state] for state in STATES}


def checklist_progress(store: Store, run: Run) -> ChecklistProgress:
    """Return how far an experiment is, in the order of its plan."""
    held = collect(store, run)
    asked = held.asked
    begun = store.sweeps.begun(run.id)
    shown = {(one.question, Condition(one.generator, one.provider)): one for one in held.cells}
    cells = []
    for query in store.frozen.get(asked.data, TrainingData).held_out[: asked.questions]:
        for condition in conditions(asked):
            name = condition.cell(query)
            ended = shown.get((query.digest(), condition))
            own = begun.get(name)
            cells.append(
                EvolvedProgress(
                    name=name,
                    generator=condition.generator,
                    provider=condition.provider,
                    question=query.question,
                    state=ended.state if ended else _state(asked, condition, query, begun),
                    reason=ended.reason if ended else "",
                    run=ended.run if ended else own and own.run,
                )
            )
    return ChecklistProgress(cells=tuple(cells))


def _state(
    asked: ChecklistExperimentInputs,
    condition: Condition,
    query: TrainingQuery,
    begun: dict[str, SweepRun],
) -> EvolvedState:
    names = [first_name(condition.generator, query), condition.cell(query)]
    if condition.provider not in ("", asked.scorer):
        names.append(directives_name(condition, query))
    states = [begun[name].state for name in names if name in begun]
    return "running" if any(state in UNDER_WAY for state in states) else "left"
