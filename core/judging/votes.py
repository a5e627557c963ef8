"""Votes, and the matches they make: two orders of one pair merged into one result (Chain of Ideas,
section 3.4).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from core.errors import BadInput
from core.statistics.intervals import Ints

VERDICTS = {"first": 1, "second": -1, "tie": 0}
"""How a verdict is written in whole numbers."""


class Vote(NamedTuple):
    """One judgment of one criterion for one pair in one shown order: `first` stood first, or on the
    left.
    """

    topic: str
    first: str
    second: str
    winner: Literal["first", "second", "tie"]
    judge: str
    person: bool = False
    repeat: int = 1
    """Which time this judge was asked for this pair in this order."""


class PairOutcome(NamedTuple):
    """What one judge makes of one pair over both orders; `a` comes before `b` in the alphabet."""

    topic: str
    a: str
    b: str
    winner: Literal["a", "b", "tie"]
    judge: str
    person: bool = False
    repeat: int = 1
    one_sided: bool = False
    """Whether only one order was judged, so that a preference for a place is not taken out."""


class Rows(NamedTuple):
    """Votes in whole numbers: a column each for topic, first, second and judge, which point into
    the names; all columns of one length.
    """

    topics: Sequence[str]
    players: Sequence[str]
    judges: Sequence[tuple[str, bool]]
    """Name, and whether a person."""
    topic: Ints
    first: Ints
    second: Ints
    winner: Ints
    """1 the first, -1 the second, 0 a tie."""
    judge: Ints
    repeat: Ints


class Merged(NamedTuple):
    """Matches in whole numbers, in the order of their first votes; `a` < `b` are players."""

    topic: Ints
    a: Ints
    b: Ints
    judge: Ints
    repeat: Ints
    winner: Ints
    """1 for `a`, -1 for `b`, 0 for a tie."""
    forward: Ints
    """What was said with `a` first, seen from `a`; meaningless where `one_sided`."""
    backward: Ints
    one_sided: Ints


class MatchCounts(NamedTuple):
    """Matches counted by topic: how often the row's player beat the column's, and how often the two
    tied.
    """

    topics: tuple[str, ...]
    players: tuple[str, ...]
    won: Ints
    """(topics, players, players)"""
    tied: Ints
    """(topics, players, players), the same from both sides."""


def coded(votes: Iterable[Vote]) -> Rows:
    """Write votes in whole numbers; topics, players and judges in the order of the alphabet."""
    columns = list(zip(*votes, strict=True)) or [()] * 7
    topic, first, second, winner, name, person, repeat = columns
    judge = list(zip(name, person, strict=True))
    topics = sorted(set(topic))
    players = sorted({*first, *second})
    judges = sorted(set(judge))
    return Rows(
        topics,
        players,
        judges,
        index(topics, topic),
        index(players, first),
        index(players, second),
        np.array([VERDICTS[verdict] for verdict in winner], dtype=np.int64),
        index(judges, judge),
        np.array(repeat, dtype=np.int64),
    )


def index(names: Iterable[object], column: Iterable[object]) -> Ints:
    """Return the place of each entry of a column among the names."""
    at = {name: n for n, name in enumerate(names)}
    return np.array([at[name] for name in column], dtype=np.int64)


def merge(rows: Rows) -> Merged:
    """Merge the two orders of every pair, per topic, judge and repeat: where they agree, that; one
    tie, the other's winner; contradiction, a tie.

    A pair judged in one order only counts as it is. Raises BadInput where a text is its own
    opponent, or where one order was judged twice as one repeat.
    """
    if not len(rows.topic):
        return Merged(*[rows.topic] * len(Merged._fields))
    if (rows.first == rows.second).any():
        raise BadInput(
            f"{rows.players[rows.first[rows.first == rows.second][0]]!r} is paired with itself; a"
            " pair is two different methods."
        )
    a = np.minimum(rows.first, rows.second)
    b = np.maximum(rows.first, rows.second)
    swapped = rows.first > rows.second
    seen_from_a = np.where(swapped, -rows.winner, rows.winner)
    parts = (rows.topic, a, b, rows.judge, rows.repeat)
    sizes = tuple(int(part.max()) + 1 for part in parts)
    key = np.ravel_multi_index(parts, sizes)
    _, start, at = np.unique(key, return_index=True, return_inverse=True)
    times = np.stack([np.bincount(at, weights=~swapped), np.bincount(at, weights=swapped)])
    if (times > 1).any():
        said = start[np.argmax(times.max(axis=0))]
        raise BadInput(
            f"{rows.judges[rows.judge[said]][0]!r} judged {rows.players[a[said]]!r} and"
            f" {rows.players[b[said]]!r} on {rows.topics[rows.topic[said]]!r} twice in one order;"
            " number the repeats, or keep one of the two."
        )
    forward = np.bincount(at, weights=seen_from_a * ~swapped).astype(np.int64)
    backward = np.bincount(at, weights=seen_from_a * swapped).astype(np.int64)
    winner = np.sign(forward + backward)
    one_sided = (times.sum(axis=0) < 2).astype(np.int64)
    order = np.argsort(start)
    columns = [part[start] for part in parts] + [winner, forward, backward, one_sided]
    return Merged(*(column[order] for column in columns))


def merged(votes: Iterable[Vote]) -> list[PairOutcome]:
    """Return the matches the votes make, in the order of their first votes; see `merge` for the
    rule and for what it raises.
    """
    return list(outcomes(coded(votes)))


def outcomes(rows: Rows) -> Iterator[PairOutcome]:
    """Yield the matches of votes in whole numbers, in words."""
    winners: tuple[Literal["tie", "a", "b"], ...] = ("tie", "a", "b")
    columns = [column.tolist() for column in merge(rows)]
    for topic, a, b, judge, repeat, winner, _, _, one_sided in zip(*columns, strict=True):
        name, person = rows.judges[judge]
        pair = (rows.topics[topic], rows.players[a], rows.players[b])
        yield PairOutcome(*pair, winners[winner], name, person, repeat, bool(one_sided))


def counts(rows: Rows) -> MatchCounts:
    """Count the matches of coded votes by topic; all that ratings need, so that a store can hand
    over votes in whole numbers.
    """
    matches = merge(rows)
    players = len(rows.players)
    won, tied = np.zeros((2, len(rows.topics), players, players), dtype=np.int64)
    for player, other, wins in (
        (matches.a, matches.b, matches.winner),
        (matches.b, matches.a, -matches.winner),
    ):
        np.add.at(won, (matches.topic, player, other), wins == 1)
        np.add.at(tied, (matches.topic, player, other), wins == 0)
    return MatchCounts(tuple(rows.topics), tuple(rows.players), won, tied)
