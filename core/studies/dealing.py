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
    attention = tuple(
        one.id for one in units if one.id in unit_keys and unit_keys[one.id].attention
    )
    work = {one.id: one for one in units if one.id not in attention}
    holds = shared(
        plan.overlap, work, seats, lists, random.Random(f"{plan.seed}/{'/'.join(sorted(seats))}")
    )
    known = {one.id: one for one in units}
    sources = _sources(item_keys)
    before = {seat: [one for one in lists if one.seat == seat] for seat in seats}
    new: list[Assignment] = []
    gone = [_spot(one) for one in lists if one.seat not in before and not one.opened]
    for seat in seats:
        held = {one.unit for one in before[seat]} - set(attention)
        if held != holds[seat]:
            gone += [_spot(one) for one in before[seat] if not one.opened]
            new += _list(
                plan,
                known,
                attention,
                sources,
                seat,
                holds[seat],
                [one for one in before[seat] if one.opened],
            )
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
    work = [one for one in units if not (one.id in unit_keys and unit_keys[one.id].attention)]
    sources = _sources(item_keys)
    shown = _shown(plan, {one.id: one for one in work}, sources, seat, [one.id for one in work], {})
    order = [(one, 1) for one in work] + [(one, 2) for one in work if plan.task == "compare"]
    return tuple(
        Assignment(
            seat=seat,
            unit=one.id,
            time=time,
            position=n,
            shown=shown[one.id] if time == 1 else shown[one.id][::-1],
            stages=one.stages,
        )
        for n, (one, time) in enumerate(order, 1)
    )


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
    order = _order(
        plan, units, attention, work, sorted(opened, key=lambda one: one.position), chance
    )
    fixed = {one.unit: one.shown for one in opened if one.time == 1}
    shown = _shown(
        plan,
        units,
        sources,
        seat,
        [unit for unit, time in order if time == 1 and unit not in attention],
        fixed,
    )
    for unit in attention:
        shown.setdefault(
            unit,
            tuple(
                random.Random(f"{plan.seed}/{seat}/{unit}").sample(
                    units[unit].labels, len(units[unit].labels)
                )
            ),
        )
    last = max((one.position for one in opened), default=0)
    return [
        Assignment(
            seat=seat,
            unit=unit,
            time=time,
            position=n,
            stages=units[unit].stages,
            shown=shown[unit] if time == 1 else _again(plan, seat, units[unit], shown[unit]),
        )
        for n, (unit, time) in enumerate(order[len(opened) :], last + 1)
    ]


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
    begun, there = len(order), {unit for unit, time in order if time == 1}
    order += [(unit, 1) for unit in _by_chance(units, work - there, chance)]
    repeats = min(plan.repeats, len(work) // 2) - sum(time == 2 for _, time in order)
    wanted = chance.sample(attention, min(plan.attention, len(attention))) if work else []
    for unit in [one for one in wanted if one not in there][
        : max(0, plan.attention - len(there & set(attention)))
    ]:
        # After as many work units as are to be repeated, so that there are enough whose repeat can
        # come late.
        order.insert(chance.randint(min(len(order), max(begun, 1, repeats)), len(order)), (unit, 1))
    far = ceil((len(order) + max(0, repeats)) / FAR)
    again = {unit for unit, time in order if time == 2} | set(attention)
    early = [
        unit
        for unit, time in order[: max(0, len(order) - far + 1)]
        if time == 1 and unit not in again
    ]
    for unit in chance.sample(early, min(max(0, repeats), len(early))):
        order.insert(
            chance.randint(max(begun, order.index((unit, 1)) + far), len(order)), (unit, 2)
        )
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
    if plan.task == "compare":
        chance = random.Random(f"{plan.seed}/sides/{seat}")
        return dict(fixed) | oriented(
            {
                unit: (units[unit].labels[0], units[unit].labels[1])
                for unit in work
                if unit not in fixed
            },
            sources,
            [(one[0], one[1]) for unit, one in fixed.items() if len(one) == 2],
            chance,
        )
    return dict(fixed) | {
        unit: _drawn(plan, seat, units[unit], 1) for unit in work if unit not in fixed
    }


def _again(plan: StudyPlan, seat: str, unit: StudyUnit, first: tuple[str, ...]) -> tuple[str, ...]:
    """Return the order for the second time: sides swapped, a set in another order by chance."""
    return first[::-1] if plan.task == "compare" else _drawn(plan, seat, unit, 2)


def _drawn(plan: StudyPlan, seat: str, unit: StudyUnit, time: int) -> tuple[str, ...]:
    return tuple(
        random.Random(f"{plan.seed}/{seat}/{'/'.join(unit.labels)}/{time}").sample(
            unit.labels, len(unit.labels)
        )
    )


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
    more = _more(sources, [*fixed, *sides.values()])
    while way := _way(sides, sources, more):
        for name in way:
            left, right = (sources.get(label, label) for label in sides[name])
            more[left] -= 2
            more[right] += 2
            sides[name] = sides[name][::-1]
    return dict(sides)


def _more(sources: Mapping[str, str], pairs: Iterable[Pair]) -> Counter[str]:
    """Return how much more often each source stands left than right."""
    more: Counter[str] = Counter()
    for left, right in pairs:
        more[sources.get(left, left)] += 1
        more[sources.get(right, right)] -= 1
    return more


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
