"""Papers, and what was read from them."""
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
    pdf: str | None = None
    """Address of an open-access PDF, as the source gives it."""
    near: bool = False
    """True where its source knows no citations and gave it as near in meaning; such a hop is no citation."""

    def before(self, other: "Paper") -> bool | None:
        """Say whether this paper came out before `other`; None where the dates cannot tell."""
        if self.published and other.published:
            known = min(len(self.published), len(other.published))
            mine, theirs = self.published[:known], other.published[:known]
            return None if mine == theirs else mine < theirs
        if self.year is None or other.year is None or self.year == other.year:
            return None
        return self.year < other.year

    @property
    def names(self) -> frozenset[str]:
        """Everything one paper may be known by, whichever source it comes from: id, DOI, arXiv id, title.

        A title of 25 letters or more names a paper in whatever year it came out (preprint, journal); a shorter one only with year and first author.
        """
        title = "".join(filter(str.isalnum, self.title.casefold()))
        if len(title) < 25:
            title += f":{self.year}:{self.authors[0].split()[-1].casefold() if self.authors and self.authors[0].split() else ''}" if title else ""
        found = {self.id, f"doi:{self.doi}".lower() if self.doi else "", f"arxiv:{self.arxiv}".lower() if self.arxiv else "",
                 f"title:{title}" if title else ""}
        return frozenset(found - {""})

    def same(self, other: "Paper") -> bool:
        """Say whether both are one paper: they share one of their names."""
        return not self.names.isdisjoint(other.names)


class FullText(Record):
    """Whether a paper's whole text could be had; without it the abstract serves."""

    state: Literal["read", "no PDF", "failed"]
    sha: str | None = None
    """SHA-256 of the text, under which the library keeps it."""
    pages: int = 0
    chars: int = 0
    origin: str = ""
    """The address it came from, or who attached it."""
    reason: str = ""


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
