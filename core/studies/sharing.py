"""Which expert answers which units: the overlap exact, loads even, and every two experts meeting on
about as many units as any other two.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from core.records import Assignment, StudyUnit

Bundle = tuple[str, ...]
"""Units over the same texts: a set is ranked by one expert on all its criteria."""
Step = tuple[str, str]
"""From one seat's list to another's."""


def shared(
    overlap: int,
    work: Mapping[str, StudyUnit],
    seats: Sequence[str],
    lists: Sequence[Assignment],
    chance: random.Random,
) -> dict[str, set[str]]:
    """Return the units of each seat, changed as little as it takes; a unit that a seat has opened
    stays with it.

    `lists` hold what is on anybody's list now; of other than `seats`, only what is done counts.
    Each unit goes to `overlap` seats, or to all if they are fewer. Loads differ by one bundle at
    most, unless opened units hold them apart.
    """
    table = _Table(overlap, work, seats, lists, chance)
    table.fill()
    table.level()
    return table.holds


def lacking(
    overlap: int, work: Iterable[str], seats: Collection[str], lists: Sequence[Assignment]
) -> int:
    """Return how many of the answers wanted are on nobody's list."""
    held = Counter(one.unit for one in _counted(seats, lists))
    return sum(max(0, overlap - held[unit]) for unit in work)


def _counted(seats: Collection[str], lists: Sequence[Assignment]) -> Iterator[Assignment]:
    """Yield what somebody answered for the first time or still can."""
    return (one for one in lists if one.time == 1 and (one.seat in seats or one.done))


class _Table:
    """Which seat holds which units while they are handed out."""

    def __init__(
        self,
        overlap: int,
        work: Mapping[str, StudyUnit],
        seats: Sequence[str],
        lists: Sequence[Assignment],
        chance: random.Random,
    ):
        self.overlap = overlap
        self.work = work
        self.seats = seats
        self.chance = chance
        counted = [one for one in _counted(seats, lists) if one.unit in work]
        self.holds: dict[str, set[str]] = {
            seat: {one.unit for one in counted if one.seat == seat} for seat in seats
        }
        self.places = Counter(one.unit for one in counted)
        self.opened = {(one.seat, one.unit) for one in lists if one.opened}

    # -- every unit to as many as it lacks -----------------------------------------------------

    def fill(self) -> None:
        for bundle in self._short():
            self._place(bundle)
            for unit in bundle:
                # A seat that holds a part of the set takes only what it lacks of it.
                self._place((unit,))

    def _place(self, bundle: Bundle) -> None:
        """Put a bundle on as many lists as it lacks, or on all that hold nothing of it."""
        for _ in range(self.overlap - self.places[bundle[0]]):
            # One whose list held it before and who left may come again; one who holds it may not.
            free = [seat for seat in self.seats if not self.holds[seat] & set(bundle)]
            if not free:
                break
            taker = self._next(free, bundle)
            self.holds[taker] |= set(bundle)
            self.places.update(bundle)

    def _short(self) -> list[Bundle]:
        """Return what lacks places, the largest first and else by chance; units of a set go
        together where they lack equally many.
        """
        alike: dict[tuple[tuple[str, ...], int], list[str]] = defaultdict(list)
        for unit in self.work.values():
            if self.places[unit.id] < self.overlap:
                alike[unit.labels, self.places[unit.id]].append(unit.id)
        bundles = [tuple(units) for units in alike.values()]
        self.chance.shuffle(bundles)
        return sorted(bundles, key=len, reverse=True)

    def _next(self, free: list[str], bundle: Bundle) -> str:
        others = [seat for seat in self.seats if self.holds[seat] & set(bundle)]
        return min(
            free,
            key=lambda seat: (len(self.holds[seat]), self._met(seat, others), self.chance.random()),
        )

    def _met(self, seat: str, others: Iterable[str]) -> int:
        """Return on how many units a seat meets others."""
        return sum(len(self.holds[seat] & self.holds[other]) for other in others)

    # -- even loads ----------------------------------------------------------------------------

    def level(self) -> None:
        """Move unopened bundles from seat to seat until no way leads from one seat to another that
        has more than a bundle less.

        Every way makes the sum of squared loads smaller, so this ends; where none is left that sum
        is the smallest that opened units allow.
        """
        largest = max(Counter(unit.labels for unit in self.work.values()).values(), default=0)
        while found := next(
            ((size, way) for size in range(largest, 0, -1) if (way := self._way(size))), None
        ):
            size, way = found
            for giver, taker in way:
                moved = min(
                    self._movable(giver, taker, size), key=lambda one: self._cost(one, giver, taker)
                )
                self.holds[giver] -= set(moved)
                self.holds[taker] |= set(moved)

    def _way(self, size: int) -> list[Step]:
        """Return a way along which bundles of a size can move to a seat with a smaller load; empty
        where none helps.
        """
        loads = {seat: len(self.holds[seat]) for seat in self.seats}
        for start in sorted(
            (seat for seat in self.seats if loads[seat] - min(loads.values()) > size),
            key=lambda seat: -loads[seat],
        ):
            came: dict[str, list[Step]] = {start: []}
            queue = [start]
            while queue:
                here = queue.pop(0)
                for there in sorted(
                    set(self.seats) - set(came), key=lambda seat: (loads[seat], seat)
                ):
                    if self._movable(here, there, size):
                        came[there] = [*came[here], (here, there)]
                        if loads[start] - loads[there] > size:
                            return came[there]
                        queue.append(there)
        return []

    def _movable(self, giver: str, taker: str, size: int) -> list[Bundle]:
        """Return the bundles that `taker` can take over: nothing of the set is opened at the one,
        or held at the other.
        """
        mine: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for unit in sorted(self.holds[giver]):
            mine[self.work[unit].labels].append(unit)
        taken = {self.work[unit].labels for unit in self.holds[taker]}
        return [
            tuple(one)
            for labels, one in mine.items()
            if len(one) == size
            and labels not in taken
            and not any((giver, unit) in self.opened for unit in one)
        ]

    def _cost(self, bundle: Bundle, giver: str, taker: str) -> tuple[int, float]:
        others = [
            seat
            for seat in self.seats
            if seat not in (giver, taker) and self.holds[seat] & set(bundle)
        ]
        return self._met(taker, others), self.chance.random()
