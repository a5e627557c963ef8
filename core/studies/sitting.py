"""The expert's side of a session: from a link to the last answer. Nothing here knows where a text
comes from: the key is in a table that no query of an expert's touches (a test says so).
"""

from collections.abc import Iterator
from statistics import median
from typing import Any, NamedTuple

from core.door import hashed
from core.errors import BadInput, SeatClosed
from core.records import (
    ENDS,
    Afterwards,
    Answer,
    Assignment,
    Criterion,
    Kind,
    Record,
    SeatStep,
    Study,
    StudyAnswer,
    StudySeat,
    StudyState,
    StudyTerms,
    StudyUnit,
    Task,
    Trajectory,
)
from core.store import Store, now
from core.store.study_work import TOO_LATE, ListedUnit, Receipt
from core.studies import checks
from core.studies.effort import Effort, Seen, on_list, spoken

UNKNOWN = (
    "This link opens no session. It may be cut off or mistyped, or it was revoked. Ask whoever"
    " sent it to you."
)
NOT_YET = "This session is not open yet. Try the same link again later."
OVER = "This session is closed. Thank you for taking part: everything you submitted is kept."
GONE: tuple[SeatStep, ...] = ("declined", "withdrawn")
NO_TERMS = StudyTerms()


class Sitting(NamedTuple):
    """What an expert's screens need of a seat and its study; never the organiser's names for
    either.
    """

    seat: str
    study: str
    state: StudyState
    step: SeatStep
    title: str
    task: Task
    kind: Kind
    consent: str
    instructions: str
    example: str
    criteria: tuple[Criterion, ...]
    """In this seat's order."""
    practice: bool
    hidden_target: bool
    terms: StudyTerms = NO_TERMS

    @classmethod
    def of(
        cls,
        study: Study,
        seat: str,
        step: SeatStep,
        criteria: tuple[Criterion, ...],
        terms: StudyTerms = NO_TERMS,
        consent: str = "",
    ) -> "Sitting":
        """Return what is shown of a study at a seat; `consent` is the text in force where it is not
        that of the plan.
        """
        plan = study.plan
        return cls(
            seat,
            study.id,
            study.state,
            step,
            plan.title,
            plan.task,
            plan.kind,
            consent or plan.consent,
            plan.instructions,
            plan.example,
            criteria,
            plan.practice,
            plan.hidden_target,
            terms,
        )


class SeatProgress(NamedTuple):
    done: int
    whole: int
    minutes_left: float | None
    """At this seat's own pace: the median of the active time of its units; None before the first is
    done.
    """


class ShownUnit(NamedTuple):
    """A unit on the screen."""

    assignment: Assignment
    unit: StudyUnit
    texts: tuple[tuple[str, Seen], ...]
    """Label and text, in the order shown; a trajectory has its rounds up to the stage to answer."""
    stage: int
    """The one to answer now; of a unit that is done, its last."""
    said: tuple[StudyAnswer, ...]
    draft: dict[str, Any]
    draft_at: str


class GuessSet(NamedTuple):
    """A ranked set as it is shown once more at the end."""

    unit: StudyUnit
    texts: tuple[tuple[str, Seen], ...]


# -- the link ----------------------------------------------------------------------------------


def enter(store: Store, secret: str) -> Sitting:
    """Open the seat that a link's secret belongs to; raises SeatClosed for a wrong link or one
    taken back, and while the study is not open.
    """
    seat = store.seats.held(hashed(secret)) if secret else None
    if seat is None or seat.step == "revoked":
        raise SeatClosed(UNKNOWN)
    return _sitting(store, seat)


def _sitting(store: Store, seat: StudySeat) -> Sitting:
    study = store.studies.get(seat.study)
    # Who withdrew reads so later, too: nothing of theirs is kept for use.
    if study.state != "open" and seat.step != "withdrawn":
        raise SeatClosed(NOT_YET if study.state == "draft" else OVER)
    terms = store.terms.get(study.id)
    if seat.step not in ENDS and not terms.late and overdue(terms):
        raise SeatClosed(TOO_LATE)
    named = {criterion.name: criterion for criterion in study.plan.criteria}
    criteria = study.plan.criteria
    if set(seat.criteria) == set(named):
        criteria = tuple(named[name] for name in seat.criteria)
    step = seat.step
    if step in ("work", "afterwards"):
        # Units given to it, or taken off its list, after its last answer move a seat without its
        # doing.
        done, whole = store.study_work.so_far(seat.id)
        step = "afterwards" if 0 < whole == done else "work"
    consents = store.terms.consents(study.id)
    consent = consents[-1].text if consents else ""
    return Sitting.of(study, seat.id, step, criteria, terms, consent)


def overdue(terms: StudyTerms) -> bool:
    """Return whether the deadline has passed."""
    return bool(terms.deadline) and terms.deadline <= now()


# -- from step to step -------------------------------------------------------------------------


def agree(store: Store, sitting: Sitting) -> Sitting:
    """Write down the consent, to which text, and to how many units; said twice it changes
    nothing.
    """
    with store.connections.writing():
        before = sitting.step
        here = _move(store, sitting, "instructions", "consent")
        if before == "consent" and here.step != "declined":
            _, whole = store.study_work.so_far(sitting.seat)
            store.terms.agree(sitting.seat, sitting.study, whole)
    return here


def decline(store: Store, sitting: Sitting) -> Sitting:
    """Write down that the expert does not take part; only before consent."""
    return _move(store, sitting, "declined", "consent")


def instructed(store: Store, sitting: Sitting) -> Sitting:
    """Go on from the instructions, to the practice unit where the study has one."""
    return _move(store, sitting, "practice" if sitting.practice else "work", "instructions")


def practised(store: Store, sitting: Sitting) -> Sitting:
    """Go on from the practice unit to the work."""
    return _move(store, sitting, "work", "practice")


def withdraw(store: Store, sitting: Sitting) -> Sitting:
    """End the seat at the expert's wish, at any time after consent, before the end and after it."""
    return _move(
        store,
        sitting,
        "withdrawn",
        "consent",
        "instructions",
        "practice",
        "work",
        "afterwards",
        "done",
    )


def _move(store: Store, sitting: Sitting, step: SeatStep, *leaving: SeatStep) -> Sitting:
    with store.connections.writing():
        _sitting(store, store.seats.at(sitting.seat))  # A study closed meanwhile is left as it is.
        seat = store.seats.move(sitting.seat, step, leaving=leaving)
    if seat.step == "revoked":
        raise SeatClosed(UNKNOWN)
    return _sitting(store, seat)


# -- the list ----------------------------------------------------------------------------------


def listed(store: Store, sitting: Sitting) -> tuple[Assignment, ...]:
    """Return the units this seat is to judge, in the order dealt to it."""
    return store.study_work.of(sitting.seat)


def upcoming(store: Store, sitting: Sitting) -> Assignment | None:
    """Return the first unit that is not done, or None."""
    return next((one for one in listed(store, sitting) if not one.done), None)


def progress(store: Store, sitting: Sitting) -> SeatProgress:
    """Return how far this seat is."""
    mine = listed(store, sitting)
    took = [one.active for one in mine if one.done]
    left = None
    if took:
        open_ = len(mine) - len(took)
        left = median(took) * open_ / 60
    return SeatProgress(len(took), len(mine), left)


def ahead(store: Store, sitting: Sitting) -> Effort:
    """Return how much work this seat's list is, before any of it is done: a guess from the length
    of its texts.
    """
    units = {unit.id: unit for unit in store.studies.units(sitting.study)}
    mine = []
    labels = set[str]()
    for one in listed(store, sitting):
        mine.append(units[one.unit])
        labels.update(units[one.unit].labels)
    words = {}
    for label, text in _frozen(store, sitting, tuple(sorted(labels))):
        words[label] = len(spoken(text).split())
    return on_list(sitting.task, len(sitting.criteria), mine, words)


# -- one unit ----------------------------------------------------------------------------------


def show(store: Store, sitting: Sitting, unit: str, time: int = 1) -> ShownUnit:
    """Bring a unit on the screen; it stores that it was looked at, and no answer and no draft.

    Raises SeatClosed, and BadInput for a unit that is not on this seat's list.
    """
    spot = ListedUnit(sitting.seat, unit, time)
    mine = store.study_work.claim(spot)
    stage = min(mine.stage + 1, mine.stages)
    texts = _texts(store, sitting, mine.shown, stage)
    draft, at = store.study_work.draft(spot, stage)
    return ShownUnit(
        mine,
        store.studies.unit(sitting.study, unit),
        texts,
        stage,
        store.study_work.said(spot),
        draft,
        at,
    )


def _texts(
    store: Store, sitting: Sitting, labels: tuple[str, ...], stage: int
) -> tuple[tuple[str, Seen], ...]:
    return tuple((label, cut_at(text, stage)) for label, text in _frozen(store, sitting, labels))


def _frozen(store: Store, sitting: Sitting, labels: tuple[str, ...]) -> Iterator[tuple[str, Seen]]:
    """Yield texts whole, with their labels."""
    shas = store.studies.items(sitting.study)
    frozen = store.frozen.several(tuple(shas[label] for label in labels), Record)
    for label in labels:
        text = frozen[shas[label]]
        assert isinstance(text, Seen)
        yield label, text


def cut_at(text: Seen, stage: int) -> Seen:
    """Return a text as it may be seen at a stage: later rounds of a trajectory are not there."""
    if isinstance(text, Trajectory):
        return text.model_copy(update={"rounds": text.rounds[:stage]})
    return text


def keep(
    store: Store, sitting: Sitting, spot: ListedUnit, stage: int, draft: dict[str, Any]
) -> str:
    """Keep what is half said, in place of what it was before, and return the moment; a draft that
    says nothing takes away what was there.
    """
    _check_own(sitting, spot)
    if all(value in ("", None, False, {}, [], ()) for value in draft.values()):
        draft = {}
    return store.study_work.keep_draft(spot, stage, draft)


def submit(
    store: Store,
    sitting: Sitting,
    spot: ListedUnit,
    stage: int,
    answer: Answer,
    key: str,
    version: int,
) -> Receipt:
    """File an answer; sent twice under one key it is kept once. `version` is that of the assignment
    the form was drawn from.

    Raises BadInput for an answer that does not fit the unit, Outdated where another tab was
    quicker, SeatClosed.
    """
    _check_own(sitting, spot)
    unit = store.studies.unit(sitting.study, spot.unit)
    trajectory = None
    if sitting.task == "comment":
        _, seen = _texts(store, sitting, unit.labels, stage)[0]
        trajectory = seen if isinstance(seen, Trajectory) else None
    checks.fits(sitting.task, answer)
    checks.checked(answer, unit, sitting.criteria, trajectory)
    with store.connections.writing():
        receipt = store.study_work.submit(spot, stage, answer, key, version)
        done, whole = store.study_work.so_far(sitting.seat)
        if receipt.new and done == whole:
            store.seats.move(sitting.seat, "afterwards", leaving=("work",))
    return receipt


def _check_own(sitting: Sitting, spot: ListedUnit) -> None:
    if spot.seat != sitting.seat:
        raise BadInput("This unit is on another list. Reload the page to go on with yours.")


# -- at the end --------------------------------------------------------------------------------


def sets_to_guess(store: Store, sitting: Sitting) -> tuple[GuessSet, ...]:
    """Return every set this seat ranked that hides an idea by people, once each and in the order
    first shown.
    """
    if not sitting.hidden_target:
        return ()
    units = {one.id: one for one in store.studies.units(sitting.study)}
    first: dict[tuple[str, ...], Assignment] = {}
    for one in listed(store, sitting):
        if units[one.unit].guess:
            first.setdefault(units[one.unit].labels, one)
    return tuple(
        GuessSet(units[one.unit], _texts(store, sitting, one.shown, one.stages))
        for one in first.values()
    )


def finish(store: Store, sitting: Sitting, said: Afterwards) -> Sitting:
    """Keep what an expert says at the end, and end the seat; said twice, the first stays. Raises
    BadInput while something is open.
    """
    with store.connections.writing():
        here = _sitting(store, store.seats.at(sitting.seat))
        if here.step == "done":
            return here
        if here.step != "afterwards":
            raise BadInput(
                "Some units are not answered yet. Go back to your list and answer them first."
            )
        checks.ended(
            said,
            tuple(one.unit for one in sets_to_guess(store, here)),
            frozenset(label for one in listed(store, here) for label in one.shown),
        )
        store.seats.say_afterwards(sitting.seat, said)
        return _move(store, here, "done", "work", "afterwards")
