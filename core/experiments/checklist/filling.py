"""The experiment itself: for each question and generator one first idea, which is revised under
every condition.
"""

from collections.abc import Iterator
from functools import partial

from core.desk import Desk
from core.experiments.checklist.cells import (
    ChecklistExperimentInputs,
    Condition,
    EvolveTask,
    conditions_of,
    evolve_first,
    give_directives,
    write_first,
)
from core.records import (
    Discarded,
    Evolved,
    EvolvedCell,
    TrainingData,
    TrainingQuery,
    Worked,
)
from core.store import Store
from core.story import Story


def fill_all(desk: Desk, asked: ChecklistExperimentInputs) -> Iterator[EvolvedCell]:
    """Fill every cell, question by question, each shown in its place as it ends.

    A cell whose run failed, or whose idea could not be read, says so, and the others go on. Raises
    BadInput for data that are not kept here.
    """
    held = desk.bench.store.frozen.get(asked.data, TrainingData).held_out
    work = [
        partial(answer, asked=asked, generator=generator, query=query)
        for query in held[: asked.questions]
        for generator in asked.generators
    ]
    desk.each(work, asked.at_once)
    return iter(())


def answer(
    desk: Desk, asked: ChecklistExperimentInputs, generator: str, query: TrainingQuery
) -> None:
    """Have a question answered by one generator: its first idea is written and scored once, and
    revised under each condition.
    """
    begun = work(desk, write_first(asked, generator, query), query)
    todo = conditions_of(asked, generator)
    if begun.state == "failed":
        unread = could_not_be_read(desk.bench.store, begun.run)
        for condition in todo:
            cell = EvolvedCell(
                question=query.digest(),
                generator=generator,
                provider=condition.provider,
                run=begun.run,
                state="discarded" if unread else "failed",
                reason=f"The first idea was not written. {begun.reason}".strip(),
            )
            desk.at(condition.cell(query)).show(cell)
        return
    first = steps_of(desk.bench.store, begun.run)[0]
    desk.all(
        *(
            partial(revise, asked=asked, condition=one, query=query, first=first, begun=begun.run)
            for one in todo
        )
    )


def revise(
    desk: Desk,
    asked: ChecklistExperimentInputs,
    condition: Condition,
    query: TrainingQuery,
    first: Evolved,
    begun: str,
) -> None:
    """Fill one cell from the first idea that all conditions share."""
    began = [begun]
    feedback = None
    where = desk.at(condition.cell(query))
    cell = EvolvedCell(
        question=query.digest(),
        generator=condition.generator,
        provider=condition.provider,
        run=begun,
        first=first.idea.digest(),
        steps=(first.scores.vector,),
    )
    if condition.provider == asked.scorer:
        feedback = first.scores
    elif condition.provider:
        given = work(desk, give_directives(condition, query, first.idea), query)
        began.append(given.run)
        if given.state == "failed":
            reason = f"No directives were given on the first idea. {given.reason}".strip()
            where.show(_ended(cell, given, began, state="failed", reason=reason))
            return
        feedback = steps_of(desk.bench.store, given.run)[0].feedback
    start = Evolved(n=0, idea=first.idea, feedback=feedback, scores=first.scores)
    done = work(desk, evolve_first(asked, condition, query, start), query)
    if done.state == "failed":
        reason = done.reason or "The run failed."
        where.show(_ended(cell, done, began, state="failed", reason=reason))
        return
    lost = Story.of(desk.bench.store, done.run).last(Discarded)
    steps = steps_of(desk.bench.store, done.run)
    revised = [step.feedback for step in steps[:-1] if step.feedback]
    where.show(
        _ended(
            cell,
            done,
            began,
            steps=tuple(step.scores.vector for step in steps),
            undirected=sum(one.vector.count(None) for one in revised),
            state="discarded" if lost else "done",
            reason=lost.reason if lost else "",
        )
    )


def _ended(cell: EvolvedCell, worked: Worked, began: list[str], **came_to: object) -> EvolvedCell:
    change = {"run": worked.run, "began": tuple(began), **came_to}
    return cell.model_copy(update=change)


def work(desk: Desk, task: EvolveTask, query: TrainingQuery) -> Worked:
    """Have one of the evolutions worked on to its end."""
    return desk.run(task.name, "evolve", task.inputs, task.models, query.question)


def steps_of(store: Store, run: str) -> tuple[Evolved, ...]:
    """Return the steps of a finished evolution, in their order."""
    return Story.of(store, run).lines[0].steps


def could_not_be_read(store: Store, run: str) -> bool:
    """Say whether a run failed because no idea could be read from what its generator wrote: it
    answered, and the last of its answers was refused.
    """
    # The step itself is forgotten, so that resuming asks again; what was paid for it stays.
    refused = store.steps.failed_calls(run)
    written = store.steps.reply(run, "step-0/evolve-idea")
    return written is None and bool(refused) and not refused[-1].maybe_paid
