"""Ideas and their refinement, round by round."""
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.records.base import Record, Text

Form = Literal["hypothesis", "six-field", "chain"]
FORMS: dict[str, tuple[str, ...]] = {
    "hypothesis": ("hypothesis",),
    "six-field": ("title", "problem", "objective", "hypothesis", "method", "expected_impact"),
    "chain": ("title", "motivation", "novelty", "method", "difference", "challenges"),
}


class Idea(Record):
    """A research idea in one of the forms the papers use."""

    form: Form
    fields: dict[str, Text]

    @model_validator(mode="after")
    def _fields_of_the_form(self) -> "Idea":
        if tuple(self.fields) != FORMS[self.form]:
            raise ValueError(f"an idea of form {self.form!r} has the fields {FORMS[self.form]}")
        return self

    @property
    def title(self) -> str:
        """The title, or the beginning of a one-paragraph idea."""
        whole = self.fields.get("title") or self.fields["hypothesis"]
        return whole if len(whole) <= 120 else whole[:117].rsplit(" ", 1)[0] + " ..."

    @property
    def text(self) -> str:
        """The idea as plain text, one labelled paragraph per field."""
        if self.form == "hypothesis":
            return self.fields["hypothesis"]
        return "\n\n".join(f"{label(name)}: {said}" for name, said in self.fields.items())


def label(field: str) -> str:
    """Return a field name as a person would write it."""
    return field.replace("_", " ").capitalize()


class Indicator(Record):
    """A quality to improve, with the traits that make it up."""

    name: Text
    traits: tuple[Text, ...]


class Stopping(Record):
    """When refinement ends: InfAL section 3.2.3 (patience 2); Algorithm 1 as printed has patience 1."""

    max_rounds: Annotated[int, Field(ge=1, le=50)] = 10
    patience: Annotated[int, Field(ge=1, le=10)] = 2


class Remark(Record):
    id: Text
    text: Text
    trait: str = ""


class Review(Record):
    """The optimizer's textual gradient: why the idea lacks the indicator, remark by remark."""

    summary: Text
    remarks: tuple[Remark, ...]


class Change(Record):
    """A passage the generator says it changed, and the remarks it answers."""

    field: Text
    passage: Text
    remarks: tuple[str, ...] = ()


class Revision(Record):
    idea: Idea
    changes: tuple[Change, ...] = ()


class Verdict(Record):
    """The discriminator's answer: does the newer idea significantly improve on the older one?"""

    improved: bool
    reason: Text


class Wish(Record):
    """A remark a person filed while a run went on."""

    text: Text
    by: Text


class Measures(Record):
    """Distances of one version of an idea: cosine similarities of embeddings, in [-1, 1]."""

    to_first: float
    to_previous: float
    nearest: str | None = None
    to_nearest: float | None = None


class Round(Record):
    n: int
    review: Review
    wishes: tuple[Wish, ...] = ()
    revision: Revision
    verdict: Verdict
    measures: Measures | None = None
    quiet: int
    """How many verdicts in a row, this one included, saw no improvement."""


class Outcome(Record):
    """How a method ended; `round` names the round the idea is from (0: the first idea)."""

    reason: Text
    idea: Idea
    round: int = 0
    converged: bool = False
    branch: int | None = None
    """Which branch of a chain of ideas it is from."""
