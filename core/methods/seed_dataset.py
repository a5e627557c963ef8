"""The dataset of research questions: OpenAlex works sampled by a fixed seed, each made a question
with its review (EvoIdeator, section 4.1).
"""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Annotated

from pydantic import Field

from core.desk import Desk
from core.errors import ModelFailed, NothingFound
from core.literature.corpora import Sample
from core.methods import questioning
from core.methods.gathering import read_sample_page, side_by_side
from core.methods.inputs import Day
from core.methods.questioning import QuestionInputs
from core.records import Gathered, LeftOut, Paper, Prepared, Record

PROMPTS = questioning.PROMPTS


class SeedInputs(Record):
    """What is sampled: works of a year, in journals or at conferences, with an abstract, not
    retracted.
    """

    topic: str = "research questions"
    year: Annotated[int, Field(ge=1900, le=2100)] = 2025
    works: Annotated[int, Field(ge=1, le=10_000)] = 1_000
    sample_seed: Annotated[int, Field(ge=0)] = 20_260
    at_once: Annotated[int, Field(ge=1, le=32)] = 8
    before: Day | None = None
    """Cut-off of the papers a question is reviewed by."""


def build(desk: Desk, inputs: SeedInputs) -> Iterator[Gathered]:
    """Sample the works and prepare a question from each, showing each in its place:
    `question/W123`; yield what came of them, in numbers.

    A question that is rejected says why, and so does a work that no question came of because the
    model failed. Raises SourceFailed, after which the run goes on where it stopped, NothingFound
    where nothing was sampled, and ModelFailed where it failed at every work.
    """
    works = sample(desk.at("sample"), inputs)
    if not works:
        raise NothingFound(
            f"The source has no work of {inputs.year} with an abstract that was in a journal or at"
            " a conference. Choose another year."
        )
    prepare = [partial(prepare_one, inputs=inputs, work=work) for work in works]
    made = side_by_side(desk, prepare, inputs.at_once)
    failed = [found.reason for found in made if isinstance(found, LeftOut)]
    rejected = sum(isinstance(found, Prepared) and bool(found.rejected) for found in made)
    usable = len(made) - len(failed) - rejected
    if made and len(failed) == len(made):
        raise ModelFailed(
            f"No question came of any of the {len(made)} works. Fork the run with another model."
            f" The first failure: {failed[0]}"
        )
    yield Gathered(
        wanted=inputs.works,
        found=usable,
        qualified=len(works),
        left_out=len(made) - usable,
        reason=_say_missing(inputs, len(works), rejected, len(failed)),
    )


def sample(desk: Desk, inputs: SeedInputs) -> tuple[Paper, ...]:
    """Return the sampled works, page by page and none twice; raises BadInput for a source that
    cannot draw, SourceFailed.
    """
    wanted = Sample(year=inputs.year, works=inputs.works, seed=inputs.sample_seed)
    found: dict[str, Paper] = {}
    for page in count(1):
        papers = read_sample_page(desk, f"page-{page}", wanted, page)
        found |= {paper.id: paper for paper in papers if paper.abstract}
        if not papers or len(found) >= inputs.works:
            return tuple(found.values())[: inputs.works]
    raise AssertionError("the pages end")


def prepare_one(desk: Desk, inputs: SeedInputs, work: Paper) -> Prepared | LeftOut:
    """Prepare a question from one work and show it; one that the model fails at is shown as left
    out, and the others go on.
    """
    here = desk.at("question").at(work.id.rpartition(":")[2])
    wanted = QuestionInputs(topic=work.title, seed=work, before=inputs.before)
    found: Prepared | LeftOut
    try:
        found = questioning.prepare(here, wanted, recorded=(ModelFailed,))
    except ModelFailed as error:
        found = LeftOut(paper=work, reason=str(error))
    here.show(found)
    return found


def _say_missing(inputs: SeedInputs, sampled: int, rejected: int, failed: int) -> str:
    reasons = []
    if sampled < inputs.works:
        reasons.append(f"the source gave {sampled} works of {inputs.year} with an abstract")
    if rejected:
        papers = f"fewer than {questioning.LEAST} papers were found for them"
        reasons.append(f"{rejected} questions were rejected: {papers}")
    if failed:
        again = "fork the run at one of them to try these again"
        reasons.append(f"the model failed at {failed}: {again}")
    return "; ".join(reasons)
