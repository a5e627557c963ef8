"""Lists that grew after an expert had agreed to fewer units: the expert is told before any of the
new ones is shown, and may say no. Nothing here knows where a text comes from.
"""

from typing import NamedTuple

from core.records import Assignment
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies.sitting import Sitting, ahead, check_link


class ListGrowth(NamedTuple):
    """How a list grew since it was agreed to."""

    agreed: int
    """Units the expert agreed to."""
    now: int
    done: int
    minutes: float
    """What the new ones take, by the length of the texts."""


def growth(store: Store, sitting: Sitting) -> ListGrowth | None:
    """Return how the list of a seat grew beyond what was agreed to; None where it did not, or
    nothing was agreed to yet.
    """
    agreed = store.terms.seat(sitting.seat)
    if not agreed.at or sitting.step not in ("work", "afterwards"):
        return None
    done, whole = store.study_work.so_far(sitting.seat)
    if whole <= agreed.units:
        return None
    effort = ahead(store, sitting)
    return ListGrowth(
        agreed.units, whole, done, effort.minutes * (whole - agreed.units) / max(1, whole)
    )


def take_more(store: Store, sitting: Sitting, units: int) -> None:
    """Write down that the expert agrees to so many units, as many as were told of."""
    with store.connections.writing():
        check_link(store, sitting)
        if units > store.terms.seat(sitting.seat).units:
            store.terms.allow(sitting.seat, units)


def keep_to_agreed(store: Store, sitting: Sitting) -> None:
    """Take from the end of the list what was not agreed to and is not opened, for good: the list
    does not grow again, and the organiser hands these units to others.
    """
    with store.connections.writing():
        check_link(store, sitting)
        agreed = store.terms.seat(sitting.seat).units
        if store.study_work.so_far(sitting.seat)[1] <= agreed:
            return
        mine = store.study_work.of(sitting.seat)
        store.study_work.deal(sitting.study, (), _surplus(mine, len(mine) - agreed))
        _, whole = store.study_work.so_far(sitting.seat)
        store.terms.refuse(sitting.seat, max(agreed, whole))


def _surplus(mine: tuple[Assignment, ...], n: int) -> tuple[ListedUnit, ...]:
    """Return so many units from the end of a list; a unit whose first time goes is not repeated."""
    taken: dict[ListedUnit, None] = {}
    free = {(one.unit, one.time) for one in mine if not one.opened}
    for one in reversed(mine):
        if len(taken) >= n:
            break
        if (one.unit, one.time) in free:
            taken[ListedUnit(one.seat, one.unit, one.time)] = None
            if one.time == 1 and (one.unit, 2) in free:
                taken[ListedUnit(one.seat, one.unit, 2)] = None
    return tuple(taken)
