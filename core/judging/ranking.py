"""Relative quality ranking: where a target's idea stands among ours, shuffled and relabelled for
every call (InfAL, section 3.3).
"""

import random
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean
from string import ascii_uppercase

from core.desk import Desk
from core.errors import CannotAnswer, FoundryError, ModelFailed, attempt
from core.records import (
    Idea,
    Indicator,
    Labelled,
    PersonPlacement,
    Placement,
    Ranked,
    SixFields,
    Standing,
    digest,
)

PROMPTS = ("rank", "six-fields")
UNRANKED = (ModelFailed, CannotAnswer)
"""What may become of a ranking without ending the run: recorded, and said where the standing would
be.
"""
TARGET = "target"
"""What the target is called where the order is recorded; the judge never sees it."""


def in_form(desk: Desk, idea: Idea, same_form: bool = True) -> Idea:
    """Return the idea in six fields, so that form does not decide a ranking; as it is, where it has
    them or nobody asked. Raises UNRANKED, recorded.
    """
    if idea.form == "six-field" or not same_form:
        return idea
    return desk.ask("six-fields", SixFields, role="judge", recorded=UNRANKED, idea=idea).as_idea()


def stand(
    desk: Desk,
    area: str,
    goal: Indicator,
    ideas: Mapping[str, Idea],
    target: Idea,
    repeats: int,
    round_: int | None = None,
) -> Standing:
    """Rank the ideas and the target by one indicator, `repeats` times side by side, and return Q
    over the rankings that came about.
    """
    return standing(goal, tries(desk, area, goal, {**ideas, TARGET: target}, repeats), round_)


def tries(
    desk: Desk,
    area: str,
    goal: Indicator,
    ideas: Mapping[str, Idea],
    repeats: int,
    role: str = "judge",
) -> tuple[Ranked | FoundryError, ...]:
    """Rank ideas by one indicator, `repeats` times side by side; a ranking that failed stands as
    its failure, which is recorded.
    """

    def once(here: Desk, repeat: int) -> Ranked | FoundryError:
        return attempt(UNRANKED, rank, here, area, goal, ideas, repeat, role)

    places = {f"repeat-{n}": n for n in range(1, repeats + 1)}
    return desk.at_each(once, places)


def standing(
    goal: Indicator, tried: Sequence[Ranked | FoundryError], round_: int | None = None
) -> Standing:
    """Return Q over the rankings that came about and held a target; without one the order is all
    there is.
    """
    rankings = tuple(one for one in tried if isinstance(one, Ranked))
    failed = [one for one in tried if isinstance(one, FoundryError)]
    reason = f"{len(failed)} of {len(tried)} rankings failed. {failed[0]}" if failed else ""
    aimed = [q_of(one) for one in rankings if TARGET in one.shown]
    return Standing(
        goal=goal.name,
        q=fmean(aimed) if aimed else None,
        rankings=rankings,
        reason=reason,
        round=round_,
    )


def q_of(ranked: Ranked) -> float:
    """Return Q = (n_t - 1) / n of one ranking: 0 with the target best, 1 with it worst (InfAL,
    equation 5).
    """
    return ranked.best_first.index(TARGET) / (len(ranked.best_first) - 1)


def rank(
    desk: Desk,
    area: str,
    goal: Indicator,
    ideas: Mapping[str, Idea],
    repeat: int,
    role: str = "judge",
) -> Ranked:
    """Rank ideas once; the order they are shown in changes with every repeat. Raises UNRANKED,
    recorded.
    """
    labels, candidates = _label(desk, ideas, repeat)

    def check_permutation(placement: Placement) -> None:
        if sorted(one.label.strip() for one in placement.places) != sorted(labels):
            raise ValueError(f"name each of {', '.join(labels)} exactly once, best first")

    placement = desk.ask(
        "rank",
        Placement,
        role=role,
        check=check_permutation,
        recorded=UNRANKED,
        area=area,
        goal=goal,
        candidates=candidates,
    )
    return _ranked(labels, placement)


def rank_by_person(desk: Desk, area: str, goal: Indicator, ideas: Mapping[str, Idea]) -> Ranked:
    """Have a person rank ideas once, as blind as a judge: under letters, shuffled, by text alone.
    Raises Waiting.
    """
    labels, candidates = _label(desk, ideas, 1)
    placement = desk.person(
        "rank",
        PersonPlacement,
        area=area,
        goal=goal.model_dump(mode="json"),
        candidates=[one.model_dump(mode="json") for one in candidates],
    )
    return _ranked(labels, placement)


def _label(
    desk: Desk, ideas: Mapping[str, Idea], repeat: int
) -> tuple[dict[str, str], tuple[Labelled, ...]]:
    """Return which idea stands under which letter, and the ideas as a judge sees them."""
    shown = order(sorted(ideas), desk.bench.config.seed, desk.place, repeat)
    labels = dict(zip(ascii_uppercase, shown, strict=False))
    return labels, tuple(Labelled(label=one, idea=ideas[name]) for one, name in labels.items())


def _ranked(labels: Mapping[str, str], placement: Placement | PersonPlacement) -> Ranked:
    """Return the order that a judge put the letters in, by the ideas' names."""
    return Ranked(
        shown=tuple(labels.values()),
        best_first=tuple(labels[one.label.strip()] for one in placement.places),
        reasons=tuple(one.reason for one in placement.places),
    )


def agreement(one: Standing, other: Standing) -> float | None:
    """Return A(Q) = 1 - |Q - Q'|, the mean over all pairs of their rankings, to compare with
    `by_chance`; None without a target.
    """
    ours = [q_of(ranked) for ranked in one.rankings if TARGET in ranked.shown]
    theirs = [q_of(ranked) for ranked in other.rankings if TARGET in ranked.shown]
    near = [1 - abs(a - b) for a, b in product(ours, theirs)]
    return fmean(near) if near else None


def by_chance(ideas: int) -> float:
    """Return the expected A(Q) of two rankings that place the target at random:
    1 - (m + 1) / 3m with m = ideas + 1 places.
    """
    return 1 - (ideas + 2) / (3 * (ideas + 1))


def order(names: list[str], seed: int, place: str, repeat: int) -> tuple[str, ...]:
    """Return the names shuffled by the run's seed and rotated by one per repeat: over as many
    repeats as there are names, or a multiple, each takes every place equally often.
    """
    shuffled = list(names)
    above = place.rsplit("/", 1)[0]
    random.Random(digest([seed, above])).shuffle(shuffled)
    turn = repeat % len(shuffled)
    return (*shuffled[turn:], *shuffled[:turn])
