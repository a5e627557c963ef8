"""What the builders of data sets share: steps that draw from a source, and work side by side that a
failed source ends for all.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import TypeAdapter

from core.desk import Desk
from core.errors import FoundryError, SourceFailed
from core.journal import Answer
from core.journal import StepQuestion as Step
from core.literature.corpora import CorpusListing, ListedPage, Sample, lister, sampler
from core.records import Origin, Paper

T = TypeVar("T")
PAPERS = TypeAdapter(tuple[Paper, ...])


def sampled(desk: Desk, name: str, wanted: Sample, page: int) -> tuple[Paper, ...]:
    """Return a page of a random sample, as a step; raises BadInput where the source cannot draw
    one, SourceFailed.
    """
    source = sampler(desk.source)

    def draw() -> Answer:
        with source.telling(lambda note: desk.bench.journal.progress(key)("", note)):
            found = PAPERS.dump_python(source.sample(wanted, page), mode="json")
        return Answer(found, Origin(kind="source", name=source.name, detail=dict(source.last())))

    key = f"{desk.place}/{name}"
    asked: dict[str, object] = {"source": source.name, "sample": wanted.model_dump(), "page": page}
    return PAPERS.validate_python(desk.bench.journal.step(Step(key, desk.lane.next(), asked), draw))


def listed(desk: Desk, name: str, wanted: CorpusListing, page: str) -> ListedPage:
    """Return a page of a list of papers by criteria, as a step; raises BadInput where the source
    cannot list them, SourceFailed.
    """
    source = lister(desk.source)

    def read() -> Answer:
        with source.telling(lambda note: desk.bench.journal.progress(key)("", note)):
            found = source.listed(wanted, page).model_dump(mode="json")
        return Answer(found, Origin(kind="source", name=source.name, detail=dict(source.last())))

    key = f"{desk.place}/{name}"
    asked: dict[str, object] = {"source": source.name, "listing": wanted.model_dump(), "page": page}
    return ListedPage.model_validate(
        desk.bench.journal.step(Step(key, desk.lane.next(), asked), read)
    )


def side_by_side(desk: Desk, work: Sequence[Callable[[Desk], T]], at_once: int) -> tuple[T, ...]:
    """Do independent work, so much at once; where the source fails, what was begun ends, and
    resuming asks again all that failed with it.
    """
    failed: list[SourceFailed] = []

    def heard(piece: Callable[[Desk], T], here: Desk) -> T:
        try:
            return piece(here)
        except SourceFailed as error:
            failed.append(error)
            raise

    try:
        return desk.each([lambda here, piece=piece: heard(piece, here) for piece in work], at_once)  # type: ignore[misc]
    except FoundryError as error:
        # One failure speaks for all, but each is recorded under a name of its own.
        error.steps = tuple(
            dict.fromkeys((*error.steps, *(step for one in failed for step in one.steps)))
        )
        raise
