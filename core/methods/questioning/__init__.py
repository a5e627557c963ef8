"""From a topic or a seed paper to what an evolution starts from: question, keywords, papers,
literature review (EvoIdeator, section 4.1).
"""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated

from pydantic import Field

from core.desk import Desk
from core.errors import FoundryError
from core.literature.combined import merge
from core.literature.port import Query
from core.literature.ranking import ids_of
from core.methods.inputs import Day
from core.methods.questioning import citing, wording_rules
from core.records import Keywords, LiteratureReview, Paper, Prepared, Question, Record

PROMPTS = ("question", "keywords", "literature-review")
LEAST, MOST = 5, 20
"""Papers a question needs, and papers that are taken; with fewer the question is rejected."""
ENOUGH = {3: MOST, 2: LEAST}
"""With so many papers found, no search by three keywords at a time, or by two, is begun."""


class QuestionInputs(Record):
    """What a question is made from."""

    topic: Annotated[str, Field(min_length=1)]
    seed: Paper | None = None
    question: str = ""
    """A question somebody wrote; empty lets the model ask one."""
    papers: Annotated[tuple[Paper, ...] | None, Field(exclude_if=lambda papers: papers is None)] = (
        None
    )
    """What the review is written from, instead of papers that are looked for; with none of them
    there is a question and no review.
    """
    before: Day | None = None


def prepare(
    desk: Desk, inputs: QuestionInputs, recorded: tuple[type[FoundryError], ...] = ()
) -> Prepared:
    """Return question, keywords, papers and review; `rejected` says why there is no review. Raises
    SourceFailed, and ModelFailed, which is recorded where the caller goes past it.
    """
    ask = partial(desk.ask, recorded=recorded)
    question = question_of(desk, inputs, recorded)
    if inputs.papers is not None:
        return Prepared(
            question=question,
            papers=inputs.papers,
            seed=inputs.seed,
            review=review(ask, question, inputs.papers) if inputs.papers else "",
        )
    keywords = ask(
        "keywords",
        Keywords,
        check=wording_rules.check_keywords,
        question=question,
        title=inputs.seed.title if inputs.seed else None,
    ).keywords
    found = search(desk, keywords, inputs)
    papers = merge(tuple(map(with_abstract, found)), MOST)
    begun = Prepared(question=question, keywords=keywords, papers=papers, seed=inputs.seed)
    if len(papers) < LEAST:
        every = len({paper.id for answer in found for paper in answer})
        return begun.model_copy(
            update={"rejected": too_few(desk, every, len(papers), keywords, inputs.before)}
        )
    return begun.model_copy(update={"review": review(ask, question, papers)})


def question_of(
    desk: Desk, inputs: QuestionInputs, recorded: tuple[type[FoundryError], ...] = ()
) -> str:
    """Return the question that somebody wrote, or have one asked on the topic or the seed paper."""
    if inputs.question:
        return inputs.question
    return desk.ask(
        "question",
        Question,
        check=wording_rules.check_question,
        recorded=recorded,
        topic=inputs.topic,
        seed=inputs.seed,
    ).question


def review(ask: Callable[..., LiteratureReview], question: str, papers: tuple[Paper, ...]) -> str:
    """Return the literature review of a question, which cites these papers and no others; raises
    ModelFailed.
    """
    sources = citing.cited_as(papers)
    return ask(
        "literature-review",
        LiteratureReview,
        check=partial(citing.check_citations, sources),
        question=question,
        papers=sources,
    ).review


def search(
    desk: Desk, keywords: tuple[str, ...], inputs: QuestionInputs
) -> tuple[tuple[Paper, ...], ...]:
    """Return what was found by all four keywords; where that is fewer than 20 papers with an
    abstract, by every three of them too; fewer than 5, by every two.

    Sources differ in how many of the words a paper has to hold. The seed paper is no answer to its
    own question. Raises SourceFailed.
    """
    seed = inputs.seed
    ban = ids_of(seed) if seed else ()
    found: list[tuple[Paper, ...]] = []
    for size in range(len(keywords), 1, -1):
        usable = {paper.id for answer in found for paper in with_abstract(answer)}
        if size in ENOUGH and len(usable) >= ENOUGH[size]:
            break
        for n, some in enumerate(itertools.combinations(keywords, size), 1):
            query = Query(text=" ".join(some), before=inputs.before, ban=ban, limit=MOST)
            papers = desk.search(f"search-by-{size}/{n}", query)
            others = [paper for paper in papers if not seed or not paper.same(seed)]
            found.append(tuple(others))
    return tuple(found)


def with_abstract(papers: tuple[Paper, ...]) -> tuple[Paper, ...]:
    """Return the papers a review can be written from."""
    return tuple(paper for paper in papers if paper.abstract)


def too_few(
    desk: Desk, found: int, usable: int, keywords: tuple[str, ...], before: str | None
) -> str:
    """Return why a question is rejected, in numbers."""
    when = f" from before {before}" if before else ""
    without = ""
    if found > usable:
        without = f" ({found} were found, {found - usable} of them without an abstract)"
    return (
        f"{usable} papers{when} with an abstract were found for {', '.join(keywords)}{without}; a"
        f" question needs {LEAST}. It is too narrow for this source, or the source too small."
        f" {desk.source.about}"
    )


def ask_question(desk: Desk, inputs: QuestionInputs) -> Iterator[Prepared]:
    """Yield what `prepare` returns."""
    made = prepare(desk, inputs)
    desk.uses(made.papers)
    yield made
