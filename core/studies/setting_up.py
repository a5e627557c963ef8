"""Setting a session up: the texts that were chosen under labels drawn by chance, what is judged at
once, and the key that says what is behind it.
"""

import random
import secrets
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, islice
from typing import NamedTuple

from core.errors import BadInput
from core.records import (
    Answer,
    CommentAnswer,
    CompareAnswer,
    Criterion,
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
from core.studies.dealing import LETTERS
from core.studies.picking import Chosen, Pick, picked
from core.studies.sets import Group, UnjudgedText, gather
from core.studies.texts import fitted, spoken_by
from core.wording.catalogue import Wording

MOST_UNITS = 2_000
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
        """How many units there are to work on, attention checks not counted."""
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


class AttentionCheck(NamedTuple):
    """One unit with a known answer, before its texts have labels."""

    texts: tuple[Idea | Trajectory, ...]
    n: int
    criterion: str = ""
    """What its set is ordered by."""


def draw_seed() -> int:
    """Return a seed for a new session; it is kept in its plan, and everything after it is
    repeatable. Whoever judges cannot find it by trying: labels and lists follow from it.
    """
    return secrets.randbits(128)


def prepare(store: Store, plan: StudyPlan, chosen: Chosen) -> PreparedDraft:
    """Return what a draft of this plan would hold, keeping nothing: one unit per text, pair or
    trajectory, one per set and criterion, and the checks.

    Labels, and the order of units, are chance from the plan's seed. Raises BadInput where nothing
    can be judged, with the reason, and for too much.
    """
    picks = picked(store, plan, chosen)
    rng = random.Random(digest([plan.seed, plan.task, sorted({pick.sha for pick in picks})]))
    groups, left_out = gather(plan, chosen, picks, rng)
    if not groups:
        reasons = list(dict.fromkeys(text.reason for text in left_out))
        raise BadInput(
            f"There is nothing to {plan.task}. Of the texts that were chosen it is said:"
            f" {'; '.join(reasons[:3])}. Choose others, or another task."
        )
    labelled = _label(groups, rng)
    texts: dict[str, Record] = {pick.sha: pick.text for group in groups for pick in group}
    draft = _assemble(plan, labelled, rng)
    return draft._replace(texts={**texts, **draft.texts}, left_out=left_out)


def replan(store: Store, study_id: str, plan: StudyPlan) -> Study:
    """Change how a draft is held, and fit its units and checks to that; texts keep their labels.

    Raises BadInput where the texts would have to be chosen anew (another task or kind, the common
    form, hidden ideas), and once it has opened.
    """
    fixed = {"task", "kind", "same_form", "hidden_target"}
    with store.connections.writing():
        before = store.studies.get(study_id).plan
        shas = store.studies.items(study_id)
        if shas and plan.model_dump(include=fixed) != before.model_dump(include=fixed):
            raise BadInput(
                "With another task, kind, form, or hidden ideas the texts must be chosen anew. Set"
                " up another session."
            )
        plan = fitted(plan)
        store.studies.replan(study_id, plan)
        if shas:
            draft = _refit(store, study_id, plan, shas)
            judged = [key.label for key in draft.item_keys if not key.attention]
            keep(store, study_id, draft, judged)
    return store.studies.get(study_id)


def keep(store: Store, study_id: str, draft: PreparedDraft, known: Collection[str] = ()) -> None:
    """Keep what a draft is filled with, and a frozen copy of every text; what the labels in `known`
    hide is there already.
    """
    store.frozen.keep_all(tuple(draft.texts.values()))
    store.studies.fill(study_id, draft.items, draft.units, draft.item_keys, draft.unit_keys, known)


# -- labels ------------------------------------------------------------------------------------


def _refit(store: Store, study_id: str, plan: StudyPlan, shas: dict[str, str]) -> PreparedDraft:
    """Return units and checks by another plan for the texts that a draft has."""
    known = store.study_keys.units(study_id)
    units = [unit for unit in store.studies.units(study_id) if unit.id not in known]
    stages = {unit.labels: unit.stages for unit in units}
    # What else labels hide is not looked at: it stays where it is.
    topics = {unit.labels: unit.topic for unit in units}
    groups = [
        tuple(
            LabelledText(
                label,
                shas[label],
                ItemKey(label=label, title="", topic=topics[labels]),
                stages[labels],
            )
            for label in labels
        )
        for labels in sorted(stages)
    ]
    return _assemble(plan, groups, random.Random(digest([plan.seed, sorted(shas.items())])))


def _label(groups: Iterable[Group], rng: random.Random) -> list[tuple[LabelledText, ...]]:
    """Return the groups with every text under its label; a text of one source has one label in all
    its sets.
    """
    sources: dict[tuple[object, ...], list[Pick]] = {}
    for pick in chain.from_iterable(groups):
        source = (pick.sha, pick.source, pick.key.topic, pick.key.target)
        sources.setdefault(source, []).append(pick)
    # Not source by source: whoever knows the seed could draw again, and read off who wrote what.
    by_hash = sorted(rng.sample(list(sources.values()), len(sources)), key=lambda one: one[0].sha)
    drawn = _draw_labels(len(sources), rng)
    labelled = {}
    for label, picks in zip(drawn, by_hash, strict=True):
        for pick in picks:
            stages = len(pick.text.rounds) if isinstance(pick.text, Trajectory) else 1
            key = pick.key.model_copy(update={"label": label})
            labelled[pick.name] = LabelledText(label, pick.sha, key, stages)
    return [tuple(labelled[pick.name] for pick in group) for group in groups]


# -- units -------------------------------------------------------------------------------------


def _draw_labels(n: int, rng: random.Random, taken: Collection[str] = ()) -> list[str]:
    """Return labels by chance, `K7`: with one figure where they are few, with more where they are
    many.
    """
    needed = 2 * (n + len(taken))
    for highest in (9, 99, 999):
        if needed <= len(LETTERS) * highest:
            every = [f"{letter}{k}" for letter in LETTERS for k in range(1, highest + 1)]
            free = [label for label in every if label not in taken]
            return rng.sample(free, n)
    raise BadInput(f"{n:,} texts are too many for one session. Draw fewer.")


def _assemble(
    plan: StudyPlan, groups: Iterable[tuple[LabelledText, ...]], rng: random.Random
) -> PreparedDraft:
    """Return items, units and keys of these groups and of the plan's checks; ids follow chance, so
    that none tells a source, or a check.
    """
    texts = {text.label: text for group in groups for text in group}
    # Two sets of the same texts are one.
    once = {tuple(sorted(text.label for text in group)): group for group in groups}
    work = [unit for labels in sorted(once) for unit in _units(plan, once[labels])]
    if len(work) > MOST_UNITS:
        raise BadInput(
            f"That makes {len(work):,} units; a session has {MOST_UNITS:,} at most. Draw fewer."
        )
    planned = checks(plan)
    free = iter(_draw_labels(sum(len(check.texts) for check in planned), rng, texts))
    labelled = [dict(zip(islice(free, len(one.texts)), one.texts, strict=True)) for one in planned]
    order = rng.sample(range(1, len(work) + len(planned) + 1), len(work) + len(planned))
    planted = [
        # A check with no topic would be told from the others at a glance.
        StudyUnit(
            id="u000",
            labels=tuple(sorted(shown)),
            criterion=check.criterion,
            topic=rng.choice(work).topic,
        )
        for check, shown in zip(planned, labelled, strict=True)
    ]
    units = [
        unit.model_copy(update={"id": f"u{n:03d}"})
        for unit, n in zip([*work, *planted], order, strict=True)
    ]
    unit_keys = tuple(
        UnitKey(unit=unit.id, attention=True, expected=expected(plan, check, list(shown)))
        for unit, check, shown in zip(units[len(work) :], planned, labelled, strict=True)
    )
    items = [StudyItem(label=text.label, sha=text.sha) for text in texts.values()]
    item_keys = [text.key for text in texts.values()]
    frozen: dict[str, Record] = {}
    for label, text in chain.from_iterable(shown.items() for shown in labelled):
        frozen[text.digest()] = text
        items.append(StudyItem(label=label, sha=text.digest()))
        item_keys.append(ItemKey(label=label, title="Check of attention", attention=True))
    return PreparedDraft(
        frozen,
        tuple(sorted(items, key=lambda item: item.label)),
        tuple(sorted(units, key=lambda unit: unit.id)),
        tuple(sorted(item_keys, key=lambda key: key.label)),
        unit_keys,
    )


def _units(plan: StudyPlan, group: tuple[LabelledText, ...]) -> list[StudyUnit]:
    topics = {text.key.topic for text in group}
    unit = StudyUnit(
        id="u000",
        labels=tuple(sorted(text.label for text in group)),
        topic=topics.pop()[:LONGEST_TOPIC] if len(topics) == 1 else "",
        stages=max(text.stages for text in group),
        guess=plan.hidden_target,
    )
    if plan.task != "rank":
        return [unit]
    return [unit.model_copy(update={"criterion": one.name}) for one in plan.criteria]


# -- attention checks --------------------------------------------------------------------


def checks(plan: StudyPlan) -> tuple[AttentionCheck, ...]:
    """Return as many checks as the plan asks for, each with texts of its own; sets are ordered by
    one criterion after the other. Where all is free text nothing has a known answer.
    """
    if plan.task == "rate" and not any(one.scored for one in plan.criteria):
        return ()
    return tuple(_check(plan, n) for n in range(plan.attention))


def expected(plan: StudyPlan, check: AttentionCheck, labels: Sequence[str]) -> Answer:
    """Return the one right answer to a check whose texts, in their order, have these labels."""
    names = [one.name for one in plan.criteria]
    match plan.task:
        case "rate":
            return RateAnswer(scores=known_scores(plan.criteria, check.n))
        case "rank":
            return RankAnswer(groups=tuple((label,) for label in labels))
        case "compare":
            best = Preference(better=labels[0], much=True)
            return CompareAnswer(preferences=dict.fromkeys(names, best))
        case "comment":
            return CommentAnswer(valid="no", answered="no", change="worse")


def _check(plan: StudyPlan, n: int) -> AttentionCheck:
    words = spoken_by(plan)
    criterion = ""
    match plan.task:
        case "rate":
            asked = [_scoring(words, plan.criteria, n)]
        case "rank":
            criterion = plan.criteria[n % len(plan.criteria)].name
            asked = [words(f"checks.place_{place}") for place in (1, 2, 3)]
        case "compare":
            asked = [words("checks.this_text"), words("checks.other_text")]
        case "comment":
            return AttentionCheck((_trajectory(n, words),), n)
    texts = tuple(_text(n, words("checks.asked", what=what), words) for what in asked)
    return AttentionCheck(texts, n, criterion)


def known_scores(criteria: Sequence[Criterion], n: int) -> dict[str, int | None]:
    """Return what the n-th check asks for on every criterion that is scored: what `SCORES` is on a
    scale from 1 to 10, as near as another scale has it.
    """
    scores: dict[str, int | None] = {}
    for one in criteria:
        if one.scored:
            lowest, highest = one.ends
            scores[one.name] = lowest + round((SCORES[n] - 1) / 9 * (highest - lowest))
    return scores


def _scoring(words: Wording, criteria: Sequence[Criterion], n: int) -> str:
    """Say what to give: "give 3 on every quality", or quality by quality where they are answered in
    different ways.
    """
    scores = known_scores(criteria, n)
    if all(one.kind == "scale" for one in criteria) and len(set(scores.values())) == 1:
        return words("checks.rate", n=str(next(iter(scores.values()))))
    asked = []
    for one in criteria:
        score = scores.get(one.name)
        if score is not None:
            answer = str(score)
            if one.kind == "yes/no":
                answer = words("checks.yes" if score else "checks.no")
            asked.append(words("checks.score", score=answer, name=one.name))
    return words(
        "checks.rate_some" if len(asked) < len(criteria) else "checks.rate_each", what=asked
    )


def _text(n: int, asked: str, words: Wording) -> Idea:
    said = f"{words(f'checks.opening_{n + 1}')} {words('checks.says')} {asked}"
    return Idea(form="hypothesis", fields={"hypothesis": said})


def _trajectory(n: int, words: Wording) -> Trajectory:
    asked = words("checks.comment")
    review = Review(
        summary=words("checks.review", asked=asked), remarks=(Remark(id="r1", text=asked),)
    )
    return Trajectory(
        first=_text(n, words("checks.go_on"), words),
        rounds=(TrajectoryRound(review=review, idea=_text(n, asked, words)),),
    )
