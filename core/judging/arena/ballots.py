"""An arena's ballots in whole numbers, so that many thousands are read and counted at once."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import Literal, NamedTuple

import numpy as np

from core.judging.arena.contests import CRITERIA
from core.judging.votes import (
    VERDICTS,
    MatchCounts,
    PairOutcome,
    Rows,
    Vote,
    counts,
    outcomes,
)
from core.records import Kind, Lineup
from core.statistics.intervals import Ints
from core.store.ballots import Line

Who = Literal["models", "people", "both"]
Whose = Literal["models", "people"]
SIDES: tuple[Whose, ...] = ("models", "people")
ABSENT = 9
"""Stands where a ballot says nothing of a criterion."""


class CastBallots(NamedTuple):
    """Every ballot of an arena, oldest first; columns of one length, which point into the names."""

    topics: tuple[str, ...]
    players: tuple[str, ...]
    judges: tuple[tuple[str, bool], ...]
    """Name, and whether a person."""
    criteria: tuple[str, ...]
    topic: Ints
    first: Ints
    second: Ints
    judge: Ints
    repeat: Ints
    said: Ints
    """(ballots, criteria): 1 the first, -1 the second, 0 a tie, ABSENT nothing."""


def who_voted(held: CastBallots) -> list[Whose]:
    """Return whether models, people, or both have voted."""
    return [who for who in SIDES if any(person == (who == "people") for _, person in held.judges)]


def cast(lines: Sequence[Line], lineup: Lineup, kind: Kind) -> CastBallots:
    """Write ballots, as `store.ballots.lines` gives them, in whole numbers; those on texts that are
    not in the line-up are left out.
    """
    topics = sorted({seat.topic for seat in lineup.seats})
    players = sorted({seat.method for seat in lineup.seats})
    judges = sorted({(line[4], bool(line[5])) for line in lines})
    at_topic = {name: n for n, name in enumerate(topics)}
    at_player = {name: n for n, name in enumerate(players)}
    at_judge = {who: n for n, who in enumerate(judges)}
    criteria = CRITERIA[kind]

    # There are few different ballots, however many were cast.
    @cache
    def read(sides: str) -> list[int]:
        verdicts: dict[str, str] = json.loads(sides)
        return [VERDICTS[verdicts[name]] if name in verdicts else ABSENT for name in criteria]

    coded = list[list[int]]()
    for topic, a, b, first, judge, person, repeat, sides in lines:
        if topic not in at_topic or not {a, b} <= at_player.keys():
            continue
        second = b if first == a else a
        place = [at_topic[topic], at_player[first], at_player[second]]
        coded.append([*place, at_judge[judge, bool(person)], repeat, *read(sides)])
    columns = np.array(coded, dtype=np.int64).reshape(len(coded), 5 + len(criteria))
    names = (tuple(topics), tuple(players), tuple(judges), criteria)
    at, ahead, behind, by, repeat = columns.T[:5]
    return CastBallots(*names, at, ahead, behind, by, repeat, columns[:, 5:])


def rows(held: CastBallots, criterion: str, who: Who = "both") -> Rows:
    """Return the votes on one criterion, of models, of people, or of both."""
    verdicts = held.said[:, held.criteria.index(criterion)]
    counts = verdicts != ABSENT
    if who != "both":
        people = np.array([person for _, person in held.judges], dtype=bool)
        by_people = people[held.judge]
        counts &= by_people if who == "people" else ~by_people
    columns = (held.topic, held.first, held.second, verdicts, held.judge, held.repeat)
    votes = [column[counts] for column in columns]
    return Rows(held.topics, held.players, held.judges, *votes)


def counted(held: CastBallots, who: Who = "both", criterion: str | None = None) -> MatchCounts:
    """Return the matches counted by topic, on one criterion, or on all of them pooled."""
    each = [counts(rows(held, name, who)) for name in _criteria(held, criterion)]
    won = np.sum([one.won for one in each], axis=0)
    tied = np.sum([one.tied for one in each], axis=0)
    return each[0]._replace(won=won, tied=tied)


def played(held: CastBallots, who: Who = "both", criterion: str | None = None) -> list[PairOutcome]:
    """Return the matches in the order they were played, on one criterion, or on all of them in
    turn.
    """
    each = [outcomes(rows(held, name, who)) for name in _criteria(held, criterion)]
    return [match for match in chain.from_iterable(zip_longest(*each)) if match is not None]


def votes(
    held: CastBallots, who: Who = "both", criterion: str | None = None, apart: bool = False
) -> list[Vote]:
    """Return the votes one by one, on one criterion, or on all of them pooled.

    Pooled votes with `apart` have a player of each method on each criterion, so that what was said
    of one criterion is never held against another.
    """
    winners: tuple[Literal["tie", "first", "second"], ...] = ("tie", "first", "second")
    found = []
    for name in _criteria(held, criterion):
        mark = f"\x1f{name}" if apart else ""
        players = [player + mark for player in held.players]
        columns = [column.tolist() for column in rows(held, name, who)[3:]]
        for topic, first, second, winner, judge, repeat in zip(*columns, strict=True):
            judge_name, person = held.judges[judge]
            pair = (held.topics[topic], players[first], players[second])
            found.append(Vote(*pair, winners[winner], judge_name, person, repeat))
    return found


def _criteria(held: CastBallots, criterion: str | None) -> Iterable[str]:
    return held.criteria if criterion is None else (criterion,)
