"""How long whole replies are, thoughts included, and whether longer ones hold better ideas
(LiveIdeaBench, supplementary figures 10 to 20).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.benchmark.results.clarity import counted, halves
from core.benchmark.results.lengths import FitKind, LineFit, fits
from core.records import GroupDetail, Record

COLUMNS = 24
"""Steps a model's lengths are counted in, at most."""
STEP = 100
"""Characters of the finest step."""
KIND = FitKind("in replies of one length", which=" with a measured reply")


class Thinker(Record):
    """The judged ideas of a model, as far as their whole replies were measured; lengths in
    characters.
    """

    model: str
    n: int
    thought: int
    """Ideas that came with thoughts."""
    reply: float
    """Mean length of the whole reply."""
    thoughts: float
    """Mean length of the thoughts, over all of them."""
    step: int = STEP
    """Characters of one step of `counts`."""
    counts: tuple[tuple[int, float, int], ...] = ()
    """(where a step of lengths begins, score in half points, ideas)."""


class Replies(Record):
    """Whole replies against scores."""

    unmeasured: int
    """Judged ideas from before whole replies were measured: they are nowhere here."""
    fits: tuple[LineFit, ...]
    models: tuple[Thinker, ...]
    """Those of which any reply was measured."""


class _Idea(NamedTuple):
    keyword: int
    model: int
    reply: int
    thoughts: int
    score: float


def replies(details: Mapping[tuple[int, int], GroupDetail], models: Sequence[str]) -> Replies:
    """Return how an idea's score goes with the length of its whole reply, and of each model how
    long it thinks.
    """
    judged = [
        (keyword, model, one)
        for (model, keyword), detail in details.items()
        for one in detail.ideas
    ]
    ideas = [
        _Idea(keyword, model, one[3], one[4] or 0, sum(one[:3]) / 3)
        for keyword, model, one in judged
        if one[3] is not None
    ]
    rows = ((k, m, 1, x, x**2, y, y**2, x * y) for k, m, x, _, y in ideas)
    by: dict[int, list[_Idea]] = {}
    for one in ideas:
        by.setdefault(one.model, []).append(one)
    return Replies(
        unmeasured=len(judged) - len(ideas),
        fits=fits(rows, models, KIND),
        models=tuple(_thinker(models[m], by[m]) for m in sorted(by)),
    )


def _thinker(model: str, ideas: Sequence[_Idea]) -> Thinker:
    longest = max(one.reply for one in ideas)
    step = STEP * (longest // (STEP * COLUMNS) + 1)
    return Thinker(
        model=model,
        n=len(ideas),
        thought=sum(one.thoughts > 0 for one in ideas),
        reply=sum(one.reply for one in ideas) / len(ideas),
        thoughts=sum(one.thoughts for one in ideas) / len(ideas),
        step=step,
        counts=counted((one.reply // step * step, halves(one.score)) for one in ideas),
    )
