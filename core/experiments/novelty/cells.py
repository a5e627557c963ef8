"""What is measured: which labelled ideas, checked how deeply, by whom, how often."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from pydantic import Field, model_validator

from core.methods.inputs import Day, NoveltyInputs
from core.methods.novelty.dating import last_of_month
from core.records import LabelledIdea, Record, Text, model_part
from core.records.novelty import Depth


class NoveltyExperimentInputs(Record):
    """What a measurement of novelty checks spans."""

    topic: Annotated[str, Field(min_length=1)]
    """Its name."""
    data: Text
    """SHA-256 of the LabelledIdeas."""
    ideas: Annotated[int, Field(ge=1, le=5_000)]
    """How many of them, from the first on."""
    depths: Annotated[tuple[Depth, ...], Field(min_length=1, max_length=2)] = ("deep",)
    judges: Annotated[tuple[Text, ...], Field(min_length=1, max_length=8)]
    """Models that take apart, read and judge; each makes cells of its own."""
    seeds: Annotated[int, Field(ge=1, le=20)] = 1
    """How often each idea is checked, every time with another seed."""
    dated: Day
    """The date of ideas whose row gives none, YYYY-MM-DD."""
    before: Day | None = None
    papers: Annotated[int, Field(ge=1, le=40)] = 12
    around: Annotated[int, Field(ge=0, le=5)] = 3
    full_text: bool = True
    at_once: Annotated[int, Field(ge=1, le=64)] = 8
    """Checks that are worked on at once."""

    @model_validator(mode="after")
    def _every_cell_has_a_name_of_its_own(self) -> "NoveltyExperimentInputs":
        for names in (self.depths, self.judges):
            if len({model_part(name) for name in names}) < len(names):
                raise ValueError("a model is named twice, or two names differ in signs only")
        return self


class Condition(NamedTuple):
    """How ideas are checked; what a figure is taken of."""

    depth: Depth
    judge: str


class Check(NamedTuple):
    """One check of one idea."""

    condition: Condition
    seed: int
    idea: LabelledIdea

    @property
    def name(self) -> str:
        """The name of its run, and of the place where it is shown."""
        by = f"{self.condition.depth}/{model_part(self.condition.judge)}/seed-{self.seed}"
        return f"{by}/{self.idea.digest()[:12]}"

    @property
    def _dated(self) -> str | None:
        """The idea's own day; a month was kept as its 31st, however long it is."""
        day = self.idea.dated
        return min(day, last_of_month(day)) if day else None

    def inputs(self, asked: NoveltyExperimentInputs) -> NoveltyInputs:
        """Return what its run is asked for."""
        return NoveltyInputs(
            topic=self.idea.idea.title,
            idea=self.idea.idea,
            dated=self._dated or asked.dated,
            before=asked.before,
            ban=self.idea.ban,
            depth=self.condition.depth,
            papers=asked.papers,
            around=asked.around,
            full_text=asked.full_text,
        )


def conditions(asked: NoveltyExperimentInputs) -> tuple[Condition, ...]:
    """Return every depth with every judge."""
    return tuple(Condition(depth, judge) for depth in asked.depths for judge in asked.judges)


def checks(asked: NoveltyExperimentInputs, ideas: tuple[LabelledIdea, ...]) -> Iterator[Check]:
    """Yield every check, idea by idea."""
    for idea in ideas[: asked.ideas]:
        for condition in conditions(asked):
            for seed in range(1, asked.seeds + 1):
                yield Check(condition, seed, idea)
