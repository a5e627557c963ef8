"""What was filed in a session, read once and without the key: the last word of every seat on every
unit, and whose words count.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

from core.records import (
    Afterwards,
    Answer,
    Assignment,
    Record,
    Study,
    StudyAnswer,
    StudySeat,
    StudyUnit,
)
from core.store import Store
from core.studies.counting import AnswerCounts, AnswerPlace, CountingRule, count
from core.studies.live import decided

A = TypeVar("A", bound=Record)


class Taking(NamedTuple):
    """Who took part, by seat id, in the order the seats were made; models apart."""

    invited: tuple[str, ...]
    begun: tuple[str, ...]
    """Gave consent."""
    finished: tuple[str, ...]
    declined: tuple[str, ...]
    withdrawn: tuple[str, ...]
    """Their answers are left out of every figure."""
    revoked: tuple[str, ...]
    """Their links were taken back; what they had answered counts."""
    inattentive: tuple[str, ...]
    """Answered an attention unit in another way than it asks, and did not withdraw. Left out only
    where that was asked for.
    """
    experts: tuple[str, ...]
    """Whose answers the figures are over: with an answer that counts."""
    models: tuple[str, ...]
    """Model judges with an answer that counts."""


class Filed:
    """A session's answers as figures need them; `core.studies.counting` says which of them
    count.
    """

    def __init__(self, store: Store, study_id: str, attentive: bool = False):
        """Read what was filed; `attentive` leaves out experts who answered an attention unit in
        another way than it asks. Raises BadInput.
        """
        self.study: Study = store.studies.get(study_id)
        self.seats: dict[str, StudySeat] = {one.id: one for one in store.seats.of(study_id)}
        self.units: dict[str, StudyUnit] = {one.id: one for one in store.studies.units(study_id)}
        self.expected: dict[str, Answer | None] = {
            unit: key.expected
            for unit, key in store.study_keys.units(study_id).items()
            if key.attention
        }
        """Of every attention unit; all that is read of the key."""
        self.answers: tuple[StudyAnswer, ...] = store.study_work.answers(study_id)
        """Every answer, revisions too, oldest first."""
        self.lists: dict[tuple[str, str, int], Assignment] = {
            (one.seat, one.unit, one.time): one for one in store.study_work.all(study_id)
        }
        self.afterwards: dict[str, Afterwards] = store.seats.afterwards(study_id)
        self.attentive = attentive

    @cached_property
    def last(self) -> dict[AnswerPlace, StudyAnswer]:
        """The last answer at every place, of all seats."""
        return {AnswerPlace(one.seat, one.unit, one.time, one.stage): one for one in self.answers}

    @cached_property
    def called(self) -> dict[str, str]:
        """What raters are called in figures: E1, E2, ... in the order their seats were made, a
        model by its name.
        """
        people = [one.id for one in self.seats.values() if not one.model]
        names = {seat: f"E{n}" for n, seat in enumerate(people, 1)}
        for one in self.seats.values():
            if one.model:
                names[one.id] = (
                    one.model if one.model not in names.values() else f"{one.model} ({one.id})"
                )
        return names

    @cached_property
    def taking(self) -> Taking:
        """Who took part."""
        people = [one for one in self.seats.values() if not one.model]
        spoke = self.rule.by_seat(self.last)

        def at(*steps: str) -> tuple[str, ...]:
            return tuple(one.id for one in people if one.step in steps)

        return Taking(
            invited=tuple(one.id for one in people),
            begun=tuple(one.id for one in people if one.begun),
            finished=at("done"),
            declined=at("declined"),
            withdrawn=at("withdrawn"),
            revoked=at("revoked"),
            inattentive=self._inattentive,
            experts=tuple(one.id for one in people if spoke[one.id]),
            models=tuple(one.id for one in self.seats.values() if one.model and spoke[one.id]),
        )

    @cached_property
    def rule(self) -> CountingRule:
        """Which answers count."""
        gone = {one.id for one in self.seats.values() if one.step == "withdrawn"}
        return CountingRule(
            frozenset(self.expected),
            frozenset(gone | set(self._inattentive if self.attentive else ())),
        )

    @cached_property
    def counts(self) -> AnswerCounts:
        """How many answers count, and how many do not."""
        filed = (AnswerPlace(one.seat, one.unit, one.time, one.stage) for one in self.answers)
        return count(
            self.rule,
            filed,
            {one.id for one in self.seats.values() if one.model},
            set(self.taking.withdrawn),
        )

    @cached_property
    def _inattentive(self) -> tuple[str, ...]:
        return tuple(
            one.id
            for one in self.seats.values()
            if not one.model and one.step != "withdrawn" and self._failed(one.id)
        )

    def _failed(self, seat: str) -> bool:
        checked = [
            (self.last[AnswerPlace(seat, unit)].answer, right)
            for unit, right in self.expected.items()
            if right and AnswerPlace(seat, unit) in self.last
        ]
        return any(
            decided(said.model_dump()) != decided(right.model_dump()) for said, right in checked
        )

    @property
    def models(self) -> frozenset[str]:
        """What the model judges are called."""
        return frozenset(self.called[seat] for seat in self.taking.models)

    def said(self, kind: type[A], time: int = 1) -> Iterator[tuple[AnswerPlace, A]]:
        """Yield the answers of one task that count, by place; with `time` 2, the second answers
        beside them.
        """
        for place, filed in self.last.items():
            if (
                place.time == time
                and self.rule.counts(place._replace(time=1))
                and isinstance(filed.answer, kind)
            ):
                yield place, filed.answer

    def shown(self, place: AnswerPlace) -> tuple[str, ...]:
        """Return the labels of a unit in the order this seat saw them."""
        return self.lists[place.seat, place.unit, place.time].shown
