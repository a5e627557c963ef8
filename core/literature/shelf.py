"""The built-in shelf: real papers with checked reference edges, to try the workbench without a
network.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.literature.answering import Teller
from core.literature.port import Query, bare
from core.literature.ranking import ids_of, let_through
from core.literature.shelf_files import ShelfFile, read
from core.records import Paper, Record, Reference

if TYPE_CHECKING:
    from core.literature.embeddings import Embedder

FOLDER = Path(__file__).parents[2] / "assets" / "shelf"
NEAR = 0.33
"""Cosine from which a paper counts as found. Calibrated on the shelf: see `test_shelf_search.py`
for both sides of it.
"""


def nearest(cosines: Sequence[float], papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """Return the papers whose cosine says that they are near, nearest first; of equals the smaller
    id.
    """
    ranked: list[tuple[float, str, Paper]] = []
    for cosine, paper in zip(cosines, papers, strict=True):
        if cosine >= NEAR:
            ranked.append((-cosine, paper.id, paper))
    ranked.sort(key=lambda found: found[:2])
    return tuple(paper for *_, paper in ranked)


@cache
def on_shelf() -> tuple[Paper, ...]:
    """Return every built-in paper, file by file; raises SourceFailed naming a damaged file."""
    return tuple(entry.paper() for file in read(FOLDER) for entry in file.papers)


class Neighbourhood(Record):
    """One field the shelf covers."""

    name: str
    title: str
    example_topics: tuple[str, ...]
    papers: int


class Shelf(Teller):
    """The built-in shelf as a source; every entry and every edge says where it was seen."""

    name = "shelf"
    about = (
        "The built-in shelf holds 133 papers on LLM ideation, on orexin and sleep in young"
        " athletes, and on neural PDE solvers. Try a topic near one of them, or choose Semantic"
        " Scholar."
    )

    def __init__(self, embedder: "Embedder", folder: Path = FOLDER):
        super().__init__()
        self._embedder = embedder
        self._folder = folder

    @cached_property
    def _files(self) -> tuple[ShelfFile, ...]:
        return read(self._folder)

    @cached_property
    def _papers(self) -> dict[str, Paper]:
        return {entry.id: entry.paper() for file in self._files for entry in file.papers}

    @cached_property
    def _edges(self) -> dict[tuple[str, str], str]:
        return {
            (entry.id, cited.id): cited.seen
            for file in self._files
            for entry in file.papers
            for cited in entry.references
        }

    def all(self) -> tuple[Paper, ...]:
        """Return every paper on the shelf, file by file; raises SourceFailed naming a damaged
        file.
        """
        return tuple(self._papers.values())

    def neighbourhoods(self) -> tuple[Neighbourhood, ...]:
        """Return the fields the shelf covers, with topics to try; raises SourceFailed."""
        return tuple(
            Neighbourhood(
                name=file.neighbourhood,
                title=file.title,
                example_topics=file.example_topics,
                papers=len(file.papers),
            )
            for file in self._files
        )

    def edge(self, citing: str, cited: str) -> str | None:
        """Return where it was seen that one paper cites the other, or None for an edge the shelf
        does not have.
        """
        return self._edges.get((citing, cited))

    def search(self, query: Query) -> tuple[Paper, ...]:
        """Return the papers near the words in meaning (title + summary), nearest first; raises
        SourceFailed, EmbeddingFailed.
        """
        papers = self.all()
        texts = [f"{paper.title}\n{paper.abstract}" for paper in papers]
        cosines = self._embedder.similarities(query.text, texts)
        near = self._tell(nearest(cosines, papers))
        return let_through(near, query)[: query.limit]

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        """Return the papers with these ids, DOIs or arXiv ids, in this order, without those the
        shelf does not have; raises SourceFailed.
        """
        by_name = {name.lower(): paper for paper in self.all() for name in ids_of(paper)}
        return self._tell(tuple(by_name[name.lower()] for name in ids if name.lower() in by_name))

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        """Return papers on the shelf, older than `before`, that were seen to cite this one; raises
        BadInput for a paper not on it.
        """
        here = self._find(paper)
        names = [citing for citing, cited in self._edges if cited == here]
        citing = tuple(map(self._papers.__getitem__, names))
        older = let_through(citing, Query(text="", before=before))
        return self._tell(older[:limit])

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        """Return papers on the shelf that this one was seen to cite; raises BadInput for a paper
        that is not on it.
        """
        here = self._find(paper)
        names = [cited for citing, cited in self._edges if citing == here]
        return self._tell(tuple(map(self._papers.__getitem__, names[:limit])))

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does; how each is cited was not noted. Raises as `references`
        does.
        """
        return bare(self.references(paper, limit))

    def _find(self, paper: Paper) -> str:
        """Return the id under which the shelf has this paper."""
        if paper.id in self._papers:
            return paper.id
        for name, one in self._papers.items():
            if one.same(paper):
                return name
        raise BadInput(
            f"The built-in shelf has no paper {paper.id!r}; follow papers in the source they came"
            " from."
        )

    def _tell(self, papers: tuple[Paper, ...]) -> tuple[Paper, ...]:
        self._answering.said = {
            "checked": min(file.checked for file in self._files),
            "papers": len(self._papers),
        }
        return papers
