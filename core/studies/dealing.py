"""Who is given which units, in which order and on which side: even loads, overlap exact, sides
balanced; all of it drawn by chance from the study's seed.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import ceil
from string import ascii_uppercase
from types import MappingProxyType
from typing import NamedTuple

from core.records import Assignment, ItemKey, StudyPlan, StudyUnit, UnitKey
from core.store.studies.work import ListedUnit, ListStanding
from core.studies.sharing import bundle, find_way, share

LETTERS = [letter for letter in ascii_uppercase if letter not in "EIO"]
"""Without those that look like figures, and without E: experts are E1, E2 ... in figures."""
FAR = 3
"""A repeat comes at least one FAR-th of the list after the first time."""


class Dealt(NamedTuple):
    new: tuple[Assignment, ...]
    gone: tuple[ListedUnit, ...]
    """Taken off lists, or put elsewhere on the same one."""


Pair = tuple[str, ...]
"""Two labels, left and right."""


class SessionUnits(NamedTuple):
    """What every list of a session is made from."""

    plan: StudyPlan
    units: dict[str, StudyUnit]
    attention: tuple[str, ...]
    sources: dict[str, str]
    """By label: method and model, as pairs are made of; the label itself where neither is known."""
    labels: frozenset[str]


def deal(
    plan: StudyPlan,
    units: Sequence[StudyUnit],
    unit_keys: Mapping[str, UnitKey],
    item_keys: Mapping[str, ItemKey],
    seats: Sequence[str],
    lists: Sequence[ListStanding] = (),
    most: Mapping[str, int] = MappingProxyType({}),
) -> Dealt:
    """Bring the lists of experts to what they should be; what is already right stays untouched, and
    what a seat has opened stays with it.

    `seats` are those that can work; `lists` hold what is on anybody's list now: of other seats,
    only units that are done count. Every work unit is put on `plan.overlap` lists, or on all there
    are if fewer. Loads differ by one bundle at most, unless opened units hold them apart; among
    equally loaded seats those go first that share fewest units with the others. A list is a seat's
    work by chance, the attention units, and `plan.repeats` of its own units again (half of them at
    most). On a seat's list every source of compared pairs stands as often left as right, give or
    take one; first times are counted, and the second has its sides swapped. `most` says, by seat,
    how long a list may become, repeats and attention units too; what finds no room is on fewer
    lists.
    """
    session = _read(plan, units, unit_keys, item_keys)
    work = {unit.id: unit for unit in units if unit.id not in session.attention}
    chance = random.Random(f"{plan.seed}/{'/'.join(sorted(seats))}")
    checks = min(plan.attention, len(session.attention))
    room = {seat: work_within(length, plan.repeats, checks) for seat, length in most.items()}
    holds = share(plan.overlap, work, seats, lists, chance, room)
    before: dict[str, list[ListStanding]] = defaultdict(list)
    for one in lists:
        before[one.seat].append(one)
    new: list[Assignment] = []
    moved = before.keys() - set(seats)
    for seat in seats:
        listed = {one.unit for one in before[seat]}
        if listed.difference(session.attention) != holds[seat]:
            opened = [one for one in before[seat] if one.opened]
            new += _list(session, seat, holds[seat], opened)
            moved.add(seat)
    gone = []
    for one in lists:
        if one.seat in moved and not one.opened:
            gone.append(ListedUnit(one.seat, one.unit, one.time))
    return Dealt(tuple(new), tuple(gone))


def work_within(length: int, repeats: int, checks: int) -> int:
    """Return how many work units fit on a list of this length beside its checks and repeats, of
    which there are at most half as many as work units.
    """
    room = max(0, length - checks)
    return max((n for n in range(room + 1) if n + min(repeats, n // 2) <= room), default=0)


def deal_model(
    plan: StudyPlan,
    units: Sequence[StudyUnit],
    unit_keys: Mapping[str, UnitKey],
    item_keys: Mapping[str, ItemKey],
    seat: str,
) -> tuple[Assignment, ...]:
    """Return a model judge's list: every work unit, and compared pairs once more with the sides
    swapped, since models lean to a side.
    """
    session = _read(plan, units, unit_keys, item_keys)
    work = [unit.id for unit in units if unit.id not in session.attention]
    shown = _shown(session, seat, work, {})
    order = product((1, 2) if plan.task == "compare" else (1,), work)
    return tuple(
        Assignment(
            seat=seat,
            unit=unit,
            time=time,
            position=n,
            shown=shown[unit] if time == 1 else shown[unit][::-1],
            stages=session.units[unit].stages,
        )
        for n, (time, unit) in enumerate(order, 1)
    )


# -- in which order ----------------------------------------------------------------------------


def _read(
    plan: StudyPlan,
    units: Sequence[StudyUnit],
    unit_keys: Mapping[str, UnitKey],
    item_keys: Mapping[str, ItemKey],
) -> SessionUnits:
    checks = {name for name, key in unit_keys.items() if key.attention}
    return SessionUnits(
        plan,
        {unit.id: unit for unit in units},
        tuple(unit.id for unit in units if unit.id in checks),
        {
            label: " by ".join(filter(None, (key.method, key.model))) or label
            for label, key in item_keys.items()
        },
        frozenset(label for unit in units for label in unit.labels),
    )


@lru_cache(maxsize=4)
def _unused(taken: frozenset[str]) -> tuple[str, ...]:
    """Return the names that no label is, with as many figures as the longest."""
    highest = 10 ** max(len(label) - 1 for label in taken) - 1
    every = {f"{letter}{n}" for letter in LETTERS for n in range(1, highest + 1)}
    return tuple(sorted(every - taken))


def _list(
    session: SessionUnits, seat: str, work: set[str], opened: list[ListStanding]
) -> list[Assignment]:
    """Return what follows the opened part of a seat's list."""
    plan = session.plan
    chance = random.Random(f"{plan.seed}/list/{seat}/{len(opened)}/{len(work)}")
    opened = sorted(opened, key=lambda one: one.position)
    last = opened[-1].position if opened else 0
    order = _order(session, work, opened, chance)
    fixed = {one.unit: one.shown for one in opened if one.time == 1}
    first = [unit for unit, time in order if time == 1 and unit not in session.attention]
    shown = _shown(session, seat, first, fixed)
    for unit in session.attention:
        labels = session.units[unit].labels
        shown.setdefault(unit, _shuffle(labels, f"{plan.seed}/{seat}/{unit}"))
    new = []
    for n, (unit, time) in enumerate(order[len(opened) :], last + 1):
        labels = shown[unit]
        if time == 2:
            # Sides are swapped, a set is in another order by chance.
            labels = labels[::-1] if plan.task == "compare" else _draw(session, seat, unit, 2)
        new.append(
            Assignment(
                seat=seat,
                unit=unit,
                time=time,
                position=n,
                stages=session.units[unit].stages,
                shown=labels,
                called=_others(session, seat, labels) if time == 2 else (),
            )
        )
    return new


def _others(session: SessionUnits, seat: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return what the texts of a repeat are called: nothing that a text of the session is, and with
    as many figures, by which it would be known.
    """
    chance = random.Random(f"{session.plan.seed}/called/{seat}/{'/'.join(sorted(labels))}")
    return tuple(chance.sample(_unused(session.labels), len(labels)))


def _order(
    session: SessionUnits, work: set[str], opened: list[ListStanding], chance: random.Random
) -> list[tuple[str, int]]:
    """Return unit and time in the order of the list: first what is opened, then the rest by chance,
    repeats late and attention not first.
    """
    plan = session.plan
    order = [(one.unit, one.time) for one in opened]
    behind = len(order)
    there = {unit for unit, time in order if time == 1}
    again = {unit for unit, time in order if time == 2}
    # Units over the same texts come one after the other.
    bundles = list(bundle(work - there, session.units).values())
    chance.shuffle(bundles)
    for units in bundles:
        order += [(unit, 1) for unit in chance.sample(units, len(units))]
    repeats = max(0, min(plan.repeats, len(work) // 2) - len(again))
    wanted: list[str] = []
    if work:
        many = min(plan.attention, len(session.attention))
        wanted = chance.sample(session.attention, many)
    lacking = max(0, plan.attention - len(there.intersection(session.attention)))
    for unit in [unit for unit in wanted if unit not in there][:lacking]:
        # After as many work units as are to be repeated, so that there are enough whose repeat can
        # come late.
        earliest = min(len(order), max(behind, 1, repeats))
        order.insert(chance.randint(earliest, len(order)), (unit, 1))
    far = ceil((len(order) + repeats) / FAR)
    head = order[: max(0, len(order) - far + 1)]
    once = again.union(session.attention)
    early = [unit for unit, time in head if time == 1 and unit not in once]
    for unit in chance.sample(early, min(repeats, len(early))):
        earliest = max(behind, order.index((unit, 1)) + far)
        order.insert(chance.randint(earliest, len(order)), (unit, 2))
    return order


# -- on which side -----------------------------------------------------------------------------


def _shown(
    session: SessionUnits, seat: str, work: Sequence[str], fixed: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the order in which a seat is shown each unit's texts: pairs balanced, sets by chance
    and the same for all criteria of a set.
    """
    shown = dict(fixed)
    free = [unit for unit in work if unit not in fixed]
    if session.plan.task == "compare":
        pairs = {unit: session.units[unit].labels for unit in free}
        chance = random.Random(f"{session.plan.seed}/sides/{seat}")
        return shown | orient(pairs, session.sources, fixed.values(), chance)
    for unit in free:
        shown[unit] = _draw(session, seat, unit, 1)
    return shown


# -- which text stands left -----------------------------------------------------------------


def _draw(session: SessionUnits, seat: str, unit: str, time: int) -> tuple[str, ...]:
    labels = session.units[unit].labels
    return _shuffle(labels, f"{session.plan.seed}/{seat}/{'/'.join(labels)}/{time}")


def _shuffle(labels: Sequence[str], seed: str) -> tuple[str, ...]:
    return tuple(random.Random(seed).sample(labels, len(labels)))


def orient(
    pairs: Mapping[str, Pair],
    sources: Mapping[str, str],
    fixed: Iterable[Pair],
    chance: random.Random,
) -> dict[str, Pair]:
    """Return the pairs, by name, with their sides drawn so that over these and the fixed ones each
    source's lefts and rights differ least.

    From sides drawn by chance, pairs are turned along a way from a source that stands left too
    often to one that stands right too often, until no such way is left: sides are flows, and the
    sum of squared differences is then as small as it can be. With nothing fixed every difference is
    0 or 1 (an Eulerian orientation; Diestel, Graph Theory, theorem 1.8.1).
    """
    sides = {
        name: pair if chance.random() < 0.5 else pair[::-1] for name, pair in sorted(pairs.items())
    }
    more: Counter[str] = Counter()
    """How much more often each source stands left than right."""
    for left, right in [*fixed, *sides.values()]:
        more[sources.get(left, left)] += 1
        more[sources.get(right, right)] -= 1
    while way := _way(sides, sources, more):
        for name in way:
            left, right = sides[name]
            more[sources.get(left, left)] -= 2
            more[sources.get(right, right)] += 2
            sides[name] = (right, left)
    return sides


def _way(sides: Mapping[str, Pair], sources: Mapping[str, str], more: Counter[str]) -> list[str]:
    """Return pairs to turn, left to right from a source with more lefts to one with more rights;
    nothing where no turning helps.
    """
    beside: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, (left, right) in sides.items():
        source = sources.get(left, left)
        other = sources.get(right, right)
        beside[source].append((other, name))
    by_name = dict(sorted(more.items()))
    return find_way(by_name, 2, beside.__getitem__)
