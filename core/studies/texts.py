"""What experts read before they begin, in our own words: consent, instructions, a worked example,
criteria with anchors, and texts to practise on.
"""

import json
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from core.errors import BadInput
from core.records import Criterion, Design, Idea, Kind, StudyPlan, StudyUnit, Task, Trajectory

FOLDER = Path(__file__).parents[2] / "assets" / "sessions"
WHAT: dict[Kind, tuple[str, str]] = {
    "idea": ("a research idea", "research ideas"),
    "design": ("an experiment design", "experiment designs"),
}
"""How one and several of what is judged are called."""
DOING: dict[Task, str] = {
    "rate": "You read $many one at a time and score each on a few qualities.",
    "rank": "You read small sets of $many and put each set in order, by one quality at a time.",
    "compare": "You read $many two at a time and say which one is better, by a few qualities.",
    "comment": (
        "You read how a research idea was refined, round by round, and judge each review and"
        " revision."
    ),
}
TITLES: dict[Task, str] = {
    "rate": "Rating $many",
    "rank": "Putting $many in order",
    "compare": "Comparing $many",
    "comment": "Following how ideas were refined",
}
BACK = "You can go back and change answers until you finish."
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


def consent(task: Task, kind: Kind = "idea") -> str:
    """Return what is asked of experts, and what becomes of what they say."""
    return _filled("consent", kind, doing=_said(DOING[task], kind))


def instructions(task: Task, kind: Kind = "idea") -> str:
    """Return how a task is done."""
    return _filled(
        f"instructions-{task}",
        kind,
        common=_said(_read("common"), kind, back="" if task == "comment" else BACK).strip(),
    )


def example(task: Task, kind: Kind = "idea") -> str:
    """Return one worked example of a task: texts, what somebody answered, and why."""
    note = (
        "The example is about ideas; with experiment designs it is done in the same way.\n\n"
        if kind == "design"
        else ""
    )
    return note + _filled(f"example-{task}", kind)


def standard(task: Task, name: str, kind: Kind = "idea", **given: object) -> StudyPlan:
    """Return a plan with our texts and the usual criteria, but for what is given; raises
    ValidationError (pydantic) for what makes no plan.
    """
    usual = {
        "title": _said(TITLES[task], kind),
        "criteria": criteria(task, kind),
        "consent": consent(task, kind),
        "instructions": instructions(task, kind),
        "example": example(task, kind),
    }
    return StudyPlan.model_validate({**usual, "name": name, "task": task, "kind": kind, **given})


def practice(task: Task, kind: Kind = "idea", criteria: tuple[Criterion, ...] = ()) -> Practice:
    """Return a unit to practise on, about an everyday question; a set is ordered by the first of
    the criteria.
    """
    held = _practice()
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


def _filled(name: str, kind: Kind, **more: str) -> str:
    return _said(_read(name), kind, **more).strip()


def _said(text: str, kind: Kind, **more: str) -> str:
    one, many = WHAT[kind]
    return Template(text).substitute(one=one, many=many, what=many, **more)


@cache
def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


@cache
def _criteria() -> dict[str, Criterion]:
    read = json.loads((FOLDER / "criteria.json").read_text("utf-8"))
    return {one["name"]: Criterion.model_validate(one) for one in read}


@cache
def _practice() -> dict[str, Any]:
    held: dict[str, Any] = json.loads((FOLDER / "practice.json").read_text("utf-8"))
    return held
