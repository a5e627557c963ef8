"""What a checklist experiment spans, and the evolutions that fill its cells."""

from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from core.methods.evolution import EvolveInputs
from core.records import (
    Checklist,
    Evolved,
    Idea,
    Record,
    Text,
    TrainingQuery,
    model_part,
)

Mode = Literal["informed", "uninformed"]


class ChecklistExperimentInputs(Record):
    """What the experiment spans (defaults: EvoIdeator, section 4.3)."""

    topic: Annotated[str, Field(min_length=1)]
    """The name of the experiment."""
    data: Text
    """SHA-256 of the TrainingData whose held-out questions are answered."""
    questions: Annotated[int, Field(ge=1, le=2_000)]
    """How many of them, from the first on."""
    generators: Annotated[tuple[Text, ...], Field(min_length=1, max_length=8)]
    """Models that write and revise ideas."""
    modes: Annotated[tuple[Mode, ...], Field(min_length=1, max_length=2)] = (
        "informed",
        "uninformed",
    )
    """Whether ideas are revised by directives, by the generator alone, or both."""
    providers: Annotated[tuple[Text, ...], Field(max_length=4)] = ()
    """Models that give the directives; each makes cells of its own."""
    scorer: Text
    """The one model that scores every idea."""
    steps: Annotated[int, Field(ge=2, le=10)] = 2
    """K: how many ideas there are one after the other, the first included."""
    at_once: Annotated[int, Field(ge=1, le=64)] = 12
    """Questions, each with one generator, that are worked on at once."""

    @model_validator(mode="after")
    def _every_cell_has_a_name_of_its_own(self) -> "ChecklistExperimentInputs":
        for names in (self.generators, self.providers, self.modes):
            if len({model_part(name) for name in names}) < len(names):
                raise ValueError("a model is named twice, or two names differ in signs only")
        if "informed" in self.modes and not self.providers:
            raise ValueError("an informed revision needs a model that gives directives")
        if self.providers and "informed" not in self.modes:
            raise ValueError("without informed revisions nobody gives directives")
        return self


class Condition(NamedTuple):
    """How a generator's first idea is revised; what a mean over questions is taken of."""

    generator: str
    provider: str
    """Who gives the directives; empty where the generator corrects itself without."""

    @property
    def under(self) -> str:
        """The path of its cells, but for the question."""
        by = model_part(self.generator)
        if not self.provider:
            return f"uninformed/{by}"
        return f"informed/{by}/{model_part(self.provider)}"

    def cell(self, query: TrainingQuery) -> str:
        """Return the name of the run that answers a question so, and the place of its scores."""
        return f"{self.under}/{query.digest()[:12]}"


def conditions_of(asked: ChecklistExperimentInputs, generator: str) -> tuple[Condition, ...]:
    """Return every way in which a generator's ideas are revised, without directives first."""
    alone = ("",) if "uninformed" in asked.modes else ()
    return tuple(Condition(generator, provider) for provider in (*alone, *asked.providers))


def conditions(asked: ChecklistExperimentInputs) -> tuple[Condition, ...]:
    """Return every generator with every way in which its ideas are revised."""
    return tuple(one for generator in asked.generators for one in conditions_of(asked, generator))


def first_name(generator: str, query: TrainingQuery) -> str:
    """Return the name of the run in which a generator writes its first idea on a question."""
    return f"first/{model_part(generator)}/{query.digest()[:12]}"


def directives_name(condition: Condition, query: TrainingQuery) -> str:
    """Return the name of the run in which a provider gives directives on the first idea."""
    by, provider = model_part(condition.generator), model_part(condition.provider)
    return f"directives/{by}/{provider}/{query.digest()[:12]}"


class EvolveTask(NamedTuple):
    """An evolution that a cell needs: its name within the experiment, what it is asked for, and
    who plays in it.
    """

    name: str
    inputs: EvolveInputs
    models: dict[str, str]


def write_first(
    asked: ChecklistExperimentInputs, generator: str, query: TrainingQuery
) -> EvolveTask:
    """Return the run in which a generator writes its first idea on a question, and the scoring
    judge scores it: once for all conditions, so that they are compared in pairs.
    """
    return EvolveTask(
        first_name(generator, query),
        _on(query, steps=1, informed=False, apart=True),
        {"main": generator, "judge": asked.scorer, "scorer": asked.scorer},
    )


def give_directives(condition: Condition, query: TrainingQuery, first: Idea) -> EvolveTask:
    """Return the run in which a provider gives its directives on the first idea."""
    return EvolveTask(
        directives_name(condition, query),
        _on(query, steps=1, idea=first),
        {"main": condition.provider},
    )


def evolve_first(
    asked: ChecklistExperimentInputs, condition: Condition, query: TrainingQuery, first: Evolved
) -> EvolveTask:
    """Return the run that fills a cell: the first idea revised, and scored at each step."""
    judge = condition.provider or asked.scorer
    return EvolveTask(
        condition.cell(query),
        _on(
            query,
            steps=asked.steps,
            informed=bool(condition.provider),
            firsts=(first,),
            apart=condition.provider != asked.scorer,
        ),
        {"main": condition.generator, "judge": judge, "scorer": asked.scorer},
    )


def _on(query: TrainingQuery, **how: object) -> EvolveInputs:
    given = {"question": query.question, "review": query.review, "papers": False}
    return EvolveInputs.model_validate({"topic": query.question, **given, **how})


def expected_tasks(asked: ChecklistExperimentInputs, generator: str) -> tuple[EvolveTask, ...]:
    """Return the runs that one question takes with one generator, of which no more is known than
    it takes to count calls.
    """
    query = TrainingQuery(question="not known yet")
    idea = Idea(form="headed", fields={"text": "not written yet"})
    first = Evolved(n=0, idea=idea, scores=Checklist(items=()))
    found = [write_first(asked, generator, query)]
    for condition in conditions_of(asked, generator):
        if condition.provider not in ("", asked.scorer):
            found.append(give_directives(condition, query, idea))
        found.append(evolve_first(asked, condition, query, first))
    return tuple(found)
