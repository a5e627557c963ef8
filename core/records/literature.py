"""Papers, chains of them, and what was read from them."""
from typing import Literal

from core.records.base import Record, Text


class Paper(Record):
    """One paper as its source describes it; a field the source does not give stays empty."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    published: str | None = None
    """YYYY-MM-DD or YYYY-MM, as far as the source says."""
    venue: str | None = None
    abstract: str = ""
    abstract_by: Literal["authors", "foundry"] = "authors"
    """`foundry`: a summary written for the built-in shelf, not the authors' abstract."""
    citations: int | None = None
    arxiv: str | None = None
    doi: str | None = None
    url: str | None = None
    source: str = ""
    seen: str | None = None
    """Where a shelf entry was checked."""

    def before(self, other: "Paper") -> bool | None:
        """Say whether this paper came out before `other`; None where the dates cannot tell."""
        if self.published and other.published:
            known = min(len(self.published), len(other.published))
            mine, theirs = self.published[:known], other.published[:known]
            return None if mine == theirs else mine < theirs
        if self.year is None or other.year is None or self.year == other.year:
            return None
        return self.year < other.year


class Entity(Record):
    name: Text
    meaning: str = ""


class PaperIdea(Record):
    """The idea a paper put forward (Chain of Ideas, section 3.2); empty where the text does not say."""

    background: str = ""
    novelty: str = ""
    contribution: str = ""
    method: str = ""
    reasoning: str = ""
    limits: str = ""


class Experiment(Record):
    setup: str = ""
    datasets: str = ""
    baselines: str = ""
    metrics: str = ""
    results: str = ""


class Reading(Record):
    """What was extracted from one paper (the `extract` step)."""

    entities: tuple[Entity, ...] = ()
    idea: PaperIdea
    experiments: tuple[Experiment, ...] = ()


Hop = Literal["anchor", "forward", "backward"]


class Link(Record):
    """A paper in a chain, and why it is there."""

    paper: Paper
    hop: Hop
    distance: int = 0
    """Hops from the anchor, 0 for the anchor itself."""
    score: float | None = None
    """Cosine similarity to topic + anchor abstract, for forward hops."""
    reason: str = ""
    milestone: bool = False
    reading: Reading | None = None


class Stop(Record):
    """Why a chain did not grow further in one direction."""

    hop: Hop
    reason: str
    failed: bool = False
    """True where a source failed, which is not the same as having found nothing."""


class Chain(Record):
    """An idea chain in time order: I-M, ..., I0 (the anchor), ..., IN."""

    topic: str
    links: tuple[Link, ...]
    stops: tuple[Stop, ...] = ()

    @property
    def papers(self) -> tuple[Paper, ...]:
        return tuple(link.paper for link in self.links)


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


class NoveltyVerdict(Record):
    similar: bool
    nearest: str | None = None
    """Id of the nearest of the papers shown, if any is near."""
    overlap: str = ""
    reason: Text


class NoveltyCheck(Record):
    """One pass of the novelty loop with its evidence."""

    round: int
    searches: tuple[Search, ...]
    state: Literal["novel", "similar", "nothing found", "source failed"]
    nearest: Paper | None = None
    similarity: float | None = None
    overlap: str = ""
    reason: str
