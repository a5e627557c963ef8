"""Finding papers: sources by name."""
from core.errors import BadInput
from core.literature.embeddings import Embedder
from core.literature.port import Query, Source
from core.literature.semantic_scholar import SemanticScholarSource
from core.literature.shelf import Shelf
from core.settings import Settings
from core.store import Store

__all__ = ["SOURCES", "Embedder", "Query", "SemanticScholarSource", "Shelf", "Source", "open_source"]

SOURCES: dict[str, str] = {
    Shelf.name: "Built-in shelf: about a hundred real papers in three fields, with checked references; needs no network.",
    SemanticScholarSource.name: "Semantic Scholar: some 200 million papers with their citations; needs a network, a key makes it steadier.",
}
"""What can be opened, with a line for the person choosing."""


def open_source(name: str, settings: Settings, store: Store, embedder: Embedder) -> Source:
    """Return the source of that name; raises BadInput for a name there is no source for."""
    if name == Shelf.name:
        return Shelf(embedder)
    if name == SemanticScholarSource.name:
        return SemanticScholarSource(settings, store.library)
    raise BadInput(f"There is no literature source {name!r}; choose one of {', '.join(SOURCES)}.")
