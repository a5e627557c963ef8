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
from core.judging.votes import index
from core.statistics.intervals import FEWEST, Figure, Floats, Ints, wilson
from core.statistics.pooled import pooled, too_few
from core.statistics.statistic import Statistic, between, of_figure, refused, shown

UNIT = "pairs of ideas"
MOST_PLAYERS, MOST_TERMS = 200, 4_000_000
"""Ideas that are rated together, and answers times terms: the time it takes grows with the cube of
the ideas.
"""
TOO_LARGE = (
    f"Position terms and ratings are taken of {MOST_PLAYERS} ideas at most, and of fewer where"
    " answers are very many. Ratings of what the ideas come from are still given where that is"
    " known."
)
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
    def too_large(self) -> bool:
        terms = len(self.columns) + len(self.players)
        return len(self.players) > MOST_PLAYERS or len(self.won) * terms > MOST_TERMS

    @property
    def design(self) -> Floats:
        """The position terms, then the strengths, left less right: (answers, columns and
        players).
        """
        terms = np.eye(len(self.columns))
        players = np.eye(len(self.players))
        strengths = players[self.left] - players[self.right]
        return np.column_stack([terms[self.column], strengths])

    def counts(self, outcome: float) -> Floats:
        """Return (players, players): how often the row's player came off so against the column's, 1
        for a win, 0.5 for a tie.
        """
        players = len(self.players)
        times = np.zeros((players, players))
        for player, other, won in (
            (self.left, self.right, self.won),
            (self.right, self.left, 1 - self.won),
        ):
            so = (player != other) & (won == outcome)
            np.add.at(times, (player[so], other[so]), 1)
        return times

    @property
    def confounded(self) -> bool:
        """Whether some mix of position terms says the same of every answer as some mix of
        strengths, so that no answers could tell them apart.
        """
        design = self.design
        terms = len(self.columns)
        of_strengths = np.linalg.matrix_rank(design[:, terms:])
        return bool(np.linalg.matrix_rank(design) < terms + of_strengths)


def left_share(answers: Iterable[PairAnswer], about: str = "all experts") -> Statistic:
    """Return how often the idea on the left is called better, where one is; 0.5 is no preference,
    if sides are balanced.

    The interval is Wilson's (1927) where every pair of ideas was answered once, else a bootstrap
    over pairs. Refused on fewer than 10 such pairs.
    """
    decisive = [answer for answer in checked(answers) if answer.strength]
    times = Counter(sorted(answer.pair for answer in decisive))
    left = Counter(answer.pair for answer in decisive if answer.for_left > 0)
    rows = [(left[pair], n) for pair, n in times.items()]
    sums = np.array(rows, dtype=float).reshape(-1, 2)
    raters = len({answer.rater for answer in decisive})

    def reading(seen: str) -> str:
        return (
            f"Where one idea is called better it is the left one in {seen} of the answers; 0.50 is"
            " no preference for a side."
        )

    found = pooled("left share", about, sums, reading, UNIT, raters, 0.5)
    if found.value is None or len(decisive) > len(times):
        return found
    low, high = wilson(left.total(), len(times))
    seen = f"{shown(found.value)}{between(low, high)}"
    update = {"low": low, "high": high, "how": "Wilson's", "reading": reading(seen)}
    return found.model_copy(update=update)


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
    given = [answer for answer in checked(answers) if answer.criterion == criterion]
    n = len(given)
    pairs = len({answer.pair for answer in given})
    raters = sorted({answer.rater for answer in given})
    if pairs < FEWEST:
        reason = too_few("A position term", criterion, pairs, UNIT).refused
        return _refuse(criterion, raters, n, pairs, reason)
    coded = compared(given, sources or {})
    if coded.too_large:
        return _refuse(criterion, raters, n, pairs, TOO_LARGE)
    if coded.confounded:
        return _refuse(criterion, raters, n, pairs, CONFOUNDED)
    fit = fitted(coded.design, coded.won, coded.pair)
    positions, mean = _positions(coded, fit, raters, criterion)
    return _rate(coded, fit, Sides((), (), positions, mean, n, pairs))


def _positions(
    coded: Comparisons, fit: LogisticFit, raters: Sequence[str], criterion: str
) -> tuple[dict[str, Statistic], Statistic]:
    terms = {name: at for at, name in enumerate(coded.columns)}
    n = len(terms)
    # Raters who share a term have it each.
    own = [terms[name if name in terms else ""] for name in raters]
    share = np.bincount(own, minlength=n) / len(raters)
    contrasts = np.zeros((n + 1, n + len(coded.players)))
    contrasts[:, :n] = [*np.eye(n), share]
    values, reach = fit.estimate(contrasts)

    def position(at: int, who: str, whose: str, pairs: int, raters: int) -> Statistic:
        value = float(values[at])
        low = float(values[at] - reach[at])
        high = float(values[at] + reach[at])
        leaning = "no bias shown"
        if low > 0:
            leaning = "a left bias"
        elif high < 0:
            leaning = "a right bias"
        odds = f"{shown(value)}{between(low, high)}"
        reading = (
            f"Of two equal ideas {whose} chooses the left one with log-odds {odds}: {leaning}."
        )
        figure = Figure(value, low, high, pairs, _how(fit))
        return of_figure(figure, POSITION, f"{criterion}, {who}", UNIT, raters, reading)

    positions = {}
    for name in raters:
        if name in terms:
            term = terms[name]
            pairs = len(np.unique(coded.pair[coded.column == term]))
            positions[name] = position(term, name, name, pairs, 1)
        else:
            few = f"{name} named a winner in fewer than {FEWEST} answers"
            reason = f"{few}, which a {POSITION} needs."
            positions[name] = refused(POSITION, f"{criterion}, {name}", 0, reason, UNIT, 1)
    mean = position(n, "all experts", "an expert", fit.clusters, len(raters))
    return positions, mean


def _how(fit: LogisticFit) -> str:
    return (
        f"penalised logistic regression; by its information or clustered over {fit.clusters}"
        f" {UNIT}, the wider"
    )


def _rate(coded: Comparisons, fit: LogisticFit, found: Sides) -> Sides:
    players = len(coded.players)
    wins = coded.counts(1)
    ties = coded.counts(0.5)
    if players < 2 or not strongly_connected(wins + wins.T + ties):
        reason = ONE_SOURCE if players < 2 else APART
        return found._replace(refused=reason, reading=reason)
    no_terms = np.zeros((players, len(coded.columns)))
    contrasts = np.column_stack([no_terms, np.eye(players) - 1 / players])
    middle, reach = (log_odds * SCALE / math.log(BASE) for log_odds in fit.estimate(contrasts))
    figures = MEAN + np.column_stack([middle, middle - reach, middle + reach])
    won = wins.sum(axis=1)
    lost = wins.sum(axis=0)
    tied = ties.sum(axis=1)
    counts = np.column_stack([won + lost + tied, won, lost, tied]).astype(int)
    rows = zip(coded.players, figures.tolist(), counts.tolist(), strict=True)
    ratings = [PlayerRating(player, *figure, *times) for player, figure, times in rows]
    ratings.sort(key=lambda rating: (-rating.rating, rating.player))
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


def _refuse(criterion: str, raters: Sequence[str], answers: int, pairs: int, reason: str) -> Sides:
    def position(who: str, n: int) -> Statistic:
        return refused(POSITION, f"{criterion}, {who}", pairs, reason, UNIT, n)

    positions = {name: position(name, 1) for name in raters}
    mean = position("all experts", len(raters))
    return Sides((), (), positions, mean, answers, pairs, reading=reason, refused=reason)


# -- answers in whole numbers ---------------------------------------------------------------


def compared(given: Sequence[PairAnswer], sources: Mapping[str, str]) -> Comparisons:
    """Write answers on one criterion in whole numbers; an idea that `sources` names counts as what
    it comes from.

    A rater has a position term of their own from 10 answers on that name a winner.
    """
    decisive = Counter(answer.rater for answer in given if answer.strength)
    own = [answer.rater if decisive[answer.rater] >= FEWEST else "" for answer in given]
    left = [sources.get(answer.left, answer.left) for answer in given]
    right = [sources.get(answer.right, answer.right) for answer in given]
    pair = [answer.pair for answer in given]
    players = sorted({*left, *right})
    columns = sorted(set(own))
    return Comparisons(
        tuple(players),
        tuple(columns),
        index(players, left),
        index(players, right),
        index(columns, own),
        index(sorted(set(pair)), pair),
        np.array([(np.sign(answer.for_left) + 1) / 2 for answer in given]),
    )
