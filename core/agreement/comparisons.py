"""Comparisons as a regression takes them: who stood left of whom, before which rater, and who was
better.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.answers import PairAnswer
from core.statistics.intervals import FEWEST, Floats, Ints


class Comparisons(NamedTuple):
    """Answers on one criterion in whole numbers: a column each, all of one length."""

    players: tuple[str, ...]
    """Ideas, or what they come from, in the order of the alphabet."""
    columns: tuple[str, ...]
    """Raters with a position term of their own, and "" for the term others share."""
    left: Ints
    right: Ints
    column: Ints
    pair: Ints
    won: Floats
    """1 where the left idea is better, 0.5 for a tie."""

    @property
    def design(self) -> Floats:
        """The position terms, then the strengths, left less right: (answers, columns and
        players).
        """
        places, each = np.eye(len(self.columns)), np.eye(len(self.players))
        return np.column_stack([places[self.column], each[self.left] - each[self.right]])

    def counts(self, outcome: float) -> Floats:
        """Return (players, players): how often the row's player came off so against the column's, 1
        for a win, 0.5 for a tie.
        """
        found, apart = np.zeros((len(self.players), len(self.players))), self.left != self.right
        for one, other, won in (
            (self.left, self.right, self.won),
            (self.right, self.left, 1 - self.won),
        ):
            mine = apart & (won == outcome)
            np.add.at(found, (one[mine], other[mine]), 1)
        return found

    @property
    def confounded(self) -> bool:
        """Whether some mix of position terms says the same of every answer as some mix of
        strengths, so that no answers could tell them apart.
        """
        rank = np.linalg.matrix_rank
        return bool(
            rank(self.design) < len(self.columns) + rank(self.design[:, len(self.columns) :])
        )


def compared(given: Sequence[PairAnswer], sources: Mapping[str, str]) -> Comparisons:
    """Write answers on one criterion in whole numbers; an idea that `sources` names counts as what
    it comes from.

    A rater has a position term of their own from 10 answers on that name a winner.
    """
    decisive = Counter(one.rater for one in given if one.strength)
    own = [one.rater if decisive[one.rater] >= FEWEST else "" for one in given]
    names = [(sources.get(one.left, one.left), sources.get(one.right, one.right)) for one in given]
    players, columns, pairs = (
        sorted({name for both in names for name in both}),
        sorted(set(own)),
        sorted({one.pair for one in given}),
    )

    def point(to: Sequence[object], column: Iterable[object]) -> Ints:
        at = {name: n for n, name in enumerate(to)}
        return np.array([at[one] for one in column], dtype=np.int64)

    return Comparisons(
        tuple(players),
        tuple(columns),
        point(players, (left for left, _ in names)),
        point(players, (right for _, right in names)),
        point(columns, own),
        point(pairs, (one.pair for one in given)),
        np.array([(np.sign(one.for_left) + 1) / 2 for one in given]),
    )
