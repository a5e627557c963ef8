"""Ratings from matches: Elo in the order played, and Bradley-Terry, which knows no order, with
intervals over topics.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.votes import MatchCounts, PairOutcome
from core.statistics.intervals import (
    FEWEST,
    RESAMPLES,
    Bools,
    Floats,
    over_draws,
    percentiles,
    t_width,
    totals,
    wilson,
)

MEAN, SCALE, BASE = 1_000.0, 400.0, 10.0
"""The mean rating is 1000; a difference of 400 means odds of 10 to 1."""
PENALTY = 0.05
"""Ridge penalty on squared strengths (natural log-odds): ratings of the undefeated stay finite.
"""
FEWEST_TOPICS = 6
"""Topics an interval needs: between two equals, five topics all go one way oftener than once in
twenty times (the sign test).
"""
MOST_REFITTED = 300
"""Players whose ratings have intervals: each resample is fitted anew, in a time that grows with the
cube of their number.
"""
SHARE_OF_A = {"a": 1.0, "b": 0.0, "tie": 0.5}
"""What of a match its player `a` has won."""
AT_ONCE = 4_000_000
"""Pairs of players in all resamples that are worked on at once: a thousand resamples of sixty
players. Each of a dozen arrays has a number for every one.
"""
CLOSE = 1e-9
"""Newton's steps end when no strength moves further, in natural log-odds."""


class PlayerRating(NamedTuple):
    """How a player stands; no ends where no interval can be given."""

    player: str
    rating: float
    low: float | None
    high: float | None
    matches: int
    wins: int
    losses: int
    ties: int


class RatingTable(NamedTuple):
    """Ratings, best first, and what they rest on."""

    ratings: tuple[PlayerRating, ...]
    connected: bool
    """Whether everybody is linked to everybody, a tie linking both ways; if not, the penalty alone
    keeps ratings finite.
    """
    topics: int
    matches: int
    note: str = ""
    """Why there are no intervals, or what to mind about them."""
    by_wins: bool = False
    """Whether the graph of wins is strongly connected."""


class RatingDifference(NamedTuple):
    """How far one player stands above another, with the p-value of their being equal; no ends and
    no p where none can be given.
    """

    player: str
    other: str
    value: float
    low: float | None
    high: float | None
    p: float | None
    topics: int
    """Topics on which both played."""


class CurvePoint(NamedTuple):
    """The ratings after so many matches, of those who have played by then."""

    matches: int
    ratings: dict[str, float]


def elo(
    matches: Iterable[PairOutcome],
    start: float = MEAN,
    k: float = 4.0,
    scale: float = SCALE,
    base: float = BASE,
) -> dict[str, float]:
    """Return Elo ratings after the matches in the order given, a tie counting half.

    E_a = 1 / (1 + base^((R_b - R_a) / scale)); R_a += k (S - E_a). K and the scale are Chatbot
    Arena's. The order matters, so it is no headline.
    """
    ratings: dict[str, float] = {}
    for match in matches:
        a = ratings.get(match.a, start)
        b = ratings.get(match.b, start)
        odds = base ** ((b - a) / scale)
        moved = k * (SHARE_OF_A[match.winner] - 1 / (1 + odds))
        ratings[match.a] = a + moved
        ratings[match.b] = b - moved
    return ratings


def strongly_connected(points: Floats) -> bool:
    """Return whether every player can be reached from every other by going from winner to loser, in
    every matrix of (..., players, players).
    """
    players = points.shape[-1]
    reached = (points > 0) | np.eye(players, dtype=bool)
    for _ in range(max(players - 1, 1).bit_length()):
        paths = reached.astype(np.float64)
        reached = paths @ paths > 0
    return bool(reached.all())


def bradley_terry(points: Floats, penalty: float = PENALTY) -> Floats:
    """Return ratings of mean 1000 from points (..., players, players): the row's wins over the
    column's player, half a point for a tie.

    Maximises log-likelihood - penalty * sum theta^2 with sum theta = 0, theta in natural log-odds;
    400 points are odds of 10 to 1. Raises BadInput without a penalty where some player is never
    beaten or never wins, since no finite rating is then the best.
    """
    if not math.isfinite(penalty) or penalty < 0:
        raise BadInput(f"The penalty is {penalty:g}; it must be 0 or more.")
    if penalty == 0 and not strongly_connected(points):
        raise BadInput(
            "Somebody was never beaten, or never won, among these matches, so that ratings without"
            f" a penalty run to infinity. Set a penalty above 0 ({PENALTY:g} is usual), or add"
            " matches."
        )
    batch = points.reshape(-1, *points.shape[-2:]).astype(np.float64)
    theta = np.concatenate([_strengths(part, penalty) for part in _parts(batch)])
    rated: Floats = MEAN + theta.reshape(points.shape[:-1]) * SCALE / math.log(BASE)
    return rated


def _strengths(points: Floats, penalty: float) -> Floats:
    """Return the strengths (batch, players) that maximise the penalised likelihood, by Newton's
    method, a step halved where it would lead down.
    """
    lost = points.swapaxes(1, 2)
    games = points + lost
    diagonal = np.arange(points.shape[-1])
    theta = np.zeros(points.shape[:2])
    bend = np.zeros_like(points)
    for _ in range(200):
        above = theta[:, :, None] - theta[:, None, :]
        wins = np.exp(-np.logaddexp(0, -above))
        losses = np.exp(-np.logaddexp(0, above))
        # Not points - games * wins: that would lose the last digits of an undefeated player's
        # slope.
        pull = points * losses - lost * wins
        slope = pull.sum(axis=2) - 2 * penalty * theta
        curved = games * wins * losses
        # The 1 fixes the direction in which all strengths move together; it changes no step, since
        # slopes sum to 0.
        np.subtract(1.0, curved, out=bend)
        bend[:, diagonal, diagonal] += curved.sum(axis=2) + 2 * penalty
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        if not step.size or np.abs(step).max() < CLOSE:
            centred: Floats = theta - theta.mean(axis=1, keepdims=True)
            return centred
        theta = _climb(points, theta, step, penalty)
    raise BadInput(
        f"The ratings do not settle with a penalty of {penalty:g}; set a higher one ({PENALTY:g} is"
        " usual)."
    )


def _climb(points: Floats, theta: Floats, step: Floats, penalty: float) -> Floats:
    before = _height(points, theta, penalty)
    # Near the top the height no longer tells steps apart, so as much as rounding may hide is
    # allowed.
    lowest = before - 1e-12 * (1 + np.abs(before))
    for _ in range(60):
        new = theta + step
        down = _height(points, new, penalty) < lowest
        if not down.any():
            break
        step = np.where(down[:, None], step / 2, step)
    return new


def _height(points: Floats, theta: Floats, penalty: float) -> Floats:
    below = theta[:, None, :] - theta[:, :, None]
    losses = points * np.logaddexp(0, below)
    squares = theta**2
    height: Floats = -losses.sum(axis=(1, 2)) - penalty * squares.sum(axis=1)
    return height


def table(
    counted: MatchCounts, penalty: float = PENALTY, resamples: int = RESAMPLES, seed: int = 0
) -> RatingTable:
    """Return Bradley-Terry ratings, best first, with 95 % intervals from resampling topics.

    Resamples of topics that all went one way have no width, and of a player who is never beaten, or
    never wins, hardly any: the interval is then at least as wide as the likelihood's own, each
    topic counted once. A player seen on fewer than 6 topics gets no interval. Raises BadInput as
    `bradley_terry` does, with a penalty of 0 for resamples too.
    """
    games = counted.won + counted.won.swapaxes(1, 2) + counted.tied
    topics = games.any(axis=(1, 2))
    playing = np.any(games, axis=(0, 1))
    if not playing.any():
        return RatingTable((), False, 0, 0, "No match has been played yet.")
    met = np.ix_(topics, playing, playing)
    won, tied, games = counted.won[met], counted.tied[met], games[met]
    points = won + tied / 2
    total = points.sum(axis=0)
    values = bradley_terry(total, penalty)
    fitted = _refit(points, penalty, resamples, seed)
    wins = won.sum(axis=(0, 2))
    losses = won.sum(axis=(0, 1))
    ties = tied.sum(axis=(0, 2))
    matches = games.sum(axis=(0, 2))
    counts = np.column_stack([matches, wins, losses, ties]).tolist()
    seen = games.any(axis=2).sum(axis=0).tolist()
    connected = strongly_connected(total)
    errors = _errors(values, games > 0, penalty).tolist()
    ratings = []
    for n, player in enumerate(compress(counted.players, playing)):
        value = float(values[n])
        low, high = _ends(fitted[:, n], value, errors[n], seen[n], connected)
        ratings.append(PlayerRating(player, value, low, high, *counts[n]))
    ratings.sort(key=lambda rating: (-rating.rating, rating.player))
    by_wins = strongly_connected(won.sum(axis=0))
    note = _note(len(won), len(values))
    return RatingTable(tuple(ratings), connected, len(won), int(matches.sum()) // 2, note, by_wins)


def differences(
    counted: MatchCounts,
    other: str,
    penalty: float = PENALTY,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[RatingDifference, ...]:
    """Return how far every player stands above `other`, in the order of the players, with 95 %
    intervals and two-sided p-values from resampling topics, both ratings of one resample together.

    Where resamples are all alike, or somebody is never beaten, they do not show how sure a
    difference is: the interval then reaches at least as far as Wilson's of the share of its matches
    that the player won, a topic counting once, and the p-value is at least that of the sign test
    over topics. Seen together on fewer than 6 topics, a pair gets neither.
    """
    games = counted.won + counted.won.swapaxes(1, 2) + counted.tied
    playing = np.any(games, axis=(0, 1))
    names = list(compress(counted.players, playing))
    if other not in names or len(names) < 2:
        return ()
    met = games.any(axis=(1, 2))
    games = games[met][:, playing][:, :, playing]
    points = (counted.won + counted.tied / 2)[met][:, playing][:, :, playing]
    total = points.sum(axis=0)
    values = bradley_terry(total, penalty)
    fitted = _refit(points, penalty, resamples, seed)
    covariance = _covariance(values, games > 0, penalty)
    sure = strongly_connected(total)
    played: Bools = np.asarray(games.any(axis=2))
    b = names.index(other)
    found = []
    for a, player in enumerate(names):
        if a == b:
            continue
        apart = fitted[:, a] - fitted[:, b]
        topics = int((played[:, a] & played[:, b]).sum())
        value = float(values[a] - values[b])
        low, high = _ends(apart, value, 0.0, topics, connected=True)
        if low is None or high is None:
            found.append(RatingDifference(player, other, value, None, None, None, topics))
            continue
        p = _equal(apart)
        if not sure or high - low < CLOSE:
            error = math.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
            reach = t_width(topics - 1) * error
            won = _shares(points, a, b)
            least, most = _by_share(won, value - reach, value + reach)
            low, high = min(low, least), max(high, most)
            p = max(p, _sign_test(won))
        found.append(RatingDifference(player, other, value, low, high, p, topics))
    return tuple(found)


def _shares(points: Floats, a: int, b: int) -> Floats:
    """Return the share of its matches against `b` that `a` won on every topic they met on."""
    won, lost = points[:, a, b], points[:, b, a]
    met = won + lost > 0
    shares: Floats = won[met] / (won + lost)[met]
    return shares


def _by_share(won: Floats, least: float, most: float) -> tuple[float, float]:
    """Return the difference in points at the ends of Wilson's interval of a share of topics;
    `least` and `most` where that has no end, or where they never met.
    """
    if not len(won):
        return least, most
    low, high = wilson(float(won.sum()), len(won))
    if low > 0:
        least = SCALE * math.log(low / (1 - low), BASE)
    if high < 1:
        most = SCALE * math.log(high / (1 - high), BASE)
    return least, most


def _sign_test(won: Floats) -> float:
    """Return the two-sided p-value of the sign test over topics; ties are left out."""
    above, below = int((won > 0.5).sum()), int((won < 0.5).sum())
    n = above + below
    if not n:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(min(above, below) + 1))
    return float(min(1.0, 2 * tail / 2**n))


def _equal(apart: Floats) -> float:
    """Return the two-sided p-value of no difference: twice the smaller share of resamples on one
    side of 0, one more counted on either.
    """
    known = apart[np.isfinite(apart)]
    below = (int((known <= 0).sum()) + 1) / (len(known) + 1)
    above = (int((known >= 0).sum()) + 1) / (len(known) + 1)
    return min(1.0, 2 * min(below, above))


class Averaged(NamedTuple):
    """The mean of a player's ratings by several criteria; no ends where no interval can be
    given.
    """

    player: str
    rating: float
    low: float | None
    high: float | None
    matches: int


def averaged(
    several: Sequence[MatchCounts],
    penalty: float = PENALTY,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[Averaged, ...]:
    """Return the mean rating over criteria of every player who has a match by each of them, best
    first.

    Intervals resample topics, all criteria of one together; where those of the ratings are widened,
    these are too (see `table`).
    """
    games = np.stack([one.won + one.won.swapaxes(1, 2) + one.tied for one in several])
    points = np.stack([one.won + one.tied / 2 for one in several])
    topics = games.any(axis=(0, 2, 3))
    playing = np.all(games.any(axis=(1, 2)), axis=0)
    if not playing.any():
        return ()
    games = games[:, topics][..., playing, :][..., playing]
    points = points[:, topics][..., playing, :][..., playing]
    by_criterion, refitted, errors_by_criterion = [], [], []
    for of_criterion, met in zip(points, games > 0, strict=True):
        ratings = bradley_terry(of_criterion.sum(axis=0), penalty)
        by_criterion.append(ratings)
        refitted.append(_refit(of_criterion, penalty, resamples, seed))
        errors_by_criterion.append(_errors(ratings, met, penalty))
    values = np.mean(by_criterion, axis=0).tolist()
    fitted = np.mean(refitted, axis=0)
    errors = np.mean(errors_by_criterion, axis=0).tolist()
    connected = strongly_connected(points.sum(axis=1))
    seen = games.any(axis=(0, 3)).sum(axis=0).tolist()
    matches = games.sum(axis=(0, 1, 2)).tolist()
    found = []
    for n, player in enumerate(compress(several[0].players, playing)):
        low, high = _ends(fitted[:, n], values[n], errors[n], seen[n], connected)
        found.append(Averaged(player, values[n], low, high, matches[n]))
    return tuple(sorted(found, key=lambda rating: (-rating.rating, rating.player)))


def _ends(
    fitted: Floats, middle: float, error: float, seen: int, connected: bool
) -> tuple[float | None, float | None]:
    """Return the interval of a rating from its resamples (nan where undefined), seen on so many
    topics.
    """
    ends = percentiles(fitted[np.isfinite(fitted)], seen) if seen >= FEWEST_TOPICS else None
    if ends is None:
        return None, None
    low, high = ends
    if not connected or high - low < CLOSE:
        reach = t_width(seen - 1) * error
        low = min(low, middle - reach)
        high = max(high, middle + reach)
    return low, high


def _errors(ratings: Floats, met: Bools, penalty: float) -> Floats:
    """Return the standard errors of ratings by the penalised likelihood; `met` (topics, players,
    players) says who met on which topic.
    """
    errors: Floats = np.sqrt(np.diag(_covariance(ratings, met, penalty)))
    return errors


def _covariance(ratings: Floats, met: Bools, penalty: float) -> Floats:
    """Return the covariance of ratings, in points, by the penalised likelihood.

    Matches of one pair on one topic, by several judges or criteria, are alike, and count as one.
    """
    points = SCALE / math.log(BASE)
    theta = (ratings - MEAN) / points
    players = len(theta)
    above = theta[:, None] - theta[None, :]
    wins = np.exp(-np.logaddexp(0, -above))
    weights = met.sum(axis=0) * wins * (1 - wins)
    diagonal = np.diag(weights.sum(axis=1) + 2 * penalty)
    covariance = np.linalg.pinv(diagonal - weights)
    centred = np.eye(players) - 1 / players
    spread: Floats = centred @ covariance @ centred * points**2
    return spread


def _refit(points: Floats, penalty: float, resamples: int, seed: int) -> Floats:
    """Return the ratings of resampled topics: (resamples, players); nan on fewer topics than an
    interval needs, and of more players than are fitted a thousand times.
    """
    topics, players = points.shape[:2]
    if topics < FEWEST_TOPICS or players > MOST_REFITTED:
        return np.full((resamples, players), np.nan)
    step = _at_once(players)

    def refit(times: Floats) -> Floats:
        some = range(0, len(times), step)
        return np.concatenate([_refit_some(points, times[n : n + step], penalty) for n in some])

    return over_draws(refit, topics, seed, resamples)


def _refit_some(points: Floats, times: Floats, penalty: float) -> Floats:
    drawn = totals(points, times)
    # A resample may leave out every topic a newcomer was seen on: such a one says nothing of that
    # player.
    seen = (drawn + drawn.swapaxes(1, 2)).any(axis=2)
    return np.where(seen, bradley_terry(drawn, penalty), np.nan)


def _parts(batch: Floats) -> Iterator[Floats]:
    """Yield as many matrices of (batch, players, players) at a time as are worked on at once."""
    step = _at_once(batch.shape[-1])
    for n in range(0, max(len(batch), 1), step):
        yield batch[n : n + step]


def _at_once(players: int) -> int:
    return max(1, AT_ONCE // max(players**2, 1))


def _note(topics: int, players: int) -> str:
    if players > MOST_REFITTED:
        return (
            f"Intervals are given of {MOST_REFITTED} methods at most, and these are {players:,}:"
            " ratings stand alone."
        )
    if topics < FEWEST_TOPICS:
        few = "one topic" if topics == 1 else f"{topics} topics"
        return (
            f"All matches are on {few}, so no interval can be given; intervals come from resampling"
            f" topics and need {FEWEST_TOPICS} of them, since fewer may all go one way by chance."
        )
    if topics < FEWEST:
        return f"With {topics} topics the intervals are rough; {FEWEST} or more are better."
    return ""


def separable(a: PlayerRating, b: PlayerRating) -> bool:
    """Return whether the two intervals lie apart; two of which one has no interval are never said
    to be apart.
    """
    if a.low is None or a.high is None:
        return False
    if b.low is None or b.high is None:
        return False
    return a.low > b.high or b.low > a.high


def not_separable(ratings: Sequence[PlayerRating]) -> list[tuple[str, ...]]:
    """Return the largest groups of which no two members are separable, each in the order given; a
    player may be in several.
    """

    def group(end: float) -> tuple[str, ...]:
        return tuple(
            one.player
            for one in ratings
            if one.low is None or one.high is None or one.low <= end <= one.high
        )

    # Intervals that all overlap share a point, and the highest of their lower ends is one.
    ends = [one.rating if one.low is None else one.low for one in ratings]
    groups = list(dict.fromkeys(map(group, ends)))
    sets = [frozenset(names) for names in groups]
    largest = []
    for names, mine in zip(groups, sets, strict=True):
        within_another = any(mine < other for other in sets)
        if len(names) > 1 and not within_another:
            largest.append(names)
    return largest


def curve(matches: Sequence[PairOutcome], points: int = 20) -> list[CurvePoint]:
    """Return the Bradley-Terry ratings after ever more of the matches, in the order given, at up to
    `points` places, the last being all of them.
    """
    if not matches:
        return []
    players = sorted({name for match in matches for name in (match.a, match.b)})
    at = {name: n for n, name in enumerate(players)}
    places = np.linspace(0, len(matches), min(points, len(matches)) + 1)
    stops = np.unique(places.round().astype(int))[1:]
    parts = np.searchsorted(stops, np.arange(len(matches)), side="right").tolist()
    won = np.zeros((len(stops), len(players), len(players)))
    for part, match in zip(parts, matches, strict=True):
        a = at[match.a]
        b = at[match.b]
        share = SHARE_OF_A[match.winner]
        won[part, a, b] += share
        won[part, b, a] += 1 - share
    totals = won.cumsum(axis=0)
    games = totals + totals.swapaxes(1, 2)
    rows = zip(stops.tolist(), bradley_terry(totals).tolist(), games.any(axis=2), strict=True)
    found = []
    for stop, ratings, seen in rows:
        by_player = zip(players, ratings, strict=True)
        found.append(CurvePoint(stop, dict(compress(by_player, seen))))
    return found


def over_meetings(
    players: Sequence[str],
    points: Floats,
    penalty: float = PENALTY,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[PlayerRating, ...]:
    """Return Bradley-Terry ratings, best first, of players who met on one topic, with 95 %
    intervals from resampling the meetings.

    `points` (meetings, players, players) are what the row's player won against the column's in each
    meeting: the criteria of one meeting are alike, so that they stay together. With fewer than 6
    meetings there are no intervals; where resamples have no width, or not everybody is linked to
    everybody, they are as wide at least as the likelihood's own, each meeting counted once. A
    player who met nobody is left out.
    """
    games = points + points.swapaxes(1, 2)
    playing = np.any(games, axis=(0, 1))
    if not playing.any():
        return ()
    points = points[:, playing][:, :, playing]
    met = games[:, playing][:, :, playing] > 0
    total = points.sum(axis=0)
    values = bradley_terry(total, penalty)
    fitted = _refit(points, penalty, resamples, seed)
    errors = _errors(values, met, penalty).tolist()
    connected = strongly_connected(total)
    won = points > points.swapaxes(1, 2)
    wins, losses = won.sum(axis=(0, 2)), won.sum(axis=(0, 1))
    matches = met.sum(axis=(0, 2))
    counts = np.column_stack([matches, wins, losses, matches - wins - losses]).tolist()
    found = []
    for n, player in enumerate(compress(players, playing)):
        value = float(values[n])
        low, high = _ends(fitted[:, n], value, errors[n], len(points), connected)
        found.append(PlayerRating(player, value, low, high, *counts[n]))
    return tuple(sorted(found, key=lambda rating: (-rating.rating, rating.player)))
