"""Setting a session up: the texts that were chosen under labels drawn by chance, what is judged at
once, and the key that says what is behind it.
"""

import json
import random
import secrets
from collections.abc import Iterable, Sequence
from functools import cache
from string import ascii_uppercase
from typing import NamedTuple

from core.errors import BadInput
from core.records import (
    Answer,
    CommentAnswer,
    CompareAnswer,
    Idea,
    ItemKey,
    Preference,
    RankAnswer,
    RateAnswer,
    Record,
    Remark,
    Review,
    Study,
    StudyItem,
    StudyPlan,
    StudyUnit,
    Trajectory,
    TrajectoryRound,
    UnitKey,
    digest,
)
from core.store import Store
from core.store.study_keys import lines
from core.studies.picking import Chosen, Pick, picked
from core.studies.sets import Group, UnjudgedText, gathered
from core.studies.texts import FOLDER

MOST_UNITS = 2_000
LETTERS = [letter for letter in ascii_uppercase if letter not in "EIO"]
"""Without those that look like figures, and without E: experts are E1, E2 ... in figures."""
LONGEST_TOPIC = 200


class PreparedDraft(NamedTuple):
    """What a draft is filled with; nothing of it is kept yet."""

    texts: dict[str, Record]
    """By hash."""
    items: tuple[StudyItem, ...]
    units: tuple[StudyUnit, ...]
    item_keys: tuple[ItemKey, ...]
    unit_keys: tuple[UnitKey, ...]
    left_out: tuple[UnjudgedText, ...] = ()

    @property
    def work(self) -> int:
        """How many units there are to work on, checks of attention not counted."""
        return len(self.units) - len(self.unit_keys)


class LabelledText(NamedTuple):
    """A text with its label, and what is judged with it."""

    label: str
    sha: str
    key: ItemKey
    stages: int = 1


SCORES = (3, 8, 2, 9, 6)
"""What is asked for, check by check: away from the middle, and never the end of the scale that
anybody in a hurry would take.
"""

SAYS = "This text is no idea: it checks whether texts are read."

PLACES = ("first", "second", "third")


class AttentionCheck(NamedTuple):
    """One unit with a known answer, before its texts have labels."""

    texts: tuple[Idea | Trajectory, ...]
    n: int
    criterion: str = ""
    """What its set is ordered by."""


def drawn_seed() -> int:
    """Return a seed for a new session; it is kept in its plan, and everything after it is
    repeatable.
    """
    return secrets.randbelow(2**31)


def prepared(store: Store, plan: StudyPlan, chosen: Chosen) -> PreparedDraft:
    """Return what a draft of this plan would hold, keeping nothing: one unit per text, pair or
    trajectory, one per set and criterion, and the checks.

    Labels, and the order of units, are chance from the plan's seed. Raises BadInput where nothing
    can be judged, with the reason, and for too much.
    """
    picks = picked(store, plan, chosen)
    rng = random.Random(digest([plan.seed, plan.task, sorted({one.sha for one in picks})]))
    found = gathered(plan, chosen, picks, rng)
    if not found.groups:
        reasons = list(dict.fromkeys(one.reason for one in found.left_out))
        raise BadInput(
            f"There is nothing to {plan.task}. Of the texts that were chosen it is said:"
            f" {'; '.join(reasons[:3])}. Choose others, or another task."
        )
    shelved, texts = _labelled(found.groups, rng)
    made = _assembled(
        plan, [tuple(shelved[one.name] for one in group) for group in found.groups], rng
    )
    return made._replace(texts={**texts, **made.texts}, left_out=found.left_out)


def fill(store: Store, study_id: str, chosen: Chosen) -> PreparedDraft:
    """Put what was chosen into a draft, in place of what it had, with a frozen copy of every text.

    Raises BadInput as `prepared` does, and once it has opened.
    """
    # The plan must not change between the look at it and the units made for it.
    with store.connections.writing():
        made = prepared(store, store.studies.get(study_id).plan, chosen)
        _keep(store, study_id, made)
    return made


def replan(store: Store, study_id: str, plan: StudyPlan) -> Study:
    """Change how a draft is held, and fit its units and checks to that; texts keep their labels.

    Raises BadInput where the texts would have to be chosen anew (another task or kind, the common
    form, hidden ideas), and once it has opened.
    """
    with store.connections.writing():
        study = store.studies.get(study_id)
        held = store.studies.items(study_id)
        if held and any(
            getattr(plan, name) != getattr(study.plan, name)
            for name in ("task", "kind", "same_form", "hidden_target")
        ):
            raise BadInput(
                "With another task, kind, form, or hidden ideas the texts must be chosen anew. Set"
                " up another session."
            )
        store.studies.replan(study_id, plan)
        if held:
            _keep(store, study_id, _refitted(store, study, plan, held))
    return store.studies.get(study_id)


def _keep(store: Store, study_id: str, made: PreparedDraft) -> None:
    store.frozen.keep_all(tuple(made.texts.values()))
    store.studies.fill(study_id, made.items, made.units, lines(made.item_keys, made.unit_keys))


def _refitted(store: Store, study: Study, plan: StudyPlan, held: dict[str, str]) -> PreparedDraft:
    keys = store.study_keys.items(study.id)
    known = store.study_keys.units(study.id)
    groups: dict[tuple[str, ...], int] = {
        one.labels: one.stages for one in store.studies.units(study.id) if one.id not in known
    }
    shelved = [
        tuple(LabelledText(label, held[label], keys[label], stages) for label in labels)
        for labels, stages in sorted(groups.items())
    ]
    return _assembled(plan, shelved, random.Random(digest([plan.seed, sorted(held.items())])))


# -- labels ------------------------------------------------------------------------------------


def _labelled(
    groups: Iterable[Group], rng: random.Random
) -> tuple[dict[object, LabelledText], dict[str, Record]]:
    """Return every text that is judged under its label, by its name, and the texts by hash; a text
    of one source has one label in all its sets.
    """
    shelved: dict[object, LabelledText] = {}
    labels: dict[object, str] = {}
    texts: dict[str, Record] = {}
    picks = [one for group in groups for one in group]
    free = iter(_labels(len({_same(one) for one in picks}), rng))
    for one in picks:
        label = labels.get(_same(one)) or labels.setdefault(_same(one), next(free))
        stages = len(one.text.rounds) if isinstance(one.text, Trajectory) else 1
        shelved[one.name] = LabelledText(
            label, one.sha, one.key.model_copy(update={"label": label}), stages
        )
        texts[one.sha] = one.text
    return shelved, texts


def _same(one: Pick) -> tuple[object, ...]:
    return one.sha, one.source, one.key.topic, one.key.target


def _labels(n: int, rng: random.Random, taken: Iterable[str] = ()) -> list[str]:
    """Return labels by chance, `K7`: with one figure where they are few, with more where they are
    many.
    """
    used = set(taken)
    highest = next(
        (most for most in (9, 99, 999) if 2 * (n + len(used)) <= len(LETTERS) * most), None
    )
    if highest is None:
        raise BadInput(f"{n:,} texts are too many for one session. Draw fewer.")
    every = [f"{letter}{k}" for letter in LETTERS for k in range(1, highest + 1)]
    return rng.sample([label for label in every if label not in used], n)


# -- units -------------------------------------------------------------------------------------


def _assembled(
    plan: StudyPlan, groups: Sequence[tuple[LabelledText, ...]], rng: random.Random
) -> PreparedDraft:
    """Return items, units and keys of these groups and of the plan's checks; ids follow chance, so
    that none tells a source, or a check.
    """
    shelved = {one.label: one for group in groups for one in group}
    # Two sets of the same texts are one.
    once = {tuple(sorted(one.label for one in group)): group for group in groups}
    work = [unit for group in once.values() for unit in _units(plan, group)]
    if len(work) > MOST_UNITS:
        raise BadInput(
            f"That makes {len(work):,} units; a session has {MOST_UNITS:,} at most. Draw fewer."
        )
    asked = checks(plan)
    names = iter(_labels(sum(len(one.texts) for one in asked), rng, shelved))
    named = [(one, [next(names) for _ in one.texts]) for one in asked]
    planted = [
        StudyUnit(id="u000", labels=tuple(sorted(labels)), criterion=one.criterion)
        for one, labels in named
    ]
    order = rng.sample(range(1, len(work) + len(planted) + 1), len(work) + len(planted))
    # A check with no topic would be told from the others at a glance.
    planted = [unit.model_copy(update={"topic": rng.choice(work).topic}) for unit in planted]
    units = [
        unit.model_copy(update={"id": f"u{n:03d}"})
        for unit, n in zip([*work, *planted], order, strict=True)
    ]
    known = zip(units[len(work) :], named, strict=True)
    unit_keys = [
        UnitKey(unit=unit.id, attention=True, expected=expected(plan, one, labels))
        for unit, (one, labels) in known
    ]
    texts = {
        label: text for one, labels in named for label, text in zip(labels, one.texts, strict=True)
    }
    items = [
        *(StudyItem(label=one.label, sha=one.sha) for one in shelved.values()),
        *(StudyItem(label=label, sha=text.digest()) for label, text in texts.items()),
    ]
    item_keys = [
        *(one.key for one in shelved.values()),
        *(ItemKey(label=label, title="Check of attention", attention=True) for label in texts),
    ]
    return PreparedDraft(
        {text.digest(): text for text in texts.values()},
        tuple(sorted(items, key=lambda one: one.label)),
        tuple(sorted(units, key=lambda one: one.id)),
        tuple(sorted(item_keys, key=lambda one: one.label)),
        tuple(unit_keys),
    )


def _units(plan: StudyPlan, group: tuple[LabelledText, ...]) -> list[StudyUnit]:
    topics = {one.key.topic for one in group}
    unit = StudyUnit(
        id="u000",
        labels=tuple(sorted(one.label for one in group)),
        topic=topics.pop()[:LONGEST_TOPIC] if len(topics) == 1 else "",
        stages=max(one.stages for one in group),
        guess=plan.hidden_target,
    )
    if plan.task != "rank":
        return [unit]
    return [unit.model_copy(update={"criterion": one.name}) for one in plan.criteria]


# -- checks of attention --------------------------------------------------------------------


def checks(plan: StudyPlan) -> tuple[AttentionCheck, ...]:
    """Return as many checks as the plan asks for, each with texts of its own; sets are ordered by
    one criterion after the other.
    """
    return tuple(_check(plan, n) for n in range(plan.attention))


def expected(plan: StudyPlan, check: AttentionCheck, labels: Sequence[str]) -> Answer:
    """Return the one right answer to a check whose texts, in their order, have these labels."""
    names = [one.name for one in plan.criteria]
    if plan.task == "rate":
        return RateAnswer(scores=dict.fromkeys(names, SCORES[check.n]))
    if plan.task == "rank":
        return RankAnswer(groups=tuple((label,) for label in labels))
    if plan.task == "compare":
        return CompareAnswer(
            preferences={name: Preference(better=labels[0], much=True) for name in names}
        )
    return CommentAnswer(valid="no", answered="no", change="worse")


def _check(plan: StudyPlan, n: int) -> AttentionCheck:
    if plan.task == "rate":
        return AttentionCheck(
            (_text(n, f"To show that you are reading, please give {SCORES[n]} on every quality."),),
            n,
        )
    if plan.task == "rank":
        asked = [
            f"To show that you are reading, please put this text in the {place} place."
            for place in PLACES
        ]
        return AttentionCheck(
            tuple(_text(n, one) for one in asked), n, plan.criteria[n % len(plan.criteria)].name
        )
    if plan.task == "compare":
        return AttentionCheck(
            (
                _text(
                    n,
                    'To show that you are reading, please answer "much better" for this text on'
                    " every quality.",
                ),
                _text(
                    n,
                    'To show that you are reading, please answer "much better" for the other text'
                    " on every quality.",
                ),
            ),
            n,
        )
    return AttentionCheck((_trajectory(n),), n)


def _text(n: int, asked: str) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": f"{_openings()[n]} {SAYS} {asked}"})


def _trajectory(n: int) -> Trajectory:
    asked = (
        'To show that you are reading, please answer "no" to both questions, and "worse" for what'
        " became of the idea."
    )
    review = Review(
        summary=f"This review checks whether reviews are read. {asked}",
        remarks=(Remark(id="r1", text=asked),),
    )
    return Trajectory(
        first=_text(n, "Please go on to the review."),
        rounds=(TrajectoryRound(review=review, idea=_text(n, asked)),),
    )


@cache
def _openings() -> tuple[str, ...]:
    return tuple(json.loads((FOLDER / "attention.json").read_text("utf-8")))
