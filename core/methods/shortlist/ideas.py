"""The ideas of a shortlist as they stand after each stage: what is known of every one, kept by pure
code, so that the run and whoever looks at it come to the same.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.errors import BadInput
from core.records import (
    Choices,
    Explored,
    Idea,
    ListedIdea,
    Parted,
    Place,
    RatedIdeas,
    Rechecked,
    RefinedIdea,
    SetAside,
    Stage,
    Stood,
)


class IdeaSoFar(NamedTuple):
    """One idea, from where it came in to where it is now."""

    n: int
    stage: Stage
    """The stage it is in, or in which it ended."""
    listed: ListedIdea
    """Its first form, where it comes from, and what the chain's check says of it."""
    idea: Idea
    """Its newest form: while it is refined, that of the last round that ended."""
    made: Place | None
    """The step that wrote the newest form; None for a person's own words."""
    before: Idea
    """The form that came into the refinement: what is put back; the newest, until it is refined."""
    made_before: Place | None
    """The step that wrote that form."""
    pinned: bool = False
    put_back: bool = False
    """Whether a person put the form before the refinement back."""
    aside: SetAside | None = None
    """Why it goes no further; None for one that is still in."""
    absorbed: tuple[int, ...] = ()
    """Ideas that say the same, and for which it stands."""
    refined: RefinedIdea | None = None
    rechecked: Rechecked | None = None
    stood: Stood | None = None
    """How it stands among the others; None until they were compared."""


Ideas = Mapping[int, IdeaSoFar]
"""All ideas there are or were, by number."""


def going(ideas: Ideas) -> dict[int, IdeaSoFar]:
    """Return the ideas that are still in, by number."""
    return {n: ideas[n] for n in sorted(ideas) if ideas[n].aside is None}


def with_explored(explored: Explored) -> Ideas:
    """Return the ideas that a shortlist begins with."""
    return {one.n: _entered(one, "explore") for one in explored.ideas}


def _entered(listed: ListedIdea, stage: Stage) -> IdeaSoFar:
    idea, made = listed.idea, listed.made
    return IdeaSoFar(listed.n, stage, listed, idea, made, before=idea, made_before=made)


def enter(ideas: Ideas, stage: Stage) -> Ideas:
    """Return the ideas with those that are still in moved to a stage."""
    return {n: one if one.aside else one._replace(stage=stage) for n, one in ideas.items()}


def with_parted(ideas: Ideas, parted: Parted) -> Ideas:
    """Return the ideas with those set aside that were known already, or said the same as others."""
    after = _set_aside(ideas, parted.aside)
    for one in parted.joined:
        after[one.survivor] = after[one.survivor]._replace(absorbed=one.absorbed)
    return after


def with_refined(ideas: Ideas, refined: Iterable[RefinedIdea]) -> Ideas:
    """Return the ideas in the form in which their refinements left them."""
    after = dict(ideas)
    for one in refined:
        held = after[one.n]
        after[one.n] = held._replace(refined=one, idea=one.idea, made=one.made or held.made)
    return after


def with_rechecked(ideas: Ideas, rechecked: Iterable[Rechecked]) -> Ideas:
    """Return the ideas with what fresh searches found of them."""
    after = dict(ideas)
    for one in rechecked:
        after[one.n] = after[one.n]._replace(rechecked=one)
    return after


def with_rated(ideas: Ideas, rated: RatedIdeas) -> Ideas:
    """Return the ideas with how they stand among one another."""
    after = _set_aside(ideas, rated.aside)
    for one in rated.order:
        after[one.n] = after[one.n]._replace(stood=one)
    return after


def _set_aside(ideas: Ideas, aside: Iterable[SetAside]) -> dict[int, IdeaSoFar]:
    after = dict(ideas)
    for one in aside:
        after[one.n] = after[one.n]._replace(aside=one, stage=one.stage)
    return after


def with_choices(ideas: Ideas, stage: Stage, choices: Choices) -> Ideas:
    """Return the ideas as a person left them after a stage: what was dropped is set aside, what was
    added has the next numbers. Raises BadInput for an idea that never was there.

    What is said of an idea that is out already changes nothing: in a fork it may have gone earlier.
    """
    if unknown := choices.named - ideas.keys():
        there = ", ".join(map(str, going(ideas)))
        raise BadInput(
            f"After the stage {stage!r} there is no idea {min(unknown)} to choose; there are"
            f" {there}."
        )
    who = choices.by or "a person"
    after, left = dict(ideas), going(ideas).keys()
    for n in choices.put_back:
        if n in left:
            held = after[n]
            after[n] = held._replace(put_back=True, idea=held.before, made=held.made_before)
    for edit in choices.edited:
        if edit.n in left:
            after[edit.n] = after[edit.n]._replace(idea=edit.idea, made=None)
    for n in choices.pinned:
        if n in left:
            after[n] = after[n]._replace(pinned=True)
    dropped = (
        SetAside(n=n, stage=stage, why="dropped", reason=f"Dropped by {who}.")
        for n in choices.dropped
        if n in left
    )
    after = _set_aside(after, dropped)
    for n, idea in enumerate(choices.added, max(after, default=0) + 1):
        listed = ListedIdea(n=n, idea=idea, origin="person", source=f"added by {who}")
        after[n] = _entered(listed, stage)
    return after


def before_refining(ideas: Ideas) -> Ideas:
    """Return the ideas with their present form kept as the one that comes into the refinement."""
    return {n: one._replace(before=one.idea, made_before=one.made) for n, one in ideas.items()}


def check_of(one: IdeaSoFar) -> Rechecked | None:
    """Return what fresh searches found of an idea as it is now; None where they were made for
    another form of it, or failed.
    """
    checked = one.rechecked
    if checked is None or checked.state is None or checked.sha != one.idea.digest():
        return None
    return checked


def by_checks(one: IdeaSoFar) -> tuple[float, float, int]:
    """Return what sorts ideas that nobody compared: the verdict of the fresh searches, or of the
    chain's own check, then the risk that it is known, then the number.
    """
    checked = check_of(one)
    if checked is None or checked.state is None:
        return (2.5 if one.listed.known else 1.5, 1.0, one.n)
    ranks = {
        "nothing found": 0,
        "new in part": 1,
        "inconclusive": 2,
        "combination": 3,
        "anticipated": 4,
    }
    risk = 1.0 if checked.risk is None else checked.risk
    return (ranks[checked.state], risk, one.n)
