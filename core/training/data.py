"""The queries to train on and those held out, told apart by the paper each was made from."""

from collections.abc import Iterable, Sequence

from core.errors import BadInput
from core.records import Prepared, digest
from core.records.training import TrainingData, TrainingQuery
from core.store import Store, must_be
from core.story import Story

HELD_OUT = 96
"""Queries that the paper evaluates on (EvoIdeator, section 4.3)."""


def queries_of(prepared: Iterable[Prepared]) -> tuple[TrainingQuery, ...]:
    """Return the questions with a review that a data set came to."""
    return tuple(
        TrainingQuery(
            question=one.question, review=one.review, seed=one.seed.id if one.seed else ""
        )
        for one in prepared
        if not one.rejected
    )


def built_by(store: Store, run_id: str) -> tuple[TrainingQuery, ...]:
    """Return the questions that a run has built so far; raises BadInput for another kind of run."""
    otherwise = (
        f"Run {run_id} is no data set of questions. `python -m core runs --method seed-dataset`"
        " lists them."
    )
    run = must_be(store.runs.get(run_id), "seed-dataset", otherwise)
    return queries_of(Story.of(store, run.id).all(Prepared))


def split(queries: Sequence[TrainingQuery], held_out: int = HELD_OUT) -> TrainingData:
    """Part questions with their reviews into training and held-out ones; raises BadInput where
    nothing is left to train on.

    The order is that of a hash of the seed paper (of the question where there is none), so that the
    same data part the same way in whatever order they come; neither two questions of one paper nor
    one question of two papers are on both sides.
    """
    in_order = sorted(set(queries), key=lambda query: query.digest())
    papers = _papers(in_order)
    by_seed: dict[str, list[TrainingQuery]] = {}
    for query, paper in zip(in_order, papers, strict=True):
        by_seed.setdefault(paper, []).append(query)
    apart: list[TrainingQuery] = []
    rest: list[TrainingQuery] = []
    for seed in sorted(by_seed):
        several = by_seed[seed]
        fits = len(apart) + len(several) <= held_out
        (apart if fits else rest).extend(several)
    if not rest:
        raise BadInput(
            f"Of {len(queries)} questions with a review, {held_out} are held out, and none is left"
            " to train on. Take a larger data set, or hold out fewer."
        )
    return TrainingData(training=tuple(rest), held_out=tuple(apart))


def _papers(queries: Sequence[TrainingQuery]) -> list[str]:
    """Return the paper of each question, as a hash; papers with a question in common are as one,
    the first of them.
    """
    of: dict[str, str] = {}

    def first(name: str) -> str:
        while of.setdefault(name, name) != name:
            name = of[name]
        return name

    papers = [digest(query.seed or query.question) for query in queries]
    for query, paper in zip(queries, papers, strict=True):
        # After every hash, so that a question stands for no paper.
        question = "~" + " ".join(query.question.split()).casefold()
        least, other = sorted((first(paper), first(question)))
        of[other] = least
    return [first(paper) for paper in papers]
