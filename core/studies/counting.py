"""Which answers of a session count: the one rule behind every figure, table, paragraph and file."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from core.records import StudyAnswer
from core.store.studies.work import LastAnswer
from core.wording.numbers import counted

RULE = (
    "An answer is what was submitted on one unit; of a refinement, on one of its rounds. It counts"
    " if it is the last one that the seat submitted there, given the first time the seat was shown"
    " the unit, and if the seat did not withdraw. Attention checks, second answers (a unit given"
    " twice), earlier revisions and practice are not counted; second answers serve self-agreement"
    " only. A unit that was skipped with a reason is counted apart and is in no figure; an answer"
    " that was flagged counts, and is marked. Answers of an expert whose link was revoked count."
    " Experts are counted who gave an"
    " answer that counts; model judges are counted apart."
)
"""The rule in words."""


class AnswerPlace(NamedTuple):
    """Where an answer belongs; `time` 2 is the repeat, `stage` a round of a trajectory."""

    seat: str
    unit: str
    time: int = 1
    stage: int = 1


def place_of(answer: StudyAnswer | LastAnswer) -> AnswerPlace:
    """Return where an answer was given."""
    return AnswerPlace(answer.seat, answer.unit, answer.time, answer.stage)


class CountingRule(NamedTuple):
    """The rule, for one session."""

    checks: frozenset[str]
    """Units with a known answer."""
    left_out: frozenset[str]
    """Seats of which nothing counts: withdrawn, and those that failed a check where these are left
    out.
    """
    skipped: frozenset[AnswerPlace] = frozenset()
    """Places whose last word is that they were skipped."""

    def work(self, unit: str, time: int) -> bool:
        """Return whether what is answered there counts, whoever answers it."""
        return time == 1 and unit not in self.checks

    def counts(self, place: AnswerPlace) -> bool:
        """Return whether the last answer at a place counts."""
        judged = place.seat not in self.left_out and place not in self.skipped
        return judged and self.work(place.unit, place.time)

    def by_seat(self, places: Iterable[AnswerPlace]) -> Counter[str]:
        """Return how many answers of each seat count; a seat without any is not there."""
        return Counter(place.seat for place in places if self.counts(place))


class AnswerCounts(NamedTuple):
    """How many answers count, and how many do not, by the first reason that holds."""

    experts: int
    answers: int
    """Of these experts."""
    models: int
    model_answers: int
    withdrawn: int
    """Answers of those who withdrew, whatever they are on; the reasons below are of other seats."""
    failed: int
    """Answers of those who failed an attention check and are left out."""
    revised: int
    """Answers that were revised later."""
    checks: int
    repeats: int
    skipped: int = 0
    """Units, or rounds, that were skipped with a reason."""
    late: int = 0
    """Of the experts' answers that count, those filed after the deadline that held then."""

    @property
    def said(self) -> str:
        """The counts as a clause: "18 answers by 3 experts count; not counted: 3 on checks of
        attention".
        """
        count = "counts" if self.answers == 1 and not self.models else "count"
        of_models = (
            f" and {self.model_answers:,} by {counted(self.models, 'model judge')}"
            if self.models
            else ""
        )
        reasons = (
            (self.checks, "on attention checks"),
            (self.repeats, "given a second time"),
            (self.revised, "revised later"),
            (self.skipped, "skipped with a reason"),
            (self.withdrawn, "of experts who withdrew"),
            (self.failed, "of experts who failed an attention check"),
        )
        without = ", ".join(f"{n:,} {why}" for n, why in reasons if n)
        late = f", {self.late:,} of them filed after the deadline" if self.late else ""
        return (
            f"{counted(self.answers, 'answer')} by {counted(self.experts, 'expert')}{of_models}"
            f" {count}{late}" + (f"; not counted: {without}" if without else "")
        )


def count(
    rule: CountingRule,
    filed: Iterable[AnswerPlace],
    models: Collection[str],
    withdrawn: Collection[str],
) -> AnswerCounts:
    """Return the counts of everything that was filed, a place for every answer, revisions too."""
    times = Counter(filed)
    by_seat = rule.by_seat(times)
    experts = [n for seat, n in by_seat.items() if seat not in models]
    own = Counter({place: n for place, n in times.items() if place.seat not in rule.left_out})
    of_withdrawn = sum(n for place, n in times.items() if place.seat in withdrawn)
    return AnswerCounts(
        experts=len(experts),
        answers=sum(experts),
        models=len(by_seat) - len(experts),
        model_answers=by_seat.total() - sum(experts),
        withdrawn=of_withdrawn,
        failed=times.total() - own.total() - of_withdrawn,
        revised=own.total() - len(own),
        checks=sum(place.unit in rule.checks for place in own),
        repeats=sum(place.time > 1 and place.unit not in rule.checks for place in own),
        skipped=sum(rule.work(place.unit, place.time) for place in own if place in rule.skipped),
    )
