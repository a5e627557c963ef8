"""What data sets are drawn from: works sampled at random, papers listed by criteria. Few sources
can; those that cannot say so.
"""

from typing import Annotated, Protocol, runtime_checkable

from pydantic import Field

from core.errors import BadInput
from core.literature.combined import Several
from core.literature.port import Source
from core.records import Paper, Record, digest


class Sample(Record):
    """Works of a year in journals and at conferences, with an abstract, not retracted, drawn with a
    seed (EvoIdeator, section 4.1).
    """

    year: int
    works: Annotated[int, Field(ge=1, le=10_000)]
    """How many in all: pages of one sample belong together, and another number is another sample.
    """
    seed: int


class CorpusListing(Record):
    """Papers of a year that qualify, as one list (InfAL, section 4.1)."""

    words: str
    """Words of title or abstract, in the source's own search syntax."""
    year: int
    fields: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    """Empty for any."""
    citations: int = 0
    """At least so many."""
    without: tuple[str, ...] = ()
    """Publication types left out."""
    keep: Annotated[int, Field(ge=1)]
    """How many of a page are kept at most, drawn by the seed."""
    seed: int
    # Left out where there is no window, so that steps of before have the same hash.
    since: Annotated[str | None, Field(exclude_if=lambda day: day is None)] = None
    """The first day, YYYY-MM-DD, where a window holds instead of the year."""
    until: Annotated[str | None, Field(exclude_if=lambda day: day is None)] = None
    """The last day."""

    def holds(self, paper: Paper) -> bool:
        """Say whether a paper came out when it should have: in the window, as far as its date says,
        or in the year.
        """
        if self.since and self.until:
            day = paper.published or ""
            return self.since[: len(day)] <= day <= self.until[: len(day)] if day else False
        return paper.year == self.year


class ListedPage(Record):
    """A page of a list: what was kept of it, and what became of the rest."""

    papers: tuple[Paper, ...]
    """In the order they were drawn."""
    matching: int
    """Papers in the whole list, as the source says."""
    read: int
    """Papers on this page."""
    of_other_types: int = 0
    without_abstract: int = 0
    next: str = ""
    """What the following page is asked by; empty behind the last one."""


@runtime_checkable
class Sampler(Source, Protocol):
    """A source that can draw works at random."""

    def sample(self, wanted: Sample, page: int) -> tuple[Paper, ...]:
        """Return one page of the sample, the first is 1; an empty one ends it. Raises
        SourceFailed.
        """
        ...


@runtime_checkable
class Lister(Source, Protocol):
    """A source that can list papers by criteria, page by page."""

    def listed(self, wanted: CorpusListing, page: str = "") -> ListedPage:
        """Return a page of the list; raises BadInput for criteria it cannot take, SourceFailed."""
        ...


def sampler(source: Source) -> Sampler:
    """Return the part of a source that can draw works at random; raises BadInput."""
    found = next((part for part in _parts(source) if isinstance(part, Sampler)), None)
    if found is None:
        raise BadInput(
            f"The source {source.name!r} cannot draw works at random; OpenAlex can. Choose a source"
            " with it: openalex, or semantic-scholar."
        )
    return found


def lister(source: Source) -> Lister:
    """Return the part of a source that can list papers by criteria; raises BadInput."""
    found = next((part for part in _parts(source) if isinstance(part, Lister)), None)
    if found is None:
        raise BadInput(
            f"The source {source.name!r} cannot list papers by year, venue and citations; Semantic"
            " Scholar can. Choose semantic-scholar."
        )
    return found


def draw_sample(papers: tuple[Paper, ...], seed: int, keep: int) -> tuple[Paper, ...]:
    """Return so many papers in an order that only the seed and their ids decide: the same ones
    whatever else is in the list.
    """
    return tuple(sorted(papers, key=lambda one: digest([seed, one.id])))[:keep]


def _parts(source: Source) -> tuple[Source, ...]:
    return source.parts if isinstance(source, Several) else (source,)
