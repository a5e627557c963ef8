"""What was written in a session: free text and reasons, and why units were skipped or flagged. It
is listed, and never counted into a figure.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from core.records import RateAnswer, SkipAnswer
from core.studies.filed import Filed


class WordLine(NamedTuple):
    """One passage, with where it was written."""

    label: str
    rater: str
    kind: str
    """expert or model."""
    time: int
    criterion: str
    """Empty for a unit that was skipped or flagged."""
    of: Literal["text", "reason", "skipped", "flagged"]
    text: str


def words(filed: Filed) -> Iterator[WordLine]:
    """Yield what was written in answers that stand, attention checks left out."""
    for place, last in filed.last.items():
        if place.seat in filed.rule.left_out or place.unit in filed.expected:
            continue
        said = last.answer
        label = filed.units[place.unit].labels[0]
        kind = "model" if filed.seats[place.seat].model else "expert"
        who = (label, filed.called[place.seat], kind, place.time)
        if isinstance(said, SkipAnswer):
            yield WordLine(*who, "", "skipped", said.reason)
            continue
        if isinstance(said, RateAnswer):
            for name, text in said.texts.items():
                if text:
                    yield WordLine(*who, name, "text", text)
            for name, reason in said.reasons.items():
                yield WordLine(*who, name, "reason", reason)
        if said.flag:
            yield WordLine(*who, "", "flagged", said.flag)


def has_words(filed: Filed) -> bool:
    """Say whether words are asked for, or any were written."""
    asked = any(one.kind == "text" or one.reason != "off" for one in filed.study.plan.criteria)
    return asked or next(words(filed), None) is not None
