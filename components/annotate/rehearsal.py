"""A seat that stores nothing: the practice unit of an expert, and the organiser's preview. What is
said lives in the browser tab and goes with it.
"""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from components.shell import services
from core.errors import BadInput
from core.records import (
    Answer,
    Assignment,
    Criterion,
    Record,
    SkipAnswer,
    Study,
    StudyAnswer,
    StudyUnit,
    Task,
    Trajectory,
)
from core.store import now
from core.store.studies.work import Receipt
from core.studies import checks
from core.studies.effort import Seen
from core.studies.sitting import GuessSet, ShownUnit, Sitting, cut_at
from core.studies.texts import practice, spoken_by
from core.wording.catalogue import Wording, say


@dataclass
class RehearsalMemory:
    """What was said at a rehearsal."""

    drafts: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    said: list[StudyAnswer] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)


class Rehearsal:
    """A bench whose words go nowhere."""

    kept = addressed = False

    def __init__(
        self,
        name: str,
        task: Task,
        criteria: tuple[Criterion, ...],
        units: dict[str, tuple[StudyUnit, dict[str, Seen]]],
        words: Wording,
    ):
        self.name = name
        self.task = task
        self.criteria = criteria
        self.words = words
        self._units = units
        # Fetched once: nothing below says a word to Streamlit, which may break a script off at any.
        self._memory: RehearsalMemory = st.session_state.setdefault(
            f"seat:rehearsal:{name}", RehearsalMemory()
        )

    @property
    def begun(self) -> bool:
        """Whether anything was submitted."""
        return bool(self._memory.said)

    def listed(self) -> tuple[Assignment, ...]:
        return tuple(self._assignment(one, n) for n, (one, _) in enumerate(self._units.values(), 1))

    def minutes_left(self) -> tuple[float, float] | None:
        return None

    def show(self, unit: str, time: int) -> ShownUnit:
        if unit not in self._units:
            raise BadInput(say("error.gone"))
        at = next(one for one in self.listed() if (one.unit, one.time) == (unit, time))
        stage = min(at.stage + 1, at.stages)
        shown, texts = self._units[unit]
        cut = tuple((label, cut_at(texts[label], stage)) for label in shown.labels)
        draft = self._memory.drafts.get((unit, stage), {})
        opened = frozenset(self._memory.opened).intersection(shown.labels)
        return ShownUnit(at, shown, cut, stage, self._of(unit), draft, "", opened)

    def open_text(self, shown: ShownUnit, label: str) -> None:  # noqa: ARG002
        self._memory.opened.add(label)

    def keep(self, shown: ShownUnit, draft: dict[str, Any]) -> str:
        self._memory.drafts[shown.unit.id, shown.stage] = draft
        return ""

    def submit(self, shown: ShownUnit, answer: Answer, key: str, version: int) -> Receipt:  # noqa: ARG002
        text = shown.texts[0][1]
        checks.checked(
            answer, shown.unit, self.criteria, text if isinstance(text, Trajectory) else None
        )
        unread = [label for label in shown.unit.labels if label not in self._memory.opened]
        if self.task == "rank" and unread and not isinstance(answer, SkipAnswer):
            raise BadInput(say("error.unopened", what=unread))
        said = self._memory.said
        said.append(
            StudyAnswer(
                id=len(said) + 1,
                study="",
                seat="",
                unit=shown.unit.id,
                stage=shown.stage,
                key=key,
                answer=answer,
                at=now(),
            )
        )
        self._memory.drafts.pop((shown.unit.id, shown.stage), None)
        return Receipt(self._assignment(shown.unit, shown.assignment.position), said[-1].at, True)

    def sets(self) -> tuple[GuessSet, ...]:
        """Return every set that is asked about at the end, once."""
        first: dict[tuple[str, ...], StudyUnit] = {}
        for one, _ in self._units.values():
            if one.guess:
                first.setdefault(one.labels, one)
        return tuple(
            GuessSet(one, tuple((label, self._units[one.id][1][label]) for label in one.labels))
            for one in first.values()
        )

    def labels(self) -> tuple[str, ...]:
        """Return the labels of all texts."""
        return tuple(sorted({label for one, _ in self._units.values() for label in one.labels}))

    def _assignment(self, unit: StudyUnit, position: int) -> Assignment:
        said = self._of(unit.id)
        return Assignment(
            seat="",
            unit=unit.id,
            position=position,
            shown=unit.labels,
            stage=max((one.stage for one in said), default=0),
            stages=unit.stages,
            version=len(said),
        )

    def _of(self, unit: str) -> tuple[StudyAnswer, ...]:
        return tuple(one for one in self._memory.said if one.unit == unit)


def practising(who: Sitting) -> Rehearsal:
    """Return the practice unit of a seat."""
    unit, texts = practice(who.task, who.kind, who.criteria, who.words)
    return Rehearsal(
        f"practice-{who.seat}",
        who.task,
        who.criteria,
        {unit.id: (unit, dict(texts))},
        who.words,
    )


def previewing(study: Study) -> Rehearsal:
    """Return the work of a session as its experts will see it, in no particular order; raises
    BadInput while it has no texts.
    """
    store = services.store()
    items = store.studies.items(study.id)
    units = store.studies.units(study.id)
    if not units:
        raise BadInput("This session has no texts yet. Pick some, and look again.")
    frozen = store.frozen.several(tuple(items.values()), Record)
    texts = {label: frozen[sha] for label, sha in items.items()}
    work = {}
    for unit in units:
        shown = ((label, texts[label]) for label in unit.labels)
        work[unit.id] = (unit, {label: text for label, text in shown if isinstance(text, Seen)})
    plan = study.plan
    return Rehearsal(f"preview-{study.id}", plan.task, plan.criteria, work, spoken_by(plan))
