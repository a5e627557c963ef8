"""A session's answers with a variable for everything that was asked, for programs that know labels:
SPSS, a spreadsheet. Without the key: texts are known by label.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from core.normal_forms import normal
from core.records import (
    CommentAnswer,
    CompareAnswer,
    Criterion,
    Preference,
    RankAnswer,
    RateAnswer,
    SkipAnswer,
    StudyAnswer,
    StudyPlan,
    StudyUnit,
)
from core.studies.commented import QUESTIONS
from core.studies.counting import place_of
from core.studies.filed import Filed

Measure = Literal["nominal", "ordinal", "scale"]
Cell = float | int | str | None
MOST_ORDINAL = 11
"""Points up to which a scale is called ordinal."""
CANNOT, SKIPPED = -9, -8
"""Stand for "cannot judge" and for a skipped unit, where no scale reaches so low."""
YES_NO = {0: "no", 1: "yes"}
STRENGTHS = {-2: "other much better", -1: "other better", 0: "tie", 1: "better", 2: "much better"}
RESERVED = frozenset(
    ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"]
)
"""Words that SPSS takes for its own."""
LONGEST_NAME = 40


class Variable(NamedTuple):
    """A column with what it is: text where it has no measure of numbers."""

    name: str
    label: str
    measure: Measure = "nominal"
    number: bool = False
    points: dict[int, str] = {}
    """What values mean, missing ones too."""
    missing: tuple[int, ...] = ()
    """Values that are no answer."""


class WideTable(NamedTuple):
    """A row for each answer that stands (of a set, for each text in it)."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[Cell, ...], ...]


FIXED = (
    Variable("seat", "The seat's id"),
    Variable("rater", "What the seat is called in tables"),
    Variable("kind", "Who answered", number=True, points={1: "expert", 2: "model judge"}),
    Variable("unit", "What was judged at once"),
    Variable("time", "1, or 2 where the seat was given the unit again", "ordinal", True),
    Variable("stage", "Round of a refinement, 1 for other tasks", "ordinal", True),
    Variable("attention", "Attention check, in no figure", number=True, points=YES_NO),
    Variable("counts", "Whether figures count the answer", number=True, points=YES_NO),
    Variable("position", "Where the unit stood on the list", "scale", True),
    Variable("label", "The text"),
)
LAST = (
    Variable("note", "What was written beside the answer"),
    Variable("skipped", "Why the unit was skipped; empty where it was not"),
    Variable("flagged", "Why the answer was flagged; empty where it was not"),
    Variable("late", "Filed after the deadline that held then", number=True, points=YES_NO),
)


def wide(filed: Filed) -> WideTable:
    """Return the answers that stand, the last at each place, of all who did not withdraw."""
    asked = tuple(_asked(filed.study.plan))
    rows = []
    for place, last in filed.last.items():
        if filed.seats[place.seat].step == "withdrawn":
            continue
        fixed = _fixed(filed, last)
        said = last.answer
        end = ("", said.reason, "") if isinstance(said, SkipAnswer) else (said.note, "", said.flag)
        late = int(filed.deadlines.is_late(last.at))
        shown = filed.shown(place)
        for label, cells in _cells(filed.study.plan, filed.units[place.unit], last):
            if "other" in cells:
                cells["side"] = "left" if shown[0] == label else "right"
            rows.append((*fixed, label, *(cells.get(one.name) for one in asked), *end, late))
    return WideTable((*FIXED, *asked, *LAST), tuple(rows))


def _fixed(filed: Filed, last: StudyAnswer) -> tuple[Cell, ...]:
    place = place_of(last)
    return (
        place.seat,
        filed.called[place.seat],
        2 if filed.seats[place.seat].model else 1,
        place.unit,
        place.time,
        place.stage,
        int(place.unit in filed.expected),
        int(filed.rule.counts(place)),
        filed.lists[place.seat, place.unit, place.time].position,
    )


# -- what was asked --------------------------------------------------------------------------


def names_of(criteria: Iterable[Criterion], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return what the variable of each criterion is called, by criterion: letters and digits of
    English, so that every program takes it, and no name twice.
    """
    used = {*taken, *RESERVED}
    found = {}
    for n, one in enumerate(criteria, 1):
        letters = normal("NFKD", one.name).encode("ascii", "ignore").decode()
        plain = re.sub(r"[^a-z0-9]+", "_", letters.lower()).strip("_")[:LONGEST_NAME]
        name = plain if plain[:1].isalpha() else f"c{n}_{plain}".rstrip("_")
        while used & _both(one, name):
            name = f"{name}_{n}"
        used |= _both(one, name)
        found[one.name] = name
    return found


def _both(one: Criterion, name: str) -> set[str]:
    """Return what the variables of a criterion are called: its own, and that of its reason."""
    return {name} if one.reason == "off" else {name, f"{name}_reason"}


def _asked(plan: StudyPlan) -> Iterator[Variable]:
    names = _names(plan)
    match plan.task:
        case "rate":
            for one in plan.criteria:
                yield from _of_criterion(one, names[one.name])
        case "rank":
            yield Variable("criterion", "What the set was ordered by")
            yield Variable(
                "place", "Place in the order, 1 is best; ties share a mean", "scale", True
            )
        case "compare":
            yield Variable("other", "The other text of the pair")
            yield Variable("side", "Where the text under label stood: left, right")
            for one in plan.criteria:
                label = f"{one.name}: the text under label, against other"
                yield Variable(names[one.name], label, "ordinal", True, STRENGTHS)
            yield Variable("both_weak", "Both called weak", number=True, points=YES_NO)
        case "comment":
            for question, (words, answers) in QUESTIONS.items():
                points = dict(enumerate(answers, 1))
                yield Variable(question, words.capitalize(), "ordinal", True, points)


def _names(plan: StudyPlan) -> dict[str, str]:
    taken = {one.name for one in (*FIXED, *LAST)} | {"criterion", "place", "other", "side"}
    return names_of(plan.criteria, taken | {"both_weak"})


def _of_criterion(one: Criterion, name: str) -> Iterator[Variable]:
    label = f"{one.name}: {one.meaning}"
    if not one.scored:
        yield Variable(name, label)
    else:
        lowest, highest = one.ends
        cannot, skipped = absent(one)
        points = dict(one.anchored)
        if one.kind == "yes/no":
            points = {
                at: f"{word}: {points[at]}" if at in points else word for at, word in YES_NO.items()
            }
        points |= {cannot: "cannot judge", skipped: "skipped"}
        measure: Measure = "ordinal" if highest - lowest < MOST_ORDINAL else "scale"
        if one.kind == "yes/no":
            measure = "nominal"
        yield Variable(name, label, measure, True, points, (cannot, skipped))
    if one.reason != "off":
        yield Variable(f"{name}_reason", f"{one.name}: the reason given")


def absent(one: Criterion) -> tuple[int, int]:
    """Return the values that stand for "cannot judge" and for a skipped unit: below the scale."""
    below = min(CANNOT, one.ends[0] - 2)
    return below, below + SKIPPED - CANNOT


def _cells(
    plan: StudyPlan, unit: StudyUnit, last: StudyAnswer
) -> Iterator[tuple[str, dict[str, Cell]]]:
    """Yield label and cells by variable of everything an answer says."""
    names = _names(plan)
    match last.answer:
        case RateAnswer() as said:
            yield unit.labels[0], _rated(plan, names, said)
        case RankAnswer() as said:
            before = 0
            for group in said.groups:
                place = before + (len(group) + 1) / 2
                at: dict[str, Cell] = {"criterion": unit.criterion, "place": place}
                yield from ((one, at) for one in group)
                before += len(group)
        case CompareAnswer() as said:
            first, other = sorted(unit.labels)
            cells: dict[str, Any] = {"other": other, "both_weak": int(said.both_weak)}
            for name, each in said.preferences.items():
                cells[names[name]] = _strength(each, first)
            yield first, cells
        case CommentAnswer() as said:
            marks: dict[str, Cell] = {}
            for question, (_, answers) in QUESTIONS.items():
                marks[question] = answers.index(getattr(said, question)) + 1
            yield unit.labels[0], marks
        case SkipAnswer():
            scored = [one for one in plan.criteria if one.scored and plan.task == "rate"]
            yield unit.labels[0], {names[one.name]: absent(one)[1] for one in scored}


def _rated(plan: StudyPlan, names: dict[str, str], said: RateAnswer) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for one in plan.criteria:
        name = names[one.name]
        if one.scored:
            score = said.scores.get(one.name)
            cells[name] = absent(one)[0] if score is None else score
        else:
            cells[name] = said.texts.get(one.name, "")
        if one.reason != "off":
            cells[f"{name}_reason"] = said.reasons.get(one.name, "")
    return cells


def _strength(said: Preference, first: str) -> int:
    if not said.better:
        return 0
    strength = 2 if said.much else 1
    return strength if said.better == first else -strength
