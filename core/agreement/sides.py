"""Whether experts favour the left, and how strong ideas are once that is taken out: Bradley-Terry
with a position term for every expert.

The log-odds that the left idea wins are (strength of the left) - (strength of the right) + (the
expert's position term); a tie is half a win. R. A. Bradley and M. E. Terry, Rank analysis of
incomplete block designs (1952); the position term is R. R. Davidson and R. J. Beaver's (1977),
there for order of presentation.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.agreement.answers import PairAnswer, checked
from core.agreement.logistic import LogisticFit, fitted
from core.judging.ratings import (
    BASE,
    MEAN,
    SCALE,
    PlayerRating,
    not_separable,
    separable,
    strongly_connected,
)
from core.statistics.intervals import FEWEST, Floats, Ints, wilson
from core.statistics.pooled import pooled, too_few
from core.statistics.statistic import Statistic, between, refused, shown

UNIT = "pairs of ideas"
POSITION = "position term"
UNBEATEN = (
    "Some ideas never lost to the others, or never won against them, so that only the penalty keeps"
    " ratings finite: how far these lie from the others is not known, only on which side."
)
ONE_SOURCE = "All ideas come from one source, so that there is nothing to rate."
APART = (
    "The comparisons fall into parts that never meet, so that ratings of one cannot be set against"
    " those of another. Add pairs that join them."
)
CONFOUNDED = (
    "Side and quality cannot be told apart in these answers. Show each pair both ways round, to"
    " different experts, or collect answers on more pairs of the same ideas."
)


class Sides(NamedTuple):
    """Position terms, and ratings with them taken out."""

    ratings: tuple[PlayerRating, ...]
    """Best first, of mean 1000, where 400 more are odds of 10 to 1; empty where refused."""
    alike: tuple[tuple[str, ...], ...]
    """Groups of which no two are separable, their intervals overlapping."""
    positions: Mapping[str, Statistic]
    """By rater, the log-odds that of two equals the left one is chosen; an interval above 0 is a
    left bias.
    """
    position: Statistic
    """The mean of the raters' position terms."""
    answers: int
    pairs: int
    how: str = ""
    note: str = ""
    """What to mind about the ratings."""
    reading: str = ""
    refused: str = ""
    """Why there are no ratings."""


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
        places = np.eye(len(self.columns))
        each = np.eye(len(self.players))
        return np.column_stack([places[self.column], each[self.left] - each[self.right]])

    def counts(self, outcome: float) -> Floats:
        """Return (players, players): how often the row's player came off so against the column's, 1
        for a win, 0.5 for a tie.
        """
        times = np.zeros((len(self.players), len(self.players)))
        apart = self.left != self.right
        of_left = apart & (self.won == outcome)
        of_right = apart & (1 - self.won == outcome)
        np.add.at(times, (self.left[of_left], self.right[of_left]), 1)
        np.add.at(times, (self.right[of_right], self.left[of_right]), 1)
        return times

    @property
    def confounded(self) -> bool:
        """Whether some mix of position terms says the same of every answer as some mix of
        strengths, so that no answers could tell them apart.
        """
        rank = np.linalg.matrix_rank
        terms = len(self.columns)
        return bool(rank(self.design) < terms + rank(self.design[:, terms:]))


def left_share(answers: Iterable[PairAnswer], about: str = "all experts") -> Statistic:
    """Return how often the idea on the left is called better, where one is; 0.5 is no preference,
    if sides are balanced.

    The interval is Wilson's (1927) where every pair of ideas was answered once, else a bootstrap
    over pairs. Refused on fewer than 10 such pairs.
    """
    decisive = sorted((one for one in checked(answers) if one.strength), key=lambda one: one.pair)
    times = Counter(one.pair for one in decisive)
    left = Counter(one.pair for one in decisive if one.for_left > 0)
    sums = np.array([(left[pair], n) for pair, n in times.items()], dtype=float).reshape(-1, 2)
    raters = len({one.rater for one in decisive})
    found = pooled("left share", about, sums, _left, UNIT, raters, 0.5)
    if found.value is None or len(decisive) > len(times):
        return found
    low, high = wilson(left.total(), len(times))
    reading = _left(f"{shown(found.value)}{between(low, high)}")
    return found.model_copy(
        update={"low": low, "high": high, "how": "Wilson's", "reading": reading}
    )


def _left(seen: str) -> str:
    return (
        f"Where one idea is called better it is the left one in {seen} of the answers; 0.50 is no"
        " preference for a side."
    )


def sides(
    answers: Iterable[PairAnswer], criterion: str, sources: Mapping[str, str] | None = None
) -> Sides:
    """Return position terms and ratings of ideas on one criterion; where `sources` says what each
    idea comes from, ratings of sources.

    A rater with fewer than 10 answers that name a winner shares one position term with others like
    that. Intervals: see `core.agreement.logistic`; answers on one pair of ideas are one cluster.
    All is refused, with the reason, on fewer than 10 pairs of ideas and where side and quality
    cannot be told apart; ratings alone where comparisons fall into parts that never meet. Raises
    BadInput as `checked` does.
    """
    given = [one for one in checked(answers) if one.criterion == criterion]
    pairs = len({one.pair for one in given})
    raters = sorted({one.rater for one in given})
    if pairs < FEWEST:
        reason = too_few("A position term", criterion, pairs, UNIT).refused
        return _refused(criterion, raters, len(given), pairs, reason)
    coded = compared(given, sources or {})
    if coded.confounded:
        return _refused(criterion, raters, len(given), pairs, CONFOUNDED)
    fit = fitted(coded.design, coded.won, coded.pair)
    positions, mean = _positions(coded, fit, raters, criterion)
    return _rated(coded, fit, Sides((), (), positions, mean, len(given), pairs))


def _positions(
    coded: Comparisons, fit: LogisticFit, raters: Sequence[str], criterion: str
) -> tuple[dict[str, Statistic], Statistic]:
    terms = {name: at for at, name in enumerate(coded.columns)}
    # Raters who share a term have it each.
    own = [terms[name if name in terms else ""] for name in raters]
    share = np.bincount(own, minlength=len(terms)) / len(raters)
    contrasts = np.zeros((len(terms) + 1, len(terms) + len(coded.players)))
    contrasts[:, : len(terms)] = [*np.eye(len(terms)), share]
    values, reach = fit.estimate(contrasts)

    def position(at: int, who: str, whose: str, pairs: int, raters: int) -> Statistic:
        value, low, high = map(float, (values[at], values[at] - reach[at], values[at] + reach[at]))
        leaning = "a left bias" if low > 0 else "a right bias" if high < 0 else "no bias shown"
        odds = f"{shown(value)}{between(low, high)}"
        return Statistic(
            name=POSITION,
            about=f"{criterion}, {who}",
            value=value,
            low=low,
            high=high,
            n=pairs,
            unit=UNIT,
            raters=raters,
            how=_how(fit),
            reading=(
                f"Of two equal ideas {whose} chooses the left one with log-odds {odds}: {leaning}."
            ),
        )

    positions = {}
    for name in raters:
        if name in terms:
            pairs = len(np.unique(coded.pair[coded.column == terms[name]]))
            positions[name] = position(terms[name], name, name, pairs, 1)
        else:
            few = f"{name} named a winner in fewer than {FEWEST} answers"
            reason = f"{few}, which a {POSITION} needs."
            positions[name] = refused(POSITION, f"{criterion}, {name}", 0, reason, UNIT, 1)
    return positions, position(len(terms), "all experts", "an expert", fit.clusters, len(raters))


def _how(fit: LogisticFit) -> str:
    return (
        f"penalised logistic regression; by its information or clustered over {fit.clusters}"
        f" {UNIT}, the wider"
    )


def _rated(coded: Comparisons, fit: LogisticFit, found: Sides) -> Sides:
    players = len(coded.players)
    wins = coded.counts(1)
    ties = coded.counts(0.5)
    if players < 2 or not strongly_connected(wins + wins.T + ties):
        reason = ONE_SOURCE if players < 2 else APART
        return found._replace(refused=reason, reading=reason)
    centred = np.column_stack(
        [np.zeros((players, len(coded.columns))), np.eye(players) - 1 / players]
    )
    middle, reach = (one * SCALE / math.log(BASE) for one in fit.estimate(centred))
    figures = (MEAN + one for one in (middle, middle - reach, middle + reach))
    won, lost, tied = (one.sum(axis=axis) for one, axis in ((wins, 1), (wins, 0), (ties, 1)))
    counts = (one.astype(int).tolist() for one in (won + lost + tied, won, lost, tied))
    columns = (coded.players, *(one.tolist() for one in figures), *counts)
    rated = [PlayerRating(*row) for row in zip(*columns, strict=True)]
    ratings = sorted(rated, key=lambda one: (-one.rating, one.player))
    apart = sum(separable(one, other) for one, other in combinations(ratings, 2))
    pairs = players * (players - 1) // 2
    return found._replace(
        ratings=tuple(ratings),
        alike=tuple(not_separable(ratings)),
        how=_how(fit),
        note="" if strongly_connected(wins + ties / 2) else UNBEATEN,
        reading=(
            f"{ratings[0].player} stands first of {players}; {apart} of {pairs} pairs have"
            " intervals that lie apart."
        ),
    )


def _refused(criterion: str, raters: Sequence[str], answers: int, pairs: int, reason: str) -> Sides:
    none = {
        name: refused(POSITION, f"{criterion}, {name}", pairs, reason, UNIT, 1) for name in raters
    }
    return Sides(
        (),
        (),
        none,
        refused(POSITION, f"{criterion}, all experts", pairs, reason, UNIT, len(raters)),
        answers,
        pairs,
        reading=reason,
        refused=reason,
    )


# -- answers in whole numbers ---------------------------------------------------------------


def compared(given: Sequence[PairAnswer], sources: Mapping[str, str]) -> Comparisons:
    """Write answers on one criterion in whole numbers; an idea that `sources` names counts as what
    it comes from.

    A rater has a position term of their own from 10 answers on that name a winner.
    """
    decisive = Counter(one.rater for one in given if one.strength)
    own = [one.rater if decisive[one.rater] >= FEWEST else "" for one in given]
    names = [(sources.get(one.left, one.left), sources.get(one.right, one.right)) for one in given]
    players = sorted({name for both in names for name in both})
    columns = sorted(set(own))
    pairs = sorted({one.pair for one in given})

    def numbered(known: Sequence[object], column: Iterable[object]) -> Ints:
        at = {name: n for n, name in enumerate(known)}
        return np.array([at[name] for name in column], dtype=np.int64)

    return Comparisons(
        tuple(players),
        tuple(columns),
        numbered(players, (left for left, _ in names)),
        numbered(players, (right for _, right in names)),
        numbered(columns, own),
        numbered(pairs, (one.pair for one in given)),
        np.array([(np.sign(one.for_left) + 1) / 2 for one in given]),
    )
