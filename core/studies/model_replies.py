"""What a model judge says of a unit, its reason before its answer, and the answer of a session made
of it.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model

from core.errors import BadInput
from core.records import (
    Answer,
    CommentAnswer,
    CompareAnswer,
    Criterion,
    Preference,
    RankAnswer,
    RateAnswer,
    Record,
    Side,
    SpanRemark,
    StudyUnit,
    Task,
    Trajectory,
)
from core.records.base import Text
from core.records.study_answers import Threefold
from core.studies import checks

LONGEST_NOTE = 4_000
"""Characters of a reason that are kept with the answer; the journal has all of it."""
REMARKS = 5
KEPT = 64
"""Rubrics whose replies are held at once."""


def _no_truth(said: object) -> object:
    if isinstance(said, bool):
        raise ValueError("a score is a number, not true or false")
    return said


NUMBER = BeforeValidator(_no_truth)
"""Python takes true for 1."""
Score = Annotated[int, Field(ge=1, le=10), NUMBER]


class CriterionScore(Record):
    """One score; null says that the text gives no ground to judge."""

    criterion: Text
    score: Score | None


class ModelRating(Record):
    """Scores of one text on every criterion."""

    reason: Text
    scores: tuple[CriterionScore, ...]


class ModelRanking(Record):
    """Labels best first; those in one group are tied."""

    reason: Text
    groups: tuple[tuple[str, ...], ...]


class CriterionPreference(Record):
    """Which of two texts is better on a criterion, and whether much."""

    criterion: Text
    better: Side
    much: bool


class ModelComparison(Record):
    """Two texts compared on every criterion."""

    reason: Text
    preferences: tuple[CriterionPreference, ...]
    both_weak: bool


class ModelComment(Record):
    """What is to be said of one round of a refinement."""

    reason: Text
    valid: Threefold
    answered: Threefold
    change: Literal["better", "same", "worse"]
    remarks: Annotated[tuple[SpanRemark, ...], Field(max_length=REMARKS)] = ()


class RubricReply(Record):
    """Answers to every criterion of a rubric of one's own; what `reply_to` makes has a field for
    each, `c1`, `c2` ...
    """

    reason: Text


ModelReply = ModelRating | ModelRanking | ModelComparison | ModelComment | RubricReply
REPLIES: dict[Task, type[ModelReply]] = {
    "rate": ModelRating,
    "rank": ModelRanking,
    "compare": ModelComparison,
    "comment": ModelComment,
}


def is_plain(criteria: Sequence[Criterion]) -> bool:
    """Say whether all criteria are scored from 1 to 10 without more: as all were at first, and are
    asked for as they were.
    """
    return not any(one.model_dump(include=set(Criterion.added)) for one in criteria)


def key_of(n: int) -> str:
    """Return the field of the n-th criterion in a reply."""
    return f"c{n}"


def reply_to(criteria: Sequence[Criterion]) -> type[RubricReply]:
    """Return the reply that a rubric asks for: its schema has every scale with its ends, and a
    reason before each answer where one is asked for.
    """
    # Kept by what they say: a schema is made once for each class.
    return _reply_to(json.dumps([one.model_dump(mode="json") for one in criteria]))


@lru_cache(maxsize=KEPT)
def _reply_to(rubric: str) -> type[RubricReply]:
    fields: dict[str, Any] = {}
    for n, given in enumerate(json.loads(rubric), 1):
        one = Criterion.model_validate(given)
        asked: dict[str, Any] = {}
        if one.reason == "required":
            asked["reason"] = (Text, ...)
        elif one.reason == "optional":
            asked["reason"] = (str, ...)
        asked["answer"] = (_answer_to(one), ...)
        answer = create_model(f"Criterion{n}", __base__=Record, **asked)
        fields[key_of(n)] = (answer, Field(description=one.name))
    made: type[RubricReply] = create_model("RubricReplyTo", __base__=RubricReply, **fields)
    return made


def _answer_to(one: Criterion) -> Any:
    lowest, highest = one.ends
    match one.kind:
        case "scale":
            return Annotated[int, Field(ge=lowest, le=highest), NUMBER] | None
        case "yes/no":
            return Literal["yes", "no"] | None
        case "text":
            return str


def answer_of(
    reply: ModelReply,
    unit: StudyUnit,
    shown: tuple[str, ...],
    criteria: tuple[Criterion, ...],
    trajectory: Trajectory | None = None,
) -> Answer:
    """Return a model's reply as an answer in labels; `shown` holds the labels in the order shown,
    `trajectory` what was seen of one.

    Raises ValueError, worded for the model, where the reply does not fit the unit.
    """
    made = _made(reply, shown, criteria)
    try:
        checks.checked(made, unit, criteria, trajectory)
    except BadInput as error:
        raise ValueError(str(error).removesuffix(" Reload the page and try again.")) from None
    return made


def _made(reply: ModelReply, shown: tuple[str, ...], criteria: tuple[Criterion, ...]) -> Answer:
    note = reply.reason[:LONGEST_NOTE]
    match reply:
        case ModelRating():
            scores = _by_criterion([one.criterion for one in reply.scores], criteria)
            return RateAnswer(
                scores={scores[one.criterion]: one.score for one in reply.scores}, note=note
            )
        case RubricReply():
            return _by_rubric(reply, criteria, note)
        case ModelRanking():
            return RankAnswer(
                groups=tuple(
                    tuple(label.strip() for label in group) for group in reply.groups if group
                ),
                note=note,
            )
        case ModelComparison():
            names = _by_criterion([one.criterion for one in reply.preferences], criteria)
            sides = {"first": shown[0], "second": shown[1], "tie": ""}
            said = {
                names[one.criterion]: Preference(
                    better=sides[one.better], much=one.much and one.better != "tie"
                )
                for one in reply.preferences
            }
            return CompareAnswer(preferences=said, both_weak=reply.both_weak, note=note)
        case ModelComment():
            return CommentAnswer(
                valid=reply.valid,
                answered=reply.answered,
                change=reply.change,
                remarks=reply.remarks,
                note=note,
            )


def _by_rubric(reply: RubricReply, criteria: Sequence[Criterion], note: str) -> RateAnswer:
    scores: dict[str, int | None] = {}
    texts = {}
    reasons = {}
    for n, one in enumerate(criteria, 1):
        said = getattr(reply, key_of(n))
        if one.kind == "text":
            texts[one.name] = said.answer[:LONGEST_NOTE]
        elif one.kind == "yes/no":
            scores[one.name] = None if said.answer is None else int(said.answer == "yes")
        else:
            scores[one.name] = said.answer
        if one.reason != "off" and said.reason.strip():
            reasons[one.name] = said.reason.strip()[:LONGEST_NOTE]
    return RateAnswer(scores=scores, note=note, texts=texts, reasons=reasons)


def _by_criterion(said: list[str], criteria: tuple[Criterion, ...]) -> dict[str, str]:
    """Return the criterion meant by each name said, whatever its capitals; raises ValueError unless
    each is named exactly once.
    """
    known = {one.name.casefold(): one.name for one in criteria}
    if sorted(name.casefold() for name in said) != sorted(known):
        raise ValueError(
            f"answer for each of {', '.join(known.values())} exactly once, under these names"
        )
    return {name: known[name.casefold()] for name in said}
