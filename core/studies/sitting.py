"""The expert's side of a session: from a link to the last answer. Nothing here knows where a text
comes from: the key is in a table that no query of an expert's touches (a test says so).
"""

from collections.abc import Iterator
from statistics import quantiles
from typing import Any, NamedTuple

from core.door import hashed
from core.errors import BadInput, SeatClosed
from core.records import (
    ENDS,
    Afterwards,
    Answer,
    Assignment,
    ConsentVersion,
    Criterion,
    Kind,
    Record,
    SeatStep,
    SkipAnswer,
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
from core.store.studies.work import ListedUnit, Receipt
from core.studies import checks
from core.studies.effort import Effort, Seen, on_list, spoken
from core.studies.texts import spoken_by
from core.wording.catalogue import ENGLISH, Wording, say

ENOUGH = 3
"""Units done from which the time left can be said."""
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
    words: Wording = ENGLISH
    """What the screens say."""
    link: str = ""
    """The SHA-256 of the secret of the link that led here; empty in a preview."""
    consent_version: int = 0
    """Which text of consent this is; 0 in a preview, and before versions were kept."""

    @classmethod
    def of(
        cls,
        study: Study,
        seat: str,
        step: SeatStep,
        criteria: tuple[Criterion, ...],
        terms: StudyTerms = NO_TERMS,
        consent: ConsentVersion | None = None,
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
            consent.text if consent else plan.consent,
            plan.instructions,
            plan.example,
            criteria,
            plan.practice,
            plan.hidden_target,
            terms,
            spoken_by(plan),
            consent_version=consent.version if consent else 0,
        )


class SeatProgress(NamedTuple):
    done: int
    whole: int
    minutes_left: tuple[float, float] | None
    """At this seat's own pace, by the quicker and the slower quarter of its units; None until
    enough are done to speak of a pace, and once none is left.
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
    opened: frozenset[str] = frozenset()
    """Labels of its texts that this seat has opened, here or, of a first time, in another unit."""

    @property
    def names(self) -> dict[str, str]:
        """Return what its texts are called on the screen, by label, in the order shown: of a repeat
        not by their labels, by which it would be known.
        """
        at = self.assignment
        return dict(zip(at.shown, at.called or at.shown, strict=True))


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
        raise SeatClosed(say("error.unknown"))
    return _sitting(store, seat)._replace(link=hashed(secret))


def leaving(store: Store, secret: str) -> Sitting | None:
    """Return the seat of a link that opens nothing since the deadline has passed: its expert may
    withdraw still. None for any other.
    """
    seat = store.seats.held(hashed(secret)) if secret else None
    if seat is None or seat.step in (*ENDS, "consent"):
        return None
    if store.studies.get(seat.study).state != "open":
        return None
    return _sitting(store, seat, in_time=False)._replace(link=hashed(secret))


def check_link(store: Store, sitting: Sitting) -> None:
    """Raise SeatClosed where the link that led here was taken back or drawn anew since: a tab that
    stays open would go on with it.
    """
    if sitting.link and store.seats.held(sitting.link) is None:
        raise SeatClosed(say("error.unknown"))


def language(store: Store, secret: str) -> Wording:
    """Return what the screens of the seat of a link say, also where they say that it is closed;
    English where the link opens none.
    """
    seat = store.seats.held(hashed(secret)) if secret else None
    return spoken_by(store.studies.get(seat.study).plan) if seat else ENGLISH


def _sitting(store: Store, seat: StudySeat, in_time: bool = True) -> Sitting:
    study = store.studies.get(seat.study)
    # Who withdrew reads so later, too: nothing of theirs is kept for use.
    if study.state != "open" and seat.step != "withdrawn":
        raise SeatClosed(say("error.not_yet" if study.state == "draft" else "error.over"))
    terms = store.terms.get(study.id)
    if in_time and seat.step not in ENDS and not terms.late and overdue(terms):
        raise SeatClosed(say("error.too_late"))
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
    consent = consents[-1] if consents else None
    return Sitting.of(study, seat.id, step, criteria, terms, consent)


def overdue(terms: StudyTerms) -> bool:
    """Return whether the deadline has passed."""
    return bool(terms.deadline) and terms.deadline <= now()


# -- from step to step -------------------------------------------------------------------------


def agree(store: Store, sitting: Sitting, units: int) -> Sitting:
    """Write down the consent to the text and to so many units as were on the screen, whatever holds
    since; said twice it changes nothing.
    """
    with store.connections.writing():
        before = sitting.step
        here = _move(store, sitting, "instructions", "consent")
        if before == "consent" and here.step != "declined":
            store.terms.agree(sitting.seat, sitting.study, sitting.consent_version, units)
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
    """End the seat at the expert's wish, at any time until the session is closed, before the end
    and after it, and after the deadline.
    """
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
        in_time=False,
    )


def _move(
    store: Store, sitting: Sitting, step: SeatStep, *leaving: SeatStep, in_time: bool = True
) -> Sitting:
    with store.connections.writing():
        check_link(store, sitting)
        # A study closed meanwhile is left as it is.
        _sitting(store, store.seats.at(sitting.seat), in_time)
        seat = store.seats.move(sitting.seat, step, leaving=leaving)
    if seat.step == "revoked":
        raise SeatClosed(say("error.unknown"))
    return _sitting(store, seat)._replace(link=sitting.link)


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
    open_ = len(mine) - len(took)
    left = None
    # One quick unit says nothing of the next: texts differ, and so does whoever reads them.
    if len(took) >= ENOUGH and open_:
        low, _, high = (pace * open_ / 60 for pace in quantiles(took, n=4, method="inclusive"))
        left = low, high
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
    check_link(store, sitting)
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
        store.study_work.opened(spot).intersection(mine.shown),
    )


def open_text(store: Store, sitting: Sitting, spot: ListedUnit, label: str) -> None:
    """Write down that a text of a set was opened, the first time; raises SeatClosed, and BadInput
    for a text that is not in the unit.
    """
    _check_own(store, sitting, spot)
    if label not in store.studies.unit(sitting.study, spot.unit).labels:
        raise BadInput(say("error.not_shown", what=label))
    with store.connections.writing():
        check_link(store, sitting)
        store.study_work.open_text(spot, label)


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
    if all(value in ("", None, False, {}, [], ()) for value in draft.values()):
        draft = {}
    with store.connections.writing():
        _check_own(store, sitting, spot)
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
    _check_own(store, sitting, spot)
    unit = store.studies.unit(sitting.study, spot.unit)
    trajectory = None
    if sitting.task == "comment":
        _, seen = _texts(store, sitting, unit.labels, stage)[0]
        trajectory = seen if isinstance(seen, Trajectory) else None
    checks.fits(sitting.task, answer)
    checks.checked(answer, unit, sitting.criteria, trajectory)
    # Who wrote one of the texts, say, skips them unread.
    if sitting.task == "rank" and not isinstance(answer, SkipAnswer):
        opened = store.study_work.opened(spot)
        if unread := [label for label in unit.labels if label not in opened]:
            raise BadInput(say("error.unopened", what=unread))
    with store.connections.writing():
        check_link(store, sitting)  # While others wrote, the link may have been drawn anew.
        receipt = store.study_work.submit(spot, stage, answer, key, version)
        done, whole = store.study_work.so_far(sitting.seat)
        if receipt.new and done == whole:
            store.seats.move(sitting.seat, "afterwards", leaving=("work",))
    return receipt


def _check_own(store: Store, sitting: Sitting, spot: ListedUnit) -> None:
    check_link(store, sitting)
    if spot.seat != sitting.seat:
        raise BadInput(say("error.other_list"))


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
        check_link(store, sitting)
        here = _sitting(store, store.seats.at(sitting.seat))._replace(link=sitting.link)
        if here.step == "done":
            return here
        if here.step != "afterwards":
            raise BadInput(say("error.unanswered"))
        checks.ended(
            said,
            tuple(one.unit for one in sets_to_guess(store, here)),
            frozenset(label for one in listed(store, here) for label in one.shown),
        )
        store.seats.say_afterwards(sitting.seat, said)
        return _move(store, here, "done", "work", "afterwards")
