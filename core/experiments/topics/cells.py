"""What an experiment over topics spans, and the runs that fill its cells."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, model_validator

from core.errors import BadInput
from core.experiments.topics.contenders import Contender, contender
from core.judging.arena.competition import ROLES
from core.methods.drafts import MOST
from core.methods.inputs import Day
from core.records import (
    Entry,
    ExperimentTopic,
    Kind,
    Record,
    Text,
    TopicCell,
    digest,
    model_part,
    part,
)
from core.store.entries import entry_id

KINDS: tuple[Kind, ...] = ("idea", "design")
NOBODY = "nobody"


class TopicExperimentInputs(Record):
    """What the experiment spans (defaults: Chain of Ideas, section 3)."""

    topic: Annotated[str, Field(min_length=1)]
    """The name of the experiment."""
    topics: Text
    """SHA-256 of the TopicList."""
    count: Annotated[int, Field(ge=1, le=1_000)]
    """How many of its topics, from the first on."""
    contenders: Annotated[tuple[Text, ...], Field(min_length=1, max_length=24)]
    """Who competes: a preset and what departs from it, as `chain, without entities`."""
    imported: Annotated[tuple[Entry, ...], Field(max_length=20_000), FailFast()] = ()
    """Texts of the contenders that are collections, as they stood when the experiment began."""
    models: Annotated[tuple[Text, ...], Field(min_length=1, max_length=8)]
    """Models that write; each makes cells of its own."""
    reader: Annotated[str, Field(exclude_if=lambda name: not name)] = ""
    """The model that reads papers; empty: the one that writes."""
    judges: Annotated[tuple[Text, ...], Field(max_length=len(ROLES))] = ()
    """Models that judge in the arena; without any, people alone vote there."""
    seeds: Annotated[int, Field(ge=1, le=10)] = 1
    """How often each contender writes on each topic, every time with another seed."""
    designs: bool = False
    """Whether experiments are designed, and compete in an arena of their own."""
    same_form: bool = True
    """Whether texts are brought into the common form first; not needed where all have one form."""
    full_text: bool = True
    """Whether open-access PDFs are fetched and read; otherwise the abstracts serve."""
    repeats: Annotated[int, Field(ge=1, le=5)] = 1
    distinct_by_judge: Annotated[bool, Field(exclude_if=lambda asked: not asked)] = False
    """Whether judges say, too, which ideas of a contender are one; embeddings alone otherwise."""
    most_drafts: Annotated[int, Field(ge=2, le=MOST)] = 8
    """How many direct drafts the tokens of another contender buy at most."""
    baseline: str = ""
    """The contender that others are compared with; empty: the first one."""
    before: Day | None = None
    at_once: Annotated[int, Field(ge=1, le=64)] = 4
    """Topics that are worked on at once."""

    @model_validator(mode="after")
    def _every_cell_has_a_name_of_its_own(self) -> "TopicExperimentInputs":
        try:
            found = [contender(said) for said in self.contenders]
            labels = [one.label for one in found]
        except BadInput as error:
            raise ValueError(str(error).rstrip(".")) from None
        if len(set(labels)) < len(labels):
            raise ValueError("a contender is named twice; leave one out")
        if len({model_part(name) for name in self.models}) < len(self.models):
            raise ValueError("a model is named twice, or two names differ in signs only")
        if len(set(self.judges)) < len(self.judges):
            raise ValueError("a judge is named twice")
        if self.baseline and self.baseline not in self.contenders:
            raise ValueError(f"{self.baseline!r} is compared with, and does not compete")
        if self.designs and (stray := [one.said for one in found if not designs(one)]):
            raise ValueError(f"{stray[0]!r} designs no experiment; leave it out, or ask for none")
        for one in found:
            if one.same_as and matched(one, found) is None:
                raise ValueError(f"{one.said!r}: nobody else here takes tokens; add that contender")
        return self

    @property
    def found(self) -> tuple[Contender, ...]:
        """The contenders, read."""
        return tuple(contender(said) for said in self.contenders)

    @property
    def compared_with(self) -> Contender:
        """The contender that the others are held against."""
        return contender(self.baseline or self.contenders[0])

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What competes."""
        return KINDS if self.designs else KINDS[:1]


def designs(one: Contender) -> bool:
    """Say whether a contender can design an experiment in the form that all share."""
    return one.method not in ("refine", "evolve")


def matched(one: Contender, among: "list[Contender] | tuple[Contender, ...]") -> Contender | None:
    """Return the contender whose tokens this one is given; None where there is none."""
    for other in among:
        if one.same_as == "*" and other.by_model and other.method not in ("direct", "drafts"):
            return other
        if other.said == one.same_as:
            return other
    return None


class TopicCellPlan(NamedTuple):
    """A place of the experiment: who writes on what, for which time."""

    contender: Contender
    topic: ExperimentTopic
    model: str
    """Empty where no model writes."""
    seed: int
    player: str
    """What it is called in the arena."""

    @property
    def name(self) -> str:
        """The name of its run, and of the place where it is shown; it does not depend on what else
        is in the experiment.
        """
        by = model_part(self.model) if self.model else NOBODY
        said = part(self.contender.said)
        return f"{said}/{by}/{part(self.topic.topic)}/seed-{self.seed}"


class Player(NamedTuple):
    """A contender with a model that writes for it; without one where none does."""

    contender: Contender
    model: str
    name: str
    """What it is called in the arena: with its model, so that one added later has a name of its
    own.
    """


def players(asked: TopicExperimentInputs) -> tuple[Player, ...]:
    """Return every contender with every model that writes for it; no two share a name."""
    found: dict[str, Player] = {}
    for one in asked.found:
        label = one.label
        for model in asked.models if one.by_model else ("",):
            name = f"{label[:120]} ({model[:70]})" if model else label[:200]
            if name in found:  # Long ones may differ at their ends alone; the first keeps its name.
                name = f"{name[:190]} {digest([label, model])[:6]}"
            found[name] = Player(one, model, name)
    return tuple(found.values())


def names_of(asked: TopicExperimentInputs) -> dict[tuple[str, str], str]:
    """Return what the players are called in the arena, by what their contender was asked for as and
    by their model.
    """
    return {(one.contender.said, one.model): one.name for one in players(asked)}


def cells(
    asked: TopicExperimentInputs, topics: tuple[ExperimentTopic, ...]
) -> Iterator[TopicCellPlan]:
    """Yield every cell, topic by topic; what no model writes is there once, whatever the seed."""
    them = players(asked)
    for topic in topics[: asked.count]:
        for one, model, name in them:
            for seed in range(1, asked.seeds + 1 if one.by_model else 2):
                yield TopicCellPlan(one, topic, model, seed, name)


def arena_topic(topic: str, seed: int) -> str:
    """Return what a topic is called in the arena: each time it was written on has one of its own,
    and statistics take them together again.
    """
    return topic if seed == 1 else f"{topic[:180]} #{seed}"


def collection_of(run: str) -> str:
    """Return what the collection of an experiment's texts is called."""
    return f"Experiment {run}"


def entry_of(cell: TopicCell, kind: Kind, seed: int, run: str) -> Entry:
    """Return what a cell puts into the collection of an experiment, for one time that its topic is
    written on.
    """
    entry = Entry(
        id="",
        kind=kind,
        sha=cell.idea if kind == "idea" else cell.design,
        method=cell.player,
        model=cell.model,
        topic=arena_topic(cell.topic, seed),
        source=f"run {cell.run}" if cell.run else "",
        collection=collection_of(run),
    )
    return entry.model_copy(update={"id": entry_id(entry)})


def times_of(cell: TopicCell, seeds: int) -> Sequence[int]:
    """Return for which times a cell competes: what no model wrote each time."""
    return (cell.seed,) if cell.model else range(1, seeds + 1)
