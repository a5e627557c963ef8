"""Who is given which units, in which order and on which side: even loads, overlap exact, sides
balanced; all of it drawn by chance from the study's seed.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from core.records import Assignment, ItemKey, StudyPlan, StudyUnit, UnitKey
from core.store.study_work import ListedUnit
from core.studies.sharing import shared

FAR = 3
"""A repeat comes at least one FAR-th of the list after the first time."""


class Dealt(NamedTuple):
    new: tuple[Assignment, ...]
    gone: tuple[ListedUnit, ...]
    """Taken off lists, or put elsewhere on the same one."""


Pair = tuple[str, str]
"""Labels, left and right."""


def deal(
    plan: StudyPlan,
    units: Sequence[StudyUnit],
    unit_keys: Mapping[str, UnitKey],
    item_keys: Mapping[str, ItemKey],
    seats: Sequence[str],
    lists: Sequence[Assignment] = (),
) -> Dealt:
    """Bring the lists of experts to what they should be; what is already right stays untouched, and
    what a seat has opened stays with it.

    `seats` are those that can work; `lists` hold what is on anybody's list now: of other seats,
    only units that are done count. Every work unit is put on `plan.overlap` lists, or on all there
    are if fewer. Loads differ by one bundle at most, unless opened units hold them apart; among
    equally loaded seats those go first that share fewest units with the others. A list is a seat's
    work by chance, the attention units, and `plan.repeats` of its own units again (half of them at
    most). On a seat's list every source of compared pairs stands as often left as right, give or
    take one; first times are counted, and the second has its sides swapped.
    """
    attention = tuple(unit.id for unit in units if _is_check(unit, unit_keys))
    work = {unit.id: unit for unit in units if unit.id not in attention}
    chance = random.Random(f"{plan.seed}/{'/'.join(sorted(seats))}")
    holds = shared(plan.overlap, work, seats, lists, chance)
    known = {unit.id: unit for unit in units}
    sources = _sources(item_keys)
    new: list[Assignment] = []
    moved = {one.seat for one in lists} - set(seats)
    for seat in seats:
        before = [one for one in lists if one.seat == seat]
        if {one.unit for one in before} - set(attention) != holds[seat]:
            opened = [one for one in before if one.opened]
            new += _list(plan, known, attention, sources, seat, holds[seat], opened)
            moved.add(seat)
    gone = [_spot(one) for one in lists if one.seat in moved and not one.opened]
    return Dealt(tuple(new), tuple(gone))


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
    work = {unit.id: unit for unit in units if not _is_check(unit, unit_keys)}
    shown = _shown(plan, work, _sources(item_keys), seat, list(work), {})
    times = (1, 2) if plan.task == "compare" else (1,)
    order = [(unit, time) for time in times for unit in work.values()]
    return tuple(
        Assignment(
            seat=seat,
            unit=unit.id,
            time=time,
            position=n,
            shown=shown[unit.id] if time == 1 else shown[unit.id][::-1],
            stages=unit.stages,
        )
        for n, (unit, time) in enumerate(order, 1)
    )


def _is_check(unit: StudyUnit, keys: Mapping[str, UnitKey]) -> bool:
    return unit.id in keys and keys[unit.id].attention


def _sources(item_keys: Mapping[str, ItemKey]) -> dict[str, str]:
    """Return what each label comes from: method and model, as pairs are made of; itself where
    neither is known.
    """
    return {
        label: " by ".join(filter(None, (key.method, key.model))) or label
        for label, key in item_keys.items()
    }


def _spot(one: Assignment) -> ListedUnit:
    return ListedUnit(one.seat, one.unit, one.time)


# -- in which order ----------------------------------------------------------------------------


def _list(
    plan: StudyPlan,
    units: Mapping[str, StudyUnit],
    attention: tuple[str, ...],
    sources: Mapping[str, str],
    seat: str,
    work: set[str],
    opened: list[Assignment],
) -> list[Assignment]:
    """Return what follows the opened part of a seat's list."""
    chance = random.Random(f"{plan.seed}/list/{seat}/{len(opened)}/{len(work)}")
    opened = sorted(opened, key=lambda one: one.position)
    order = _order(plan, units, attention, work, opened, chance)
    fixed = {one.unit: one.shown for one in opened if one.time == 1}
    first = [unit for unit, time in order if time == 1 and unit not in attention]
    shown = _shown(plan, units, sources, seat, first, fixed)
    for unit in attention:
        shown.setdefault(unit, _shuffled(units[unit].labels, f"{plan.seed}/{seat}/{unit}"))
    made = []
    for n, (unit, time) in enumerate(
        order[len(opened) :], max((one.position for one in opened), default=0) + 1
    ):
        labels = shown[unit]
        if time == 2:
            # Sides are swapped, a set is in another order by chance.
            labels = labels[::-1] if plan.task == "compare" else _drawn(plan, seat, units[unit], 2)
        made.append(
            Assignment(
                seat=seat,
                unit=unit,
                time=time,
                position=n,
                stages=units[unit].stages,
                shown=labels,
            )
        )
    return made


def _order(
    plan: StudyPlan,
    units: Mapping[str, StudyUnit],
    attention: tuple[str, ...],
    work: set[str],
    opened: list[Assignment],
    chance: random.Random,
) -> list[tuple[str, int]]:
    """Return unit and time in the order of the list: first what is opened, then the rest by chance,
    repeats late and attention not first.
    """
    order = [(one.unit, one.time) for one in opened]
    behind = len(order)
    there = {unit for unit, time in order if time == 1}
    order += [(unit, 1) for unit in _by_chance(units, work - there, chance)]
    repeats = min(plan.repeats, len(work) // 2) - sum(time == 2 for _, time in order)
    wanted = chance.sample(attention, min(plan.attention, len(attention))) if work else []
    lacking = max(0, plan.attention - len(there & set(attention)))
    for unit in [unit for unit in wanted if unit not in there][:lacking]:
        # After as many work units as are to be repeated, so that there are enough whose repeat can
        # come late.
        earliest = min(len(order), max(behind, 1, repeats))
        order.insert(chance.randint(earliest, len(order)), (unit, 1))
    far = ceil((len(order) + max(0, repeats)) / FAR)
    again = {unit for unit, time in order if time == 2} | set(attention)
    head = order[: max(0, len(order) - far + 1)]
    early = [unit for unit, time in head if time == 1 and unit not in again]
    for unit in chance.sample(early, min(max(0, repeats), len(early))):
        earliest = max(behind, order.index((unit, 1)) + far)
        order.insert(chance.randint(earliest, len(order)), (unit, 2))
    return order


def _by_chance(units: Mapping[str, StudyUnit], work: set[str], chance: random.Random) -> list[str]:
    """Return units by chance, those over the same texts one after the other."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for unit in sorted(work):
        alike[units[unit].labels].append(unit)
    bundles = list(alike.values())
    chance.shuffle(bundles)
    return [unit for bundle in bundles for unit in chance.sample(bundle, len(bundle))]


# -- on which side -----------------------------------------------------------------------------


def _shown(
    plan: StudyPlan,
    units: Mapping[str, StudyUnit],
    sources: Mapping[str, str],
    seat: str,
    work: Sequence[str],
    fixed: Mapping[str, tuple[str, ...]],
) -> dict[str, tuple[str, ...]]:
    """Return the order in which a seat is shown each unit's texts: pairs balanced, sets by chance
    and the same for all criteria of a set.
    """
    free = [unit for unit in work if unit not in fixed]
    if plan.task != "compare":
        return dict(fixed) | {unit: _drawn(plan, seat, units[unit], 1) for unit in free}
    pairs = {unit: (units[unit].labels[0], units[unit].labels[1]) for unit in free}
    dealt = [(labels[0], labels[1]) for labels in fixed.values() if len(labels) == 2]
    chance = random.Random(f"{plan.seed}/sides/{seat}")
    return dict(fixed) | oriented(pairs, sources, dealt, chance)


def _drawn(plan: StudyPlan, seat: str, unit: StudyUnit, time: int) -> tuple[str, ...]:
    return _shuffled(unit.labels, f"{plan.seed}/{seat}/{'/'.join(unit.labels)}/{time}")


def _shuffled(labels: Sequence[str], seed: str) -> tuple[str, ...]:
    return tuple(random.Random(seed).sample(labels, len(labels)))


# -- which text stands left -----------------------------------------------------------------


def oriented(
    pairs: Mapping[str, Pair],
    sources: Mapping[str, str],
    fixed: Iterable[Pair],
    chance: random.Random,
) -> dict[str, tuple[str, ...]]:
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
            left, right = (sources.get(label, label) for label in sides[name])
            more[left] -= 2
            more[right] += 2
            sides[name] = sides[name][::-1]
    return dict(sides)


def _way(sides: Mapping[str, Pair], sources: Mapping[str, str], more: Counter[str]) -> list[str]:
    """Return pairs to turn, left to right from a source with more lefts to one with more rights;
    nothing where no turning helps.
    """
    beside: dict[str, list[tuple[str, str]]] = {}
    for name, (left, right) in sides.items():
        beside.setdefault(sources.get(left, left), []).append((name, sources.get(right, right)))
    for start in sorted(more, key=lambda source: (-more[source], source)):
        came: dict[str, list[str]] = {start: []}
        queue = [start]
        while queue:
            here = queue.pop(0)
            for name, there in beside.get(here, ()):
                if there not in came:
                    came[there] = [*came[here], name]
                    if more[start] - more[there] > 2:
                        return came[there]
                    queue.append(there)
    return []
