"""Units with a known answer: texts that say openly what to answer, so that whoever reads them gives
it.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from core.records import (
    Answer,
    CommentAnswer,
    CompareAnswer,
    Idea,
    Preference,
    RankAnswer,
    RateAnswer,
    Remark,
    Review,
    StudyPlan,
    Trajectory,
    TrajectoryRound,
)
from core.studies.texts import FOLDER

SCORES = (3, 8, 2, 9, 6)
"""What is asked for, check by check: away from the middle, and never the end of the scale that
anybody in a hurry would take.
"""
SAYS = "This text is no idea: it checks whether texts are read."
PLACES = ("first", "second", "third")


class AttentionCheck(NamedTuple):
    """One unit with a known answer, before its texts have labels."""

    texts: tuple[Idea | Trajectory, ...]
    n: int
    criterion: str = ""
    """What its set is ordered by."""


def checks(plan: StudyPlan) -> tuple[AttentionCheck, ...]:
    """Return as many checks as the plan asks for, each with texts of its own; sets are ordered by
    one criterion after the other.
    """
    return tuple(_check(plan, n) for n in range(plan.attention))


def expected(plan: StudyPlan, check: AttentionCheck, labels: Sequence[str]) -> Answer:
    """Return the one right answer to a check whose texts, in their order, have these labels."""
    names = [one.name for one in plan.criteria]
    if plan.task == "rate":
        return RateAnswer(scores=dict.fromkeys(names, SCORES[check.n]))
    if plan.task == "rank":
        return RankAnswer(groups=tuple((label,) for label in labels))
    if plan.task == "compare":
        return CompareAnswer(
            preferences={name: Preference(better=labels[0], much=True) for name in names}
        )
    return CommentAnswer(valid="no", answered="no", change="worse")


def _check(plan: StudyPlan, n: int) -> AttentionCheck:
    if plan.task == "rate":
        return AttentionCheck(
            (_text(n, f"To show that you are reading, please give {SCORES[n]} on every quality."),),
            n,
        )
    if plan.task == "rank":
        asked = [
            f"To show that you are reading, please put this text in the {place} place."
            for place in PLACES
        ]
        return AttentionCheck(
            tuple(_text(n, one) for one in asked), n, plan.criteria[n % len(plan.criteria)].name
        )
    if plan.task == "compare":
        return AttentionCheck(
            (
                _text(
                    n,
                    'To show that you are reading, please answer "much better" for this text on'
                    " every quality.",
                ),
                _text(
                    n,
                    'To show that you are reading, please answer "much better" for the other text'
                    " on every quality.",
                ),
            ),
            n,
        )
    return AttentionCheck((_trajectory(n),), n)


def _text(n: int, asked: str) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": f"{_openings()[n]} {SAYS} {asked}"})


def _trajectory(n: int) -> Trajectory:
    asked = (
        'To show that you are reading, please answer "no" to both questions, and "worse" for what'
        " became of the idea."
    )
    review = Review(
        summary=f"This review checks whether reviews are read. {asked}",
        remarks=(Remark(id="r1", text=asked),),
    )
    return Trajectory(
        first=_text(n, "Please go on to the review."),
        rounds=(TrajectoryRound(review=review, idea=_text(n, asked)),),
    )


@cache
def _openings() -> tuple[str, ...]:
    return tuple(json.loads((FOLDER / "attention.json").read_text("utf-8")))
