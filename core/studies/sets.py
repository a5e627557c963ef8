"""What is judged at once: single texts, pairs on one topic by different sources, sets that may hide
an idea by people; drawn evenly.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations, groupby, zip_longest
from math import ceil
from typing import NamedTuple

from core.errors import BadInput
from core.records import StudyPlan
from core.studies.picking import Chosen, Pick

LARGEST = 12
"""Texts a set may have: nobody orders more at once."""
MOST_PAIRS = 500_000
Group = tuple[Pick, ...]
Name = tuple[str, str, tuple[str, str], str]
Reasons = dict[Name, str]
"""Why a text is judged nowhere, by its name."""


class UnjudgedText(NamedTuple):
    """A text that is judged nowhere, and why."""

    title: str
    reason: str


class JudgedSets(NamedTuple):
    """What is judged at once, group by group, and what is in none."""

    groups: tuple[Group, ...]
    left_out: tuple[UnjudgedText, ...]


def gather(
    plan: StudyPlan, chosen: Chosen, picks: Sequence[Pick], rng: random.Random
) -> JudgedSets:
    """Return what is judged at once: of rating and commenting each text, of comparing each pair, of
    ranking each set; `chosen.draw` of them, evenly.

    A text that is judged nowhere is named, with the reason.
    """
    reasons: Reasons = {}
    if plan.task == "compare":
        groups = _pair(picks)
        _leave_out(picks, groups, "no text by another source is on its topic", reasons)
    elif plan.task == "rank":
        groups = _make_sets(plan, chosen, picks, rng, reasons)
    else:
        groups = [(pick,) for pick in picks]
    drawn = _draw(groups, chosen.draw, rng)
    _leave_out(picks, drawn, "it was not drawn", reasons)
    left_out = [pick for pick in picks if pick.name in reasons]
    return JudgedSets(
        drawn, tuple(UnjudgedText(pick.key.title, reasons[pick.name]) for pick in left_out)
    )


def _leave_out(
    picks: Iterable[Pick], groups: Iterable[Group], reason: str, reasons: Reasons
) -> None:
    """Note why the texts are judged nowhere that are in no group, unless that is known already."""
    used = {pick.name for group in groups for pick in group}
    for pick in picks:
        if pick.name not in used:
            reasons.setdefault(pick.name, reason)


def _split(picks: Iterable[Pick], by: Callable[[Pick], tuple[str, str]]) -> list[list[Pick]]:
    return [list(alike) for _, alike in groupby(sorted(picks, key=by), by)]


def _split_by_topic(picks: Iterable[Pick]) -> list[list[Pick]]:
    """Return texts that may stand beside one another: those of a set, or else of a topic."""
    return _split(picks, lambda pick: (pick.set, "" if pick.set else pick.key.topic))


def _pair(picks: Sequence[Pick]) -> list[Group]:
    """Return every pair of different texts by different sources (method or model) on one topic;
    raises BadInput for more than can be drawn from.
    """
    topics = _split_by_topic(picks)
    if sum(len(near) ** 2 for near in topics) > 2 * MOST_PAIRS:
        raise BadInput(
            f"These texts make more than {MOST_PAIRS:,} pairs. Choose fewer topics, or fewer"
            " sources."
        )
    pairs = chain.from_iterable(combinations(near, 2) for near in topics)
    return [(a, b) for a, b in pairs if a.source != b.source and a.sha != b.sha]


def _draw(groups: Sequence[Group], n: int | None, rng: random.Random) -> tuple[Group, ...]:
    """Return `n` groups, or all: those first whose sources, then texts, then topic were drawn least
    often; the rest is chance.
    """
    if n is None or n >= len(groups):
        return tuple(groups)
    times: Counter[object] = Counter()

    def cost(group: Group) -> tuple[int, int, int]:
        return (
            sum(times[pick.source] for pick in group),
            sum(times[pick.set, pick.sha] for pick in group),
            times["topic", group[0].key.topic],
        )

    order = rng.sample(range(len(groups)), len(groups))
    waiting = [((0, 0, 0), place, at) for place, at in enumerate(order)]
    heapq.heapify(waiting)
    drawn: list[Group] = []
    while len(drawn) < n:
        known, place, at = heapq.heappop(waiting)
        group = groups[at]
        now = cost(group)
        # Costs only grow, so that one which is still as cheap as when it was written down is the
        # cheapest.
        if now > known:
            heapq.heappush(waiting, (now, place, at))
            continue
        drawn.append(group)
        times.update(pick.source for pick in group)
        times.update((pick.set, pick.sha) for pick in group)
        times["topic", group[0].key.topic] += 1
    return tuple(drawn)


# -- sets --------------------------------------------------------------------------------------


def _make_sets(
    plan: StudyPlan, chosen: Chosen, picks: Sequence[Pick], rng: random.Random, reasons: Reasons
) -> list[Group]:
    """Return the sets, those that were ranked before and those made here; says in `reasons` why a
    text is in none.
    """
    groups: list[Group] = []
    for near in _split_by_topic(picks):
        if near[0].set:
            made = [tuple(near)]
        elif plan.hidden_target:
            made = _hide(near, chosen.per_set, rng)
        else:
            made = _deal(_mix(near, rng), ceil(len(near) / chosen.per_set))
        full = "the sets on its topic were full, or had no idea by people left to hide"
        _leave_out(near, made, full, reasons)
        for group in made:
            if why := _unfit(group, plan.hidden_target):
                _leave_out(group, (), why, reasons)
            else:
                groups.append(group)
    if not plan.hidden_target:
        return groups
    # Of sets that hide the same idea by people one is kept, by chance.
    first: dict[str, int] = {}
    for n in rng.sample(range(len(groups)), len(groups)):
        hidden = next(pick.sha for pick in groups[n] if pick.key.target)
        first.setdefault(hidden, n)
    kept = [groups[n] for n in sorted(first.values())]
    seen_twice = (
        "its set hides an idea by people that another set hides, and who saw it twice would know"
    )
    _leave_out(chain.from_iterable(groups), kept, seen_twice, reasons)
    return kept


def _unfit(group: Group, hidden_target: bool) -> str:
    """Return why a set cannot be ranked, or nothing."""
    if len(group) < 2:
        return "it is alone on its topic, and one text cannot be put in order"
    if len(group) > LARGEST:
        return f"its set has {len(group)} texts; {LARGEST} can be put in order at most"
    people = sum(pick.key.target for pick in group)
    if hidden_target and not people:
        return "no idea by people is on its topic"
    if hidden_target and people > 1:
        return f"its set holds {people} ideas by people, and exactly one is to be found"
    return ""


def _hide(near: Sequence[Pick], per_set: int, rng: random.Random) -> list[Group]:
    """Return sets with one idea by people each, as many as there are texts for; where there is
    none, the texts as one set, which is unfit.
    """
    people = [pick for pick in near if pick.key.target]
    others = _mix([pick for pick in near if not pick.key.target], rng)
    if not people or not others:
        return [tuple(near)]
    beside = per_set - 1
    many = min(len(people), ceil(len(others) / beside))
    hidden = rng.sample(people, many)
    groups = _deal(others[: many * beside], many)
    return [(target, *group) for target, group in zip(hidden, groups, strict=True)]


def _mix(picks: Sequence[Pick], rng: random.Random) -> list[Pick]:
    """Return texts source by source in turn, each source's in an order of chance, so that what is
    cut off is cut off of all alike.
    """
    sources = _split(rng.sample(picks, len(picks)), lambda pick: pick.source)
    turns = chain.from_iterable(zip_longest(*sources))
    return [pick for pick in turns if pick]


def _deal(picks: Sequence[Pick], many: int) -> list[Group]:
    """Return the texts dealt into sets like cards, sources one after the other, so that a set has
    as many sources as can be.
    """
    order = sorted(picks, key=lambda pick: pick.source)
    return [tuple(order[at::many]) for at in range(many)]
