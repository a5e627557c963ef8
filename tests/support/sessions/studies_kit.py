"""Small sessions for tests: one of each task, its experts brought to their work, and answers to
give.
"""

import zipfile
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from core.records import (
    FORMS,
    Afterwards,
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
    StudySeat,
    StudyUnit,
    Task,
    Trajectory,
    TrajectoryRound,
    UnitKey,
)
from core.store import Store
from core.store.studies.work import ListedUnit, Receipt
from core.studies import organising, sitting
from core.studies.sitting import ShownUnit, Sitting

METHODS = ("chain-of-secrets", "direct-secret", "secret-people")
"""What the key says of the texts, in turn; nothing an expert sees may say it."""
MODEL = "secret:model-x"
CRITERIA = ("novelty", "clarity")
ATTENTION = "Z1", "Z2"
"""Labels of the texts of attention units (Z2 for pairs and sets only)."""


class Held(NamedTuple):
    """An open session and the secrets of its experts' links, by seat."""

    store: Store
    study: Study
    seats: tuple[StudySeat, ...]
    secrets: dict[str, str]

    def secret(self, n: int = 0) -> str:
        return self.secrets[self.seats[n].id]

    def at_work(self, n: int = 0) -> Sitting:
        """Return the n-th expert, brought to the work."""
        return at_work(self.store, self.secret(n))


# -- texts -------------------------------------------------------------------------------------


def idea(said: str) -> Idea:
    return Idea(form="six-field", fields={name: f"{said} ({name})" for name in FORMS["six-field"]})


def trajectory(said: str, rounds: int = 3) -> Trajectory:
    def one(n: int) -> TrajectoryRound:
        review = Review(
            summary=f"Round {n}: {said} lacks a test.",
            remarks=(Remark(id="r1", text=f"Say in round {n} what is measured."),),
        )
        return TrajectoryRound(review=review, idea=idea(f"{said}, version {n}"))

    return Trajectory(
        first=idea(f"{said}, first"),
        goal="Feasibility",
        rounds=tuple(one(n) for n in range(1, rounds + 1)),
    )


# -- a study -----------------------------------------------------------------------------------


def criterion(name: str, **over: Any) -> Criterion:
    given = {"meaning": f"How much {name} it has.", "low": "None.", "high": "All there can be."}
    return Criterion(name=name, **{**given, **over})


OWN = (
    criterion("novelty", lowest=1, highest=7, anchors={4: "Some."}, reason="required"),
    criterion("worth", lowest=0, highest=100, reason="optional"),
    criterion("ethics", kind="yes/no", low="It harms.", high="It is fine."),
    criterion("wishes", kind="text", low="", high=""),
)
"""A rubric of one's own: every kind of criterion."""


def plan(task: Task = "rate", **over: Any) -> StudyPlan:
    criteria = tuple(criterion(name) for name in CRITERIA)
    given = {
        "name": "The organiser's own name",
        "title": "Ideas on sleep",
        "task": task,
        "criteria": () if task == "comment" else criteria,
        "consent": "You are asked to judge ideas.",
        "instructions": "Read, then answer.",
        "example": "An idea, a score, and why.",
        "overlap": 2,
        "repeats": 1,
        "attention": 1,
        "practice": True,
        "seed": 7,
    }
    return StudyPlan(**given | over)


def material(
    store: Store, held: StudyPlan, texts: int = 6
) -> tuple[tuple[StudyItem, ...], tuple[StudyUnit, ...], tuple[ItemKey, ...], tuple[UnitKey, ...]]:
    """Return items, units and keys: `texts` texts of METHODS in turn; sets of three, all pairs of
    different methods, trajectories of three rounds.
    """
    made: list[Record] = [
        trajectory(f"Trajectory {n}") if held.task == "comment" else idea(f"Thought {n}")
        for n in range(texts)
    ]
    labels = [f"{'ABCDEFGHKM'[n % 10]}{n + 1}" for n in range(texts)]
    sources = {label: METHODS[n % len(METHODS)] for n, label in enumerate(labels)}
    keys = [
        ItemKey(
            label=label,
            title=f"Title {label}",
            method=sources[label],
            model=MODEL,
            topic="sleep",
            source=f"run-secret/{label}",
            target=held.hidden_target and sources[label] == METHODS[-1],
        )
        for label in labels
    ]
    units = _units(held, labels, sources)
    if held.attention:
        known = ATTENTION[:1] if held.task in ("rate", "comment") else ATTENTION
        labels, keys = (
            [*labels, *known],
            [*keys, *(ItemKey(label=label, title="Attention", attention=True) for label in known)],
        )
        made += [
            (
                trajectory(f"Give {label} the worst.", 1)
                if held.task == "comment"
                else idea(f"Give {label} the worst.")
            )
            for label in known
        ]
        units.append(StudyUnit(id="u900", labels=known, criterion=units[0].criterion))
    items = tuple(
        StudyItem(label=label, sha=sha)
        for label, sha in zip(labels, store.frozen.keep_all(tuple(made)), strict=True)
    )
    known_units = (
        (UnitKey(unit="u900", attention=True, expected=expected(held)),) if held.attention else ()
    )
    return items, tuple(units), tuple(keys), known_units


def _units(held: StudyPlan, labels: list[str], sources: dict[str, str]) -> list[StudyUnit]:
    match held.task:
        case "rank":
            sets = [tuple(sorted(labels[n : n + 3])) for n in range(0, len(labels) - 2, 3)]
            found = [(one, criterion.name) for one in sets for criterion in held.criteria]
        case "compare":
            found = [
                (tuple(sorted(pair)), "")
                for pair in combinations(labels, 2)
                if sources[pair[0]] != sources[pair[1]]
            ]
        case _:
            found = [((label,), "") for label in labels]
    stages = 3 if held.task == "comment" else 1
    return [
        StudyUnit(
            id=f"u{n:03d}",
            labels=one,
            criterion=criterion,
            topic="sleep",
            stages=stages,
            guess=held.hidden_target,
        )
        for n, (one, criterion) in enumerate(found, 1)
    ]


def expected(held: StudyPlan) -> Answer:
    """Return the one right answer of the attention unit."""
    names = [one.name for one in held.criteria]
    match held.task:
        case "rate":
            scores = {one.name: one.ends[0] for one in held.criteria if one.scored}
            return RateAnswer(scores=scores)
        case "rank":
            return RankAnswer(groups=tuple((label,) for label in ATTENTION))
        case "compare":
            return CompareAnswer(
                preferences=dict.fromkeys(names, Preference(better=ATTENTION[0], much=True))
            )
        case _:
            return CommentAnswer(valid="no", answered="no", change="worse")


def drafted(store: Store, task: Task = "rate", texts: int = 6, **over: Any) -> Study:
    """Return a draft with its texts."""
    study = organising.create(store, plan(task, **over))
    items, units, keys, unit_keys = material(store, study.plan, texts)
    store.studies.fill(study.id, items, units, keys, unit_keys)
    return study


def opened(
    store: Store, task: Task = "rate", experts: int = 3, texts: int = 6, **over: Any
) -> Held:
    """Return an open session with as many experts, who have not come yet."""
    study = drafted(store, task, texts, **over)
    made = [organising.add_seat(store, study.id, f"Expert {n}") for n in range(1, experts + 1)]
    opened = organising.open_study(store, study.id)
    return Held(store, opened, store.seats.of(study.id), {seat.id: link for seat, link in made})


def read(path: Path) -> str:
    """Return all that a file of an export says; of a workbook, what is in its archive."""
    if path.suffix != ".xlsx":
        return path.read_bytes().decode(errors="ignore")
    with zipfile.ZipFile(path) as packed:
        return "\n".join(packed.read(name).decode() for name in packed.namelist())


# -- at a seat ---------------------------------------------------------------------------------


def at_work(store: Store, secret: str) -> Sitting:
    """Return an expert who agreed, read the instructions and practised."""
    here = agreed(store, sitting.enter(store, secret))
    for step in (sitting.instructed, sitting.practised):
        here = step(store, here)
    return here


def agreed(store: Store, here: Sitting) -> Sitting:
    """Agree to what is on the screen: as many units as are listed."""
    return sitting.agree(store, here, len(sitting.listed(store, here)))


def an_answer(here: Sitting, shown: ShownUnit, score: int = 6) -> Answer:
    """Return an answer that fits: every score alike, the order and the side shown, the first text
    much better on every criterion.
    """
    match here.task:
        case "rate":
            return rating(here.criteria, score)
        case "rank":
            return RankAnswer(groups=tuple((label,) for label in shown.assignment.shown))
        case "compare":
            return CompareAnswer(
                preferences={
                    one.name: Preference(better=shown.assignment.shown[0], much=True)
                    for one in here.criteria
                }
            )
        case _:
            return CommentAnswer(valid="yes", answered="partly", change="better")


def open_texts(store: Store, here: Sitting, shown: ShownUnit) -> None:
    """Open every text of a set, as an order asks for; of other tasks nothing."""
    if here.task == "rank":
        spot = ListedUnit(here.seat, shown.unit.id, shown.assignment.time)
        for label in shown.unit.labels:
            sitting.open_text(store, here, spot, label)


def rating(criteria: Iterable[Criterion], score: int = 6, **over: Any) -> RateAnswer:
    """Return a rating with this score wherever it is on the scale, else the end that is nearest."""
    criteria = tuple(criteria)
    scores = {one.name: min(max(score, one.ends[0]), one.ends[1]) for one in criteria if one.scored}
    texts = {one.name: f"{score} things." for one in criteria if not one.scored}
    reasons = {one.name: f"Because of {score}." for one in criteria if one.reason == "required"}
    return RateAnswer(**{"scores": scores, "texts": texts, "reasons": reasons, **over})


def say(
    store: Store, here: Sitting, shown: ShownUnit, answer: Answer | None = None, key: str = ""
) -> Receipt:
    """Submit an answer to what is shown."""
    spot = ListedUnit(here.seat, shown.unit.id, shown.assignment.time)
    open_texts(store, here, shown)
    return sitting.submit(
        store,
        here,
        spot,
        shown.stage,
        answer or an_answer(here, shown),
        key or f"{spot.unit}/{spot.time}/{shown.assignment.version}",
        shown.assignment.version,
    )


def work_through(
    store: Store,
    here: Sitting,
    answer: Callable[[Sitting, ShownUnit], Answer] = an_answer,
    units: int | None = None,
) -> int:
    """Answer what is on the list, all stages, or as many units; return how many answers were
    filed.
    """
    filed, done = 0, 0
    while (one := sitting.upcoming(store, here)) and (units is None or done < units):
        shown = sitting.show(store, here, one.unit, one.time)
        done += say(store, here, shown, answer(here, shown)).assignment.done
        filed += 1
    return filed


def finished(store: Store, here: Sitting) -> Sitting:
    """Say what is asked at the end: no familiarity, some confidence, no guesses."""
    said = Afterwards(
        familiarity=1,
        confidence=3,
        human={one.unit.id: "" for one in sitting.sets_to_guess(store, here)},
    )
    return sitting.finish(store, here, said)
