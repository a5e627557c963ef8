"""The cells of a matrix, and which of them are filled together."""

from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, model_validator

from core.experiments import contenders
from core.experiments.contenders import Contender, ContenderStart, Task
from core.records import Cell, FrozenTarget, Indicator, Record, Stopping, Target, Text


class SweepInputs(Record):
    """What the matrix spans (defaults: InfAL, section 4)."""

    topic: Annotated[str, Field(min_length=1)]
    """The name of the experiment."""
    area: Text = "the field of the background papers"
    """What holds for a target without a category; in the first edition it held for all."""
    methods: Annotated[tuple[Contender, ...], Field(min_length=1)]
    models: Annotated[tuple[Text, ...], Field(min_length=1, max_length=12)]
    indicators: Annotated[tuple[Indicator, ...], Field(min_length=1, max_length=4)]
    targets: Annotated[tuple[FrozenTarget, ...], Field(min_length=1, max_length=2_000), FailFast()]
    n: Annotated[int, Field(ge=1, le=8)] = 3
    """Ideas per cell, ranked with the target."""
    rules: Stopping = Stopping()
    judges: Annotated[tuple[Text, ...], Field(max_length=6)] = ()
    """Models that rank; the first is the one whose Q stands in the main table. Without any, ideas
    are written and nobody ranks them.
    """
    checklist_judge: Annotated[str, Field(exclude_if=lambda name: not name)] = ""
    """The model that judges evolutions by the checklist; empty: each is judged by the model that
    writes it.
    """
    repeats: Annotated[int, Field(ge=1, le=20)] = 5
    every_round: bool = False
    """Whether the ideas of every round are ranked (figure 3), not only the last."""
    same_form: bool = True
    at_once: Annotated[int, Field(ge=1, le=64)] = 12
    """Cells that are worked on at once."""

    @model_validator(mode="after")
    def _every_cell_has_a_name_of_its_own(self) -> "SweepInputs":
        first = Cell(
            method=self.methods[0],
            model=self.models[0],
            indicator=self.indicators[0].name,
            target=self.targets[0].sha,
        )
        # Along one edge of the matrix at a time: a name is made of these parts, and whole matrices
        # of a stranger's may have millions of cells.
        along = (
            [first.model_copy(update={"method": one}).name for one in self.methods],
            [first.model_copy(update={"model": one}).name for one in self.models],
            [first.model_copy(update={"indicator": one.name}).name for one in self.indicators],
            [first.model_copy(update={"target": one.sha}).name for one in self.targets],
            [first.rank_by(judge) for judge in self.judges],
        )
        if any(len(set(names)) < len(names) for names in along):
            raise ValueError(
                "a method, a model, an indicator, a target or a judge is named twice, or two names"
                " differ in signs only; leave one out"
            )
        return self


class Group(NamedTuple):
    """Cells that are filled together: one cell, or those of all indicators, where the contender's
    ideas do not depend on the indicator.
    """

    method: Contender
    model: str
    target: FrozenTarget
    goals: tuple[Indicator, ...]

    @property
    def under(self) -> str:
        """The path under which the group's ideas are written."""
        return contenders.base(self.method, self.model, self.goals[0], self.target.sha)

    def cell(self, goal: Indicator) -> Cell:
        return Cell(
            method=self.method, model=self.model, indicator=goal.name, target=self.target.sha
        )


def groups(asked: SweepInputs) -> tuple[Group, ...]:
    """Return the matrix in groups of cells, as asked for."""
    return tuple(
        Group(method, model, target, goals)
        for method in asked.methods
        for model in asked.models
        for target in asked.targets
        for goals in (
            [(goal,) for goal in asked.indicators]
            if contenders.WRITERS[method].for_the_goal
            else [asked.indicators]
        )
    )


def cells(asked: SweepInputs) -> tuple[Cell, ...]:
    """Return every cell of the matrix."""
    return tuple(group.cell(goal) for group in groups(asked) for goal in group.goals)


def tasks(
    asked: SweepInputs,
    group: Group,
    target: Target,
    edition: int,
    start: ContenderStart | None = None,
) -> tuple[Task, ...]:
    """Return the runs in which a group's ideas are written."""
    area = area_of(asked, target.category, edition)
    return contenders.tasks(
        group.method,
        group.under,
        asked.n,
        area,
        group.goals[0],
        asked.rules,
        target,
        start,
        edition,
    )


def area_of(asked: SweepInputs, category: str, edition: int) -> str:
    """Return the field that actors and judges are told: the target's category, where it has one."""
    return category if category and edition > 1 else asked.area


def models_of(asked: SweepInputs, task: Task, model: str) -> dict[str, str]:
    """Return who plays in a run: one model in every role, but that another one may judge by the
    checklist.
    """
    return {
        "main": model,
        **(
            {"judge": asked.checklist_judge}
            if asked.checklist_judge and task.method == "evolve"
            else {}
        ),
    }
