"""Papers, and what was read from them."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, FailFast

from core.records.base import Lean, Record, Text

OTHERS = "others"
"""The last author of a paper whose file names some and ends with `and others`, as BibTeX does."""
PASSAGES, PASSAGE, PURPOSES = 3, 300, 4
"""Passages kept of a citation, signs of each, and purposes it is made for."""


def _few_lines(passages: tuple[str, ...]) -> tuple[str, ...]:
    """Keep a few different passages, each a line: with lines of its own one could pass for another
    paper of a list.
    """
    lines = [" ".join(passage.split()) for passage in passages]
    for n, line in enumerate(lines):
        if len(line) > PASSAGE:
            lines[n] = line[: PASSAGE - 2].rsplit(" ", 1)[0] + " …"
    return tuple(dict.fromkeys(filter(None, lines)))[:PASSAGES]


def _few_words(purposes: tuple[str, ...]) -> tuple[str, ...]:
    """Keep a few different purposes, each of a few words."""
    words = [" ".join(purpose.split())[:40] for purpose in purposes]
    return tuple(dict.fromkeys(filter(None, words)))[:PURPOSES]


class Paper(Lean):
    """One paper as its source describes it; a field the source does not give stays empty."""

    added: ClassVar[tuple[str, ...]] = ("pages",)
    id: str
    title: str
    authors: Annotated[tuple[str, ...], FailFast()] = ()
    year: int | None = None
    published: str | None = None
    """YYYY-MM-DD or YYYY-MM, as far as the source says."""
    venue: str | None = None
    pages: str = ""
    """Its pages or its article number, as `123-130` or `e13200`."""
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
    """True where its source knows no citations and gave it as near in meaning; such a hop is no
    citation.
    """

    def before(self, other: "Paper") -> bool | None:
        """Say whether this paper came out before `other`; None where the dates cannot tell."""
        if self.published and other.published:
            known = min(len(self.published), len(other.published))
            mine, theirs = self.published[:known], other.published[:known]
            return mine < theirs if mine != theirs else None
        if self.year is None or other.year is None or self.year == other.year:
            return None
        return self.year < other.year

    @property
    def named(self) -> tuple[str, ...]:
        """The authors its source names; `unnamed` says whether there are others."""
        return self.authors[:-1] if self.unnamed else self.authors

    @property
    def unnamed(self) -> bool:
        """Whether it has authors beside those named."""
        return len(self.authors) > 1 and self.authors[-1] == OTHERS

    @property
    def names(self) -> frozenset[str]:
        """Everything one paper may be known by, whichever source it comes from: id, DOI, arXiv id,
        title.

        A title of 25 letters or more names a paper in whatever year it came out (preprint,
        journal); a shorter one only with year and first author.
        """
        title = "".join(filter(str.isalnum, self.title.casefold()))
        if title and len(title) < 25:
            author = self.authors[0].split() if self.authors else []
            title += f":{self.year}:{author[-1].casefold() if author else ''}"
        return self.ids | {f"title:{title}"} if title else self.ids

    @property
    def ids(self) -> frozenset[str]:
        """The names that no two papers share: id, DOI, arXiv id."""
        found = {
            self.id,
            f"doi:{self.doi}".lower() if self.doi else "",
            f"arxiv:{self.arxiv}".lower() if self.arxiv else "",
        }
        return frozenset(found - {""})

    def same(self, other: "Paper") -> bool:
        """Say whether both are one paper: they share one of their names."""
        return not self.names.isdisjoint(other.names)


def once(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Return the papers in order, each once, by whatever name it comes again."""
    found: list[Paper] = []
    names: set[str] = set()
    for paper in papers:
        known = paper.names
        if names.isdisjoint(known):
            found.append(paper)
            names |= known
    return tuple(found)


class Mention(Record):
    """How a paper is cited in another, as far as that is known; text of strangers, a few lines at
    most.
    """

    contexts: Annotated[tuple[str, ...], AfterValidator(_few_lines)] = ()
    """Passages of the citing paper in which the citation stands."""
    intents: Annotated[tuple[str, ...], AfterValidator(_few_words)] = ()
    """What it is cited for: `methodology`, `background`, `result` by Semantic Scholar; `baseline`
    where the citing text calls it one.
    """
    influential: bool = False
    """Whether the source holds that the citing paper builds on it or uses it."""

    @property
    def known(self) -> bool:
        """Whether anything is known."""
        return bool(self.contexts or self.intents or self.influential)

    @property
    def stands_out(self) -> bool:
        """Whether the paper was built on, or compared with: then closeness in meaning does not
        decide whether it is looked at.
        """
        return self.influential or "baseline" in self.intents


class Reference(Record):
    """A paper that another one cites, and how."""

    paper: Paper
    how: Mention = Mention()

    @property
    def id(self) -> str:
        return self.paper.id


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
    """The idea a paper put forward (Chain of Ideas, section 3.2); empty where the text does not
    say.
    """

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
