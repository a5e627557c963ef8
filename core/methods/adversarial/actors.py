"""The actors of a refinement, each played by a model or by a person in its place: what they are
shown, what they say.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from core.desk import Desk
from core.prompts.wording import worded
from core.records import (
    Actor,
    Effect,
    Fate,
    Heard,
    Hypothesis,
    Idea,
    Indicator,
    Paper,
    PlannedHypothesis,
    Play,
    Record,
    Reflection,
    Review,
    RevisedIdea,
    Revision,
    SideEffect,
    Variant,
    Verdict,
    Wish,
    part,
)

T = TypeVar("T", bound=BaseModel)
NAMES: dict[Actor, str] = {
    "generator": "generator",
    "optimizer": "optimizer",
    "discriminator": "discriminator",
}
EARLIER_NAMES: dict[Actor, str] = {
    "generator": "proposer",
    "optimizer": "reviewer",
    "discriminator": "area chair",
}
PASTED = 40
"""Minimum length of a remark that counts as copied into the idea word for word."""
PROMPTS = ("first-idea", "review", "revise", "verdict", "self-review", "reflect", "side-effect")


class Game(Record):
    """What all players know (InfAL, section 3.1): the background x and the field."""

    topic: str
    area: str
    context: tuple[Paper, ...] = ()


def ask(
    desk: Desk,
    game: Game,
    role: Actor,
    prompt: str,
    returns: type[T],
    play: Play | None = None,
    **values: Any,
) -> T:
    """Ask the model that plays a role, told the field and the background, and, where the `play` is
    given, what it is called in it.
    """
    if play:
        values["you"] = names(play.variant)[role]
    return desk.ask(prompt, returns, role=role, area=game.area, context=game.context, **values)


def names(variant: Variant) -> Mapping[Actor, str]:
    """Return what the actors are called: InfAL's names, or those of its earlier form."""
    return EARLIER_NAMES if variant == "review-rebuttal" else NAMES


def propose(desk: Desk, game: Game, play: Play) -> Idea:
    """Generator: write y0, one paragraph, from the background; a model that does not think by
    itself plans first, and the plan is thrown away.
    """
    if "generator" in play.people:
        return desk.person("first-idea", Hypothesis, topic=game.topic).as_idea()
    form: type[Hypothesis | PlannedHypothesis] = Hypothesis
    if desk.plans("generator"):
        form = PlannedHypothesis
    return ask(
        desk,
        game,
        "generator",
        "first-idea",
        form,
        play,
        topic=game.topic,
        goal=" and ".join(map(worded, play.goals)),
    ).as_idea()


def critique(
    desk: Desk, game: Game, play: Play, goal: Indicator, idea: Idea, past: tuple[Fate, ...]
) -> Review | None:
    """Optimizer: write the textual gradient r_i of y_i, shown what became of its earlier remarks;
    None where no optimizer plays.

    A remark that repeats an answered or declined one to the letter is left out, unless it is all
    there is.
    """
    if play.variant == "no-optimizer":
        return None
    if play.variant == "self-reflection":
        return ask(
            desk, game, "generator", "self-review", Review, goal=goal, idea=idea, earlier=past
        )
    if "optimizer" in play.people:
        return desk.person("review", Review, goal=plain(goal), idea=plain(idea))
    review = ask(
        desk, game, "optimizer", "review", Review, play, goal=goal, idea=idea, earlier=past
    )
    if desk.edition == 1:
        return review
    settled = {spelled(fate.remark.text) for fate in past if fate.became != "open"}
    fresh = tuple(remark for remark in review.remarks if spelled(remark.text) not in settled)
    return review.model_copy(update={"remarks": fresh}) if fresh else review


def spelled(text: str) -> str:
    """Normalize case and spacing of a text for comparison."""
    return " ".join(text.casefold().split())


def fates(n: int, review: Review, declined: frozenset[str], revision: Revision) -> tuple[Fate, ...]:
    """Say what became of the remarks of round n's review: answered as the generator says, declined
    by a person, or open.
    """
    became: dict[str, Literal["answered", "declined"]] = {}
    for change in revision.changes:
        became |= dict.fromkeys(change.remarks, "answered")
    became |= dict.fromkeys(declined, "declined")
    return tuple(
        Fate(round=n, remark=remark, became=became.get(remark.id, "open"))
        for remark in review.remarks
    )


def refuse_pasted(review: Heard | None, revised: RevisedIdea) -> None:
    """Raise ValueError for a revision that holds a remark instead of an answer to it: its id in
    brackets, or its words.
    """
    idea = revised.as_revision().idea.text
    plain_idea = spelled(idea)
    for remark in review.remarks if review else ():
        if f"[{remark.id}]" in idea or f"({remark.id})" in idea:
            raise ValueError(
                f"the idea names the remark {remark.id}; answer it by what the idea says, and name"
                " remarks in `changes` only"
            )
        if len(remark.text) >= PASTED and spelled(remark.text) in plain_idea:
            raise ValueError(
                f"the idea holds the words of the remark {remark.id}; answer it by what the idea"
                " says instead of repeating it"
            )


def revise(
    desk: Desk,
    game: Game,
    play: Play,
    goal: Indicator,
    idea: Idea,
    review: Heard | None,
    wishes: tuple[Wish, ...],
) -> Revision:
    """Generator: write y_{i+1} from y_i, from what of r_i was not declined, and from what a person
    asked for meanwhile.
    """
    if "generator" in play.people:
        return desk.person(
            "revise",
            RevisedIdea,
            goal=plain(goal),
            idea=plain(idea),
            review=plain(review),
            wishes=[plain(wish) for wish in wishes],
        ).as_revision()
    return ask(
        desk,
        game,
        "generator",
        "revise",
        RevisedIdea,
        play,
        check=partial(refuse_pasted, review) if desk.edition > 1 else None,
        goal=goal,
        idea=idea,
        review=review,
        wishes=wishes,
    ).as_revision()


def judge(
    desk: Desk,
    game: Game,
    play: Play,
    goal: Indicator,
    older: Idea,
    review: Heard | None,
    newer: Idea,
) -> Verdict | None:
    """Discriminator: say whether y_{i+1} significantly improves on y_i; InfAL's reads r_i too, the
    area chair of Review & Rebuttal does not.
    """
    if play.variant == "no-discriminator":
        return None
    read = None if play.variant == "review-rebuttal" else review
    if "discriminator" in play.people:
        return desk.person(
            "verdict",
            Verdict,
            goal=plain(goal),
            older=plain(older),
            newer=plain(newer),
            review=plain(read),
        )
    return ask(
        desk,
        game,
        "discriminator",
        "verdict",
        Verdict,
        play,
        goal=goal,
        older=older,
        review=read,
        newer=newer,
    )


def reflect(
    desk: Desk,
    game: Game,
    goal: Indicator,
    upcoming: Indicator,
    older: Idea,
    newer: Idea,
    past: tuple[Fate, ...],
) -> tuple[Verdict, Review]:
    """Generator, alone: say whether its own revision improved, and criticise it again (the
    self-reflection baseline, InfAL section 4.2).
    """
    reflection = ask(
        desk,
        game,
        "generator",
        "reflect",
        Reflection,
        goal=goal,
        upcoming=upcoming,
        older=older,
        newer=newer,
        earlier=past,
    )
    verdict = Verdict(improved=reflection.improved, reason=reflection.reason)
    return verdict, reflection.review


def side_effects(
    desk: Desk, game: Game, play: Play, goal: Indicator, older: Idea, newer: Idea
) -> tuple[Effect, ...]:
    """Discriminator: say what the revision did to the other qualities of the game, side by side."""
    others = {place_of(other): other for other in play.goals if other.name != goal.name}
    ideas = {"older": older, "newer": newer}

    def effect(here: Desk, other: Indicator) -> Effect:
        ask_here = partial(ask, here, game, "discriminator", "side-effect", SideEffect, play)
        return Effect(goal=other.name, said=ask_here(goal=other, **ideas))

    if not others or play.variant in ("no-discriminator", "self-reflection"):
        return ()
    return desk.at_each(effect, others)


def place_of(goal: Indicator) -> str:
    """Return the name of a quality as a part of a path; two names never share one."""
    return part(goal.name)


def plain(record: Record | None) -> dict[str, object] | None:
    """Return a record as a person's question holds it: plain JSON."""
    return record.model_dump(mode="json") if record else None
