"""The health of judges: does a verdict survive a swapped order, a longer text, a second asking, and
another judge?
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging.ratings import PENALTY
from core.judging.votes import PairOutcome, Rows, Vote, coded, index, merge, merged
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
    share_of_sums,
    t_width,
)

ENOUGH = 50
"""Decisive votes a regression on length needs."""
APART = 0.01
"""Minimum share of the variance of lengths that methods leave unexplained; below it the effects of
length and method cannot be told apart.
"""


ANSWERS = ("a", "b", "tie")
Clusters = Mapping[str, str]
"""Which topic another one is taken for where sureness is told: several texts were written on it, or
it was written on several times.
"""
APART_EACH: Clusters = MappingProxyType({})
"""Every topic is one of its own."""


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


def flips(votes: Sequence[Vote], clusters: Clusters = APART_EACH) -> Flips:
    """Return how often verdicts change with the order, over pairs that one judge judged in both
    orders (per repeat).
    """
    rows = coded(votes)
    found = merge(rows)
    both = found.one_sided == 0
    forward = found.forward[both]
    backward = found.backward[both]
    topic = _clustered(rows.topics, clusters)[found.topic[both]]
    what = "pairs were judged in both orders by one judge"
    differ = share(forward != backward, topic, what)
    return Flips(differ, share(forward * backward < 0, topic, what))


def position_bias(votes: Sequence[Vote], clusters: Clusters = APART_EACH) -> Figure:
    """Return P(the first wins) - 0.5 among votes that name a winner: above 0 is a preference for
    the first place.

    Where pairs stood in both orders, quality cancels out; `note` says so where some did not.
    """
    rows = coded(votes)
    decisive = rows.winner != 0
    first_wins = rows.winner[decisive] > 0
    topic = _clustered(rows.topics, clusters)[rows.topic[decisive]]
    found = share(first_wins, topic, "votes name a winner")
    found = found.through(lambda won: won - 0.5)
    one_sided = int(merge(rows).one_sided.sum())
    if found.value is None or not one_sided:
        return found
    note = f"{one_sided} of the pairs stood in one order only, so quality is not fully taken out."
    return found._replace(note=note)


def length_bias(
    votes: Sequence[Vote],
    lengths: Mapping[tuple[str, str], int],
    clusters: Clusters = APART_EACH,
) -> LengthBias:
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
    columns = (rows.topic, rows.first, rows.second, rows.winner > 0)
    topic, first, second, won = (column[decisive] for column in columns)
    size = _log_lengths(rows, lengths)
    longer = size[topic, first] - size[topic, second]
    uneven = longer != 0
    longer_won = won == (longer > 0)
    what = "votes with a winner are on texts of different lengths"
    cluster = _clustered(rows.topics, clusters)[topic]
    wins = share(longer_won[uneven], cluster[uneven], what)
    slope, position = _regress(won, longer, first, second, cluster)
    odds = slope.through(lambda log_odds: 2.0**log_odds)
    return LengthBias(slope, odds, position, wins)


def _clustered(topics: Sequence[str], clusters: Clusters) -> Ints:
    """Return the number of the cluster that each topic is in."""
    names = [clusters.get(name, name) for name in topics]
    return index(dict.fromkeys(names), names)


def _log_lengths(rows: Rows, lengths: Mapping[tuple[str, str], int]) -> Floats:
    """Return ln of the lengths of the texts that were judged: (topics, players)."""
    size = np.zeros((len(rows.topics), len(rows.players)))
    players = np.concatenate([rows.first, rows.second])
    texts = np.column_stack([np.tile(rows.topic, 2), players])
    for topic, player in np.unique(texts, axis=0).tolist():
        topic_name = rows.topics[topic]
        name = rows.players[player]
        length = lengths.get((topic_name, name), 0)
        if length <= 0:
            raise BadInput(
                f"The length of the text of {name!r} on {topic_name!r} is missing or 0; give the"
                " length of every text."
            )
        size[topic, player] = math.log(length)
    return size


def _regress(
    won: Ints, longer: Floats, first: Ints, second: Ints, topic: Ints
) -> tuple[Figure, Figure]:
    """Return the coefficients of length and of place, or the reason why there are none."""
    n = len(won)
    if n < ENOUGH:
        none = refused(n, f"{few(n)} votes name a winner: a regression on length needs {ENOUGH}.")
        return none, none
    players = max(int(first.max()), int(second.max())) + 1
    design = np.zeros((n, 2 + players))
    design[:, 0] = 1
    design[:, 1] = longer
    vote = np.arange(n)
    design[vote, 2 + first] += 1
    design[vote, 2 + second] -= 1
    others = np.delete(design, 1, axis=1)
    explained, *_ = np.linalg.lstsq(others, longer, rcond=None)
    residuals = longer - others @ explained
    if residuals @ residuals <= APART * (longer @ longer):
        none = refused(
            n,
            "Every method writes texts of its own length, or all are of one length: length cannot"
            " be told from quality.",
        )
        return none, none
    penalty = np.r_[0.0, 0.0, np.full(players, 2 * PENALTY)]
    fitted = _fit_logistic(design, won.astype(np.float64), penalty, topic)
    if fitted is None:
        none = refused(
            n,
            "Length or place decides these votes without exception, so no slope fits; see how"
            " often the longer text wins.",
        )
        return none, none
    values, errors, clusters = fitted
    place, slope, *_ = values.tolist()
    if clusters < FEWEST:
        note = f"Votes are on {clusters} topics: an interval needs {FEWEST}."
        of_slope = Figure(slope, None, None, n, note=note)
        return of_slope, of_slope._replace(value=place)
    how = f"t, standard errors clustered by {clusters} topics"
    of_place, of_length, *_ = (t_width(clusters - 1) * errors).tolist()
    return (
        Figure(slope, slope - of_length, slope + of_length, n, how),
        Figure(place, place - of_place, place + of_place, n, how),
    )


def _fit_logistic(
    design: Floats, won: Floats, penalty: Floats, topic: Ints
) -> tuple[Floats, Floats, int] | None:
    """Return coefficients, their standard errors clustered by topic, and how many topics; None
    where a coefficient runs to infinity.
    """
    values = np.zeros(design.shape[1])
    for _ in range(40):
        odds = design @ values
        chance = np.exp(-np.logaddexp(0, -odds))
        residuals = won - chance
        weights = chance * (1 - chance)
        bread = (design * weights[:, None]).T @ design + np.diag(penalty)
        slope = design.T @ residuals - penalty * values
        step = np.linalg.solve(bread, slope)
        values = values + step
        if np.abs(design @ values).max() > 30:
            return None
        if np.abs(step).max() < 1e-9:
            scores = by_cluster(topic, *(design * residuals[:, None]).T)
            clusters = len(scores)
            inverse = np.linalg.inv(bread)
            sandwich = inverse @ (scores.T @ scores) @ inverse
            covariance = sandwich * clusters / max(clusters - 1, 1)
            return values, np.sqrt(np.diag(covariance)), clusters
    return None


def self_agreement(votes: Sequence[Vote], clusters: Clusters = APART_EACH) -> Figure:
    """Return how often a judge says the same again when it is asked again, over every two repeats
    of one judge, pair and order; a tie is an answer too.
    """
    asked = defaultdict[tuple[str, ...], Counter[str]](Counter)
    for vote in votes:
        key = (vote.topic, vote.first, vote.second, vote.judge, str(vote.person))
        asked[key][vote.winner] += 1
    by_topic = defaultdict[str, Floats](lambda: np.zeros(2))
    for (topic, *_), answers in asked.items():
        same = sum(math.comb(times, 2) for times in answers.values())
        by_topic[clusters.get(topic, topic)] += same, math.comb(answers.total(), 2)
    return share_of_sums(_seen(by_topic, (2,)), "pairs of repeats")


def _seen(by_topic: Mapping[str, Floats], shape: tuple[int, ...]) -> Floats:
    """Return what topics have, in the order of the alphabet, without those that have nothing:
    (topics, *shape).
    """
    kept = [sums for _, sums in sorted(by_topic.items()) if sums.any()]
    return np.array(kept).reshape(-1, *shape)


def agreement(
    ours: Sequence[PairOutcome],
    theirs: Sequence[PairOutcome],
    clusters: Clusters = APART_EACH,
) -> Agreement:
    """Return how often two sides agree, over every match of the one with every match of the other
    on the same pair; intervals resample topics.
    """
    our = _answers(ours)
    their = _answers(theirs)
    by_topic = defaultdict[str, Floats](lambda: np.zeros((3, 3)))
    for pair in our.keys() & their.keys():
        topic = clusters.get(pair[0], pair[0])
        by_topic[topic] += np.outer(our[pair], their[pair])
    tables = _seen(by_topic, (3, 3))
    decisive = tables[:, :2, :2]
    same = _same(tables, "matches are judged by both")
    return Agreement(same, _same(decisive, "matches have a winner by both"), _kappa(tables))


def _answers(matches: Iterable[PairOutcome]) -> dict[tuple[str, str, str], Floats]:
    """Return how often a, b and a tie were said of each (topic, a, b)."""
    said = defaultdict[tuple[str, str, str], Floats](lambda: np.zeros(3))
    for match in matches:
        said[match.topic, match.a, match.b][ANSWERS.index(match.winner)] += 1
    return said


def _same(tables: Floats, what: str) -> Figure:
    """Return how often two sides say the same, from tables (topics, answers, answers)."""
    times = tables.sum(axis=(1, 2))
    same = np.trace(tables, axis1=1, axis2=2)
    return share_of_sums(np.stack([same, times], axis=1)[times > 0], what)


def _kappa(tables: Floats) -> Figure:
    n = int(tables.sum())
    topics = len(tables)
    if n < FEWEST:
        return refused(n, f"{few(n)} matches are judged by both: kappa needs {FEWEST}.")
    value = float(cohens_kappa(tables.sum(axis=0)))
    if math.isnan(value):
        return refused(
            n,
            "Both sides always say the same one thing, so that chance alone gives full agreement:"
            " kappa is undefined.",
        )
    if topics < FEWEST:
        note = f"Matches are on {topics} topics: an interval needs {FEWEST}."
        return Figure(value, None, None, n, note=note)
    ends = percentiles(cohens_kappa(resampled(tables, RESAMPLES, 0)), topics)
    if ends is None or ends[0] == ends[1]:
        note = "Kappa is undefined, or the same, in nearly all resamples: no interval."
        return Figure(value, None, None, n, note=note)
    return Figure(value, *ends, n, f"bootstrap over {topics} topics")


def cohens_kappa(tables: Floats) -> Floats:
    """Return (observed - expected) / (1 - expected) of tables (..., answers, answers); nan where 1
    is expected.
    """
    total = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1)
    by_chance = tables.sum(axis=-1) * tables.sum(axis=-2)
    expected = by_chance.sum(axis=-1) / np.maximum(total, 1)
    beyond = np.stack([observed - expected, total - expected], axis=-1)
    return ratio(beyond)


def between_judges(
    votes: Mapping[str, Sequence[Vote]], clusters: Clusters = APART_EACH
) -> dict[tuple[str, str], Agreement]:
    """Return the agreement of every two judges, by the votes of each, in the order given."""
    matches = {judge: merged(mine) for judge, mine in votes.items()}
    return {
        (one, other): agreement(matches[one], matches[other], clusters)
        for one, other in combinations(matches, 2)
    }


def with_people(
    votes: Mapping[str, Sequence[Vote]], clusters: Clusters = APART_EACH
) -> dict[str, Agreement]:
    """Return the agreement of model judges with people, by criterion; every model's match is held
    against every person's on the same pair.
    """
    found = {}
    for criterion, cast in votes.items():
        matches = merged(cast)
        found[criterion] = agreement(
            [one for one in matches if not one.person],
            [one for one in matches if one.person],
            clusters,
        )
    return found
