"""Which columns of a file of ratings name the idea, the rater and the criterion, and which hold
scores: guessed, said, and decided by a person.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError, model_validator

from core.errors import BadInput
from core.importing.rating_names import MISSING
from core.records import Record
from core.records.faults import fault_in_words
from core.statistics.matrix import LARGEST

Heads = Literal["score", "criteria", "raters", "rater:criterion", "criterion:rater"]
HEADS: dict[Heads, str] = {
    "score": "one column of scores",
    "criteria": "a column of scores for each criterion",
    "raters": "a column of scores for each rater",
    "rater:criterion": "a column of scores for each rater and criterion, as `rater:criterion`",
    "criterion:rater": "a column of scores for each criterion and rater, as `criterion:rater`",
}
"""What the names of the columns that hold scores name."""
SINGLE = ("item", "rater", "criterion", "repeat", "last", "attention", "kind", "source", "topic")
"""Fields of a layout that hold one column, or none."""
MOST_SOURCES = 20
"""Sources that are compared with one another; a column with more says where each idea is from."""
YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")
PEOPLE, MODEL = "expert", "model"
"""What a column that says who judged has in it."""

_THOUSANDS = re.compile(r"[+-]?\d{1,12},\d{3}")
_DECIMAL_COMMA = re.compile(r"[+-]?\d{0,12},\d{1,12}")
_NUMBER = re.compile(
    r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})(e[+-]?\d{1,2})?", re.IGNORECASE | re.ASCII
)


class Layout(Record):
    """What the columns of a file of ratings stand for."""

    item: str
    """Names the idea."""
    within: tuple[str, ...] = ()
    """Further columns that tell ideas apart, where `item` alone does not."""
    rater: str = ""
    """Names the rater; empty where the columns of scores do, or where nothing does: then each row
    is a review by nobody knows whom.
    """
    criterion: str = ""
    """Names the criterion; empty where the columns of scores do, or there is one only."""
    scores: tuple[str, ...]
    heads: Heads
    repeat: str = ""
    """Says which time an idea was rated, 1, 2, ...: second times are kept apart."""
    last: str = ""
    """Says whether a score is the last one given; others were revised, and do not count."""
    attention: str = ""
    """Says whether this is an attention check, which does not count."""
    kind: str = ""
    """Says who rated: expert or model."""
    source: str = ""
    """Says what an idea comes from: sources are compared with one another."""
    topic: str = ""
    """Says what an idea is on."""

    @model_validator(mode="after")
    def _everything_is_named_once(self) -> "Layout":
        columns = [
            *filter(
                None, (getattr(self, field) for field in SINGLE if field not in ("source", "topic"))
            ),
            *self.scores,
        ]
        if len({*columns, *self.within}) < len(columns) + len(self.within):
            raise ValueError("one column is named for two things")
        if {self.source, self.topic} & {*columns} - {""} or (
            self.source and self.source == self.topic
        ):
            raise ValueError("one column is named for two things")
        if not self.scores:
            raise ValueError("no column of scores is named")
        if self.heads == "score" and len(self.scores) > 1:
            raise ValueError(
                "several columns of scores are named, and not what their names stand for"
            )
        if self.rater and self.heads not in ("score", "criteria"):
            raise ValueError("the rater is named by a column and by the columns of scores")
        if self.criterion and self.heads not in ("score", "raters"):
            raise ValueError("the criterion is named by a column and by the columns of scores")
        if self.reviews and self.repeat:
            raise ValueError(
                "which time it was is named, and nothing names the rater who rated again"
            )
        return self

    @property
    def reviews(self) -> bool:
        """Whether nothing names the rater, so that reviews are all that can be counted."""
        return not self.rater and self.heads in ("score", "criteria")

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is read."""
        named = (*(getattr(self, field) for field in SINGLE), *self.within, *self.scores)
        return tuple(dict.fromkeys(filter(None, named)))

    @property
    def said(self) -> str:
        """What stands for what, in a sentence."""
        more = len(self.scores) - 12
        parts = [
            f"ideas in {' within '.join(map(repr, (self.item, *self.within)))}",
            f"raters in {self.rater!r}" if self.rater else "",
            f"criteria in {self.criterion!r}" if self.criterion else "",
            f"{HEADS[self.heads]}: {', '.join(map(repr, self.scores[:12]))}"
            + (f" and {more} more" if more > 0 else ""),
            "no column names the rater, so that each row is one review" if self.reviews else "",
            f"repeats in {self.repeat!r}" if self.repeat else "",
            f"only what is last by {self.last!r}" if self.last else "",
            f"without attention checks by {self.attention!r}" if self.attention else "",
            f"experts and models by {self.kind!r}" if self.kind else "",
            f"sources in {self.source!r}" if self.source else "",
            f"topics in {self.topic!r}" if self.topic else "",
        ]
        return f"Read as {'; '.join(filter(None, parts))}."


def number(cell: str) -> float | None:
    """Return the number a cell holds, None where it says that there is none; raises ValueError for
    anything else.

    A decimal comma is read as one, unless three digits follow it: that may stand for thousands.
    Numbers above 1e9 are no scores.
    """
    text = " ".join(cell.split())
    if text.casefold() in MISSING:
        return None
    plain = text
    if "," in text:
        if _THOUSANDS.fullmatch(text):
            raise ValueError(f"{text!r} may be thousands or decimals; write it with a point")
        plain = text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else text
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{text[:60]!r} is not a number")
    if abs(found := float(plain)) > LARGEST:
        raise ValueError(f"{text[:60]!r} is too large for a score")
    return found


def make_layout(fields: Mapping[str, Any]) -> Layout:
    """Make a layout of what a person chose; raises BadInput that says what does not fit."""
    try:
        return Layout.model_validate(fields)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise BadInput(f"The columns cannot be read so: {fault_in_words(wrong)}.") from None
