"""What the builders of data sets share: steps that draw from a source, and work side by side that a
failed source ends for all.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from core.desk import Desk
from core.errors import FoundryError, SourceFailed, standing_for
from core.journal import Answer
from core.literature.corpora import CorpusListing, ListedPage, Sample, lister, sampler
from core.literature.port import Source
from core.records import Origin, Paper

T = TypeVar("T")
PAPERS = TypeAdapter(tuple[Paper, ...])


def read_sample_page(desk: Desk, name: str, wanted: Sample, page: int) -> tuple[Paper, ...]:
    """Return a page of a random sample, as a step; raises BadInput where the source cannot draw
    one, SourceFailed.
    """
    source = sampler(desk.source)

    request = {"source": source.name, "sample": wanted.model_dump(), "page": page}
    papers = _step(desk, name, source, request, lambda: source.sample(wanted, page))
    return PAPERS.validate_python(papers)


def read_list_page(desk: Desk, name: str, wanted: CorpusListing, page: str) -> ListedPage:
    """Return a page of a list of papers by criteria, as a step; raises BadInput where the source
    cannot list them, SourceFailed.
    """
    source = lister(desk.source)

    request = {"source": source.name, "listing": wanted.model_dump(), "page": page}
    answer = _step(desk, name, source, request, lambda: source.listed(wanted, page))
    return ListedPage.model_validate(answer)


def _step(
    desk: Desk, name: str, source: Source, request: Mapping[str, object], read: Callable[[], object]
) -> object:
    """Return what a source answers as JSON, as a step of the run."""

    def answer() -> Answer:
        with source.telling(desk.note(name)):
            found = to_jsonable_python(read())
        origin = Origin(kind="source", name=source.name, detail=dict(source.last()))
        return Answer(found, origin)

    return desk.step(name, request, answer)


def side_by_side(desk: Desk, work: Sequence[Callable[[Desk], T]], at_once: int) -> tuple[T, ...]:
    """Do independent work, so much at once; where the source fails, what was begun ends, and
    resuming asks again all that failed with it.
    """
    failed: list[FoundryError] = []

    def watched(here: Desk, piece: Callable[[Desk], T]) -> T:
        try:
            return piece(here)
        except SourceFailed as error:
            failed.append(error)
            raise

    try:
        return desk.each([partial(watched, piece=piece) for piece in work], at_once)
    except FoundryError as error:
        # One failure speaks for all, but each is recorded under a name of its own.
        raise standing_for([error, *failed]) from None
