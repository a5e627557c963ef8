"""The fourth stage: each refined idea's novelty against fresh searches, and beside it whether the
refinement did the idea good.
"""

from collections.abc import Mapping
from functools import partial
from statistics import fmean
from typing import NamedTuple

from core.desk import Desk
from core.errors import EmbeddingFailed
from core.methods.inputs import NoveltyInputs, ShortlistInputs
from core.methods.novelty import overruling
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

LONGER = 2.5
"""How many times as long as the first form the last one is, where its length is worth a word. Six
rounds make a whole idea 1.3 to 1.9 times as long on the shelf's topics.
"""
GONE = 0.5
"""How much of what set it apart from the others an idea has lost, where that is worth a word. Six
rounds for the same two qualities take up to 0.30 of it.
"""
SHOWN = 3
"""Nearest works that are told of an idea that no work covers."""


class Moved(NamedTuple):
    """How a refinement moved an idea towards the others; None where that is not known."""

    nearer: float | None = None
    """By how much the mean cosine to them grew."""
    gone: float | None = None
    """How much of its distance from them, 1 less that cosine, went."""


UNMOVED = Moved()


def check_all(
    desk: Desk, asked: ShortlistInputs, ideas: Mapping[int, IdeaSoFar]
) -> tuple[Rechecked, ...]:
    """Check all ideas side by side and show each as it ends."""
    moved = measure_moved(desk, ideas)
    work = [
        partial(check, asked=asked, one=one, moved=moved.get(one.n, UNMOVED))
        for one in ideas.values()
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


def check(desk: Desk, asked: ShortlistInputs, one: IdeaSoFar, moved: Moved) -> Rechecked:
    """Check one idea's novelty and, beside it, its last form against the first."""
    here = desk.at(f"idea-{one.n}")
    title = f"Idea {one.n}, checked again: {one.idea.title}"

    def novelty(at: Desk) -> Worked:
        models = at.bench.config.models
        return at.run("novelty", "novelty", novelty_inputs(asked, one.idea), models, title)

    def forms(at: Desk) -> Overrefined | None:
        if one.idea == one.before:
            return None
        return beside(at, asked.topic, one, moved)

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
        # Code decides, on the last step of all: what a person overruled in the matrix, or nothing.
        made=Place(run=worked.run, place=overruling.KEY),
        risk=verdict.risk.value,
        confidence=verdict.confidence.value,
        coverage=verdict.coverage.value,
    )


# -- over-refinement ---------------------------------------------------------------------------


def measure_moved(desk: Desk, ideas: Mapping[int, IdeaSoFar]) -> dict[int, Moved]:
    """Return how each idea moved towards the others when it was refined; nothing where that cannot
    be told.
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
        before = fmean(first[i][j] for j in others)
        nearer = fmean(last[i][j] for j in others) - before
        gone = round(nearer / (1 - before), 4) if before < 1 else None
        found[n] = Moved(round(nearer, 4), gone)
    return found


def beside(desk: Desk, topic: str, one: IdeaSoFar, moved: Moved) -> Overrefined:
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
        nearer=moved.nearer,
        gone=moved.gone,
        run=met.run,
        failed=met.reason if met.failed else "",
    )
    one_paragraph = one.before.form == "hypothesis"
    return found.model_copy(update={"alarm": alarms(found, written_out=one_paragraph)})


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


def alarms(found: Overrefined, *, written_out: bool = False) -> tuple[str, ...]:
    """Say what speaks for the first form; nothing where nothing does.

    What rules prefer speaks neither for nor against: they understand nothing. Nor does the length
    of what was `written_out` from one paragraph.
    """
    said = []
    judged = found.by == "model"
    if judged and found.last > found.first:
        return ()
    if judged and found.first > found.last:
        said.append(
            f"The first form won: the judge gave it {found.first:g} criteria over both orders, and"
            f" {found.last:g} to the last."
        )
    if found.longer >= LONGER and not written_out:
        won = "without winning" if judged else "and no model could say if it is better"
        said.append(f"The last form is {found.longer:g} times as long as the first, {won}.")
    if found.gone is not None and found.gone >= GONE:
        said.append(
            "The last form is more like the other ideas than the first was:"
            f" {found.gone:.0%} of what set it apart is gone, by mean cosine."
        )
    return tuple(said)
