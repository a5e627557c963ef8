"""The shapes of model replies that are not already nouns of their own."""

from typing import Annotated

from pydantic import Field

from core.records.base import Record, Text
from core.records.designs import Design
from core.records.ideas import FORMS, Form, Idea
from core.records.literature import Entity
from core.records.refinement import Change, Revision


def make_idea(form: Form, record: Record) -> Idea:
    """Return the idea of this form whose fields a record has."""
    return Idea(form=form, fields={name: getattr(record, name) for name in FORMS[form]})


class Queries(Record):
    """Search queries, the one for the whole topic first."""

    queries: Annotated[tuple[Text, ...], Field(min_length=1, max_length=5)]


class Relevance(Record):
    relevant: bool
    reason: Text


class Choice(Record):
    """The reference most worth following, by id, or none (null)."""

    id: str | None
    reason: Text


class WeighedRelevance(Record):
    """Whether a paper bears on a topic, weighed before it is decided."""

    reason: Text
    relevant: bool

    def decided(self) -> Relevance:
        return Relevance(relevant=self.relevant, reason=self.reason)


class WeighedChoice(Record):
    """A choice among references by id, or none (null), weighed before it is decided."""

    reason: Text
    id: str | None

    def decided(self) -> Choice:
        return Choice(id=self.id, reason=self.reason)


class Entities(Record):
    entities: tuple[Entity, ...]


class Hypothesis(Record):
    hypothesis: Text

    def as_idea(self) -> Idea:
        return make_idea("hypothesis", self)


class PlannedHypothesis(Record):
    """A hypothesis with the plan it was written from, which is thrown away."""

    plan: str = ""
    hypothesis: Text

    def as_idea(self) -> Idea:
        return make_idea("hypothesis", self)


class ChainIdea(Record):
    title: Text
    motivation: Text
    novelty: Text
    method: Text
    difference: Text
    challenges: Text

    def as_idea(self) -> Idea:
        return make_idea("chain", self)


class Topic(Record):
    """A research topic, without the answer to it."""

    topic: Text


class PaperReport(Record):
    """What a real paper puts forward, in the form all competitors share: its topic, its idea, its
    experiment.
    """

    topic: Text
    idea: ChainIdea
    design: Design


class RevisedIdea(Record):
    """A revised idea in six fields, and passage by passage what was changed for which remark."""

    title: Text
    problem: Text
    objective: Text
    hypothesis: Text
    method: Text
    expected_impact: Text
    changes: tuple[Change, ...] = ()

    def as_revision(self) -> Revision:
        return Revision(idea=make_idea("six-field", self), changes=self.changes)


class SixFields(Record):
    """An idea brought into six fields, nothing added; NONE for what the text does not say (InfAL,
    figure 14).
    """

    title: Text
    problem: Text
    objective: Text
    hypothesis: Text
    method: Text
    expected_impact: Text

    def as_idea(self) -> Idea:
        return make_idea("six-field", self)
