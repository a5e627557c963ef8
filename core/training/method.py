"""A training: a policy learns to write better ideas from the rewards and directives of a checklist
(EvoIdeator, section 3.4).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from core.desk import Desk, Lane
from core.errors import BadInput
from core.journal import Answer
from core.judging import checklist
from core.models.weights import LocalPolicy
from core.records import Origin, Record, Run
from core.records.training import (
    Examples,
    Learned,
    ReadDraft,
    Rollout,
    Trained,
    TrainedPolicy,
    TrainingData,
    TrainingQuery,
)
from core.settings import Settings
from core.store import Store, must_be
from core.store.privacy import within
from core.store.runs import TRAININGS
from core.story import Story
from core.training import bases
from core.training.evolving import Judged, Reward, environment
from core.training.learning import Lead, Learning, checkpoints, learn, make_trainer
from core.training.rollouts import roll_out

PROMPTS = ("evolve-idea", "evolve-revise", "evolve-alone", *checklist.PROMPTS)
TENTH = 10
"""A training is summed up by the mean of its first and of its last tenth of steps."""


class TrainInputs(Record):
    """What a training is asked for."""

    topic: Annotated[str, Field(min_length=1, max_length=200)]
    """What it is called."""
    data: str
    """SHA-256 of the TrainingData."""
    base: Annotated[str, Field(min_length=1)]
    """The language model that is trained, as `bases.find` takes it."""
    base_digest: str
    """SHA-256 of its files: a training goes on with no other."""
    informed: bool = True
    """Whether revisions are written from the judge's directives; otherwise from nothing but the
    task to improve (EvoIdeator, figures 2 and 3).
    """
    reward: Reward = "lexicographic"
    judged: Judged = "model"
    how: Learning = Learning()


def train(desk: Desk, asked: TrainInputs) -> Iterator[Trained]:
    """Train a policy step by step, showing what each step learned and a few drafts of it in its
    place, and yield what came of it.

    Every draft and every answer of the judge is a step of the run; checkpoints lie in a folder of
    the run. Raises BadInput without the packages of training, or where the base has changed since
    the training began, ModelFailed, BudgetReached, Stopped.
    """
    bench = desk.bench
    base = bases.find(asked.base, bench.settings)
    if bases.fingerprint(base) != asked.base_digest:
        raise BadInput(
            f"The files of {asked.base} have changed since this training began, and it can only go"
            " on with those. Put them back, or begin a new training."
        )
    queries = bench.store.frozen.get(asked.data, TrainingData).training
    task = environment(desk, asked.informed, asked.reward, asked.judged)
    places: dict[int, Desk] = {}

    def rolled(
        step: int, policy: LocalPolicy, chosen: Sequence[tuple[int, TrainingQuery]]
    ) -> tuple[Rollout, ...]:
        # A lane for each step: one that goes on begins in the middle, and asks in the same order.
        here = places[step] = replace(desk, place=f"step-{step}", lane=Lane(f"{step:06d}."))
        made = roll_out(here, policy, task, chosen, asked.how.shape)
        here.at("examples").show(_examples(step, made, queries))
        return made

    def tell(learned: Learned) -> None:
        here = places.pop(learned.step)
        here.at("learned").show(_kept(here, learned))

    folder = folder_of(bench.settings.data, bench.run.id)
    lead = Lead(task, rolled, tell, bench.run.config.edition)
    trainer = make_trainer(base, folder, queries, asked.how, bench.config.seed, lead)
    learn(trainer)
    yield sum_up(Story.of(bench.store, bench.run.id).all(Learned), folder, bench.run.config.edition)


def assist(settings: Settings, store: Store, run: Run) -> None:
    """Take part in a training that another process of the same launch leads; raises Stopped where
    that one stops, and as `train` does.
    """
    asked = run.inputs_as(TrainInputs)
    base = bases.find(asked.base, settings)
    queries = store.frozen.get(asked.data, TrainingData).training
    folder = folder_of(settings.data, run.id)
    learn(make_trainer(base, folder, queries, asked.how, run.config.seed, None))


def folder_of(data: Path, run: str) -> Path:
    """Return the folder of a training's checkpoints; raises StoreUnusable."""
    return within(data / TRAININGS, run)


def _kept(here: Desk, learned: Learned) -> Learned:
    """Return what a step learned, as it was recorded first: loss and KL may differ in their last
    digits where a training that was killed learns it again.
    """
    answer = Answer(learned.model_dump(mode="json"), Origin(kind="computed", name="learning"))
    return Learned.model_validate(here.step("learn", {"learn": learned.step}, lambda: answer))


def _examples(step: int, rollouts: Sequence[Rollout], queries: Sequence[TrainingQuery]) -> Examples:
    """Return the best and the worst rollout of a step's first query, to be read."""
    first = [one for one in rollouts if one.query == rollouts[0].query]
    ranked = sorted((one for one in first if one.judged), key=lambda one: -one.total)
    chosen = (ranked[0], ranked[-1]) if ranked else ()
    return Examples(
        step=step,
        question=queries[rollouts[0].query].question,
        rollouts=tuple(
            tuple(
                ReadDraft(
                    text=draft.idea or draft.written.text,
                    readable=bool(draft.idea),
                    scored=draft.scored,
                )
                for draft in one.drafts
            )
            for one in chosen
        ),
    )


class Gain(NamedTuple):
    """The mean return of the first and of the last steps, and how many these are."""

    first: float
    last: float
    averaged: int


def gain(steps: Iterable[Learned]) -> Gain | None:
    """Return how the mean return went, over the steps in which anything was judged; None where
    nothing was.
    """
    judged = [step for step in steps if step.judged]
    return _gain(judged) if judged else None


def _gain(steps: Sequence[Learned]) -> Gain:
    few = max(1, len(steps) // TENTH)
    return Gain(_mean_return(steps[:few]), _mean_return(steps[-few:]), few)


def _mean_return(steps: Sequence[Learned]) -> float:
    return sum(step.mean_return for step in steps) / len(steps)


def sum_up(curve: Sequence[Learned], folder: Path, edition: int) -> Trained:
    """Return what came of a training so far: at least one step, and the checkpoints in a folder."""
    # Without anything judged there is no return; the record has a figure all the same.
    found = (gain(curve) if edition > 4 else None) or _gain(curve)
    return Trained(
        steps=len(curve),
        first_return=found.first,
        last_return=found.last,
        averaged=found.averaged,
        checkpoints=tuple(checkpoints(folder)),
    )


def papers_of(
    store: Store, data: Path, run_id: str, step: int | None, name: str
) -> tuple[TrainedPolicy, Path]:
    """Return the papers of a checkpoint that is to be called `local:NAME`, and its folder; the last
    one where no step is named.

    Raises BadInput for a run that is no training, and for a step that left no checkpoint.
    """
    run = must_be(store.runs.get(run_id), "train", f"Run {run_id} is no training.")
    saved = checkpoints(folder_of(data, run_id))
    chosen = step or next(reversed(saved), 0)
    if chosen not in saved:
        there = f"it has those of {', '.join(map(str, saved))}" if saved else "it has none yet"
        which = f"of step {step}" if step else "to put to use"
        raise BadInput(f"Run {run_id} has no checkpoint {which}; {there}.")
    asked = run.inputs_as(TrainInputs)
    learned = Story.of(store, run_id).all(Learned)
    try:
        papers = TrainedPolicy(
            name=name,
            run=run_id,
            step=chosen,
            base=asked.base,
            base_digest=asked.base_digest,
            data=asked.data,
            settings=asked.model_dump(mode="json"),
            judge=run.config.models.get("judge", ""),
            curve=tuple(one for one in learned if one.step <= chosen),
            files={},
        )
    except ValidationError:
        raise BadInput(
            f"{name!r} cannot be the name of a model: use small letters, digits, `.`, `_` and `-`,"
            " at most 40, with a letter or a digit first."
        ) from None
    return papers, saved[chosen]
