"""The checklist an idea is judged by, item by item, and what its judge finds (EvoIdeator, section
3.2 and appendix).
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.records.base import Record, Text
from core.records.ideas import Idea

Tier = Literal["primary", "secondary"]
HEADINGS = (
    "Title",
    "Core Problem",
    "Approach",
    "Experimental Plan / Evaluation",
    "Expected Outcomes and Impact",
    "Limitations and Risks",
    "Related Work and Gap",
)
"""The headings of an idea that the checklist is made for, in their order."""


class Item(Record):
    """One item of the checklist: what has to hold for it to be satisfied."""

    name: Text
    tier: Tier
    holds: Text

    def as_first_put(self) -> "Item":
        """Return the item in the words of the first edition."""
        return self.model_copy(update={"holds": EARLIER_WORDS.get(self.name, self.holds)})


ITEMS: tuple[Item, ...] = (
    Item(
        name="grounding",
        tier="primary",
        holds=(
            "The idea rests on established principles or mechanisms, or on the closest approaches"
            " of the state of the art, and then names the limiting assumption or the missing"
            " element of these that leaves a real, unsolved gap."
        ),
    ),
    Item(
        name="feasibility",
        tier="primary",
        holds=(
            "It can be carried out in practice: the data, compute, equipment and access it needs"
            " are realistic, key dependencies are stated, and the plan rests on no heroic"
            " assumption."
        ),
    ),
    Item(
        name="problem",
        tier="primary",
        holds=(
            "It asks a specific, scoped research question or states a falsifiable hypothesis, and"
            " says why it matters and what changes (in science, technology or society) if it"
            " succeeds."
        ),
    ),
    Item(
        name="risk",
        tier="primary",
        holds=(
            "It names its key assumptions and failure modes, and for these gives mitigations, or"
            " alternative paths (a plan B) if core components fail."
        ),
    ),
    Item(
        name="method",
        tier="primary",
        holds=(
            "It proposes a method that could really test or falsify the claim, and a concrete plan"
            " of evaluation: datasets, benchmarks or setup; baselines or controls; metrics; at"
            " least one ablation or sanity check; and, where applicable, a plan for validation,"
            " statistics or robustness."
        ),
    ),
    Item(
        name="writing",
        tier="secondary",
        holds=(
            "It reads as a professional, self-contained abstract or proposal and is highly"
            " specific: it names concrete methods, architectures, datasets or formalisms, avoids"
            " vague placeholders, and has no filler."
        ),
    ),
    Item(
        name="innovation",
        tier="secondary",
        holds=(
            "It says clearly what is new, as a mechanism, a theory, an architecture, a measurement,"
            " data or a protocol; this is not obvious (it surprises, or challenges an assumption);"
            " and it can be expected to generalise beyond one benchmark."
        ),
    ),
    Item(
        name="length",
        tier="secondary",
        holds=(
            "Title one line; Core Problem, Expected Outcomes and Related Work one to three"
            " sentences each; Approach three sentences; Experimental Plan about two; Limitations"
            " exactly three bullets."
        ),
    ),
    Item(
        name="layout",
        tier="secondary",
        holds=(
            "It begins with its title and has these headings, exactly and in this order:"
            f" {', '.join(HEADINGS)}."
        ),
    ),
)
"""The nine items (table of section 3 of the specification; EvoIdeator, section 3.2)."""
PRIMARY = tuple(item.name for item in ITEMS if item.tier == "primary")
EARLIER_WORDS: dict[str, str] = {
    "grounding": (
        "The idea rests on established mechanisms and on the closest work, and names the limiting"
        " assumption there that leaves a real gap."
    ),
    "feasibility": (
        "Data, compute, equipment and access are realistic, key dependencies are stated, and"
        " nothing heroic is needed."
    ),
    "problem": (
        "It asks a specific, scoped question or states a falsifiable hypothesis, and says why it"
        " matters and what changes if it succeeds."
    ),
    "risk": "It names its key assumptions and failure modes, each with a mitigation or a plan B.",
    "method": (
        "The plan could test or falsify the claim: datasets or setup, baselines or controls,"
        " metrics, at least one ablation or sanity check, and statistics where they apply."
    ),
    "writing": (
        "It is professional, self-contained and specific: named methods, data and formalisms, and"
        " no filler."
    ),
    "innovation": (
        "It says what is new and not obvious, and why that should hold beyond one benchmark."
    ),
}
"""How items were put to judges in runs of the first edition."""
BY_CODE = ("length", "layout")
"""Items that code decides, free of charge, unless a model is asked for comparison with the paper.
"""


class Directive(Record):
    """What a judge wants changed: a passage, what is wrong with it, and what to do (a span-level
    textual gradient).
    """

    span: Annotated[str, Field(max_length=2_000)]
    """An excerpt of the idea as the judge quotes it, 20 to 160 characters preferred; empty where
    something is missing altogether.
    """
    issue: Text
    suggestion: Text


class ItemVerdict(Record):
    """A judge's answer on one item; the reason comes first and goes no further than the journal."""

    reason: Text
    score: Literal[0, 1]
    directive: Directive | None

    @model_validator(mode="after")
    def _zero_says_what_to_do(self) -> "ItemVerdict":
        if self.score == 0 and self.directive is None:
            raise ValueError("an item that is not satisfied needs a directive")
        return self.model_copy(update={"directive": None}) if self.score else self


class Passage(Record):
    """Where the span of a directive stands in the idea."""

    state: Literal["verbatim", "nearest", "not found"]
    start: int = 0
    end: int = 0
    """Characters of `Idea.text`; both 0 where it was not found."""
    quote: str = ""
    """The idea's own words there; empty where it was not found, so that nothing invented is ever
    shown as a quote.
    """
    likeness: float = 0.0
    """How near the span is to the quote, 0 to 1."""


class Judged(Record):
    """One item of one idea, judged."""

    item: str
    score: Literal[0, 1] | None
    """None where the judge gave no usable answer; `reason` says why."""
    by: Text
    """`code`, or the name of the model."""
    directive: Directive | None = None
    passage: Passage | None = None
    reason: str = ""


class Checklist(Record):
    """The items of one idea, judged: all nine, or the seven that hold for any form."""

    items: tuple[Judged, ...]

    @property
    def vector(self) -> tuple[int | None, ...]:
        """The scores in the order of the items."""
        return tuple(one.score for one in self.items)

    @property
    def complete(self) -> bool:
        return None not in self.vector

    @property
    def primary(self) -> int:
        """s: how many primary items hold."""
        return sum(one.score or 0 for one in self.items if one.item in PRIMARY)

    @property
    def total(self) -> int:
        """t: how many items hold."""
        return sum(one.score or 0 for one in self.items)

    @property
    def reward(self) -> int | None:
        """The lexicographic reward: s if s >= n - 1, else t, with n primary items (EvoIdeator,
        equation 3); None while an item is not judged.
        """
        if not self.complete:
            return None
        return self.primary if self.by_primary else self.total

    @property
    def by_primary(self) -> bool:
        """Whether the primary items alone decide the reward: all but one of them hold."""
        return self.primary >= len(PRIMARY) - 1

    @property
    def holds(self) -> bool:
        """Whether every item holds."""
        return self.total == len(self.items)

    @property
    def unsatisfied(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.items if one.score == 0)


class HeadedIdea(Record):
    """An idea as a generator writes it: text under headings, which is judged as it stands."""

    idea: Annotated[str, Field(min_length=200, max_length=20_000)]

    def as_idea(self) -> Idea:
        return Idea(form="headed", fields={"text": self.idea})


class PlannedHeadedIdea(Record):
    """An idea under headings with the plan it was written from, which is thrown away (EvoIdeator,
    appendix A).
    """

    plan: str = ""
    idea: Annotated[str, Field(min_length=200, max_length=20_000)]

    def as_idea(self) -> Idea:
        return Idea(form="headed", fields={"text": self.idea})


class Evolved(Record):
    """One step of an evolution: an idea, what its judge says, and what came of the directives."""

    n: int
    """0 is the idea as generated."""
    idea: Idea
    feedback: Checklist | None = None
    """What the feedback judge found; None in the uninformed counterpart."""
    scores: Checklist
    """What the scoring judge found; the same checklist where one judge does both."""
    declined: tuple[str, ...] = ()
    """Items whose directive a person declined before the revision that made this idea: directives
    on the step before it.
    """


class Declines(Record):
    """A person's word before a revision: which directives, by item, it is not to follow."""

    items: tuple[str, ...] = ()


class Discarded(Record):
    """An idea that never became readable: counted, and never scored."""

    reason: Text
