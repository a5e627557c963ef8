"""The literature port: what can be asked of a source of papers."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from core.records import Paper, Record, Reference


class Query(Record):
    """A search: words, a cut-off date (only papers before it), papers never to be returned, how
    many at most.
    """

    text: str
    before: str | None = None
    """YYYY-MM-DD; papers of unknown date are left out when it is set."""
    ban: tuple[str, ...] = ()
    limit: int = 20


class Plane(Record):
    """Texts on a plane: one spot each, and the share of the whole variance along x and y."""

    spots: tuple[tuple[float, float], ...]
    explained: tuple[float, float]


class Source(Protocol):
    """A source answers or raises SourceFailed; an empty tuple always means 'nothing found'."""

    name: str
    """`shelf`, `semantic-scholar` ..."""
    about: str
    """What it holds and what to do when it has nothing, in one sentence or two."""

    def telling(self, note: Callable[[str], None]) -> AbstractContextManager[None]:
        """Within this block, on this thread, say through `note` what is being waited for; `note`
        may raise to break off.
        """
        ...

    def last(self) -> Mapping[str, object]:
        """Describe this thread's last answer: when it was fetched, whether it came from the cache,
        what was waited for.
        """
        ...

    def search(self, query: Query) -> tuple[Paper, ...]:
        """Return the papers that fit the words best, best first."""
        ...

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        """Return the papers with these ids, in this order; those the source does not know are left
        out.
        """
        ...

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        """Return papers that cite this one; of those before a date, where one is given, so that
        newer ones use up no place.

        The paper may come from another source; one that this source cannot look up raises BadInput.
        `last()` says `more` where there are more.
        """
        ...

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        """Return papers that this one cites; raises BadInput as `citations` does."""
        ...

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does, each with what the source knows of how it is cited."""
        ...


def bare(papers: tuple[Paper, ...]) -> tuple[Reference, ...]:
    """Return papers as references of which nothing is known but that they are cited."""
    return tuple(Reference(paper=paper) for paper in papers)
