"""What people say of ideas."""
from typing import Annotated

from pydantic import Field

from core.records.base import Record, Text


class Rating(Record):
    idea: str
    criterion: Text
    score: Annotated[int, Field(ge=1, le=10)]
    rater: Text


class Ranking(Record):
    """A ranking with ties: groups of idea ids, best first."""

    groups: tuple[tuple[str, ...], ...]
    criterion: Text
    rater: Text
