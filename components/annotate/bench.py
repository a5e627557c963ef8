"""Where an expert works: at a seat, whose words go to the store, or at a rehearsal (practice,
preview), whose words go nowhere.
"""

from typing import Any, Protocol

from components.shell import services
from core.records import Answer, Assignment, Criterion, Task
from core.store.studies.work import ListedUnit, Receipt
from core.studies import growing, sitting
from core.studies.sitting import ShownUnit, Sitting
from core.wording.catalogue import Wording


class SeatBench(Protocol):
    """What the work screen needs of either."""

    @property
    def name(self) -> str:
        """Tell this bench's forms from another's in one browser tab."""

    @property
    def task(self) -> Task: ...

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """In the order shown here."""

    @property
    def words(self) -> Wording:
        """What the screens say."""

    @property
    def kept(self) -> bool:
        """Whether what is said is stored."""

    @property
    def addressed(self) -> bool:
        """Whether the address names the unit."""

    def listed(self) -> tuple[Assignment, ...]:
        """Return the list, in its order."""

    def minutes_left(self) -> tuple[float, float] | None:
        """Return between which times the rest will take; None while no pace is known."""

    def show(self, unit: str, time: int) -> ShownUnit:
        """Bring a unit on the screen."""

    def open_text(self, shown: ShownUnit, label: str) -> None:
        """Write down that a text of a set was opened."""

    def keep(self, shown: ShownUnit, draft: dict[str, Any]) -> str:
        """Keep what is half said and return the moment."""

    def submit(self, shown: ShownUnit, answer: Answer, key: str, version: int) -> Receipt:
        """File an answer; the same key is filed once."""


class AtSeat:
    """A seat of an open session."""

    kept = addressed = True

    def __init__(self, who: Sitting):
        self._who = who
        self.name = who.seat
        self.task = who.task
        self.criteria = who.criteria
        self.words = who.words

    def listed(self) -> tuple[Assignment, ...]:
        return sitting.listed(services.store(), self._who)

    def grown(self) -> bool:
        """Return whether the list grew beyond what the expert agreed to."""
        return growing.growth(services.store(), self._who) is not None

    def minutes_left(self) -> tuple[float, float] | None:
        return sitting.progress(services.store(), self._who).minutes_left

    def show(self, unit: str, time: int) -> ShownUnit:
        return sitting.show(services.store(), self._who, unit, time)

    def open_text(self, shown: ShownUnit, label: str) -> None:
        sitting.open_text(services.store(), self._who, _spot(shown), label)

    def keep(self, shown: ShownUnit, draft: dict[str, Any]) -> str:
        return sitting.keep(services.store(), self._who, _spot(shown), shown.stage, draft)

    def submit(self, shown: ShownUnit, answer: Answer, key: str, version: int) -> Receipt:
        return sitting.submit(
            services.store(), self._who, _spot(shown), shown.stage, answer, key, version
        )


def _spot(shown: ShownUnit) -> ListedUnit:
    return ListedUnit(shown.assignment.seat, shown.assignment.unit, shown.assignment.time)
