"""A run's story: what it has to show, read back as records."""
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from core import records
from core.errors import StoreFailed, boundary
from core.records import (
    Chain,
    Considered,
    Direction,
    Draft,
    Entities,
    GivenUp,
    Idea,
    Link,
    NoveltyCheck,
    Outcome,
    Record,
    Selection,
    Trend,
)
from core.store import Store
from core.store.steps import Product

T = TypeVar("T", bound=Record)


@dataclass(frozen=True)
class Told:
    """Some of a run's records with the place each was made at (`branch-2/idea-1/draft`), in the order of asking."""

    parts: tuple[tuple[str, Record], ...]

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(record for _, record in self.parts)

    def all(self, kind: type[T]) -> tuple[T, ...]:
        """Return every record of a kind, in the order it was made."""
        return tuple(record for _, record in self.parts if isinstance(record, kind))

    def last(self, kind: type[T]) -> T | None:
        """Return the newest record of a kind, or None."""
        found = self.all(kind)
        return found[-1] if found else None

    def place(self, kind: type[Record]) -> str | None:
        """Return where the newest record of a kind was made, or None."""
        return next((place for place, record in reversed(self.parts) if isinstance(record, kind)), None)


@dataclass(frozen=True)
class Branch(Told):
    """What one branch of a chain of ideas has to show."""

    n: int = 1

    @property
    def chain(self) -> Chain | None:
        """The chain once it is settled, or as far as it has grown; None before the anchor."""
        return self.last(Chain) or self._growing()

    @property
    def settled(self) -> bool:
        return self.last(Chain) is not None

    @property
    def trend(self) -> Trend | None:
        return self.last(Trend)

    @property
    def entities(self) -> Entities | None:
        return self.last(Entities)

    @property
    def direction(self) -> Direction | None:
        return self.last(Direction)

    @property
    def draft(self) -> Draft | None:
        return self.last(Draft)

    @property
    def idea(self) -> Idea | None:
        return self.last(Idea)

    @property
    def checks(self) -> tuple[NoveltyCheck, ...]:
        return self.all(NoveltyCheck)

    @property
    def considered(self) -> tuple[Considered, ...]:
        return self.all(Considered)

    @property
    def given_up(self) -> GivenUp | None:
        return self.last(GivenUp)

    def _growing(self) -> Chain | None:
        links = {(link.hop, link.distance): link for link in self.all(Link)}
        anchors = [link for link in links.values() if link.hop == "anchor"]
        behind = sorted((one for one in links.values() if one.hop == "backward"), key=lambda one: -one.distance)
        ahead = sorted((one for one in links.values() if one.hop == "forward"), key=lambda one: one.distance)
        if not anchors:
            return None
        whole = {name: link for link in (*behind, *anchors, *ahead) for name in [link.paper.id]}
        return Chain.model_construct(topic="", links=tuple(whole.values()), stops=(), ordered=True)


@dataclass(frozen=True)
class Story(Told):
    """Everything a run has shown so far."""

    @classmethod
    def of(cls, store: Store, run_id: str) -> "Story":
        """Read a run's story from the store."""
        return cls(tuple((product.name, revive(product)) for product in store.steps.products(run_id)))

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The branches of a chain of ideas, by number."""
        if any(place.startswith("result-") and isinstance(record, Chain) for place, record in self.parts):
            return (Branch(self.parts, 1),)  # Written before there were several.
        numbers = sorted({int(place.split("/")[0].removeprefix("branch-")) for place, _ in self.parts if place.startswith("branch-")})
        return tuple(Branch(tuple(part for part in self.parts if part[0].startswith(f"branch-{n}/")), n) for n in numbers)

    @property
    def best(self) -> Branch | None:
        """The branch that was chosen, or the only one; None while there are several to choose from."""
        chosen, outcome = self.last(Selection), self.last(Outcome)
        n = chosen.best if chosen else outcome.branch if outcome else None
        return next((one for one in self.branches if one.n == n), self.branches[0] if len(self.branches) == 1 else None)


def revive(product: Product) -> Record:
    """Make the record again from its stored form; raises StoreFailed for one this program cannot read."""
    with boundary(StoreFailed, f"reading {product.name!r}, a {product.kind} that another version of this program may have written"):
        kind: type[Record] = getattr(records, product.kind)
        return kind.model_validate(product.data)
