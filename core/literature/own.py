"""A person's own literature as a source: searched by meaning, followed along the citations that are
known.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.literature.answering import Teller
from core.literature.own_texts import search_texts
from core.literature.port import Query, bare
from core.literature.ranking import ids_of, let_through
from core.literature.shelf import nearest
from core.records import Paper, Reference
from core.store.library import Library
from core.store.own import OWN

if TYPE_CHECKING:
    from core.literature.embeddings import Embedder

BATCH = 64
"""Papers compared between two notes: about two seconds where none was embedded before."""


class OwnLibrary(Teller):
    """The imported papers as a source."""

    name = OWN
    about = (
        "Your own library holds the papers you imported. Word the topic with other terms, or import"
        " more on the Library page: BibTeX, RIS, CSV, lists of DOIs, PDFs."
    )

    def __init__(self, library: Library, embedder: "Embedder"):
        super().__init__()
        self._library = library
        self._embedder = embedder

    def search(self, query: Query) -> tuple[Paper, ...]:
        """Return the papers near the words in meaning (title + abstract), nearest first; raises
        EmbeddingFailed, StoreFailed.
        """
        papers = self._library.own_papers()
        near = self._tell(self._near(query.text, papers), papers)
        return let_through(near, query)[: query.limit]

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        """Return the papers with these ids, DOIs or arXiv ids, in this order, without those that
        were not imported; raises StoreFailed.
        """
        by_name: dict[str, Paper] = {}
        for paper in self._library.own_papers():
            by_name |= dict.fromkeys(map(str.lower, ids_of(paper)), paper)
        known = map(by_name.get, map(str.lower, ids))
        found = tuple(dict.fromkeys(filter(None, known)))
        return self._tell(found, found)

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        """Return papers of the library that cite this one, of those before a date where one is
        given; raises BadInput for one not in it.

        Of a paper without any known citation the newer ones near in meaning are returned instead,
        each with `near` set.
        """
        return self._hop(paper, True, limit, before)

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        """Return papers of the library that this one cites, or, as in `citations`, the older ones
        near in meaning; raises BadInput.
        """
        return self._hop(paper, False, limit, None)

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does; how each is cited is not in the files. Raises as
        `references` does.
        """
        return bare(self.references(paper, limit))

    def _hop(
        self, paper: Paper, forward: bool, limit: int, before: str | None
    ) -> tuple[Paper, ...]:
        held = self._library.own_papers()
        by_name = {name: one for one in held for name in one.names}
        here = next((by_name[name] for name in sorted(paper.names) if name in by_name), None)
        if here is None:
            raise BadInput(
                f"Your own library has no paper {paper.title[:100]!r}; import it, or follow papers"
                " in the source they came from."
            )
        search_texts(self._library, held, self._answering.waiting)
        cited = _follow(here, by_name, self._library.edges_from)
        citing = _follow(here, by_name, self._library.edges_to)
        if cited or citing:
            found = citing if forward else cited
        else:
            others = tuple(
                one for one in held if (here.before(one) if forward else one.before(here))
            )
            near = self._near(_text(here), others)
            found = tuple(one.model_copy(update={"near": True}) for one in near)
        through = let_through(found, Query(text="", before=before))
        return self._tell(through[:limit], held, more=len(through) > limit)

    def _near(self, text: str, papers: tuple[Paper, ...]) -> tuple[Paper, ...]:
        """Return those of the papers that are near a text in meaning, nearest first."""
        cosines: list[float] = []
        for start in range(0, len(papers), BATCH):
            part = papers[start : start + BATCH]
            end = start + len(part)
            self._answering.waiting(f"comparing papers {start + 1:,} to {end:,} of {len(papers):,}")
            cosines += self._embedder.similarities(text, list(map(_text, part)))
        return nearest(cosines, papers)

    def _tell(
        self, papers: tuple[Paper, ...], held: tuple[Paper, ...], more: bool = False
    ) -> tuple[Paper, ...]:
        self._answering.said = {"papers": len(held), **({"more": True} if more else {})}
        return papers


def _follow(
    here: Paper, by_name: dict[str, Paper], edges: Callable[[str], tuple[str, ...]]
) -> tuple[Paper, ...]:
    """Return the papers of the library at the other end of known edges; a file may have named
    either end by DOI or arXiv id.
    """
    ends = [by_name[end] for name in sorted(here.names) for end in edges(name) if end in by_name]
    return tuple(dict.fromkeys(one for one in ends if one.id != here.id))


def _text(paper: Paper) -> str:
    return f"{paper.title}\n{paper.abstract}"
