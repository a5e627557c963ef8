"""Whether an answer fits what was asked: a form half filled in says what is open, and nothing is
made up for what is missing.
"""

from itertools import chain
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import BadInput
from core.records import (
    Afterwards,
    Answer,
    CommentAnswer,
    CompareAnswer,
    Criterion,
    RankAnswer,
    RateAnswer,
    SpanRemark,
    StudyUnit,
    Task,
    Trajectory,
)
from core.records.faults import fault_in_words
from core.wording.catalogue import say
from core.wording.passages import plain

ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
ASKED: dict[str, str] = {name: say(f"error.{name}") for name in ("valid", "answered", "change")}
"""What a comment must say, by field."""


def answer_of(
    task: Task, draft: dict[str, Any], unit: StudyUnit, criteria: tuple[Criterion, ...]
) -> Answer:
    """Make an answer of a draft; raises BadInput that says what is still open. A shape nobody's
    form writes is refused, too.
    """
    try:
        open_ = missing(task, draft, unit, criteria)
    except TypeError as error:
        raise BadInput(say("error.unreadable")) from error
    if open_:
        raise BadInput(say("error.open", what=open_))
    try:
        return ANSWER.validate_python({**draft, "task": task})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(
            f"This answer cannot be read ({'.'.join(map(str, first['loc'][1:]))}:"
            f" {fault_in_words(first)}). Reload the page and try again."
        ) from error


def asked(task: Task, unit: StudyUnit, criteria: tuple[Criterion, ...]) -> int:
    """Return how many answers, or places, a form has."""
    return len(missing(task, {}, unit, criteria))


def missing(
    task: Task, draft: dict[str, Any], unit: StudyUnit, criteria: tuple[Criterion, ...]
) -> tuple[str, ...]:
    """Return what a draft leaves open, as a person would call it: criteria, labels without a place,
    questions.
    """
    match task:
        case "rank":
            given = set(chain.from_iterable(draft.get("groups") or ()))
            asked = {label: label for label in unit.labels}
        case "comment":
            given = {name for name, answer in draft.items() if answer}
            asked = ASKED
        case "rate" | "compare":
            given = set(draft.get("scores" if task == "rate" else "preferences") or ())
            asked = {one.name: one.name for one in criteria}
    return tuple(words for name, words in asked.items() if name not in given)


def fits(task: Task, answer: Answer) -> None:
    """Refuse an answer to another task."""
    if answer.task != task:
        raise BadInput(
            f"This session asks to {task}; an answer to {answer.task!r} does not fit. Reload the"
            " page and try again."
        )


def checked(
    answer: Answer,
    unit: StudyUnit,
    criteria: tuple[Criterion, ...],
    trajectory: Trajectory | None = None,
) -> None:
    """Refuse an answer that does not fit its unit: labels known, every criterion once, every label
    placed once, quotes verbatim in what was shown.

    `trajectory` holds what the expert saw when commenting, later rounds cut off. Raises BadInput.
    """
    match answer:
        case RateAnswer():
            _every_criterion(set(answer.scores), criteria)
        case CompareAnswer():
            _every_criterion(set(answer.preferences), criteria)
            _known({one.better for one in answer.preferences.values() if one.better}, unit)
            if any(one.much and not one.better for one in answer.preferences.values()):
                raise BadInput(say("error.tie"))
        case RankAnswer():
            placed = [label for group in answer.groups for label in group]
            _known(set(placed), unit)
            if open_ := [label for label in unit.labels if label not in placed]:
                raise BadInput(say("error.open", what=open_))
            if twice := sorted({label for label in placed if placed.count(label) > 1}):
                raise BadInput(say("error.twice", what=twice))
            if not all(answer.groups):
                raise BadInput(say("error.empty_place"))
        case CommentAnswer():
            for remark in answer.remarks:
                _quoted(remark, trajectory)


def ended(said: Afterwards, sets: tuple[StudyUnit, ...], labels: frozenset[str]) -> None:
    """Refuse what is said at the end while a hidden set has no guess (or "" for cannot tell), or
    where it names labels the expert was not shown.
    """
    if unsaid := [one for one in sets if one.id not in said.human]:
        raise BadInput(say("error.guesses", n=len(unsaid), of=len(sets)))
    units = {one.id: one for one in sets}
    if set(said.human) - set(units):
        raise BadInput(say("error.wrong_set"))
    for name, guess in said.human.items():
        _known({guess} - {""}, units[name])
    if unknown := sorted(set(said.seen_before) - labels):
        raise BadInput(say("error.never_shown", what=unknown))


def _every_criterion(said: set[str], criteria: tuple[Criterion, ...]) -> None:
    asked = {one.name for one in criteria}
    if open_ := sorted(asked - said):
        raise BadInput(say("error.open", what=open_))
    if strange := sorted(said - asked):
        raise BadInput(say("error.unasked", what=strange))


def _known(labels: set[str], unit: StudyUnit) -> None:
    if strange := sorted(labels - set(unit.labels)):
        raise BadInput(say("error.not_shown", what=strange))


def _quoted(remark: SpanRemark, trajectory: Trajectory | None) -> None:
    words = plain(remark.quote).text.strip()
    if not words or not any(words in plain(text).text for text in _passages(remark, trajectory)):
        raise BadInput(say(f"error.quote_{remark.of}", words=repr(remark.quote[:80])))


def _passages(remark: SpanRemark, trajectory: Trajectory | None) -> list[str]:
    passages = list[str]()
    if trajectory is None:
        return passages
    if remark.of == "idea":
        passages.append(trajectory.first.text)
    for one in trajectory.rounds:
        if remark.of == "idea":
            passages.append(one.idea.text)
        else:
            passages += (one.review.summary, *(part.text for part in one.review.remarks))
    return passages
