"""What experts read before they begin, in our own words: consent, instructions, a worked example,
criteria with anchors, and texts to practise on.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from core.errors import BadInput
from core.records import Criterion, Design, Idea, Kind, StudyPlan, StudyUnit, Task, Trajectory
from core.wording import catalogue
from core.wording.catalogue import ENGLISH, FIXED, FOLDER, Wording

BACK = ENGLISH("ours.back")
PRESETS: dict[str, tuple[str, ...]] = {
    "Five qualities of ideas (Chain of Ideas)": (
        "novelty",
        "significance",
        "clarity",
        "feasibility",
        "effectiveness",
    ),
    "Novelty and feasibility (InfAL)": ("novelty", "feasibility"),
    "Originality, feasibility, clarity (LiveIdeaBench)": ("originality", "feasibility", "clarity"),
    "Three qualities of experiment designs (Chain of Ideas)": (
        "feasibility",
        "technical quality",
        "clarity",
    ),
}
"""Criteria that go together: CoI, section 3.4, and its criteria for designs; InfAL, appendix A;
LiveIdeaBench's human validation.
"""
PER_PRACTICE: dict[Task, int] = {"rate": 1, "rank": 3, "compare": 2, "comment": 1}
PRACTICE_UNIT = "u000"


class Practice(NamedTuple):
    """A unit to practise on, with its texts by label in the order shown; nothing said of it is
    kept.
    """

    unit: StudyUnit
    texts: tuple[tuple[str, Idea | Design | Trajectory], ...]


def criterion(name: str) -> Criterion:
    """Return the criterion of that name with its anchors; raises BadInput where we have written
    none.
    """
    known = _criteria()
    if name.strip().casefold() not in known:
        raise BadInput(
            f"There is no criterion {name!r} with anchors of ours. Take {', '.join(known)}, or"
            " write your own: what it means, what 1 means, and what 10 means."
        )
    return known[name.strip().casefold()]


def preset(name: str) -> tuple[Criterion, ...]:
    """Return the criteria of a preset; raises KeyError."""
    return tuple(criterion(one) for one in PRESETS[name])


def criteria(task: Task, kind: Kind = "idea") -> tuple[Criterion, ...]:
    """Return the criteria that are usual for a task: five for ideas, three for designs, two where
    sets are ordered; none where rounds are commented.
    """
    usual = {"rate": 0, "compare": 0, "rank": 1}
    if task == "comment":
        return ()
    return preset(list(PRESETS)[3 if kind == "design" else usual[task]])


def consent(task: Task, kind: Kind = "idea", words: Wording = ENGLISH) -> str:
    """Return what is asked of experts, and what becomes of what they say."""
    many = words(f"ours.{kind}")
    return words("ours.consent", doing=words(f"ours.doing.{task}", many=many), many=many)


def instructions(
    task: Task,
    kind: Kind = "idea",
    words: Wording = ENGLISH,
    again: bool = True,
    checked: bool = True,
    several: bool = True,
    own: bool = False,
) -> str:
    """Return how a task is done; it speaks of repeats, of attention checks and of several criteria
    only where the session has them, and of scores from 1 to 10 unless the rubric is one's `own`.
    """
    check = {
        (True, True): "ours.again_or_check",
        (True, False): "ours.again",
        (False, True): "ours.check",
    }.get((again, checked))
    back = "" if task == "comment" else words("ours.back")
    # Two sentences with a line of their own: either may lack.
    common = " ".join(filter(None, (check and words(check), back)))
    another = f"- {words('ours.another')}\n" if several and task == "rank" else ""
    many = words(f"ours.{kind}")
    said = words(f"ours.instructions.{task}", common=common, many=many, what=many, another=another)
    said = said.strip()
    if own and task == "rate":
        _, _, rest = said.partition("\n")
        said = f"{words('ours.own_rate')}\n{rest}"
    return said


def has_own_scales(criteria: Iterable[Criterion]) -> bool:
    """Return whether not everything is scored from 1 to 10."""
    return any(one.kind != "scale" or one.ends != (1, 10) for one in criteria)


def example(task: Task, kind: Kind = "idea", words: Wording = ENGLISH, own: bool = False) -> str:
    """Return one worked example of a task: texts, what somebody answered, and why; where scales are
    one's `own` it says on which it scores.
    """
    note = f"{words('ours.design_example')}\n\n" if kind == "design" else ""
    if own and task == "rate":
        note += f"{words('ours.own_example')}\n\n"
    return note + words(f"ours.example.{task}", many=words(f"ours.{kind}"))


def title(task: Task, kind: Kind = "idea", words: Wording = ENGLISH) -> str:
    """Return what stands above the work."""
    return words(f"ours.title.{task}", many=words(f"ours.{kind}"))


def standard(task: Task, name: str, kind: Kind = "idea", **given: object) -> StudyPlan:
    """Return a plan with our texts and the usual criteria, but for what is given; raises
    ValidationError (pydantic) for what makes no plan.
    """
    usual = {
        "title": title(task, kind),
        "criteria": criteria(task, kind),
        "consent": consent(task, kind),
        "instructions": instructions(task, kind),
        "example": example(task, kind),
    }
    return fitted(
        StudyPlan.model_validate({**usual, "name": name, "task": task, "kind": kind, **given})
    )


def fitted(plan: StudyPlan) -> StudyPlan:
    """Return a plan whose instructions and example, where they are ours, speak of nothing that it
    lacks and of its own scales; one's own texts stay as they are.
    """
    words = spoken_by(plan)
    known = (True, False)
    # A language whose texts were given before has no words for it.
    worded = plan.wording is None or "ours.own_rate" in words.texts
    own = worded and has_own_scales(plan.criteria)
    update = {}
    if plan.example in {example(plan.task, plan.kind, words, flag) for flag in known}:
        update["example"] = example(plan.task, plan.kind, words, own)
    ours = {instructions(plan.task, plan.kind, words, *flags) for flags in product(known, repeat=4)}
    if plan.instructions in ours:
        flags = (plan.repeats > 0, plan.attention > 0, len(plan.criteria) > 1, own)
        update["instructions"] = instructions(plan.task, plan.kind, words, *flags)
    return plan.model_copy(update=update)


def spoken_by(plan: StudyPlan) -> Wording:
    """Return what the screens of a session say, its criteria under the names they have there."""
    if plan.wording is None:
        return ENGLISH
    held = plan.wording.texts
    called = {}
    for one in plan.criteria:
        if name := held.get(f"criteria.{one.name}.name"):
            called[one.name] = name
    return Wording(plan.wording.language, held, called)


def practice(
    task: Task,
    kind: Kind = "idea",
    criteria: tuple[Criterion, ...] = (),
    words: Wording = ENGLISH,
) -> Practice:
    """Return a unit to practise on, about an everyday question; a set is ordered by the first of
    the criteria.
    """
    held: dict[str, Any] = _reworded(catalogue.practice(), "practice", words)
    if task == "comment":
        whole = Trajectory.model_validate(held["trajectory"])
        return Practice(
            StudyUnit(
                id=PRACTICE_UNIT, labels=("P1",), topic=held["topic"], stages=len(whole.rounds)
            ),
            (("P1", whole),),
        )
    read: list[Idea | Design] = [
        Design.model_validate(one) if kind == "design" else Idea.model_validate(one)
        for one in held["designs" if kind == "design" else "ideas"][: PER_PRACTICE[task]]
    ]
    texts = tuple((f"P{n}", one) for n, one in enumerate(read, 1))
    by = criteria[0].name if task == "rank" and criteria else ""
    return Practice(
        StudyUnit(
            id=PRACTICE_UNIT,
            labels=tuple(label for label, _ in texts),
            criterion=by,
            topic=held["topic"],
        ),
        texts,
    )


def _reworded(held: Any, at: str, words: Wording) -> Any:
    """Return the practice texts in these words, by the names that the catalogue gives them."""
    if isinstance(held, Mapping):
        return {
            name: value if name in FIXED else _reworded(value, f"{at}.{name}", words)
            for name, value in held.items()
        }
    if isinstance(held, list):
        return [_reworded(value, f"{at}.{n}", words) for n, value in enumerate(held, 1)]
    return words.raw(at)


@cache
def _criteria() -> dict[str, Criterion]:
    read = json.loads((FOLDER / "criteria.json").read_text("utf-8"))
    return {one["name"]: Criterion.model_validate(one) for one in read}
