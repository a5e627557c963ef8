"""What seats of expert sessions answered, and what is known of units beforehand."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from core.records.base import Lean, Record

Note = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4_000)]
Threefold = Literal["yes", "partly", "no"]
Why = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]


class RateAnswer(Lean):
    """Scores by criterion; None says that the expert cannot judge it. No is 0 and yes is 1."""

    added = ("texts", "reasons", "flag")

    task: Literal["rate"] = "rate"
    scores: dict[str, int | None]
    """Of every criterion but those of free text."""
    note: Note = ""
    texts: dict[str, Note] = {}
    """Of criteria of free text; empty for nothing to say."""
    reasons: dict[str, Why] = {}
    """By criterion, where one was given."""
    flag: Note = ""
    """Why the expert marked the unit; empty where it is not marked."""


class RankAnswer(Lean):
    """Labels best first; those in one group are tied."""

    added = ("flag",)

    task: Literal["rank"] = "rank"
    groups: tuple[tuple[str, ...], ...]
    note: Note = ""
    flag: Note = ""


class Preference(Record):
    """Which label is better on a criterion, and whether much; empty for a tie."""

    better: str
    much: bool = False


class CompareAnswer(Lean):
    added = ("flag",)

    task: Literal["compare"] = "compare"
    preferences: dict[str, Preference]
    """By criterion."""
    both_weak: bool = False
    """Said apart from which is better."""
    note: Note = ""
    flag: Note = ""


class SpanRemark(Record):
    """A remark on a passage quoted from what was shown."""

    of: Literal["idea", "review"]
    quote: Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


MOST_REMARKS = 50


class CommentAnswer(Lean):
    """What an expert says of one round (stage n is round n)."""

    added = ("flag",)

    task: Literal["comment"] = "comment"
    valid: Threefold
    """Was the review valid?"""
    answered: Threefold
    """Did the revision answer it?"""
    change: Literal["better", "same", "worse"]
    """The idea after the revision, against the idea before."""
    remarks: Annotated[tuple[SpanRemark, ...], Field(max_length=MOST_REMARKS)] = ()
    note: Note = ""
    flag: Note = ""


class SkipAnswer(Record):
    """A unit, or a round of one, that an expert left unjudged, and why. It is in no figure."""

    task: Literal["skip"] = "skip"
    reason: Why


Judgment = RateAnswer | RankAnswer | CompareAnswer | CommentAnswer
"""An answer that says what was asked."""
Answer = Annotated[Judgment | SkipAnswer, Field(discriminator="task")]


class UnitKey(Record):
    """What is known of a unit beforehand; kept with the item keys."""

    unit: str
    attention: bool = False
    expected: Answer | None = None
    """The one right answer of an attention unit (its note is not compared)."""


class Afterwards(Record):
    """What an expert says at the end."""

    familiarity: Annotated[int, Field(ge=1, le=5)]
    """With the field: 1 not at all, 5 works in it."""
    confidence: Annotated[int, Field(ge=1, le=5)]
    """In the own answers."""
    seen_before: tuple[str, ...] = ()
    """Labels of texts the expert knew before."""
    human: dict[str, str] = {}
    """By unit: the label taken for the idea by people; empty for cannot tell."""
    note: Note = ""


class StudyAnswer(Record):
    """One filed answer; revisions are filed after it, never over it."""

    id: int
    study: str
    seat: str
    unit: str
    time: int = 1
    stage: int = 1
    key: str
    """The client's own key: filed twice, it is kept once."""
    answer: Answer
    at: str


class SeatFilled(Record):
    """How a run filled a model's seat: the rounds of a trajectory count one by one."""

    asked: int
    """Answers the seat is to give."""
    answered: int
    """Those this run gave."""
    earlier: int = 0
    """Those that earlier runs of the seat had given."""
    missing: int = 0
    reason: str = ""
    """Why the first of them is missing."""


class StudyEvent(Record):
    """What happened in a study, for the record: opened, link made, consent, revoked, unblinded
    ...
    """

    id: int
    study: str
    seat: str = ""
    what: str
    detail: str = ""
    at: str
