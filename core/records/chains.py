"""Chains of papers, what they show, where they lead, and whether that is new."""

from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from core.records.base import Record, Text
from core.records.literature import FullText, Mention, Paper, Reading
from core.records.novelty import Claim, NoveltyCell

Hop = Literal["anchor", "forward", "backward", "person", "retrieved"]


class Link(Record):
    """A paper in a chain, and why it is there."""

    paper: Paper
    hop: Hop
    distance: int = 0
    """Hops from the anchor, 0 for the anchor itself and for what a person put in."""
    score: float | None = None
    """Cosine similarity to topic + anchor abstract, for forward hops."""
    reason: str = ""
    milestone: bool = False
    pinned: bool = False
    """A person wants it kept when the rest is grown anew."""
    unread: bool = False
    """A person wants it read again."""
    text: FullText | None = None
    """What it was read from, once it was read."""
    reading: Reading | None = None


class Stop(Record):
    """Why a chain did not grow further in one direction."""

    hop: Hop
    reason: str
    failed: bool = False
    """True where a source or a model failed, which is not the same as having found nothing."""
    failing: Annotated[
        Literal["source", "model"], Field(exclude_if=lambda failing: failing == "source")
    ] = "source"
    """What failed, where something did."""

    @property
    def told(self) -> str:
        """The reason, in the singular where a single paper could follow: what is recorded counts
        it as one of many.
        """
        one = "the one that can follow it"
        told = self.reason.replace(
            "of the nearest 1 that can follow it, none bears", f"{one} does not bear"
        )
        return told.replace("of the nearest 1 that can follow it, 1 could", f"{one} could")


class Chain(Record):
    """An idea chain in time order: I-M, ..., I0 (the anchor), ..., IN; or, `ordered` false, the
    same papers without order.
    """

    topic: str
    links: Annotated[tuple[Link, ...], Field(min_length=1)]
    stops: tuple[Stop, ...] = ()
    ordered: bool = True

    @model_validator(mode="after")
    def _no_paper_twice(self) -> "Chain":
        seen: set[str] = set()
        for paper in self.papers:
            if not seen.isdisjoint(paper.names):
                raise ValueError(f"{paper.title!r} is in the chain twice; drop one")
            seen |= paper.names
        return self

    @property
    def papers(self) -> tuple[Paper, ...]:
        return tuple(link.paper for link in self.links)

    @property
    def violations(self) -> tuple[tuple[Paper, Paper], ...]:
        """Neighbours whose later one came out first, undated ones left aside: a chain a person
        ordered may run against time, and says so.
        """
        if not self.ordered:
            return ()
        neighbours = pairwise(paper for paper in self.papers if paper.published or paper.year)
        return tuple((first, second) for first, second in neighbours if second.before(first))


class Unordered(Chain):
    """The papers of a chain in no order, to be read without what gives the order away: dates, and
    ids that count on.
    """

    ordered: bool = False


class Start(Record):
    """What a branch grows from: its anchor alone, or what a person kept, in time order."""

    links: Annotated[tuple[Link, ...], Field(min_length=1)]


class Candidate(Record):
    """A paper that could take the next place; `relevant` is None where nobody judged it."""

    paper: Paper
    score: float | None = None
    relevant: bool | None = None
    reason: str = ""
    how: Annotated[Mention, Field(exclude_if=lambda how: not how.known)] = Mention()
    """How the paper it could precede cites it, as far as that is known."""


class Considered(Record):
    """What there was to choose from after (forward) or before (backward) a paper, nearest first."""

    of: Paper
    hop: Hop
    candidates: tuple[Candidate, ...]
    found: int = 0
    """How many papers the source gave in all."""
    # The two below are left out where they say nothing, as in what was recorded before there were
    # any.
    more: Annotated[bool, Field(exclude_if=lambda more: not more)] = False
    """Whether the source has more than it was asked for."""
    compared: Annotated[int | None, Field(exclude_if=lambda compared: compared is None)] = None
    """How many of those that fit were compared in meaning, where those nearest by their words were
    taken first.
    """


class TrendStep(Record):
    """How one idea led to the next (one neighbouring pair of a chain)."""

    earlier: str
    later: str
    how: Text


class Trend(Record):
    steps: tuple[TrendStep, ...]
    summary: Text


class Direction(Record):
    """The predicted next step of a chain."""

    direction: Text
    reasoning: Text


class Outlook(Record):
    """Possible next steps of a chain, the one to take first (Chain of Ideas, section 2.3: future
    trends), and why it is the one.
    """

    candidates: Annotated[tuple["NextStep", ...], Field(min_length=1)]
    choice: str = ""

    @model_validator(mode="before")
    @classmethod
    def _may_be_one(cls, given: object) -> object:
        """Read a single step, which is what was asked for at first and what some models answer
        with.
        """
        if not isinstance(given, dict):
            return given
        found = given.get("candidates", [given] if "direction" in given else None)
        if not isinstance(found, list):
            return given
        # Given as JSON, what stands here has become lists, which is no tuple to whoever reads
        # strictly.
        choice = {"choice": given["choice"]} if "choice" in given else {}
        return {"candidates": tuple(found), **choice}


class NextStep(Record):
    """A direction a chain may take next."""

    direction: Text
    reasoning: Text
    beyond: str = ""
    """How far it goes beyond what the chain holds."""

    def as_direction(self) -> Direction:
        return Direction(direction=self.direction, reasoning=self.reasoning)


class Draft(Record):
    motivation: Text
    novelty: Text
    method: Text


class Search(Record):
    """One literature query and how it ended; the three endings are never mixed up."""

    query: str
    state: Literal["found", "nothing found", "source failed"]
    papers: tuple[Paper, ...] = ()
    reason: str = ""
    partly: str = ""
    """Why one of several sources failed, where others answered: what it has is not known."""
    instead: Annotated[str, Field(exclude_if=lambda said: not said)] = ""
    """Why a source failed, where another was asked in its place."""


class NoveltyVerdict(Record):
    similar: bool
    nearest: str | None = None
    """Id of the nearest of the papers shown, if any is near."""
    overlap: str = ""
    reason: Text


class WeighedVerdict(Record):
    """Whether one of the papers shown has an idea already, weighed before it is decided."""

    nearest: str | None = None
    """Id of the nearest of the papers shown, if any is near."""
    overlap: str = ""
    reason: Text
    similar: bool

    def decided(self) -> NoveltyVerdict:
        return NoveltyVerdict(
            similar=self.similar, nearest=self.nearest, overlap=self.overlap, reason=self.reason
        )


class Compared(Record):
    """A paper that a novelty verdict was given on, and its similarity to the idea: the cosine of
    the two whole texts.
    """

    id: str
    title: str
    year: int | None = None
    similarity: float


class NoveltyCheck(Record):
    """One pass of the novelty loop with its evidence."""

    came_later: ClassVar[frozenset[str]] = frozenset({"compared", "claims", "cells"})

    round: int
    searches: tuple[Search, ...]
    state: Literal["novel", "similar", "nothing found", "source failed", "not judged"]
    """`not judged`: a model's part of the check stayed unusable, so that nothing is known."""
    nearest: Paper | None = None
    """The paper that the verdict names."""
    similarity: float | None = None
    """Of the idea to that paper: the cosine of the two whole texts."""
    overlap: str = ""
    reason: str
    compared: Annotated[tuple[Compared, ...], Field(exclude_if=lambda papers: not papers)] = ()
    """The papers that the verdict was given on, those most similar to the idea first; empty in
    older runs.
    """
    claims: Annotated[tuple[Claim, ...], Field(exclude_if=lambda claims: not claims)] = ()
    """What the idea claims; empty where the verdict was not given claim by claim."""
    cells: Annotated[tuple[NoveltyCell, ...], Field(exclude_if=lambda cells: not cells)] = ()
    """What the paper nearest to each claim has of it."""


class GivenUp(Record):
    """A branch that came to nothing, and why; the others go on without it."""

    reason: Text
    failed: bool = False
    """True where a model or a source failed; false where there was nothing to find."""


class Lost(Record):
    """A part of a run that came to nothing while the rest went on without it, and why."""

    part: Text
    reason: Text


class Spot(Record):
    """A paper or an idea on the map."""

    id: str
    label: str
    kind: Literal["chain", "found", "idea"]
    """In a chain, found by a novelty check, or an idea of a branch."""
    branch: int | None = None
    x: float
    y: float


class Map(Record):
    """Papers and ideas by meaning: their vectors on the two directions in which they differ
    most.
    """

    spots: tuple[Spot, ...]
    explained: tuple[float, float]
    """Share of the whole variance along x and along y, 0 to 1."""
