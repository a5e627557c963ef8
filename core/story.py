"""A run's story: what it has to show, read back as records."""

import re
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
    IdeaChoice,
    Link,
    Measures,
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
PURSUED = re.compile(r"branch-\d+/(?:direction-(?P<k>\d+)/)?idea-\d+/.+")
"""Where the ideas of a branch are written: those of its second direction below `direction-2`."""


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

    def all_at(self, kind: type[T]) -> tuple[tuple[str, T], ...]:
        """Return every record of a kind with its place, in the order it was made."""
        return tuple((place, record) for place, record in self.parts if isinstance(record, kind))

    def last(self, kind: type[T]) -> T | None:
        """Return the newest record of a kind, or None."""
        found = self.all(kind)
        return found[-1] if found else None

    def place(self, kind: type[Record]) -> str | None:
        """Return where the newest record of a kind was made, or None."""
        places = [place for place, record in self.parts if isinstance(record, kind)]
        return places[-1] if places else None


@dataclass(frozen=True)
class Pursuit(Told):
    """One of a branch's ideas, which is written anew while it is known already: what each round has
    to show.
    """

    n: int = 1

    @property
    def idea(self) -> Idea | None:
        return self.last(Idea)

    @property
    def check(self) -> NoveltyCheck | None:
        """The check of the idea as it was written last; None before there is one."""
        place = self.place(Idea)
        if place is None or PURSUED.fullmatch(place) is None:
            return self.last(NoveltyCheck)  # Written before there were several.
        return dict(self.all_at(NoveltyCheck)).get(f"{place.rpartition('/')[0]}/novelty")


@dataclass(frozen=True)
class Branch(Told):
    """What one branch of a chain of ideas has to show."""

    n: int = 1

    @cached_property
    def pursuits(self) -> tuple[Pursuit, ...]:
        """The ideas it went after, by number; one, where they were not several."""
        found: dict[int, list[tuple[str, Record]]] = {}
        for place, record in self.parts:
            if match := PURSUED.fullmatch(place):
                found.setdefault(int(match["k"] or 1), []).append((place, record))
        several = tuple(Pursuit(tuple(found[k]), k) for k in sorted(found))
        return several or (Pursuit(self.parts),)

    @cached_property
    def pursuit(self) -> Pursuit:
        """The one that stands for the branch: of several the chosen one, and before that the one of
        the newest idea.
        """
        choice, place = self.last(IdeaChoice), self.place(Idea)
        chosen = [one for one in self.pursuits if choice and one.n == choice.best]
        newest = [one for one in self.pursuits if place in dict(one.parts)]
        return (*chosen, *newest, *self.pursuits)[0]

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
        return self.pursuit.last(Direction)

    @property
    def draft(self) -> Draft | None:
        return self.pursuit.last(Draft)

    @property
    def idea(self) -> Idea | None:
        return self.pursuit.idea

    @property
    def check(self) -> NoveltyCheck | None:
        """The check of the idea; None before there is one."""
        return self.pursuit.check

    @property
    def checks(self) -> tuple[NoveltyCheck, ...]:
        """The checks of the idea and of what it was before it was written anew, round by round."""
        return self.pursuit.all(NoveltyCheck)

    @property
    def considered(self) -> tuple[Considered, ...]:
        return self.all(Considered)

    @property
    def given_up(self) -> GivenUp | None:
        return self.last(GivenUp)

    def _growing(self) -> Chain | None:
        links = {(link.hop, link.distance): link for link in self.all(Link)}.values()
        anchors = [link for link in links if link.hop == "anchor"]
        if not anchors:
            return None
        outwards = sorted(links, key=lambda link: link.distance)
        behind = [link for link in reversed(outwards) if link.hop == "backward"]
        ahead = [link for link in outwards if link.hop == "forward"]
        whole = {link.paper.id: link for link in (*behind, *anchors, *ahead)}
        return Chain.model_construct(topic="", links=tuple(whole.values()), stops=(), ordered=True)


@dataclass(frozen=True)
class Line(Told):
    """What the refinement, or the evolution, of one idea has to show."""

    n: int = 1

    @cached_property
    def first(self) -> Idea | None:
        own = (record for place, record in self.parts if not place.endswith("target"))
        return next((record for record in own if isinstance(record, Idea)), None)

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
        if n:
            return self.rounds[n - 1].standings
        return tuple(standing for standing in self.all(Standing) if standing.round == 0)

    def measures(self, n: int) -> Measures | None:
        """Return how near version `n` is to others and to the background; of the first idea only
        the last is told. None where that was not measured, as before there was a figure for it.
        """
        return self.rounds[n - 1].measures if n else self.last(Measures)

    def checklist(self, n: int) -> Checklist | None:
        """Return the checklist of version `n`, or None where nobody judged it."""
        for place, record in self.parts:
            there = f"/{place}".endswith(f"/round-{n}/checklist")
            if there and isinstance(record, Checklist):
                return record
        return None

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
        products = [made for made in store.steps.products(run_id) if shows(made.place)]
        return cls(tuple((product.name, revive(product)) for product in products))

    @classmethod
    def only(cls, store: Store, run_id: str, *kinds: type[Record]) -> "Story":
        """Read no more of a run's story than the records of these kinds."""
        names = (kind.__name__ for kind in kinds)
        products = store.steps.products_of(run_id, *names)
        return cls(tuple((product.name, revive(product)) for product in products))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The ideas of a refinement or an evolution, by number; one, where they were not
        several.
        """
        lines = tuple(Line(parts, n) for n, parts in self._numbered("idea-"))
        alone = tuple(part for part in self.parts if not part[0].startswith("ranking/"))
        return lines or (Line(alone, 1),)

    @property
    def target(self) -> Idea | None:
        """The idea ours are ranked with."""
        found = (record for place, record in self.parts if place == "target")
        return next((record for record in found if isinstance(record, Idea)), None)

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
        chains = [place for place, record in self.parts if isinstance(record, Chain)]
        if any(place.startswith("result-") for place in chains):
            return (Branch(self.parts, 1),)  # Written before there were several.
        return tuple(Branch(parts, n) for n, parts in self._numbered("branch-"))

    def _numbered(self, name: str) -> list[tuple[int, tuple[tuple[str, Record], ...]]]:
        """Return the records made below `name` and a number, by number; raises ValueError for a
        place that has none.
        """
        found: dict[int, list[tuple[str, Record]]] = {}
        for place, record in self.parts:
            if place.startswith(name):
                first, below, _ = place.partition("/")
                made = found.setdefault(int(first.removeprefix(name)), [])
                if below:
                    made.append((place, record))
        return [(n, tuple(found[n])) for n in sorted(found)]

    @property
    def set_aside(self) -> tuple[int, ...]:
        """The branches that have an idea, which overlaps with a paper and was not compared."""
        chosen = self.last(Selection)
        if chosen is None:
            return ()
        others = (branch for branch in self.branches if branch.n not in chosen.points)
        return tuple(
            branch.n
            for branch in others
            if branch.check and branch.check.state == "similar" and not branch.given_up
        )

    @property
    def links(self) -> tuple[Link, ...]:
        """The papers of all chains, and why each is there."""
        return tuple(link for one in self.branches if one.chain for link in one.chain.links)

    @property
    def best(self) -> Branch | None:
        """The branch that was chosen, or the only one; None while there are several to choose
        from.
        """
        chosen, outcome = self.last(Selection), self.last(Outcome)
        n = chosen.best if chosen else outcome.branch if outcome else None
        only = self.branches[0] if len(self.branches) == 1 else None
        return next((branch for branch in self.branches if branch.n == n), only)


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
