"""A model judge in a seat: it is asked for what the experts are asked for, with their guide and
criteria, and files answers where they do.
"""

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import Field

from core.desk import Desk
from core.errors import BadInput, CannotAnswer, FoundryError, ModelFailed
from core.models.port import Model
from core.prompts.wording import worded
from core.records import (
    Answer,
    Assignment,
    Criterion,
    Record,
    SeatFilled,
    Study,
    StudyPlan,
    StudyUnit,
    Task,
    Trajectory,
)
from core.records.base import Text
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies.model_replies import (
    REPLIES,
    ModelReply,
    answer_of,
    is_plain,
    key_of,
    reply_to,
)

ASKED: dict[Task, str] = {
    "rate": "study-rate",
    "rank": "study-rank",
    "compare": "study-compare",
    "comment": "study-comment",
}
RUBRIC = "study-rubric"
"""Asks to rate by other scales than 1 to 10, or with reasons."""
PROMPTS: tuple[str, ...] = tuple(sorted((*ASKED.values(), RUBRIC)))
UNJUDGED = (ModelFailed, CannotAnswer)
"""What may become of an answer without ending the run: recorded, missing, and counted."""
HOPELESS = 20
"""A judge that fails this often before its first answer is not asked on."""


class SeatInputs(Record):
    """Which seat of which session is filled."""

    topic: Text
    """What the organiser calls the session."""
    study: str
    seat: str
    task: Task
    sha: str
    """Of the session's frozen configuration: texts, guide and criteria are what they were when the
    run began.
    """
    answers: Annotated[int, Field(ge=1)]
    """How many are asked for at most; the rounds of a trajectory count one by one."""
    at_once: Annotated[int, Field(ge=1, le=64)] = 8


class _Work(NamedTuple):
    """What the judge is asked about, read once."""

    study: Study
    criteria: tuple[Criterion, ...]
    """In the seat's order."""
    units: dict[str, StudyUnit]
    texts: dict[str, Record]
    """By label."""
    mine: frozenset[tuple[str, int, int]]
    """Unit, time and stage of what this run filed before it was interrupted."""
    earlier: frozenset[tuple[str, int, int]]
    """The same of what earlier runs filed; it is not asked again."""


def fill_seat(desk: Desk, asked: SeatInputs) -> Iterator[SeatFilled]:
    """Answer every unit on a model's list that it has not answered yet, several at once, and say
    how that ended.

    Of a trajectory each round is asked once the one before is answered, with later rounds unseen.
    Raises BadInput for a model that judges nothing and for a seat that is not its own, SeatClosed
    where the session or the seat has ended, ModelFailed for a judge that never gave an answer.
    """
    bench = desk.bench
    store = desk.bench.store
    seat = store.seats.get(asked.seat)
    able(bench.models["judge"], asked.task)
    if seat.model != bench.models["judge"].name:
        raise BadInput(
            f"This seat is {seat.name}'s. Add a seat to the session for"
            f" {bench.models['judge'].name}."
        )
    work = _work(store, asked, bench.run.id)
    listed = store.study_work.of(asked.seat)
    store.seats.fill(asked.seat, bench.run.id)
    tally = _Tally(len(listed))
    try:
        desk.each(
            [partial(_judge, work=work, one=one, tally=tally) for one in listed], asked.at_once
        )
    except ModelFailed as error:
        error.steps = tally.failures
        raise
    if all(one.done for one in store.study_work.of(asked.seat)):
        store.seats.move(asked.seat, "done", leaving=("work",))
    yield tally.filled(sum(one.stages for one in listed), len(work.earlier))


def able(model: Model, task: Task) -> None:
    """Raise BadInput with what to do for a model that judges nothing."""
    if not model.answers(ASKED[task]):
        raise BadInput(
            f"The model {model.name} judges nothing that needs understanding. Name a language model"
            " as judge, or leave the session to experts."
        )


def open_answers(store: Store, seat: str) -> int:
    """Return how many answers a seat has still to give; the rounds of a trajectory count one by
    one.
    """
    return sum(one.stages - one.stage for one in store.study_work.of(seat))


def _work(store: Store, asked: SeatInputs, run: str) -> _Work:
    study = store.studies.get(asked.study)
    if study.sha != asked.sha:
        raise BadInput(
            "This session is not the one this run began with. Start a new run for the seat."
        )
    seat = store.seats.get(asked.seat)
    items = store.studies.items(asked.study)
    named = {one.name: one for one in study.plan.criteria}
    texts = store.frozen.several(tuple(items.values()), Record)
    filed = [one for one in store.study_work.answers(asked.study) if one.seat == asked.seat]
    spots = {
        own: frozenset(
            (one.unit, one.time, one.stage) for one in filed if one.key.startswith(f"{run}/") == own
        )
        for own in (True, False)
    }
    return _Work(
        study,
        tuple(named[name] for name in seat.criteria) or study.plan.criteria,
        {one.id: one for one in store.studies.units(asked.study)},
        {label: texts[sha] for label, sha in items.items()},
        spots[True],
        spots[False] - spots[True],
    )


def _judge(desk: Desk, work: _Work, one: Assignment, tally: "_Tally") -> None:
    """Ask for one unit, stage by stage, and file what is said; what is not usable is counted, and
    the stages behind it are out of reach.
    """
    for stage in range(1, one.stages + 1):
        if (one.unit, one.time, stage) in work.earlier:
            continue
        try:
            _answer(desk.at(place(one, stage)), work, one, stage)
        except UNJUDGED as error:
            tally.give_up(error)
            return
        tally.take()


def _answer(desk: Desk, work: _Work, one: Assignment, stage: int) -> None:
    store = desk.bench.store
    spot = ListedUnit(one.seat, one.unit, one.time)
    filed = (one.unit, one.time, stage) in work.mine
    # Claimed before it is paid for: a session that was closed meanwhile ends the run here.
    version = None if filed else store.study_work.claim(spot).version
    answer = ask(desk, work, one, stage)
    if version is not None:
        store.study_work.submit(
            spot, stage, answer, f"{desk.bench.run.id}/{one.unit}/{one.time}/{stage}", version
        )


def ask(desk: Desk, work: _Work, one: Assignment, stage: int) -> Answer:
    """Ask for one unit, or one stage of it, in the order in which the list shows its texts. Raises
    UNJUDGED, recorded.
    """
    unit = work.units[one.unit]
    plan = work.study.plan
    texts = [(label, work.texts[label]) for label in one.shown]
    trajectory = texts[0][1] if isinstance(texts[0][1], Trajectory) else None
    if trajectory:
        trajectory = trajectory.model_copy(update={"rounds": trajectory.rounds[:stage]})
    criteria = tuple(
        criterion for criterion in work.criteria if unit.criterion in ("", criterion.name)
    )

    def made(said: ModelReply) -> Answer:
        return answer_of(said, unit, one.shown, criteria, trajectory)

    def fits(said: ModelReply) -> None:
        made(said)

    own = plan.task == "rate" and not is_plain(criteria)
    said = desk.ask(
        RUBRIC if own else ASKED[plan.task],
        reply_to(criteria) if own else REPLIES[plan.task],
        role="judge",
        check=fits,
        recorded=UNJUDGED,
        following=None,
        **values_of(plan, unit, texts, criteria, trajectory),
    )
    return made(said)


def place(one: Assignment, stage: int) -> str:
    """Return where a unit, or a stage of it, is asked: `u003`, `u003/again`, `u003/round-2`."""
    parts = [one.unit]
    if one.time == 2:
        parts.append("again")
    if one.stages > 1:
        parts.append(f"round-{stage}")
    return "/".join(parts)


class _Tally:
    """Counts what came of each unit, from several threads."""

    def __init__(self, units: int):
        self._guard = threading.Lock()
        self._units = units
        self._answered = 0
        self._failed = list[FoundryError]()

    def take(self) -> None:
        """Count an answer."""
        with self._guard:
            self._answered += 1

    def give_up(self, error: FoundryError) -> None:
        """Count a failure; raises ModelFailed for a judge that never gave an answer."""
        with self._guard:
            self._failed.append(error)
            hopeless = not self._answered and len(self._failed) >= min(HOPELESS, self._units)
        if hopeless:
            raise ModelFailed(
                f"The judge gave no usable answer to {len(self._failed)} units: {error} Resume to"
                " try again, or ask another model."
            )

    @property
    def failures(self) -> tuple[str, ...]:
        """The recorded failures, by step."""
        return tuple(step for error in self._failed for step in error.steps)

    def filled(self, asked: int, earlier: int) -> SeatFilled:
        """Return how the seat was filled."""
        # By step, so that a resumed run says the same whichever thread was quicker.
        reasons = sorted((error.steps, str(error)) for error in self._failed)
        return SeatFilled(
            asked=asked,
            answered=self._answered,
            earlier=earlier,
            missing=asked - self._answered - earlier,
            reason=reasons[0][1] if reasons else "",
        )


# -- what the judge reads -------------------------------------------------------------------


def values_of(
    plan: StudyPlan,
    unit: StudyUnit,
    texts: Sequence[tuple[str, Record]],
    criteria: Sequence[Criterion],
    trajectory: Trajectory | None = None,
) -> dict[str, object]:
    """Return the values of the prompt that asks for a unit; of a trajectory only `trajectory` is
    read, which is cut to the rounds that may be seen.
    """
    given: dict[str, object] = {"instructions": plan.instructions, "example": plan.example}
    if trajectory is not None:
        return {**given, **_round(trajectory)}
    said = [anchored(one) for one in criteria]
    if plan.task == "rate" and not is_plain(criteria):
        said = [question(n, one) for n, one in enumerate(criteria, 1)]
    given |= {"topic": unit.topic or None, "criteria": "\n".join(said)}
    match plan.task:
        case "rank":
            return {
                **given,
                "labels": ", ".join(label for label, _ in texts),
                "texts": "\n\n".join(lettered(*one) for one in texts),
            }
        case "compare":
            return {**given, "first": worded(texts[0][1]), "second": worded(texts[1][1])}
        case _:
            return {**given, "text": worded(texts[0][1])}


def anchored(one: Criterion) -> str:
    """Return a criterion as a judge reads it, with what the lowest and the highest score mean."""
    lowest, highest = one.ends
    return f"- {one.name}: {one.meaning} ({lowest}: {one.low}; {highest}: {one.high})"


def question(n: int, one: Criterion) -> str:
    """Return a criterion of a rubric of one's own as a judge reads it, under the key of its
    answer.
    """
    reason = {"off": "", "optional": ", with a reason", "required": ", with a reason"}[one.reason]
    anchors = f" {one.anchors_said}" if one.anchored else ""
    return f"- {key_of(n)}, {one.name} ({one.on}{reason}): {one.meaning}{anchors}"


def lettered(label: str, text: Record) -> str:
    """Return a text with its label before every line, so that no text can pass for the beginning of
    another.
    """
    return "\n".join(f"{label}| {line}" for line in worded(text).splitlines())


def _round(seen: Trajectory) -> dict[str, object]:
    """Return the newest round that may be seen, and what came before it."""
    *past, newest = seen.rounds
    versions = [seen.first, *(one.idea for one in past)]
    told = [
        f"Version {n}:\n{worded(idea)}\n\nReview {n + 1}:\n{worded(one.review)}"
        for n, (idea, one) in enumerate(zip(versions, past, strict=False))
    ]
    return {
        "round": len(seen.rounds),
        "goal": seen.goal or "the idea as a whole",
        "past": tuple(told),
        "before": versions[-1],
        "review": newest.review,
        "after": newest.idea,
    }
