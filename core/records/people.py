"""What people say of ideas."""

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
        said = sorted(one.label for one in self.places)
        wanted = (
            sorted(one["label"] for one in info.context["candidates"])
            if info.context
            else sorted(set(said))
        )
        if said != wanted:
            raise ValueError(f"name each of {', '.join(wanted)} exactly once, best first")
        return self


class PersonItem(Record):
    """A person's word on one item of the checklist."""

    item: Text
    score: Literal[0, 1]
    directive: Directive | None = None

    @model_validator(mode="after")
    def _zero_says_what_to_do(self) -> "PersonItem":
        if self.score == 0 and self.directive is None:
            raise ValueError(f"{self.item} is not satisfied: say what is wrong and what to do")
        return (
            self
            if self.score == 0 or self.directive is None
            else self.model_copy(update={"directive": None})
        )


class PersonChecklist(Record):
    """A person's word on every item that needs understanding."""

    items: tuple[PersonItem, ...]

    @model_validator(mode="after")
    def _each_item_once(self, info: ValidationInfo) -> "PersonChecklist":
        """Compare with what was asked, where that is told."""
        said = sorted(one.item for one in self.items)
        wanted = (
            sorted(one["name"] for one in info.context["items"])
            if info.context
            else sorted(set(said))
        )
        if said != wanted:
            raise ValueError(f"judge each of {', '.join(wanted)} exactly once")
        return self
