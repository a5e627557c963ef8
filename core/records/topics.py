"""Experiments over topics: the topics, and what contenders come to on each (Chain of Ideas,
sections 3.2 to 3.4).
"""

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, model_validator

from core.records.arena import Kind, Name
from core.records.base import Record, Text
from core.records.designs import Design
from core.records.ideas import Idea
from core.records.literature import Paper


class ExperimentTopic(Record):
    """A topic that contenders are told, with the published paper it was taken from, if any."""

    topic: Name
    paper: Paper | None = None
    idea: Idea | None = None
    """What the paper puts forward; empty where nobody has extracted it yet."""
    design: Design | None = None


MOST_TOPICS = 1_000


class TopicList(Record):
    """The topics of an experiment: frozen, known by their digest."""

    name: Text
    topics: Annotated[tuple[ExperimentTopic, ...], Field(min_length=1, max_length=MOST_TOPICS)]
    confirmed_by: str = ""
    """Who confirmed the topics; empty where nobody was asked."""

    @model_validator(mode="after")
    def _every_topic_once(self) -> "TopicList":
        times = Counter(one.topic for one in self.topics)
        if twice := [topic for topic, n in times.items() if n > 1]:
            raise ValueError(f"the topic {twice[0]!r} is there twice; leave one out")
        return self


class RealPaper(Record):
    """Topic, idea and experiment as a published paper has them, in the form all competitors
    share.
    """

    paper: Paper
    topic: Name
    idea: Idea
    design: Design


class TopicChoice(Record):
    """What a person says of one extracted topic."""

    paper: Text
    """The id of its paper."""
    topic: Name
    keep: bool = True


class TopicChoices(Record):
    """A person's word on all topics of a list at once; one that is not named is left out."""

    topics: Annotated[tuple[TopicChoice, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_is_one_of_those_shown(self, info: ValidationInfo) -> "TopicChoices":
        """Compare with the papers that were shown, where that is told."""
        if info.context:
            shown = {str(one["paper"]) for one in info.context["papers"]}
            if stray := [one.paper for one in self.topics if one.paper not in shown]:
                raise ValueError(f"there is no paper {stray[0]!r} in the list")
        times = Counter(one.topic for one in self.topics if one.keep)
        if twice := [topic for topic, n in times.items() if n > 1]:
            raise ValueError(f"two papers are kept with the topic {twice[0]!r}; word one otherwise")
        return self


class TokenBudget(Record):
    """What a method's cell took, and how many direct drafts that buys."""

    contender: Text
    """Whose tokens they are."""
    tokens: int
    """Tokens in and out of that contender's cell, as its servers reported."""
    draft: int
    """Tokens of one direct draft, measured; 0 where none was reported."""
    drafts: int
    """How many are written: as many as the tokens buy, within the bounds of the experiment."""
    note: str = ""
    """Why it is not what the tokens buy."""


class TopicCell(Record):
    """What a contender came to on a topic."""

    contender: Text
    """As the experiment was asked for it."""
    player: Name
    """What it is called in the arena: the method, what departs from its defaults, and the model."""
    topic: Name
    model: str = ""
    """Empty where no model wrote it: a published paper, an imported idea."""
    seed: int = 1
    run: str = ""
    """The run that wrote it; empty where none did."""
    idea: str = ""
    """SHA-256 of the frozen idea."""
    design: str = ""
    """SHA-256 of the frozen experiment design, where one was asked for."""
    budget: TokenBudget | None = None
    """Of a contender that was given as many tokens as another."""
    state: Literal["done", "failed"] = "done"
    reason: str = ""


class TopicArena(Record):
    """The arena in which what the contenders came to was judged."""

    kind: Kind
    run: str = ""
    entries: int = 0
    state: Literal["done", "failed"] = "done"
    reason: str = ""


class DistinctByJudge(Record):
    """How many of a contender's ideas a judge takes for one with no earlier one."""

    judge: Text
    distinct: int | None = None
    """None where the judge cannot tell."""
    near: int = 0
    """Pairs that are near enough in meaning to be asked of."""
    asked: int = 0
    """Pairs it was asked of: of every idea the nearest earlier ones, so many at most."""
    same: int = 0
    """Of these, pairs it takes for one idea."""
    failed: int = 0
    """Of these, pairs that stayed without an answer; they count as different."""
    reason: str = ""
    """Why there is no answer, of the first that has none."""


class DistinctIdeas(Record):
    """How many of a contender's ideas are different from each other, by meaning and by judges."""

    player: Name
    ideas: int
    distinct: int
    """Ideas that are not near any earlier one that counts."""
    spread: float | None = None
    """Mean of 1 - cosine over all pairs; None with fewer than two ideas."""
    nearest: tuple[float, ...] = ()
    """Of every idea but the first, the cosine to the nearest before it, in the order of the
    cells.
    """
    by_judge: Annotated[tuple[DistinctByJudge, ...], Field(exclude_if=lambda held: not held)] = ()
    """By the judges of the experiment, where these are asked."""
