"""The fourth stage: each refined idea's novelty against fresh searches, and beside it whether the
refinement did the idea good.
"""

from collections.abc import Mapping
from functools import partial

from core.desk import Desk
from core.errors import EmbeddingFailed
from core.methods.inputs import NoveltyInputs, ShortlistInputs
from core.methods.shortlist import meetings
from core.methods.shortlist.ideas import IdeaSoFar
from core.records import (
    ClaimsVerdict,
    Idea,
    NoveltyMatrix,
    Overrefined,
    Place,
    Rechecked,
    Worked,
)
from core.store import Store
from core.story import Story

LONGER = 1.5
"""How many times as long as the first form the last one is, where its length is worth a word."""
NEARER = 0.05
"""How much more an idea is like the others than before, as a mean cosine, where that is."""
SHOWN = 3
"""Nearest works that are told of an idea that no work covers."""


def check_all(
    desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar]
) -> tuple[Rechecked, ...]:
    """Check all ideas side by side and show each as it ends."""
    nearer = measure_nearer(desk, ideas)
    work = [
        partial(check, asked=asked, one=one, nearer=nearer.get(one.n)) for one in ideas.values()
    ]
    return desk.each(work, asked.at_once)


def novelty_inputs(asked: ShortlistInputs, idea: Idea) -> NoveltyInputs:
    """Return what the check of a refined idea is asked for."""
    return NoveltyInputs(
        topic=asked.topic,
        before=asked.before,
        ban=asked.ban,
        idea=idea,
        dated=asked.dated,
        papers=asked.papers,
        full_text=asked.full_text,
    )


def check(desk: Desk, asked: ShortlistInputs, one: IdeaSoFar, nearer: float | None) -> Rechecked:
    """Check one idea's novelty and, beside it, its last form against the first."""
    here = desk.at(f"idea-{one.n}")
    title = f"Idea {one.n}, checked again: {one.idea.title}"

    def novelty(at: Desk) -> Worked:
        models = at.bench.config.models
        return at.run("novelty", "novelty", novelty_inputs(asked, one.idea), models, title)

    def forms(at: Desk) -> Overrefined | None:
        if one.idea == one.before:
            return None
        return beside(at, asked.topic, one, nearer)

    worked, compared = here.all(novelty, forms)
    found = {"compared": compared, "sha": one.idea.digest()}
    checked = of_check(here.bench.store, one.n, worked).model_copy(update=found)
    here.show(checked)
    return checked


def of_check(store: Store, n: int, worked: Worked) -> Rechecked:
    """Return what a novelty check came to."""
    if worked.state == "failed":
        return Rechecked(n=n, run=worked.run, failed=f"The check failed: {worked.reason}")
    story = Story.of(store, worked.run)
    verdict, matrix = story.last(ClaimsVerdict), story.last(NoveltyMatrix)
    if verdict is None or matrix is None:
        return Rechecked(n=n, run=worked.run, failed="The check came to no verdict.")
    names = verdict.works or tuple(work.id for work in matrix.works[:SHOWN])
    return Rechecked(
        n=n,
        run=worked.run,
        state=verdict.state,
        sentence=verdict.sentence,
        works=tuple(matrix.work(name).paper for name in names),
        made=Place(run=worked.run, place=story.place(ClaimsVerdict) or ""),
        risk=verdict.risk.value,
        confidence=verdict.confidence.value,
        coverage=verdict.coverage.value,
    )


# -- over-refinement ---------------------------------------------------------------------------


def measure_nearer(desk: Desk, ideas: Mapping[int, IdeaSoFar]) -> dict[int, float]:
    """Return by how much each idea is more like the others than before it was refined, as a mean
    cosine; nothing where that cannot be told.
    """
    numbers = sorted(ideas)
    if len(numbers) < 2 or all(one.idea == one.before for one in ideas.values()):
        return {}
    try:
        first = desk.closeness("first-forms", tuple(ideas[n].before.text for n in numbers))
        last = desk.closeness("last-forms", tuple(ideas[n].idea.text for n in numbers))
    except EmbeddingFailed:
        return {}
    found = {}
    for i, n in enumerate(numbers):
        others = [j for j in range(len(numbers)) if j != i]
        moved = sum(last[i][j] - first[i][j] for j in others)
        found[n] = round(moved / len(others), 4)
    return found


def beside(desk: Desk, topic: str, one: IdeaSoFar, nearer: float | None) -> Overrefined:
    """Compare the first with the last form, blind and in both orders, and say what speaks for the
    first.
    """
    by = meetings.compared_by(desk)
    met = meetings.Met(failed=True, reason="Nobody could compare the two forms.")
    if by == "model":
        met = _in_arena(desk, topic, one)
    elif by == "rules":
        met = meetings.by_rules(desk.at("forms"), topic, one.before, one.idea)
    longer = round(len(one.idea.text) / len(one.before.text), 2)
    found = Overrefined(
        n=one.n,
        by="nobody" if met.failed else by,
        first=met.won_a,
        last=met.won_b,
        longer=longer,
        nearer=nearer,
        run=met.run,
        failed=met.reason if met.failed else "",
    )
    return found.model_copy(update={"alarm": alarms(found)})


def _in_arena(desk: Desk, topic: str, one: IdeaSoFar) -> meetings.Met:
    """Return how the first form (a) and the last (b) came out of an arena of their own, where
    neither name tells which is which.
    """
    forms = {"first": one.before, "last": one.idea}
    order = sorted(forms, key=lambda name: forms[name].digest())
    names = {name: f"Form {letter}" for name, letter in zip(order, "AB", strict=True)}
    title = f"Idea {one.n}, two forms of it"
    shown = {names[name]: forms[name] for name in order}
    worked = meetings.arena(desk, "forms", topic, shown, title)
    met = meetings.met_in(desk.bench.store, worked, tuple(shown))["Form A", "Form B"]
    return met if order[0] == "first" else met.turned()


def alarms(found: Overrefined) -> tuple[str, ...]:
    """Say what speaks for the first form; nothing where nothing does."""
    said = []
    better = found.by != "nobody" and found.last > found.first
    if found.by != "nobody" and found.first > found.last:
        who = "the judge" if found.by == "model" else "the built-in model's rules"
        said.append(
            f"The first form won: {who} gave it {found.first:g} criteria over both orders, and"
            f" {found.last:g} to the last."
        )
    if found.longer >= LONGER and not better:
        won = "without winning" if found.by != "nobody" else "and nobody could say if it is better"
        said.append(f"The last form is {found.longer:g} times as long as the first, {won}.")
    if found.nearer is not None and found.nearer >= NEARER and not better:
        said.append(
            "The last form is more like the other ideas than the first was: by"
            f" {found.nearer:.2f} in the mean cosine."
        )
    return tuple(said)
