"""What people say of ideas."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, model_validator

from core.records.base import Record, Text
from core.records.checklist import Directive


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


class PersonPlaced(Record):
    """A candidate's place in a person's order, by its letter; nobody has to say why."""

    label: Text
    reason: Annotated[str, Field(max_length=4_000)] = ""


class PersonPlacement(Record):
    """A person's order of the candidates they were shown, best first, without ties."""

    places: tuple[PersonPlaced, ...]

    @model_validator(mode="after")
    def _one_place_each(self, info: ValidationInfo) -> "PersonPlacement":
        """Compare with what was shown, where that is told."""
        shown = [one["label"] for one in info.context["candidates"]] if info.context else None
        if wanted := _not_once_each([one.label for one in self.places], shown):
            raise ValueError(f"name each of {wanted} exactly once, best first")
        return self


def _not_once_each(given: Iterable[str], asked: Iterable[str] | None) -> str:
    """Return the names wanted, all that were asked for or all given, where they are not given
    exactly once each; else nothing.
    """
    names = sorted(given)
    wanted = sorted(set(names) if asked is None else asked)
    return ", ".join(wanted) if names != wanted else ""


class PersonItem(Record):
    """A person's word on one item of the checklist."""

    item: Text
    score: Literal[0, 1]
    directive: Directive | None = None

    @model_validator(mode="after")
    def _zero_says_what_to_do(self) -> "PersonItem":
        if self.score == 0 and self.directive is None:
            raise ValueError(f"{self.item} is not satisfied: say what is wrong and what to do")
        needless = self.score == 1 and self.directive is not None
        return self.model_copy(update={"directive": None}) if needless else self


class PersonChecklist(Record):
    """A person's word on every item that needs understanding."""

    items: tuple[PersonItem, ...]

    @model_validator(mode="after")
    def _each_item_once(self, info: ValidationInfo) -> "PersonChecklist":
        """Compare with what was asked, where that is told."""
        asked = [one["name"] for one in info.context["items"]] if info.context else None
        if wanted := _not_once_each([one.item for one in self.items], asked):
            raise ValueError(f"judge each of {wanted} exactly once")
        return self
