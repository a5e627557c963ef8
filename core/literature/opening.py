"""Opening a literature source by its name."""

from functools import reduce

from core.errors import BadInput
from core.literature import LABELS, SOURCES
from core.literature.combined import SecondChoice, Together
from core.literature.embeddings import Embedder
from core.literature.openalex import OpenAlexSource
from core.literature.own import OwnLibrary
from core.literature.port import Source
from core.literature.semantic_scholar import SemanticScholarSource
from core.literature.shelf import Shelf
from core.settings import Settings
from core.store import Store


def open_source(name: str, settings: Settings, store: Store, embedder: Embedder) -> Source:
    """Return the source a name stands for: `a+b` asks both, `a|b` asks `b` where `a` fails.

    Raises BadInput for a name without a source, or one that comes twice.
    """
    parts = [part.split("|") for part in name.split("+")]
    single = [choice for part in parts for choice in part]
    if wrong := [choice for choice in single if choice not in LABELS]:
        raise BadInput(
            f"There is no literature source {wrong[0]!r}; choose one of {', '.join(SOURCES)}."
        )
    if len(set(single)) < len(single):
        raise BadInput(f"{name!r} names a source twice; name each once.")
    opened = [
        reduce(SecondChoice, [_one(choice, settings, store, embedder) for choice in part])
        for part in parts
    ]
    return opened[0] if len(opened) == 1 else Together(*opened)


def _one(name: str, settings: Settings, store: Store, embedder: Embedder) -> Source:
    if name == Shelf.name:
        return Shelf(embedder)
    if name == SemanticScholarSource.name:
        return SemanticScholarSource(settings, store.library)
    if name == OpenAlexSource.name:
        return OpenAlexSource(settings, store.library)
    return OwnLibrary(store.library, embedder)
