"""What is judged at once: single texts, pairs on one topic by different sources, sets that may hide
an idea by people; drawn evenly.
"""

import heapq
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
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


def gathered(
    plan: StudyPlan, chosen: Chosen, picks: Sequence[Pick], rng: random.Random
) -> JudgedSets:
    """Return what is judged at once: of rating and commenting each text, of comparing each pair, of
    ranking each set; `chosen.draw` of them, evenly.

    A text that is judged nowhere is named, with the reason.
    """
    reasons: Reasons = {}
    if plan.task == "compare":
        groups = _pairs(picks)
        reasons = dict.fromkeys(
            {one.name for one in picks} - _names(groups),
            "no text by another source is on its topic",
        )
    elif plan.task == "rank":
        groups = _ranked(plan, chosen, picks, rng, reasons)
    else:
        groups = [(one,) for one in picks]
    drawn = _drawn(groups, chosen.draw, rng)
    used = _names(drawn)
    return JudgedSets(
        drawn,
        tuple(
            UnjudgedText(one.key.title, reasons.get(one.name, "it was not drawn"))
            for one in picks
            if one.name not in used
        ),
    )


def _names(groups: Iterable[Group]) -> set[Name]:
    return {one.name for group in groups for one in group}


def _by_topic(picks: Sequence[Pick]) -> dict[tuple[str, str], list[Pick]]:
    """Return texts that may stand beside one another: those of a set, or else of a topic."""
    found: dict[tuple[str, str], list[Pick]] = defaultdict(list)
    for one in picks:
        found[one.set, "" if one.set else one.key.topic].append(one)
    return dict(sorted(found.items()))


def _pairs(picks: Sequence[Pick]) -> list[Group]:
    """Return every pair of different texts by different sources (method or model) on one topic;
    raises BadInput for more than can be drawn from.
    """
    together = _by_topic(picks).values()
    if sum(len(near) ** 2 for near in together) > 2 * MOST_PAIRS:
        raise BadInput(
            f"These texts make more than {MOST_PAIRS:,} pairs. Choose fewer topics, or fewer"
            " sources."
        )
    return [
        (a, b)
        for near in together
        for a, b in combinations(near, 2)
        if a.source != b.source and a.sha != b.sha
    ]


def _drawn(groups: Sequence[Group], n: int | None, rng: random.Random) -> tuple[Group, ...]:
    """Return `n` groups, or all: those first whose sources, then texts, then topic were drawn least
    often; the rest is chance.
    """
    if n is None or n >= len(groups):
        return tuple(groups)
    times: Counter[object] = Counter()

    def cost(group: Group) -> tuple[int, int, int]:
        return (
            sum(times[one.source] for one in group),
            sum(times[one.set, one.sha] for one in group),
            times["topic", group[0].key.topic],
        )

    order = rng.sample(range(len(groups)), len(groups))
    waiting = [((0, 0, 0), place, at) for place, at in enumerate(order)]
    heapq.heapify(waiting)
    taken: list[Group] = []
    while len(taken) < n:
        known, place, at = heapq.heappop(waiting)
        # Costs only grow, so that one which is still as cheap as when it was written down is the
        # cheapest.
        if (now := cost(groups[at])) > known:
            heapq.heappush(waiting, (now, place, at))
            continue
        taken.append(groups[at])
        times.update(one.source for one in groups[at])
        times.update((one.set, one.sha) for one in groups[at])
        times["topic", groups[at][0].key.topic] += 1
    return tuple(taken)


# -- sets --------------------------------------------------------------------------------------


def _ranked(
    plan: StudyPlan, chosen: Chosen, picks: Sequence[Pick], rng: random.Random, reasons: Reasons
) -> list[Group]:
    """Return the sets, those that were ranked before and those made here; says in `reasons` why a
    text is in none.
    """
    groups: list[Group] = []
    for (set_, _), near in _by_topic(picks).items():
        if set_:
            made = [tuple(near)]
        elif plan.hidden_target:
            made = _hiding(near, chosen.per_set, rng)
        else:
            made = _dealt(_mixed(near, rng), ceil(len(near) / chosen.per_set))
        reasons |= dict.fromkeys(
            {one.name for one in near} - _names(made),
            "the sets on its topic were full, or had no idea by people left to hide",
        )
        for group in made:
            if why := _unfit(group, plan.hidden_target):
                reasons |= dict.fromkeys(_names([group]), why)
            else:
                groups.append(group)
    return _met_once(groups, rng, reasons) if plan.hidden_target else groups


def _unfit(group: Group, hidden_target: bool) -> str:
    """Return why a set cannot be ranked, or nothing."""
    if len(group) < 2:
        return "it is alone on its topic, and one text cannot be put in order"
    if len(group) > LARGEST:
        return f"its set has {len(group)} texts; {LARGEST} can be put in order at most"
    people = sum(one.key.target for one in group)
    if hidden_target and not people:
        return "no idea by people is on its topic"
    if hidden_target and people > 1:
        return f"its set holds {people} ideas by people, and exactly one is to be found"
    return ""


def _hiding(near: Sequence[Pick], per_set: int, rng: random.Random) -> list[Group]:
    """Return sets with one idea by people each, as many as there are texts for; where there is
    none, the texts as one set, which is unfit.
    """
    people = [one for one in near if one.key.target]
    others = _mixed([one for one in near if not one.key.target], rng)
    if not people or not others:
        return [tuple(near)]
    many = min(len(people), ceil(len(others) / (per_set - 1)))
    dealt = _dealt(others[: many * (per_set - 1)], many)
    return [(one, *group) for one, group in zip(rng.sample(people, many), dealt, strict=True)]


def _mixed(picks: Sequence[Pick], rng: random.Random) -> list[Pick]:
    """Return texts source by source in turn, each source's in an order of chance, so that what is
    cut off is cut off of all alike.
    """
    by_source: dict[tuple[str, str], list[Pick]] = defaultdict(list)
    for one in rng.sample(picks, len(picks)):
        by_source[one.source].append(one)
    rows = [by_source[name] for name in sorted(by_source)]
    return [row[n] for n in range(max(map(len, rows), default=0)) for row in rows if n < len(row)]


def _dealt(picks: Sequence[Pick], many: int) -> list[Group]:
    """Return the texts dealt into sets like cards, sources one after the other, so that a set has
    as many sources as can be.
    """
    order = sorted(range(len(picks)), key=lambda n: (picks[n].source, n))
    return [tuple(picks[n] for n in order[at::many]) for at in range(many)]


def _met_once(groups: Sequence[Group], rng: random.Random, reasons: Reasons) -> list[Group]:
    """Return sets of which no two hide the same idea by people, chosen by chance: who saw it twice
    would know.
    """
    first: dict[str, int] = {}
    for n in rng.sample(range(len(groups)), len(groups)):
        first.setdefault(next(one.sha for one in groups[n] if one.key.target), n)
    kept = [group for n, group in enumerate(groups) if n in first.values()]
    for group in groups:
        if group not in kept:
            reasons |= dict.fromkeys(
                _names([group]),
                "its set hides an idea by people that another set hides, and who saw it twice would"
                " know",
            )
    return kept
