"""Finding papers: sources by name.

A run's configuration freezes how its source is spelled: one name, `a|b` for `a` and `b` when it
fails, `a+b` for both together; `|` binds tighter.
"""

from functools import reduce

from core.errors import BadInput
from core.literature.combined import SecondChoice, Together
from core.literature.embeddings import Embedder
from core.literature.openalex import OpenAlexSource
from core.literature.port import Query, Source
from core.literature.semantic_scholar import SemanticScholarSource
from core.literature.shelf import Shelf
from core.settings import Settings
from core.store import Store

__all__ = [
    "SOURCES",
    "Embedder",
    "OpenAlexSource",
    "Query",
    "SecondChoice",
    "SemanticScholarSource",
    "Shelf",
    "Source",
    "Together",
    "label",
    "open_source",
    "spelled",
]

LABELS = {
    Shelf.name: "Built-in shelf",
    SemanticScholarSource.name: "Semantic Scholar",
    OpenAlexSource.name: "OpenAlex",
    "library": "Own literature",
}
"""What can be opened, and what it is called."""
SECOND = {
    SemanticScholarSource.name: OpenAlexSource.name,
    OpenAlexSource.name: SemanticScholarSource.name,
}
SOURCES: dict[str, str] = {
    "shelf": (
        "Built-in shelf: 133 real papers in three fields, with checked references; needs no"
        " network."
    ),
    "semantic-scholar|openalex": (
        "Semantic Scholar, then OpenAlex: some 200 million papers with their citations; OpenAlex is"
        " asked where Semantic Scholar fails, and the run says so. Needs a network; keys make both"
        " steadier."
    ),
    "openalex|semantic-scholar": (
        "OpenAlex, then Semantic Scholar: some 250 million papers with their citations; Semantic"
        " Scholar is asked where OpenAlex fails, and the run says so. Needs a network; keys make"
        " both steadier."
    ),
    "library": (
        "Own literature: what you imported on the Library page, followed along the citations that"
        " are known, else by closeness in meaning; needs no network."
    ),
    "library+semantic-scholar|openalex": (
        "Own literature together with Semantic Scholar, then OpenAlex: your papers and those that"
        " cite them. Needs a network."
    ),
}
"""What a person chooses from, with a line each."""


def spelled(name: str) -> str:
    """Return a source's name with a second choice behind a service that stands alone: `openalex`
    becomes `openalex|semantic-scholar`.
    """
    parts = name.split("+")
    return "+".join(
        f"{part}|{SECOND[part]}" if part in SECOND and SECOND[part] not in parts else part
        for part in parts
    )


def label(name: str) -> str:
    """Say how a source is spelled in words: `Own literature with Semantic Scholar, then OpenAlex`;
    a name nobody knows stays as it is.
    """
    return " with ".join(
        ", then ".join(LABELS.get(choice, choice) for choice in part.split("|"))
        for part in name.split("+")
    )


def open_source(name: str, settings: Settings, store: Store, embedder: Embedder) -> Source:
    """Return the source spelled that way; raises BadInput for a name there is no source for, or one
    that comes twice.
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
    from core.literature.own import OwnLibrary

    return OwnLibrary(store.library, embedder)
