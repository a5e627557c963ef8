"""Whether an answer fits what was asked: a form half filled in says what is open, and nothing is
made up for what is missing.
"""

from collections.abc import Iterable
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
    SkipAnswer,
    SpanRemark,
    StudyUnit,
    Task,
    Trajectory,
)
from core.records.faults import fault_in_words
from core.wording.catalogue import Said, say
from core.wording.passages import plain_words

ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
ASKED: dict[str, str] = {name: say(f"error.{name}") for name in ("valid", "answered", "change")}
"""What a comment must say, by field."""
MARKS = ("mark", "flagged")
"""What a draft says of why its unit is skipped or flagged, and whether it is flagged."""


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
    given = {name: said for name, said in draft.items() if name not in MARKS}
    if draft.get("flagged"):
        given["flag"] = str(draft.get("mark") or "").strip()
        if not given["flag"]:
            raise BadInput(say("error.flag"))
    try:
        answer = ANSWER.validate_python({**given, "task": task})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(
            f"This answer cannot be read ({'.'.join(map(str, first['loc'][1:]))}:"
            f" {fault_in_words(first)}). Reload the page and try again."
        ) from error
    if isinstance(answer, RateAnswer):
        _fits_scales(answer, criteria)
    return answer


def skipped(reason: str) -> SkipAnswer:
    """Return the answer that leaves a unit unjudged; raises BadInput without a reason."""
    if not reason.strip():
        raise BadInput(say("error.skip"))
    return SkipAnswer(reason=reason)


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
        case "rate":
            return _unrated(draft, criteria)
        case "compare":
            given = set(draft.get("preferences") or ())
            asked = {one.name: one.name for one in criteria}
    return tuple(words for name, words in asked.items() if name not in given)


def _unrated(draft: dict[str, Any], criteria: tuple[Criterion, ...]) -> tuple[str, ...]:
    """Return the criteria without an answer, and those whose reason is asked for and not given; who
    cannot judge owes none.
    """
    said = {**(draft.get("scores") or {}), **(draft.get("texts") or {})}
    reasons = draft.get("reasons") or {}
    open_ = []
    for one in criteria:
        if one.name not in said:
            open_.append(one.name)
            continue
        judged = said[one.name] is not None and said[one.name] != ""
        lacking = not str(reasons.get(one.name, "")).strip()
        if one.reason == "required" and judged and lacking:
            open_.append(say("error.reason", name=one.name))
    return tuple(open_)


def unreasoned(open_: Iterable[str]) -> tuple[str, ...]:
    """Return the criteria of those open answers that lack nothing but the reason asked for."""
    reasons = (one for one in open_ if isinstance(one, Said) and one.name == "error.reason")
    return tuple(str(one.values["name"]) for one in reasons)


def fits(task: Task, answer: Answer) -> None:
    """Refuse an answer to another task; any unit can be skipped."""
    if answer.task not in (task, "skip"):
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
            _fits_scales(answer, criteria)
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
        case SkipAnswer():
            pass


def _fits_scales(answer: RateAnswer, criteria: tuple[Criterion, ...]) -> None:
    """Refuse scores off their scales, and texts and scores in each other's place."""
    scored = tuple(one for one in criteria if one.scored)
    _every_criterion(set(answer.scores), scored)
    _every_criterion(set(answer.texts), tuple(one for one in criteria if not one.scored))
    for one in scored:
        lowest, highest = one.ends
        score = answer.scores[one.name]
        if score is not None and not lowest <= score <= highest:
            raise BadInput(_off_scale(one, score))
    if open_ := _unrated(answer.model_dump(), criteria):
        raise BadInput(say("error.open", what=open_))
    asked = {one.name for one in criteria if one.reason != "off"}
    if strange := sorted(set(answer.reasons) - asked):
        raise BadInput(say("error.no_reason", what=strange))


def _off_scale(one: Criterion, score: int) -> str:
    given = {"name": one.name, "score": str(score)}
    if one.kind == "yes/no":
        return say("error.no_yes_or_no", **given)
    low, high = map(str, one.ends)
    return say("error.off_scale", **given, low=low, high=high)


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
    words = plain_words(remark.quote).strip()
    if not words or not any(words in plain_words(one) for one in _passages(remark, trajectory)):
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
