"""The health of judges: does a verdict survive a swapped order, a longer text, a second asking, and
another judge?
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.ratings import PENALTY
from core.judging.votes import PairOutcome, Rows, Vote, coded, merge, merged
from core.statistics.intervals import (
    FEWEST,
    RESAMPLES,
    Figure,
    Floats,
    Ints,
    by_cluster,
    few,
    percentiles,
    ratio,
    refused,
    resampled,
    share,
    t_width,
)

ENOUGH = 50
"""Decisive votes a regression on length needs."""
APART = 0.01
"""The share of what lengths vary by that methods must leave unexplained, so that length can be told
from method.
"""


class Flips(NamedTuple):
    """How often a judge says something else once the order is swapped, among pairs it judged in
    both orders.
    """

    rate: Figure
    """The two verdicts differ; a tie in one order and a winner in the other differ too."""
    reversed: Figure
    """The two verdicts name opposite winners; the rest of `rate` are ties against winners."""


class LengthBias(NamedTuple):
    """How a text's length moves verdicts, among votes that name a winner."""

    slope: Figure
    """Log-odds of winning per unit of ln(own length / other's length), place and method taken out.
    """
    odds: Figure
    """By what the odds of winning multiply when a text is twice as long: 2 ** slope; 1 is no bias.
    """
    position: Figure
    """Log-odds of the first text winning, length and method taken out."""
    longer_wins: Figure
    """How often the longer text wins, nothing taken out; 0.5 is what chance gives."""


_UNKNOWN = refused(0, "How long the texts are is not known here.")
UNKNOWN_LENGTHS = LengthBias(_UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN)
"""Of votes that come without their texts."""


class Agreement(NamedTuple):
    """How often two sides say the same of the same pair."""

    with_ties: Figure
    """The same of three answers."""
    without_ties: Figure
    """The same winner, where both sides name one."""
    kappa: Figure
    """Cohen's kappa of the three answers: 0 is what chance gives from how often each side says
    each, 1 is full agreement.
    """


def flips(votes: Sequence[Vote]) -> Flips:
    """Return how often verdicts change with the order, over pairs that one judge judged in both
    orders (per repeat).
    """
    found = merge(coded(votes))
    both = found.one_sided == 0
    forward, backward, topic = found.forward[both], found.backward[both], found.topic[both]
    return Flips(
        *(
            share(hits, topic, "pairs were judged in both orders by one judge")
            for hits in (forward != backward, forward * backward < 0)
        )
    )


def position_bias(votes: Sequence[Vote]) -> Figure:
    """Return P(the first wins) - 0.5 among votes that name a winner: above 0 is a preference for
    the first place.

    Where pairs stood in both orders, quality cancels out; `note` says so where some did not.
    """
    rows = coded(votes)
    decisive = rows.winner != 0
    found = share(rows.winner[decisive] > 0, rows.topic[decisive], "votes name a winner").through(
        lambda one: one - 0.5
    )
    one_sided = int(merge(rows).one_sided.sum())
    if found.value is None or not one_sided:
        return found
    return found._replace(
        note=f"{one_sided} of the pairs stood in one order only, so quality is not fully taken out."
    )


def length_bias(votes: Sequence[Vote], lengths: Mapping[tuple[str, str], int]) -> LengthBias:
    """Return what length does to verdicts; `lengths` is by (topic, player), in words or characters.
    Raises BadInput for a text whose length is missing or 0.

    Better methods may write longer texts. So the logistic regression of "the first wins" holds
    ln(length of the first / of the second), a constant for place,
    and a strength per method (with the ratings' penalty); ties are left out. What a method's longer
    texts have in quality over its shorter ones stays in.
    Intervals: Student's t on standard errors that take the votes of a topic as one cluster.
    """
    rows = coded(votes)
    decisive = rows.winner != 0
    topic, first, second, won = (
        column[decisive] for column in (rows.topic, rows.first, rows.second, rows.winner > 0)
    )
    size = _lengths(rows, lengths)
    longer = size[topic, first] - size[topic, second]
    uneven = longer != 0
    wins = share(
        (won == (longer > 0))[uneven],
        topic[uneven],
        "votes with a winner are on texts of different lengths",
    )
    slope, position = _regression(won, longer, first, second, topic)
    return LengthBias(slope, slope.through(lambda one: 2.0**one), position, wins)


def _lengths(rows: Rows, lengths: Mapping[tuple[str, str], int]) -> Floats:
    """Return ln of the lengths of the texts that were judged: (topics, players)."""
    size = np.zeros((len(rows.topics), len(rows.players)))
    topics, players = np.tile(rows.topic, 2), np.concatenate([rows.first, rows.second])
    for topic, player in sorted(set(zip(topics.tolist(), players.tolist(), strict=True))):
        length = lengths.get((rows.topics[topic], rows.players[player]), 0)
        if length <= 0:
            raise BadInput(
                f"The length of the text of {rows.players[player]!r} on {rows.topics[topic]!r} is"
                " missing or 0; give the length of every text."
            )
        size[topic, player] = math.log(length)
    return size


def _regression(
    won: Ints, longer: Floats, first: Ints, second: Ints, topic: Ints
) -> tuple[Figure, Figure]:
    """Return the coefficients of length and of place, or the reason why there are none."""
    n = len(won)
    if n < ENOUGH:
        none = refused(n, f"{few(n)} votes name a winner: a regression on length needs {ENOUGH}.")
        return none, none
    players = max(int(first.max()), int(second.max())) + 1
    design = np.zeros((n, 2 + players))
    design[:, 0], design[:, 1] = 1, longer
    design[np.arange(n), 2 + first] += 1
    design[np.arange(n), 2 + second] -= 1
    others = np.delete(design, 1, axis=1)
    left = longer - others @ np.linalg.lstsq(others, longer, rcond=None)[0]
    if left @ left <= APART * (longer @ longer):
        none = refused(
            n,
            "Every method writes texts of its own length, or all are of one length: length cannot"
            " be told from quality.",
        )
        return none, none
    penalty = np.r_[0.0, 0.0, np.full(players, 2 * PENALTY)]
    fitted = _logistic(design, won.astype(np.float64), penalty, topic)
    if fitted is None:
        none = refused(
            n,
            "Length or place decides these votes without exception, so no slope fits; see how"
            " often the longer text wins.",
        )
        return none, none
    values, errors, clusters = fitted
    if clusters < FEWEST:
        note = f"Votes are on {clusters} topics: an interval needs {FEWEST}."
        slope, place = (Figure(float(values[at]), None, None, n, note=note) for at in (1, 0))
        return slope, place
    reach = t_width(clusters - 1) * errors
    slope, place = (
        Figure(
            float(values[at]),
            float(values[at] - reach[at]),
            float(values[at] + reach[at]),
            n,
            f"t, standard errors clustered by {clusters} topics",
        )
        for at in (1, 0)
    )
    return slope, place


def _logistic(
    design: Floats, won: Floats, penalty: Floats, topic: Ints
) -> tuple[Floats, Floats, int] | None:
    """Return coefficients, their standard errors clustered by topic, and how many topics; None
    where a coefficient runs to infinity.
    """
    values = np.zeros(design.shape[1])
    for _ in range(40):
        odds = design @ values
        chance = np.exp(-np.logaddexp(0, -odds))
        bread = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(bread, design.T @ (won - chance) - penalty * values)
        values = values + step
        if np.abs(design @ values).max() > 30:
            return None
        if np.abs(step).max() < 1e-9:
            scores = by_cluster(topic, *(design * (won - chance)[:, None]).T)
            clusters = len(scores)
            inverse = np.linalg.inv(bread)
            spread = inverse @ (scores.T @ scores) @ inverse * clusters / max(clusters - 1, 1)
            return values, np.sqrt(np.diag(spread)), clusters
    return None


def self_agreement(votes: Sequence[Vote]) -> Figure:
    """Return how often a judge says the same again when it is asked again, over every two repeats
    of one judge, pair and order; a tie is an answer too.
    """
    asked = defaultdict(list)
    for vote in votes:
        asked[vote.topic, vote.first, vote.second, vote.judge, vote.person].append(vote.winner)
    pairs = [
        (key[0], one == other)
        for key, said in asked.items()
        for n, one in enumerate(said)
        for other in said[n + 1 :]
    ]
    names = {name: n for n, name in enumerate(sorted({topic for topic, _ in pairs}))}
    return share(
        np.array([same for _, same in pairs], dtype=bool),
        np.array([names[topic] for topic, _ in pairs], dtype=np.int64),
        "pairs of repeats",
    )


def agreement(ours: Sequence[PairOutcome], theirs: Sequence[PairOutcome]) -> Agreement:
    """Return how often two sides agree, over every match of the one with every match of the other
    on the same pair; intervals resample topics.
    """
    other, at = defaultdict(list), {"a": 0, "b": 1, "tie": 2}
    for match in theirs:
        other[match.topic, match.a, match.b].append(at[match.winner])
    both = {match.topic for match in ours if (match.topic, match.a, match.b) in other}
    topics = {topic: n for n, topic in enumerate(sorted(both))}
    said = np.zeros((len(topics), 3, 3))
    for match in ours:
        for their in other.get((match.topic, match.a, match.b), ()):
            said[topics[match.topic], at[match.winner], their] += 1
    decisive = said[:, :2, :2]
    same = _same(said, "matches are judged by both")
    return Agreement(same, _same(decisive, "matches have a winner by both"), _kappa(said))


def _same(said: Floats, what: str) -> Figure:
    topics = np.arange(len(said))
    same = np.trace(said, axis1=1, axis2=2).astype(int)
    other = said.sum(axis=(1, 2)).astype(int) - same
    times = np.concatenate([same, other])
    hits = np.repeat([True, False], [same.sum(), other.sum()])
    return share(hits, np.repeat(np.tile(topics, 2), times), what)


def _kappa(said: Floats) -> Figure:
    n = int(said.sum())
    if n < FEWEST:
        return refused(n, f"{few(n)} matches are judged by both: kappa needs {FEWEST}.")
    value = float(cohens_kappa(said.sum(axis=0)))
    if math.isnan(value):
        return refused(
            n,
            "Both sides always say the same one thing, so that chance alone gives full agreement:"
            " kappa is undefined.",
        )
    if len(said) < FEWEST:
        note = f"Matches are on {len(said)} topics: an interval needs {FEWEST}."
        return Figure(value, None, None, n, note=note)
    ends = percentiles(cohens_kappa(resampled(said, RESAMPLES, 0)), len(said))
    if ends is None or ends[0] == ends[1]:
        note = "Kappa is undefined, or the same, in nearly all resamples: no interval."
        return Figure(value, None, None, n, note=note)
    return Figure(value, *ends, n, f"bootstrap over {len(said)} topics")


def cohens_kappa(said: Floats) -> Floats:
    """Return (observed - expected) / (1 - expected) of tables (..., answers, answers); nan where 1
    is expected.
    """
    total = said.sum(axis=(-2, -1))
    observed = np.trace(said, axis1=-2, axis2=-1)
    by_chance = (said.sum(axis=-1) * said.sum(axis=-2)).sum(axis=-1)
    expected = by_chance / np.maximum(total, 1)
    return ratio(np.stack([observed - expected, total - expected], axis=-1))


def between_judges(votes: Mapping[str, Sequence[Vote]]) -> dict[tuple[str, str], Agreement]:
    """Return the agreement of every two judges, by the votes of each, in the order given."""
    matches = {judge: merged(mine) for judge, mine in votes.items()}
    return {
        (one, other): agreement(matches[one], matches[other])
        for one, other in combinations(matches, 2)
    }


def with_people(votes: Mapping[str, Sequence[Vote]]) -> dict[str, Agreement]:
    """Return the agreement of model judges with people, by criterion; every model's match is held
    against every person's on the same pair.
    """
    found = {}
    for criterion, cast in votes.items():
        matches = merged(cast)
        found[criterion] = agreement(
            [one for one in matches if not one.person], [one for one in matches if one.person]
        )
    return found
