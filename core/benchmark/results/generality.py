"""A board held against a ranking of general ability that somebody brought."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from core.benchmark.identity import identity
from core.benchmark.results.board import Board, BoardRow, Spread
from core.models import PROVIDERS
from core.records import Panelist, Record
from core.statistics.correlation import alike, pearson
from core.statistics.intervals import FEWEST
from core.statistics.statistic import Statistic, refused
from core.wording.numbers import counted

T = TypeVar("T", BoardRow, Panelist)


class ModelPoint(Record):
    """One model on both scales."""

    model: str
    """As the board spells it."""
    ranked: str
    """As the ranking spells it."""
    general: float
    average: Spread


class Against(Record):
    """How averages go together with a general ranking."""

    points: tuple[ModelPoint, ...] = ()
    n: int = 0
    r: float | None = None
    """Pearson's, with Fisher's interval; models are taken as independent."""
    low: float | None = None
    high: float | None = None
    p: float | None = None
    left_out: tuple[str, ...] = ()
    """Models of the board that the ranking does not hold, or holds twice, or that have no average.
    """
    reading: str = ""
    """What the figure says, or why there is none."""
    refused: str = ""


def against(board: Board, ranking: Sequence[Panelist]) -> Against:
    """Return how the averages of a board go together with a general ranking, over models that are
    in both, whatever provider each is named with.

    Refused with a reason under 10 models, and where all stand alike on one side.
    """
    general = _by_name(ranking)
    points = []
    for name, row in _by_name(board.rows).items():
        one = general.get(name)
        if one and one.rank is not None and row.average.value is not None:
            points.append(
                ModelPoint(model=row.model, ranked=one.model, general=one.rank, average=row.average)
            )
    met = {one.model for one in points}
    found = correlate(
        {one.model: one.general for one in points},
        {one.model: one.average.value or 0.0 for one in points},
        "average against a general ranking",
        "A general ranking and the averages",
    )
    return Against(
        points=tuple(points),
        n=len(points),
        r=found.value,
        low=found.low,
        high=found.high,
        p=found.p,
        reading=found.reading,
        refused=found.refused,
        left_out=tuple(row.model for row in board.rows if row.model not in met),
    )


def fold_name(model: str) -> str:
    """Return a model's name as different lists can be matched by it: without provider, vendor, case
    and signs, and "gemin-", as published, as "gemini-".
    """
    named = (
        identity(model)
        if model.partition(":")[0] in PROVIDERS
        else model.rpartition("/")[2].removesuffix(":free").casefold()
    )
    return re.sub(r"[^a-z0-9.]", "", re.sub(r"^gemin-", "gemini-", named))


def correlate(
    one: Mapping[str, float], other: Mapping[str, float], about: str, whose: str
) -> Statistic:
    """Return Pearson's r over the models that are in both; refused with a reason under 10 models,
    and where all stand alike on one side.
    """
    both = [name for name in one if name in other]
    x = np.array([one[name] for name in both])
    y = np.array([other[name] for name in both])
    if len(both) < FEWEST:
        reason = f"Only {counted(len(both), 'model')} on both sides: a correlation takes {FEWEST}."
    elif alike(x) or alike(y):
        reason = "All models stand alike on one side, so that nothing can go together with it."
    else:
        return pearson(x, y, about, whose).model_copy(update={"unit": "models", "raters": 0})
    return refused("Pearson's r", about, len(both), reason, "models")


def _by_name(named: Sequence[T]) -> dict[str, T]:
    """Return those whose name comes once: which of two would be meant, nobody can say."""
    count = Counter(fold_name(one.model) for one in named)
    return {name: one for one in named if count[name := fold_name(one.model)] == 1}
