"""A run's story: what it has to show, read back as records."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from core import records
from core.errors import BadInput, StoreFailed, boundary
from core.records import (
    Chain,
    Checklist,
    Considered,
    Direction,
    Draft,
    Entities,
    Evolved,
    GivenUp,
    Idea,
    Link,
    NoveltyCheck,
    Outcome,
    Record,
    Round,
    Selection,
    Standing,
    Trend,
)
from core.store import Store
from core.store.steps import Product

T = TypeVar("T", bound=Record)


@dataclass(frozen=True)
class Told:
    """Some of a run's records with the place each was made at (`branch-2/idea-1/draft`), in the
    order of asking.
    """

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
        return next(
            (place for place, record in reversed(self.parts) if isinstance(record, kind)), None
        )


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
        behind = sorted(
            (one for one in links.values() if one.hop == "backward"), key=lambda one: -one.distance
        )
        ahead = sorted(
            (one for one in links.values() if one.hop == "forward"), key=lambda one: one.distance
        )
        if not anchors:
            return None
        whole = {name: link for link in (*behind, *anchors, *ahead) for name in [link.paper.id]}
        return Chain.model_construct(topic="", links=tuple(whole.values()), stops=(), ordered=True)


@dataclass(frozen=True)
class Line(Told):
    """What the refinement, or the evolution, of one idea has to show."""

    n: int = 1

    @cached_property
    def first(self) -> Idea | None:
        return next(
            (
                record
                for place, record in self.parts
                if isinstance(record, Idea) and not place.endswith("target")
            ),
            None,
        )

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        return self.all(Round)

    @cached_property
    def steps(self) -> tuple[Evolved, ...]:
        """The steps of an evolution, by number."""
        return tuple(sorted(self.all(Evolved), key=lambda one: one.n))

    @property
    def outcome(self) -> Outcome | None:
        return self.last(Outcome)

    @property
    def newest(self) -> int:
        """The number of the newest version; 0 is the first idea."""
        return len(self.rounds)

    def version(self, n: int) -> Idea:
        """Return version `n` as the generator wrote it: 0 the first idea, then one a round."""
        return self.rounds[n - 1].revision.idea if n else self._first()

    def before(self, n: int) -> Idea:
        """Return the text that round `n` revised: version `n - 1`, or what a person made of it."""
        return self.rounds[n - 1].base or self.version(n - 1)

    def standings(self, n: int) -> tuple[Standing, ...]:
        """Return how version `n` stands against the target, by each quality; empty where nobody
        ranked it.
        """
        return (
            self.rounds[n - 1].standings
            if n
            else tuple(one for one in self.all(Standing) if one.round == 0)
        )

    def checklist(self, n: int) -> Checklist | None:
        """Return the checklist of version `n`, or None where nobody judged it."""
        return next(
            (
                one
                for place, one in self.parts
                if isinstance(one, Checklist) and f"/{place}".endswith(f"/round-{n}/checklist")
            ),
            None,
        )

    def _first(self) -> Idea:
        if self.first is None:
            raise BadInput("This refinement has no first idea yet.")
        return self.first


@dataclass(frozen=True)
class Story(Told):
    """Everything a run has shown so far."""

    @classmethod
    def of(
        cls, store: Store, run_id: str, shows: Callable[[str], bool] = lambda _: True
    ) -> "Story":
        """Read a run's story from the store: all of it, or what `shows` lets through by its place
        in the order of asking.
        """
        return cls(
            tuple(
                (product.name, revive(product))
                for product in store.steps.products(run_id)
                if shows(product.place)
            )
        )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The ideas of a refinement or an evolution, by number; one, where they were not
        several.
        """
        numbers = sorted(
            {
                int(place.split("/")[0].removeprefix("idea-"))
                for place, _ in self.parts
                if place.startswith("idea-")
            }
        )
        if not numbers:
            return (
                Line(tuple(part for part in self.parts if not part[0].startswith("ranking/")), 1),
            )
        return tuple(
            Line(tuple(part for part in self.parts if part[0].startswith(f"idea-{n}/")), n)
            for n in numbers
        )

    @property
    def target(self) -> Idea | None:
        """The idea ours are ranked with."""
        return next(
            (
                record
                for place, record in self.parts
                if place == "target" and isinstance(record, Idea)
            ),
            None,
        )

    @property
    def rankings(self) -> tuple[Standing, ...]:
        """How the ideas of each round stand together against the target, where several were
        refined.
        """
        return tuple(
            record
            for place, record in self.parts
            if place.startswith("ranking/") and isinstance(record, Standing)
        )

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The branches of a chain of ideas, by number."""
        if any(
            place.startswith("result-") and isinstance(record, Chain)
            for place, record in self.parts
        ):
            return (Branch(self.parts, 1),)  # Written before there were several.
        numbers = sorted(
            {
                int(place.split("/")[0].removeprefix("branch-"))
                for place, _ in self.parts
                if place.startswith("branch-")
            }
        )
        return tuple(
            Branch(tuple(part for part in self.parts if part[0].startswith(f"branch-{n}/")), n)
            for n in numbers
        )

    @property
    def best(self) -> Branch | None:
        """The branch that was chosen, or the only one; None while there are several to choose
        from.
        """
        chosen, outcome = self.last(Selection), self.last(Outcome)
        n = chosen.best if chosen else outcome.branch if outcome else None
        return next(
            (one for one in self.branches if one.n == n),
            self.branches[0] if len(self.branches) == 1 else None,
        )


def revive(product: Product) -> Record:
    """Make the record again from its stored form; raises StoreFailed for one this program cannot
    read.
    """
    with boundary(
        StoreFailed,
        f"reading {product.name!r}, a {product.kind} that another version of this program may have"
        " written",
    ):
        kind: type[Record] = getattr(records, product.kind)
        return kind.model_validate(product.data)
