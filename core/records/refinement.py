"""Refining an idea round by round: what the three actors say, and what people say in between."""

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from core.records.base import Record, Text
from core.records.ideas import Idea, Indicator

Actor = Literal["generator", "optimizer", "discriminator"]
ACTORS: tuple[Actor, ...] = ("generator", "optimizer", "discriminator")
Variant = Literal[
    "infal", "review-rebuttal", "self-reflection", "initial", "no-discriminator", "no-optimizer"
]
Order = Literal["one after the other", "taking turns"]
FIXED_ROUNDS = 7
"""How many rounds a game without a discriminator takes (InfAL, section 4.5)."""


class Stopping(Record):
    """When refinement ends: InfAL section 3.2.3 (patience 2); Algorithm 1 as printed has patience
    1.
    """

    max_rounds: Annotated[int, Field(ge=1, le=50)] = 10
    patience: Annotated[int, Field(ge=1, le=10)] = 2


class Play(Record):
    """How the game is played: by whom, for which quality, until when."""

    variant: Variant = "infal"
    goals: Annotated[tuple[Indicator, ...], Field(min_length=1, max_length=4)]
    order: Order = "one after the other"
    """With several indicators: each until it converges, or one round each in turn."""
    rules: Stopping = Stopping()
    """For each indicator: with several, there are as many rounds more."""
    printed: bool = False
    """Algorithm 1 as printed (InfAL, appendix A.2): everything one after the other, and every idea
    reviewed twice.
    """
    people: tuple[Actor, ...] = ()
    """Which actors are played by a person."""
    step_in: bool = False
    """Whether the run waits for a person before every revision."""

    @model_validator(mode="after")
    def _can_be_played(self) -> "Play":
        if len({goal.name.casefold() for goal in self.goals}) < len(self.goals):
            raise ValueError("two of the qualities have the same name")
        if self.printed and (self.variant != "infal" or self.rules.patience != 1 or self.people):
            raise ValueError(
                "Algorithm 1 as printed is InfAL with a patience of 1, played by models alone"
            )
        return self

    @property
    def most(self) -> int:
        """The number of rounds after which the game ends in any case."""
        return 0 if self.variant == "initial" else self.rules.max_rounds * len(self.goals)


class Remark(Record):
    id: Text
    text: Text
    trait: str = ""


class Review(Record):
    """The optimizer's textual gradient: why the idea lacks the indicator, remark by remark."""

    summary: Text
    remarks: tuple[Remark, ...]

    @model_validator(mode="after")
    def _remarks_can_be_named(self) -> "Review":
        if not self.remarks:
            raise ValueError("the review has no remarks; give at least one")
        if len({remark.id for remark in self.remarks}) < len(self.remarks):
            raise ValueError("two remarks share an id; number them r1, r2, ...")
        if any(re.fullmatch(r"p\d+", remark.id) for remark in self.remarks):
            raise ValueError(
                "p1, p2, ... are the ids of people's remarks; number yours r1, r2, ..."
            )
        return self


class Heard(Record):
    """What of a review a revision is made from: without the remarks that were declined, and then
    without the summary, which may repeat them.
    """

    summary: str
    remarks: tuple[Remark, ...]


class Fate(Record):
    """A remark of an earlier review, and what became of it."""

    round: int
    remark: Remark
    became: Literal["answered", "declined", "open"]


class Change(Record):
    """A passage the generator says it changed, and the remarks it answers."""

    field: Text
    passage: Text
    remarks: tuple[str, ...] = ()


class Revision(Record):
    idea: Idea
    changes: tuple[Change, ...] = ()


class Verdict(Record):
    """The discriminator's answer: does the newer idea significantly improve on the older one? A
    model gives the reason before it decides.
    """

    reason: Text
    improved: bool


class Reflection(Record):
    """Self-reflection: what the generator says of its own last revision, and what it still finds
    lacking.
    """

    reason: Text
    improved: bool
    review: Review


class SideEffect(Record):
    """What a revision did to a quality it was not made for."""

    reason: Text
    effect: Literal["better", "unchanged", "worse"]


class Effect(Record):
    """A side effect, and the quality it is one on."""

    goal: Text
    said: SideEffect


class Wish(Record):
    """What a person filed while a run went on: a remark of their own, a remark declined, or the
    idea rewritten.
    """

    text: Annotated[str, StringConstraints(max_length=20_000)] = ""
    by: Text
    id: str = ""
    """`p1`, `p2`, ... among what one revision was asked; given when it is taken up."""
    decline: str = ""
    """The id of a remark the next revision is not to answer."""
    idea: Idea | None = None
    """The version as the person rewrote it: the next revision starts from this text."""
    of: int | None = None
    """The version that is rewritten, or whose remark is declined (0: the first idea); None for a
    remark of one's own.
    """
    line: Annotated[int, Field(ge=1)] = 1
    """Which of several ideas refined side by side."""
    late: bool = False
    """Whether its version had been revised before it was filed: it is kept, and not followed."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> "Wish":
        if sum(map(bool, (self.text.strip(), self.decline, self.idea))) != 1:
            raise ValueError("a wish is a text, or a remark declined, or an idea rewritten")
        if (self.decline or self.idea) and self.of is None:
            raise ValueError("say which version it is about")
        return self


class GoAhead(Record):
    """A person's word before a revision: go on, with these wishes."""

    wishes: tuple[Wish, ...] = ()


class Measures(Record):
    """Distances of one version of an idea: cosine similarities of embeddings, in [-1, 1]."""

    to_first: float
    to_previous: float
    nearest: str | None = None
    to_nearest: float | None = None


class Labelled(Record):
    """An idea under the letter by which a judge is shown it."""

    label: Text
    idea: Idea


class Placed(Record):
    """A candidate's place in a judge's order, by its label."""

    label: Text
    reason: Text


class Placement(Record):
    """A judge's order of labelled candidates, best first."""

    places: tuple[Placed, ...]


class Ranked(Record):
    """One ranking as it was asked and answered: names in the order shown, names best first, a
    reason for each of these.
    """

    shown: tuple[str, ...]
    best_first: tuple[str, ...]
    reasons: tuple[str, ...]


class Standing(Record):
    """Where a target stands among ideas: Q = (rank of the target - 1) / number of ideas, the mean
    over the rankings (InfAL, equation 5).
    """

    goal: Text
    q: Annotated[float, Field(ge=0, le=1)] | None
    """None where no ranking came about."""
    rankings: tuple[Ranked, ...]
    reason: str = ""
    """Why rankings are missing, where some are."""
    round: int | None = None
    """The round whose ideas were ranked, where all of a run's ideas were ranked together."""


class Round(Record):
    n: int
    goal: str = ""
    """The indicator of this round; empty in runs from before there could be several."""
    review: Review | None = None
    """What the revision was made from, as written; None where no optimizer plays."""
    wishes: tuple[Wish, ...] = ()
    base: Idea | None = None
    """The older version as a person rewrote it, where the revision began from that."""
    revision: Revision
    verdict: Verdict | None = None
    """None where no discriminator plays, and where nothing it answered could be used."""
    effects: tuple[Effect, ...] = ()
    measures: Measures | None = None
    standings: tuple[Standing, ...] = ()
    quiet: int
    """How many verdicts in a row, this one included, saw no improvement."""

    @property
    def declined(self) -> frozenset[str]:
        """The ids of the remarks this revision was not to answer."""
        return frozenset(wish.decline for wish in self.wishes if wish.decline and not wish.late)


class Note(Record):
    """A margin note on an idea or a review; it changes nothing in the run."""

    id: int
    run: str
    about: Text
    """Where it stands, as a path: `round-3/idea`, `idea-2/round-0/review`."""
    text: Text
    by: Text
    at: str
