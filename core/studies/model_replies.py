"""What a model judge says of a unit, its reason before its answer, and the answer of a session made
of it.
"""

from typing import Annotated, Literal

from pydantic import Field

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
from core.records.study_answers import Score, Threefold
from core.studies import checks

LONGEST_NOTE = 4_000
"""Characters of a reason that are kept with the answer; the journal has all of it."""
REMARKS = 5


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


ModelReply = ModelRating | ModelRanking | ModelComparison | ModelComment
REPLIES: dict[Task, type[ModelReply]] = {
    "rate": ModelRating,
    "rank": ModelRanking,
    "compare": ModelComparison,
    "comment": ModelComment,
}


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
