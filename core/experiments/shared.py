"""What several cells begin with, made once by a run of its own: the first ideas of all refiners,
and the question, review and first ideas of evolutions.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Literal, NamedTuple

from core.experiments import contenders
from core.experiments.cells import Group, SweepInputs, area_of, groups
from core.experiments.contenders import EVOLVING, REFINING, ContenderStart, Task
from core.records import FrozenTarget, Indicator, Prepared, Target, Worked, model_part
from core.store import Store
from core.story import Story

What = Literal["question", "first ideas", "common form"]
WANTING: dict[What, str] = {
    "question": "The research question and the literature review to begin with were not written.",
    "first ideas": "The first ideas to begin with were not written.",
}
Begun = Mapping[str, "Future[Worked]"]
"""What became of every shared run, by its name."""


class Shared(NamedTuple):
    """A run that several cells begin with."""

    what: What
    under: str
    """The path it goes under: that of what is shared, whichever methods are asked for, so that one
    added later finds it.
    """
    by: str
    """The model that writes it."""
    target: FrozenTarget
    goal: Indicator
    evolving: bool
    after: str = ""
    """The name of the shared run that it begins with itself."""

    @property
    def name(self) -> str:
        """Its name within the sweep."""
        return (
            self.under
            + {"question": "", "first ideas": "/ideas", "common form": "/forms"}[self.what]
        )

    @property
    def title(self) -> str:
        return f"{self.what}: {self.target.title}"


def shared_by(asked: SweepInputs, group: Group, edition: int) -> tuple[Shared, ...]:
    """Return what a group begins with, in the order it is made; nothing in the first edition, where
    each began with ideas of its own.
    """
    evolving = group.method in EVOLVING
    if edition == 1 or not (evolving or group.method in REFINING):
        return ()
    goal, target = group.goals[0], group.target
    # One review a target, whoever evolves: it is written by the experiment's first model.
    question = Shared(
        "question", f"question/{target.sha[:12]}", asked.models[0], target, goal, evolving
    )
    under = (
        f"evolve-first/{model_part(group.model)}/{target.sha[:12]}"
        if evolving
        else contenders.base("initial", group.model, goal, target.sha)
    )
    first = Shared(
        "first ideas", under, group.model, target, goal, evolving, question.name if evolving else ""
    )
    begun = (question, first) if evolving else (first,)
    ranked = (
        asked.judges
        and asked.same_form
        and (asked.every_round or (not evolving and "initial" in asked.methods))
    )
    if ranked:
        return (
            *begun,
            Shared("common form", under, asked.judges[0], target, goal, evolving, first.name),
        )
    return begun


def in_order(asked: SweepInputs, edition: int) -> tuple[Shared | Group, ...]:
    """Return all there is to do: the longest games first, and what they share before the first
    group that begins with it.
    """
    found: dict[object, Shared | Group] = {}
    for group in sorted(
        groups(asked), key=lambda group: -contenders.WRITERS[group.method].series(asked.rules)
    ):
        for one in shared_by(asked, group, edition):
            found.setdefault(one.name, one)
        found[len(found)] = group
    return tuple(found.values())


def waits_for(asked: SweepInputs, one: Shared | Group, edition: int) -> str:
    """Return the name of the shared run without which this cannot begin; empty where there is
    none.
    """
    if isinstance(one, Shared):
        return one.after
    return next(
        (held.name for held in shared_by(asked, one, edition) if held.what == "first ideas"), ""
    )


def task_of(
    asked: SweepInputs, one: Shared, target: Target, edition: int, given: Prepared | None
) -> Task:
    """Return the run in which what is shared is written; its common form is another matter."""
    if one.what == "question":
        return contenders.question(one.name, target)
    if one.evolving:
        assert given
        return contenders.first_evolution(one.name, asked.n, target, given)
    return contenders.tasks(
        "initial",
        one.under,
        asked.n,
        area_of(asked, target.category, edition),
        one.goal,
        asked.rules,
        target,
        edition=edition,
    )[0]


def prepared(store: Store, run: str) -> Prepared:
    """Return the question and the review that a run has made."""
    found = Story.of(store, run).last(Prepared)
    assert found, "a run that prepared nothing has failed"
    return found


def gather_start(store: Store, needed: tuple[Shared, ...], begun: Begun) -> ContenderStart:
    """Return what a group begins with, from the runs that made it."""
    runs = {one.what: begun[one.name].result().run for one in needed if one.what != "common form"}
    story = Story.of(store, runs["first ideas"])
    steps = tuple(line.steps[0] for line in story.lines if line.steps)
    ideas = tuple(one.idea for one in steps) or tuple(
        outcome.idea for outcome in contenders.ended(story)
    )
    return ContenderStart(
        ideas=ideas,
        steps=steps,
        given=prepared(store, runs["question"]) if "question" in runs else None,
    )
