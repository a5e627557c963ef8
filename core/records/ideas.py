"""Ideas, the qualities they are judged by, and how a method ended."""

import re
from typing import Literal

from pydantic import model_validator

from core.records.base import Record, Text

Form = Literal["hypothesis", "six-field", "chain", "headed"]
FORMS: dict[str, tuple[str, ...]] = {
    "hypothesis": ("hypothesis",),
    "six-field": ("title", "problem", "objective", "hypothesis", "method", "expected_impact"),
    "chain": ("title", "motivation", "novelty", "method", "difference", "challenges"),
    "headed": ("text",),
}
"""Fields by form; `headed` is a text under headings of its own, judged as it stands."""
_MARKED = re.compile(r"^[#*\s>-]+|(?<![*\s])[*\s]+$")
_HEADING = re.compile(r"^title\s*:?\s*[*]*\s*", re.IGNORECASE)


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
        named = self.fields.get("title") or self.fields.get("hypothesis")
        whole = named or _first_line(self.fields["text"])
        return whole if len(whole) <= 120 else whole[:117].rsplit(" ", 1)[0] + " ..."

    @property
    def text(self) -> str:
        """The idea as plain text, one labelled paragraph per field."""
        if self.form in ("hypothesis", "headed"):
            return "".join(self.fields.values())
        return "\n\n".join(f"{label(name)}: {text}" for name, text in self.fields.items())


def _first_line(text: str) -> str:
    """Return the first line that says something: what follows the heading `Title`, where there is
    one.
    """
    for line in text.splitlines():
        if said := _HEADING.sub("", _MARKED.sub("", line)):
            return said
    return text


def label(field: str) -> str:
    """Return a field name as a person would write it."""
    return field.replace("_", " ").capitalize()


class Indicator(Record):
    """A quality to improve, with the traits that make it up."""

    name: Text
    traits: tuple[Text, ...]


class Outcome(Record):
    """How a method ended; `round` names the round the idea is from (0: the first idea)."""

    reason: Text
    idea: Idea
    round: int = 0
    converged: bool = False
    branch: int | None = None
    """Which branch of a chain, or which of several ideas refined side by side, it is from."""
