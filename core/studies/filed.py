"""What was filed in a session, read once and without the key: the last word of every seat on every
unit, and whose words count.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

from core.records import (
    Afterwards,
    Answer,
    Assignment,
    Record,
    SeatStep,
    SkipAnswer,
    Study,
    StudyAnswer,
    StudySeat,
    StudyUnit,
)
from core.store import Store
from core.studies.counting import AnswerCounts, AnswerPlace, CountingRule, count, place_of
from core.studies.deadlines import Deadlines
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
    """Their links were revoked; what they had answered counts."""
    inattentive: tuple[str, ...]
    """Answered an attention unit in another way than it asks, and did not withdraw. Left out only
    where that was asked for.
    """
    experts: tuple[str, ...]
    """Whose answers the figures are over: with an answer that counts."""
    models: tuple[str, ...]
    """Model judges with an answer that counts."""


class AsRead(Record):
    """How far a session was as it was read: how many answers it had, and the step of every seat."""

    answers: int
    steps: dict[str, SeatStep]


class Filed:
    """A session's answers as figures need them; `core.studies.counting` says which of them
    count.
    """

    def __init__(
        self,
        store: Store,
        study_id: str,
        attentive: bool = False,
        before: AsRead | None = None,
    ):
        """Read what was filed, or what had been `before`; `attentive` leaves out experts who
        answered an attention unit in another way than it asks. Raises BadInput.
        """
        self.study: Study = store.studies.get(study_id)
        seats = store.seats.of(study_id)
        if before:
            steps = before.steps
            there = (seat for seat in seats if seat.id in steps)
            seats = tuple(seat.model_copy(update={"step": steps[seat.id]}) for seat in there)
        units = store.studies.units(study_id)
        keys = store.study_keys.units(study_id)
        lists = store.study_work.all(study_id)
        self.seats: dict[str, StudySeat] = {seat.id: seat for seat in seats}
        self.units: dict[str, StudyUnit] = {unit.id: unit for unit in units}
        self.expected: dict[str, Answer | None] = {
            unit: key.expected for unit, key in keys.items() if key.attention
        }
        """Of every attention unit; all that is read of the key."""
        answers = store.study_work.answers(study_id)
        self.answers: tuple[StudyAnswer, ...] = answers[: before.answers] if before else answers
        """Every answer, revisions too, oldest first."""
        self.lists: dict[tuple[str, str, int], Assignment] = {
            (one.seat, one.unit, one.time): one for one in lists
        }
        self.openings: dict[tuple[str, str, int, str], str] = store.study_work.openings(study_id)
        """When a text of a set was first opened, by seat, unit, time and label."""
        self.afterwards: dict[str, Afterwards] = store.seats.afterwards(study_id)
        self.terms = store.terms.get(study_id)
        self.pay_set = store.studies.pay_set(study_id)
        self.deadlines = Deadlines.of(store.studies.deadlines_set(study_id), self.terms.deadline)
        self.attentive = attentive
        self._people = [seat for seat in seats if not seat.model]
        self._models = [seat for seat in seats if seat.model]

    @property
    def as_read(self) -> AsRead:
        """How far the session was as this was read."""
        steps = {seat.id: seat.step for seat in self.seats.values()}
        return AsRead(answers=len(self.answers), steps=steps)

    @cached_property
    def last(self) -> dict[AnswerPlace, StudyAnswer]:
        """The last answer at every place, of all seats."""
        return {place_of(one): one for one in self.answers}

    @cached_property
    def called(self) -> dict[str, str]:
        """What raters are called in figures: E1, E2, ... in the order their seats were made, a
        model by its name.
        """
        names = {seat.id: f"E{n}" for n, seat in enumerate(self._people, 1)}
        for seat in self._models:
            taken = seat.model in names.values()
            names[seat.id] = f"{seat.model} ({seat.id})" if taken else seat.model
        return names

    @cached_property
    def taking(self) -> Taking:
        """Who took part."""
        spoke = self.rule.by_seat(self.last)
        steps: dict[str, list[str]] = defaultdict(list)
        for seat in self._people:
            steps[seat.step].append(seat.id)
        return Taking(
            invited=tuple(seat.id for seat in self._people),
            begun=tuple(seat.id for seat in self._people if seat.begun),
            finished=tuple(steps["done"]),
            declined=tuple(steps["declined"]),
            withdrawn=tuple(steps["withdrawn"]),
            revoked=tuple(steps["revoked"]),
            inattentive=self._inattentive,
            experts=tuple(seat.id for seat in self._people if spoke[seat.id]),
            models=tuple(seat.id for seat in self._models if spoke[seat.id]),
        )

    @cached_property
    def rule(self) -> CountingRule:
        """Which answers count."""
        left_out = {seat.id for seat in self.seats.values() if seat.step == "withdrawn"}
        if self.attentive:
            left_out.update(self._inattentive)
        return CountingRule(frozenset(self.expected), frozenset(left_out), frozenset(self.skipped))

    @cached_property
    def skipped(self) -> dict[AnswerPlace, str]:
        """The reasons of units that were skipped, by place."""
        last = self.last.items()
        return {
            place: one.answer.reason for place, one in last if isinstance(one.answer, SkipAnswer)
        }

    @cached_property
    def flagged(self) -> dict[AnswerPlace, str]:
        """The reasons of answers that count and were flagged, by place."""
        found = {}
        for place, one in self.last.items():
            flag = "" if isinstance(one.answer, SkipAnswer) else one.answer.flag
            if flag and self.rule.counts(place):
                found[place] = flag
        return found

    @cached_property
    def counts(self) -> AnswerCounts:
        """How many answers count, and how many do not."""
        models = {seat.id for seat in self._models}
        counts = count(self.rule, map(place_of, self.answers), models, self.taking.withdrawn)
        late = (
            self.deadlines.is_late(one.at)
            for place, one in self.last.items()
            if place.seat not in models and self.rule.counts(place)
        )
        return counts._replace(late=sum(late))

    @cached_property
    def _inattentive(self) -> tuple[str, ...]:
        staying = [seat.id for seat in self._people if seat.step != "withdrawn"]
        return tuple(seat for seat in staying if self._failed(seat))

    @cached_property
    def unchecked(self) -> tuple[str, ...]:
        """The experts who count and answered no unit with a known answer: they skipped each, or
        did not come to one.
        """
        return tuple(seat for seat in self.taking.experts if not list(self._checked(seat)))

    def _failed(self, seat: str) -> bool:
        return not all(self._checked(seat))

    def _checked(self, seat: str) -> Iterator[bool]:
        """Yield of every unit with a known answer that a seat answered whether it gave that."""
        for unit, right in self.expected.items():
            said = self.last.get(AnswerPlace(seat, unit))
            if right and said and not isinstance(said.answer, SkipAnswer):
                yield decided(said.answer.model_dump()) == decided(right.model_dump())

    @property
    def models(self) -> frozenset[str]:
        """What the model judges are called."""
        return frozenset(self.called[seat] for seat in self.taking.models)

    def said(self, kind: type[A], time: int = 1) -> Iterator[tuple[AnswerPlace, A]]:
        """Yield the answers of one task that count, by place; with `time` 2, the second answers
        beside them.
        """
        for place, filed in self.last.items():
            counts = self.rule.counts(place._replace(time=1))
            if place.time == time and counts and isinstance(filed.answer, kind):
                yield place, filed.answer

    def said_twice(self, kind: type[A]) -> Iterator[tuple[AnswerPlace, A, A]]:
        """Yield experts' first and second answers on units given twice, with their second place."""
        first = dict(self.said(kind))
        for place, second in self.said(kind, time=2):
            before = first.get(place._replace(time=1))
            if before and place.seat not in self.taking.models:
                yield place, before, second

    def shown(self, place: AnswerPlace) -> tuple[str, ...]:
        """Return the labels of a unit in the order this seat saw them."""
        return self.lists[place.seat, place.unit, place.time].shown
