"""Which expert answers which units: the overlap exact, loads even, and every two experts meeting on
about as many units as any other two.
"""

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from core.records import StudyUnit
from core.store.studies.work import ListStanding

Bundle = tuple[str, ...]
"""Units over the same texts: a set is ranked by one expert on all its criteria."""
Step = tuple[str, str]
"""From one seat's list to another's."""
S = TypeVar("S")


def share(
    overlap: int,
    work: Mapping[str, StudyUnit],
    seats: Sequence[str],
    lists: Sequence[ListStanding],
    chance: random.Random,
    room: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, set[str]]:
    """Return the units of each seat, changed as little as it takes; a unit that a seat has opened
    stays with it.

    `lists` hold what is on anybody's list now; of other than `seats`, only what is done counts.
    Each unit goes to `overlap` seats, or to all if they are fewer. Loads differ by one bundle at
    most, unless opened units, or `room` (units a seat holds at most), hold them apart; what finds
    no room goes to fewer seats.
    """
    table = _Table(overlap, work, seats, lists, chance, room)
    table.fill()
    table.level()
    return table.holds


def lacking(
    overlap: int, work: Iterable[str], seats: Collection[str], lists: Sequence[ListStanding]
) -> int:
    """Return how many of the answers wanted are on nobody's list."""
    places = Counter(one.unit for one in _counted(seats, lists))
    return sum(max(0, overlap - places[unit]) for unit in work)


def held(seats: Collection[str], lists: Sequence[ListStanding]) -> dict[str, set[str]]:
    """Return by seat, those at work and others, the units that it answered or still can."""
    found: dict[str, set[str]] = {seat: set() for seat in seats}
    for one in _counted(seats, lists):
        found.setdefault(one.seat, set()).add(one.unit)
    return found


def _counted(seats: Collection[str], lists: Sequence[ListStanding]) -> Iterator[ListStanding]:
    """Yield what somebody answered for the first time or still can."""
    at_work = frozenset(seats)
    return (one for one in lists if one.time == 1 and (one.seat in at_work or one.done))


def bundle(units: Iterable[str], work: Mapping[str, StudyUnit]) -> dict[Bundle, list[str]]:
    """Return units by the texts they are over, in the order of their ids."""
    bundles: dict[Bundle, list[str]] = defaultdict(list)
    for unit in sorted(units):
        bundles[work[unit].labels].append(unit)
    return bundles


def find_way(
    loads: Mapping[str, int], gap: int, steps: Callable[[str], Iterable[tuple[str, S]]]
) -> list[S]:
    """Return the steps of a shortest way from a place to one whose load is smaller by more than
    `gap`, the largest loads tried first; empty where there is none.

    `steps` yields where a place's steps lead, and the steps.
    """
    least = min(loads.values(), default=0)
    # What a larger load led to in vain leads a smaller one nowhere either.
    seen = set[str]()
    for start in sorted(loads, key=loads.__getitem__, reverse=True):
        if loads[start] - least <= gap:
            break
        if start in seen:
            continue
        seen.add(start)
        queue = deque[tuple[str, list[S]]]([(start, [])])
        while queue:
            here, way = queue.popleft()
            for there, step in steps(here):
                if there in seen:
                    continue
                seen.add(there)
                if loads[start] - loads[there] > gap:
                    return [*way, step]
                queue.append((there, [*way, step]))
    return []


class _Table:
    """Which seat holds which units while they are handed out."""

    def __init__(
        self,
        overlap: int,
        work: Mapping[str, StudyUnit],
        seats: Sequence[str],
        lists: Sequence[ListStanding],
        chance: random.Random,
        room: Mapping[str, int],
    ):
        # Imported here: what lists sessions need not have it.
        import numpy as np

        self.overlap = overlap
        self.room = room
        self.work = work
        self.seats = seats
        self.chance = chance
        counted = [one for one in _counted(seats, lists) if one.unit in work]
        self.holds: dict[str, set[str]] = {seat: set() for seat in seats}
        self._at = {seat: n for n, seat in enumerate(seats)}
        self._met = np.zeros((len(seats), len(seats)), dtype=np.int64)
        """On how many units each two seats meet."""
        self._holders: dict[str, set[str]] = defaultdict(set)
        self._bundles: dict[str, dict[Bundle, list[str]]] = {}
        for one in counted:
            if one.seat in self.holds:
                self.holds[one.seat].add(one.unit)
                self._holders[one.unit].add(one.seat)
        for holders in self._holders.values():
            at = [self._at[seat] for seat in holders]
            self._met[np.ix_(at, at)] += 1
        np.fill_diagonal(self._met, 0)
        self.places = Counter(one.unit for one in counted)
        self.opened = {(one.seat, one.unit) for one in lists if one.opened}

    def _give(self, seat: str, units: Bundle) -> None:
        for unit in set(units) - self.holds[seat]:
            self._meet(seat, self._holders[unit], 1)
            self._holders[unit].add(seat)
        self.holds[seat] |= set(units)
        self._bundles.pop(seat, None)

    def _take(self, seat: str, units: Bundle) -> None:
        for unit in self.holds[seat] & set(units):
            self._holders[unit].discard(seat)
            self._meet(seat, self._holders[unit], -1)
        self.holds[seat] -= set(units)
        self._bundles.pop(seat, None)

    def _meet(self, seat: str, holders: Collection[str], more: int) -> None:
        mine, others = self._at[seat], [self._at[other] for other in holders]
        self._met[mine, others] += more
        self._met[others, mine] += more

    # -- every unit to as many as it lacks -----------------------------------------------------

    def fill(self) -> None:
        for units in self._short():
            self._place(units)
            for unit in units:
                # A seat that holds a part of the set takes only what it lacks of it.
                self._place((unit,))

    def _place(self, units: Bundle) -> None:
        """Put a bundle on as many lists as it lacks, or on all that hold nothing of it."""
        for _ in range(self.overlap - self.places[units[0]]):
            # One whose list held it before and who left may come again; one who holds it may not.
            holders = self._having(units)
            met = self._count_met(holders)
            free = [
                (len(self.holds[seat]), met[n], self.chance.random(), seat)
                for n, seat in enumerate(self.seats)
                if seat not in holders and self._has_room(seat, len(units))
            ]
            if not free:
                break
            *_, taker = min(free)
            self._give(taker, units)
            self.places.update(units)

    def _having(self, units: Bundle) -> set[str]:
        """Return the seats that hold any of these units."""
        return set().union(*(self._holders[unit] for unit in units))

    def _has_room(self, seat: str, units: int) -> bool:
        return seat not in self.room or len(self.holds[seat]) + units <= self.room[seat]

    def _short(self) -> list[Bundle]:
        """Return what lacks places, the largest first and else by chance; units of a set go
        together where they lack equally many.
        """
        alike: dict[tuple[Bundle, int], list[str]] = defaultdict(list)
        for unit in self.work.values():
            if self.places[unit.id] < self.overlap:
                alike[unit.labels, self.places[unit.id]].append(unit.id)
        bundles = [tuple(units) for units in alike.values()]
        self.chance.shuffle(bundles)
        return sorted(bundles, key=len, reverse=True)

    def _count_met(self, others: Collection[str]) -> list[int]:
        """Return on how many units each seat meets others."""
        met: list[int] = self._met[:, [self._at[other] for other in others]].sum(axis=1).tolist()
        return met

    # -- even loads ----------------------------------------------------------------------------

    def level(self) -> None:
        """Move unopened bundles from seat to seat until no way leads from one seat to another that
        has more than a bundle less.

        Every way makes the sum of squared loads smaller, so this ends; where none is left that sum
        is the smallest that opened units allow.
        """
        sizes = Counter(unit.labels for unit in self.work.values())
        largest = max(sizes.values(), default=0)
        size = largest
        while size:
            way = self._way(size)
            for giver, taker in way:
                movable = self._movable(giver, taker, size)
                moved = min(movable, key=lambda units: self._cost(units, giver, taker))
                self._take(giver, moved)
                self._give(taker, moved)
            size = largest if way else size - 1

    def _way(self, size: int) -> list[Step]:
        """Return a way along which bundles of a size can move to a seat with a smaller load; empty
        where none helps.
        """
        loads = {seat: len(self.holds[seat]) for seat in self.seats}
        takers = sorted(sorted(loads), key=loads.__getitem__)

        def steps(giver: str) -> Iterator[tuple[str, Step]]:
            free = self._free(giver, size)
            if not free:  # As of most experts late in a session: all they hold is opened.
                return
            for taker in takers:
                held = self._bundled(taker)
                if self._has_room(taker, size) and not free.keys() <= held.keys():
                    yield taker, (giver, taker)

        return find_way(loads, size, steps)

    def _movable(self, giver: str, taker: str, size: int) -> list[Bundle]:
        """Return the bundles that `taker` has room for and can take over: nothing of the set is
        opened at the one, or held at the other.
        """
        if not self._has_room(taker, size):
            return []
        held = self._bundled(taker)
        free = self._free(giver, size)
        return [tuple(units) for labels, units in free.items() if labels not in held]

    def _free(self, giver: str, size: int) -> dict[Bundle, list[str]]:
        """Return the bundles of a size of which a seat has opened nothing."""
        return {
            labels: units
            for labels, units in self._bundled(giver).items()
            if len(units) == size and not self.opened & {(giver, unit) for unit in units}
        }

    def _bundled(self, seat: str) -> dict[Bundle, list[str]]:
        """Return what a seat holds in bundles, made anew only after something moved."""
        if seat not in self._bundles:
            self._bundles[seat] = bundle(self.holds[seat], self.work)
        return self._bundles[seat]

    def _cost(self, units: Bundle, giver: str, taker: str) -> tuple[int, float]:
        others = self._having(units) - {giver, taker}
        met = self._met[self._at[taker], [self._at[other] for other in others]].sum()
        return int(met), self.chance.random()
