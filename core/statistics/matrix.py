"""Ratings as a table: items in rows, raters in columns, nan where a rater did not rate an item."""

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.errors import BadInput
from core.statistics.intervals import Floats

LARGEST = 1e9
"""The largest score, either way; squares of squares of larger ones would overflow."""


class Matrix(NamedTuple):
    """Scores of one criterion."""

    items: tuple[str, ...]
    raters: tuple[str, ...]
    values: Floats
    """(items, raters), nan where missing."""

    @property
    def rated(self) -> npt.NDArray[np.bool_]:
        """Return where there is a score: (items, raters)."""
        found: npt.NDArray[np.bool_] = np.isfinite(self.values)
        return found

    def only(self, raters: Collection[str]) -> "Matrix":
        """Return the columns of these raters; items that have no score left are dropped."""
        chosen = [rater in raters for rater in self.raters]
        names = tuple(compress(self.raters, chosen))
        matrix = Matrix(self.items, names, self.values[:, chosen])
        return matrix.rows(np.any(matrix.rated, axis=1))

    def without(self, raters: Collection[str]) -> "Matrix":
        """Return the columns of all other raters; items that have no score left are dropped."""
        return self.only(set(self.raters) - set(raters))

    def complete(self) -> "Matrix":
        """Return the items that every rater rated."""
        return self.rows(np.all(self.rated, axis=1))

    def rows(self, kept: npt.NDArray[np.bool_]) -> "Matrix":
        """Return the items where `kept` is true."""
        items = tuple(compress(self.items, kept))
        return Matrix(items, self.raters, self.values[kept])

    def column(self, rater: str) -> Floats:
        """Return one rater's scores: (items,), nan where missing."""
        found: Floats = self.values[:, self.raters.index(rater)]
        return found


def settled(means: Floats) -> Floats:
    """Return means without their last digits, which the order of summing decides: two that are
    equal then share a rank, whatever raters are called.
    """
    sizes = np.abs(means[np.isfinite(means)])
    _, power = math.frexp(float(sizes.max(initial=0.0)))
    digits = np.round(np.ldexp(means, -power), 12)
    rounded: Floats = np.ldexp(digits, power)
    return rounded


def matrix(scores: Iterable[tuple[str, str, float]]) -> Matrix:
    """Return the table of (item, rater, score), items and raters sorted by name, so that the order
    they came in decides nothing.

    Raises BadInput where a rater rated an item twice, and for a score that is no finite number or
    too large to be one.
    """
    found: dict[tuple[str, str], float] = {}
    for item, rater, score in scores:
        if (item, rater) in found:
            raise BadInput(
                f"{rater!r} rated {item!r} twice; keep one score (repeats belong to"
                " self-agreement)."
            )
        if not math.isfinite(score):
            raise BadInput(
                f"The score of {item!r} by {rater!r} is not a number; leave the line out where"
                " there is no score."
            )
        if abs(score) > LARGEST:
            raise BadInput(
                f"The score of {item!r} by {rater!r}, {score:g}, is too large: scores go up to"
                f" {LARGEST:g}."
            )
        found[item, rater] = score
    items = sorted({item for item, _ in found})
    raters = sorted({rater for _, rater in found})
    values = [[found.get((item, rater), math.nan) for rater in raters] for item in items]
    table = np.array(values, dtype=np.float64).reshape(len(items), len(raters))
    return Matrix(tuple(items), tuple(raters), table)


def scores(ratings: Matrix) -> Iterator[tuple[str, str, float]]:
    """Yield item, rater and score, for each score there is."""
    for item, rater in zip(*np.nonzero(ratings.rated), strict=True):
        yield ratings.items[item], ratings.raters[rater], float(ratings.values[item, rater])
