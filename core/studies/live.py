"""How a session goes while it runs, for the organiser: how far each seat is, and the signs of
hurry; never where a text comes from.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from core.records import ENDS, Answer, Criterion, SeatStep, Study, StudySeat, Task, UnitKey
from core.statistics.intervals import (
    FEWEST,
    SHARE,
    Figure,
    by_cluster,
    by_t,
    few,
    refused,
    wilson,
)
from core.store import Store, now
from core.store.studies.work import LastAnswer, ListStanding
from core.studies.counting import AnswerPlace, CountingRule, place_of
from core.studies.deadlines import Deadlines

BESIDE = ("note", "remarks", "texts", "reasons", "flag")
"""What an answer says beside what it decides."""
SKIP = "skip"
MANY = 3
"""Units from which a share of units, or a pace, is worth showing."""


class Tally(NamedTuple):
    """So many of so many."""

    hits: int
    of: int

    @property
    def share(self) -> float | None:
        """The share, where there are enough to speak of one."""
        return self.hits / self.of if self.of >= MANY else None


class SeatLive(NamedTuple):
    """How one seat goes. Attention units are counted apart: all else is over the work units, and
    repeats only where they are named.
    """

    seat: str
    name: str
    """For the organiser's eyes; exports have the id."""
    model: str
    step: SeatStep
    done: int
    """Units done, attention units and repeats too."""
    whole: int
    minutes: float | None
    """Median active minutes a unit that is done took."""
    alike: Tally
    """Straight-lining: answers with no distinctions. Rate: units with one score on all criteria of
    the same scale (of two or more). Compare: answers that are this seat's commonest by side and
    strength. Rank: sets left in the order they were shown in, or all tied. Comment: rounds answered
    with this seat's commonest three.
    """
    left: Figure
    """Compare: the share of answers that name a winner which name the left text; 0.5 is no bias."""
    cannot: Tally
    """Rate: "cannot judge", of all criteria asked. Other tasks have no such answer."""
    opened: int
    """Units opened and not answered."""
    attention: Tally
    """Attention units answered as they ask, of those answered."""
    again: Tally
    """Repeats answered as the first time (rate: every score as near as `near` says), of those
    answered twice.
    """
    seen: str
    """Last sign of life."""
    answers: int = 0
    """Answers that count (core.studies.counting)."""
    skipped: tuple[str, ...] = ()
    """Why units were skipped, one reason for each."""
    flagged: tuple[str, ...] = ()
    """Why answers were flagged."""


class Dashboard(NamedTuple):
    """How a session goes as a whole."""

    study: Study
    seats: tuple[SeatLive, ...]
    units: int
    """Work units: those with a known answer are not counted."""
    answered: int
    """Answers of experts that count (core.studies.counting)."""
    wanted: int
    """As many as there would be with every unit, every round of it, answered by as many experts as
    planned.
    """
    reached: int
    """Work units answered by as many experts as planned."""
    minutes_left: float | None
    """Active minutes the slowest list still takes, at its own pace or the others'; None while
    nobody has done enough units to speak of a pace.
    """
    end: str
    """When the last list would be done if all went on as since the first answer; empty where
    nothing says so.
    """
    experts: int = 0
    """Experts with an answer that counts."""
    skipped: int = 0
    """Units that experts skipped; these are not among the answers."""
    flagged: int = 0
    late: int = 0
    """Of the experts' answers that count, those filed after the deadline that held then."""


class SeatHoldings(NamedTuple):
    """What stands on one seat's list, its last answers by unit, time and stage, and the reasons of
    what was skipped.
    """

    lists: list[ListStanding]
    said: dict[tuple[str, int, int], dict[str, Any]]
    skipped: list[str]


def dashboard(store: Store, study_id: str) -> Dashboard:
    """Return how a session goes; it reads each table once, and of the key only which units test
    attention. Raises BadInput for an unknown session.
    """
    study = store.studies.get(study_id)
    seats = store.seats.of(study_id)
    keys = store.study_keys.units(study_id)
    lists, answers = store.study_work.standing(study_id)
    rule = rule_of(seats, keys, answers)
    units = [one for one in store.studies.units(study_id) if one.id not in rule.checks]
    held = _by_seat(seats, lists, answers)
    people = {one.id for one in seats if not one.model}
    done = Counter(
        one.unit
        for one in lists
        if one.done
        and one.seat in people
        and rule.counts(AnswerPlace(one.seat, one.unit, one.time))
    )
    counted = rule.by_seat(AnswerPlace(one.seat, one.unit, one.time, one.stage) for one in answers)
    live = tuple(
        _seat(study, one, held[one.id], keys, rule)._replace(answers=counted[one.id])
        for one in seats
    )
    deadlines = Deadlines.of(
        store.studies.deadlines_set(study_id), store.terms.get(study_id).deadline
    )
    overlap = study.plan.overlap
    by_people = [counted[one] for one in people if counted[one]]
    return Dashboard(
        study,
        live,
        len(units),
        sum(by_people),
        overlap * sum(one.stages for one in units),
        sum(done[one.id] >= overlap for one in units),
        _minutes_left(live),
        _end(live, lists),
        len(by_people),
        sum(len(one.skipped) for one in live if not one.model),
        sum(len(one.flagged) for one in live if not one.model),
        sum(
            deadlines.is_late(one.at)
            for one in answers
            if one.seat in people and rule.counts(place_of(one))
        ),
    )


def rule_of(
    seats: Iterable[StudySeat], keys: Mapping[str, UnitKey], answers: Iterable[LastAnswer] = ()
) -> CountingRule:
    """Return which answers of a session count, nobody who is at work being left out; `answers` says
    what was skipped.
    """
    checks = frozenset(unit for unit, key in keys.items() if key.attention)
    skipped = frozenset(place_of(one) for one in answers if one.answer["task"] == SKIP)
    withdrawn = frozenset(one.id for one in seats if one.step == "withdrawn")
    return CountingRule(checks, withdrawn, skipped)


class Far(NamedTuple):
    """How many of a session's work units experts have done, of those wanted; once a unit, nobody
    who withdrew.
    """

    done: int
    wanted: int


def far(store: Store, study: Study) -> Far:
    """Return how far a session is, quickly: for lists of sessions."""
    seats = store.seats.of(study.id)
    rule = rule_of(seats, store.study_keys.units(study.id))
    people = {seat.id for seat in seats if not seat.model}
    skipped = store.study_work.skipped(study.id)
    done = 0
    for spot in store.study_work.done(study.id):
        if spot.seat in people and spot not in skipped and rule.counts(AnswerPlace(*spot)):
            done += 1
    units = store.studies.units(study.id)
    work = sum(unit.id not in rule.checks for unit in units)
    return Far(done, work * study.plan.overlap)


def _by_seat(
    seats: Iterable[StudySeat], lists: Iterable[ListStanding], answers: Iterable[LastAnswer]
) -> dict[str, SeatHoldings]:
    holdings = {seat.id: SeatHoldings([], {}, []) for seat in seats}
    # A seat may have been added since the seats were read: it is in the next reading. What somebody
    # withdrew is in no figure, and in none of these.
    withdrawn = {seat.id for seat in seats if seat.step == "withdrawn"}
    for line in lists:
        if line.seat in holdings:
            holdings[line.seat].lists.append(line)
    for one in answers:
        if one.seat not in holdings or one.seat in withdrawn:
            continue
        if one.answer["task"] == SKIP:
            holdings[one.seat].skipped.append(one.answer["reason"])
        else:
            holdings[one.seat].said[one.unit, one.time, one.stage] = one.answer
    return holdings


def _seat(
    study: Study,
    seat: StudySeat,
    held: SeatHoldings,
    keys: Mapping[str, UnitKey],
    rule: CountingRule,
) -> SeatLive:
    known = {unit: key.expected for unit, key in keys.items() if key.attention and key.expected}
    done = [one for one in held.lists if one.done]
    shown = {(one.unit, one.time): one.shown for one in held.lists}
    work = {place: answer for place, answer in held.said.items() if rule.work(*place[:2])}
    times = [one.active / 60 for one in done if one.active > 0]
    left = refused(0, "Only pairs have a left and a right.")
    scores = list[object]()
    if study.plan.task == "compare":
        left = left_bias(work, shown)
    if study.plan.task == "rate":
        scores = [score for one in work.values() for score in one["scores"].values()]
    return SeatLive(
        seat.id,
        seat.name,
        seat.model,
        seat.step,
        len(done),
        len(held.lists),
        median(times) if times else None,
        alike(study.plan.task, work, shown, study.plan.criteria),
        left,
        Tally(sum(score is None for score in scores), len(scores)),
        sum(bool(one.opened) and not one.done for one in held.lists),
        attention(held.said, known),
        _again(held.said, rule, study.plan.criteria),
        max((one.seen for one in held.lists), default=""),
        skipped=tuple(held.skipped),
        flagged=tuple(one["flag"] for one in held.said.values() if one.get("flag")),
    )


# -- signs of hurry ----------------------------------------------------------------------------


Answers = Mapping[tuple[str, int, int], dict[str, Any]]
"""Answers as JSON, by unit, time and stage."""
Shown = Mapping[tuple[str, int], tuple[str, ...]]
"""Labels in the order shown, by unit and time."""


def same_scale(criteria: Sequence[Criterion]) -> frozenset[str]:
    """Return the criteria on the scale that most of them have: scores on another one cannot be the
    same, and yes to all is no sign of hurry.
    """
    scales = Counter(one.ends for one in criteria if one.kind == "scale")
    if not scales:
        return frozenset()
    ((commonest, _),) = scales.most_common(1)
    return frozenset(one.name for one in criteria if one.kind == "scale" and one.ends == commonest)


def near(criterion: Criterion) -> int:
    """Return by how many points two scores may differ and still be taken for the same: 1, a tenth
    of a longer scale, and none of a scale with three points or fewer.
    """
    lowest, highest = criterion.ends
    steps = highest - lowest
    return 0 if steps < 3 else max(1, steps // 10)


def alike(task: Task, answers: Answers, shown: Shown, criteria: Sequence[Criterion] = ()) -> Tally:
    """Return how many answers make no distinction, as `SeatLive.alike` says for each task; ratings
    need their `criteria`.
    """
    match task:
        case "rate":
            among = same_scale(criteria)
            scored = []
            for one in answers.values():
                given = one["scores"].items()
                scored.append([n for name, n in given if name in among and n is not None])
            several = [set(some) for some in scored if len(some) > 1]
            return Tally(sum(len(some) == 1 for some in several), len(several))
        case "rank":
            as_shown = 0
            for place, one in answers.items():
                untouched = [[label] for label in shown.get(place[:2], ())]
                as_shown += len(one["groups"]) == 1 or [*map(list, one["groups"])] == untouched
            return Tally(as_shown, len(answers))
        case "compare":
            return _commonest([(side, much) for _, side, much in _preferred(answers, shown)])
        case "comment":
            return _commonest(
                [(one["valid"], one["answered"], one["change"]) for one in answers.values()]
            )


def _commonest(said: Sequence[object]) -> Tally:
    return Tally(max(Counter(said).values(), default=0), len(said))


def _preferred(answers: Answers, shown: Shown) -> Iterator[tuple[str, int, bool]]:
    """Yield the unit of each preference, its side (1 left, -1 right, 0 for a tie), and whether it
    is much better; none that names a text which was not shown.
    """
    for (unit, time, _), answer in answers.items():
        labels = shown.get((unit, time), ())
        for said in answer["preferences"].values():
            better = said["better"]
            if not better:
                yield unit, 0, said["much"]
            elif better in labels:
                yield unit, 1 if labels[0] == better else -1, said["much"]


def left_bias(answers: Answers, shown: Shown) -> Figure:
    """Return the share of answers with a winner that name the left text, with a 95 % interval; `n`
    counts those answers, and 10 are needed.

    The interval is the wider end of Wilson's, which takes the answers as independent, and Student's
    t over units, which knows that the criteria of one unit hang together. A screen that polls has
    no time to resample.
    """
    winners = [(unit, side > 0) for unit, side, _ in _preferred(answers, shown) if side]
    n = len(winners)
    if n < FEWEST:
        return refused(n, f"{few(n)} answers name a winner: a share needs {FEWEST}.")
    left = [on_left for _, on_left in winners]
    hits = sum(left)
    units: dict[str, int] = {}
    clusters = np.array([units.setdefault(unit, len(units)) for unit, _ in winners])
    low, high = wilson(hits, n)
    if over := by_t(by_cluster(clusters, left, [1.0] * n)):
        low = min(low, over[0])
        high = max(high, over[1])
    how = f"Wilson's, or Student's t over {len(units)} units: the wider end of either"
    return Figure(hits / n, SHARE.cut(low), SHARE.cut(high), n, how)


def attention(answers: Answers, known: Mapping[str, Answer]) -> Tally:
    """Return how many attention units were answered as they ask, of those answered."""
    passed = []
    for (unit, time, _), answer in answers.items():
        if unit in known and time == 1:
            right = known[unit].model_dump(mode="json")
            passed.append(decided(answer) == decided(right))
    return Tally(sum(passed), len(passed))


def decided(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an answer decides, without what it says beside."""
    return {name: value for name, value in answer.items() if name not in BESIDE}


def _again(answers: Answers, rule: CountingRule, criteria: Sequence[Criterion]) -> Tally:
    within = {one.name: near(one) for one in criteria}
    same = []
    for (unit, time, stage), first in answers.items():
        second = answers.get((unit, 2, stage))
        if second and rule.work(unit, time):
            same.append(_is_same(first, second, within))
    return Tally(sum(same), len(same))


# -- in sum ------------------------------------------------------------------------------------


def _is_same(
    first: Mapping[str, Any], second: Mapping[str, Any], within: Mapping[str, int]
) -> bool:
    if first["task"] != "rate":
        return decided(first) == decided(second)
    for name, score in first["scores"].items():
        other = second["scores"].get(name)
        apart = score != other if None in (score, other) else abs(score - other) > within[name]
        if apart:
            return False
    return True


def _minutes_left(seats: Sequence[SeatLive]) -> float | None:
    people = [seat for seat in seats if not seat.model]
    # One quick unit says nothing of the next.
    paces = {
        seat.seat: seat.minutes for seat in people if seat.minutes is not None and seat.done >= MANY
    }
    if not paces:
        return None
    usual = median(paces.values())
    left = []
    for seat in people:
        if seat.step not in ENDS:
            left.append((seat.whole - seat.done) * paces.get(seat.seat, usual))
    return max(left, default=None)


def _end(seats: Sequence[SeatLive], lists: Sequence[ListStanding]) -> str:
    """Return when the last list would be done, if answers went on coming as they have since the
    first unit was opened.
    """
    people = {seat.seat for seat in seats if not seat.model and seat.step not in ENDS}
    mine = [one for one in lists if one.seat in people]
    left = sum(not one.done for one in mine)
    opened = [one for one in mine if one.opened]
    done = sum(one.done for one in opened)
    if not left or done < MANY:
        return ""
    moment = datetime.fromisoformat(now())
    began = datetime.fromisoformat(min(one.opened for one in opened))
    end = moment + (moment - began) / done * left
    return end.isoformat(timespec="minutes")
