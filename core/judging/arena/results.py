"""What an arena comes to: ratings beside each other, who is not separable, who beat whom, and how
far its judges can be trusted. Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.judging import health
from core.judging.arena.ballots import ABSENT, CastBallots, Who, counted, played, votes
from core.judging.ratings import (
    Averaged,
    CurvePoint,
    RatingTable,
    averaged,
    curve,
    elo,
    not_separable,
    table,
)
from core.judging.votes import MatchCounts, Vote
from core.records import Lineup
from core.statistics.intervals import RESAMPLES, Figure, Floats, Ints

PEOPLE = "people"
"""What all people together are called beside the models."""


class WinMatrix(NamedTuple):
    """Who beat whom: the share of matches the row's method won against the column's, a tie counting
    half; nan where they never met.
    """

    players: tuple[str, ...]
    share: Floats
    matches: Ints


class ArenaResults(NamedTuple):
    """How the methods stand by one criterion, or by all of them pooled, by models, by people, or by
    both.
    """

    who: Who
    criterion: str | None
    table: RatingTable
    elo: dict[str, float]
    """Sequential, in the order the matches were played; beside the ratings, never in their place.
    """
    level: list[tuple[str, ...]]
    """Groups of which no two members are separable."""
    matrix: WinMatrix
    curve: list[CurvePoint]
    unplayed: tuple[str, ...] = ()
    """Methods of the arena of which no match counts here, so that they have no rating."""
    one_sided: int = 0
    """Matches of models that were judged in one order only, as where the other judgment failed."""


class JudgeHealth(NamedTuple):
    """How far one judge, or all people together, can be trusted."""

    judge: str
    ballots: int
    flips: health.Flips
    position: Figure
    length: health.LengthBias
    self_agreement: Figure


MOST_HELD_APART = 100
"""Judges of which every two are held against each other: some five thousand times."""


class Health(NamedTuple):
    """The health of an arena's judges, by one criterion, or by all pooled."""

    criterion: str | None
    judges: tuple[JudgeHealth, ...]
    between: dict[tuple[str, str], health.Agreement]
    """Every two models, and every model with people; empty where there are very many."""
    people: dict[str, dict[str, health.Agreement]]
    """Agreement with people, by model and criterion; empty where people have not voted."""


def results(
    held: CastBallots, who: Who = "both", criterion: str | None = None, resamples: int = RESAMPLES
) -> ArenaResults:
    """Return how the methods stand. Without a criterion the matches of all criteria are pooled,
    each counting the same. Raises BadInput for an unknown criterion.
    """
    _check_criterion(held, criterion)
    found = counted(held, who, criterion)
    matches = played(held, who, criterion)
    rated = table(found, resamples=resamples)
    order = tuple(one.player for one in rated.ratings)
    return ArenaResults(
        who,
        criterion,
        rated,
        elo(matches),
        not_separable(rated.ratings),
        matrix(found, order),
        curve(matches),
        tuple(player for player in held.players if player not in order),
        sum(match.one_sided and not match.person for match in matches),
    )


def average(
    held: CastBallots, who: Who = "both", resamples: int = RESAMPLES
) -> tuple[Averaged, ...]:
    """Return the mean of every method's ratings by criterion, of those with a match by each of
    them, best first.
    """
    return averaged([counted(held, who, name) for name in held.criteria], resamples=resamples)


def matrix(found: MatchCounts, order: Sequence[str]) -> WinMatrix:
    """Return who beat whom, the players in the order given."""
    at = [found.players.index(player) for player in order]
    square = np.ix_(at, at)
    won = found.won.sum(axis=0)[square]
    tied = found.tied.sum(axis=0)[square]
    matches = won + won.T + tied
    with np.errstate(invalid="ignore"):
        share = (won + tied / 2) / np.where(matches, matches, np.nan)
    return WinMatrix(tuple(order), share, matches)


def judged(
    held: CastBallots,
    lineup: Lineup,
    criterion: str | None = None,
    base: health.Clusters = health.APART_EACH,
) -> Health:
    """Return the health of every model that judged, and of people together; lengths are those of
    the texts as shown, where the line-up has any. `base` names the topic that several of the
    arena's are one of: they count as one.

    Raises BadInput for an unknown criterion.
    """
    _check_criterion(held, criterion)
    pooled = _by_judge(votes(held, "both", criterion))
    apart = _by_judge(votes(held, "both", criterion, apart=True))
    lengths = {(seat.topic, seat.method): seat.length for seat in lineup.seats if seat.length}
    models = [name for name, person in held.judges if not person]
    ballots = _count_ballots(held, criterion)
    judges = []
    for name in (*models, PEOPLE):
        if mine := pooled.get(name):
            by_length = health.UNKNOWN_LENGTHS
            if lengths:
                by_length = health.length_bias(mine, lengths, base)
            judges.append(_health(name, ballots[name], apart[name], by_length, base))
    by_judge = {one.judge: apart[one.judge] for one in judges}
    few = len(by_judge) <= MOST_HELD_APART
    between = health.between_judges(by_judge, base) if few else {}
    return Health(criterion, tuple(judges), between, with_people(held, base))


def _by_judge(given: Sequence[Vote]) -> defaultdict[str, list[Vote]]:
    """Return the votes of each model, and of people together."""
    found: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in given:
        found[PEOPLE if vote.person else vote.judge].append(vote)
    return found


def _count_ballots(held: CastBallots, criterion: str | None) -> Counter[str]:
    """Return how many ballots each model, and people together, filed that say something of a
    criterion, or of any.
    """
    answered = held.said != ABSENT
    if criterion is not None:
        answered = answered[:, [held.criteria.index(criterion)]]
    names = [PEOPLE if person else name for name, person in held.judges]
    judges = held.judge[answered.any(axis=1)]
    return Counter(names[judge] for judge in judges.tolist())


def _health(
    name: str,
    ballots: int,
    apart: Sequence[Vote],
    by_length: health.LengthBias,
    base: health.Clusters,
) -> JudgeHealth:
    return JudgeHealth(
        name,
        ballots,
        health.flips(apart, base),
        health.position_bias(apart, base),
        by_length,
        health.self_agreement(apart, base),
    )


def with_people(
    held: CastBallots, base: health.Clusters = health.APART_EACH
) -> dict[str, dict[str, health.Agreement]]:
    """Return how often each model agrees with people, by criterion; nothing where people have not
    voted.
    """
    names = [name for name, person in held.judges if not person]
    people = {name: votes(held, "people", name) for name in held.criteria}
    if not any(people.values()):
        return {}
    models = {name: votes(held, "models", name) for name in held.criteria}
    found = {}
    for judge in names:
        beside = {}
        for criterion in held.criteria:
            mine = [vote for vote in models[criterion] if vote.judge == judge]
            beside[criterion] = mine + people[criterion]
        found[judge] = health.with_people(beside, base)
    return found


def _check_criterion(held: CastBallots, criterion: str | None) -> None:
    if criterion is not None and criterion not in held.criteria:
        raise BadInput(
            f"There is no criterion {criterion!r} here; there are {', '.join(held.criteria)}, or"
            " none for all of them pooled."
        )
