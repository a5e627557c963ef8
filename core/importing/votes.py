"""Votes of an arena from a file: each says which of two texts is better by one criterion, in the
order in which they stood.
"""

from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeVar

import numpy as np

from core.errors import BadInput
from core.importing.names import match_columns
from core.importing.rating_columns import NO, YES
from core.importing.sheets import RefusedRow, Row, Sheet, refused
from core.judging.arena.ballots import ABSENT, CastBallots
from core.judging.arena.contests import CRITERIA
from core.judging.arena.imported_votes import unguarded
from core.judging.arena.results import PEOPLE
from core.literature.importing.text import plain
from core.wording.numbers import counted

NAMES: dict[str, tuple[str, ...]] = {
    "topic": ("topic",),
    "criterion": ("criterion",),
    "judge": ("judge",),
    "a": ("method a", "a"),
    "b": ("method b", "b"),
    "first": ("first",),
    "second": ("second",),
    "winner": ("winner", "preference", "verdict", "vote", "choice", "result", "said"),
    "person": ("person", "kind", "by", "who"),
    "repeat": ("repeat", "time"),
    "strength": ("strength",),
    "why": ("why",),
    "at": ("at",),
}
"""What the columns are called, by what they say."""
NEEDED = ("topic", "criterion", "judge", "first", "winner")
MOST_CRITERIA = 30
MOST_METHODS, MOST_JUDGES = 100, 300
MOST_MET = 5_000_000
"""Pairs of methods on all topics: there is a table of every method against every other for each
topic.
"""
N = TypeVar("N", str, tuple[str, bool])
PERSON, MODEL = (*YES, "person", "people", "expert", "human"), (*NO, "", "model")


class Votes(NamedTuple):
    """Votes as the figures of an arena are made of them."""

    cast: CastBallots
    columns: dict[str, str]
    """Column by what it says."""
    votes: int
    refused: tuple[RefusedRow, ...]


class _Vote(NamedTuple):
    where: str
    topic: str
    first: str
    second: str
    judge: str
    person: bool
    repeat: int
    criterion: str
    verdict: int

    @property
    def ballot(self) -> tuple[object, ...]:
        return self.topic, self.first, self.second, self.judge, self.person, self.repeat


def columns_of(sheet: Sheet) -> dict[str, str]:
    """Return the columns of a file of votes by what they say; nothing for any other file."""
    found = match_columns(sheet.columns, NAMES)
    if "second" not in found and not {"a", "b"} <= found.keys():
        return {}
    return found if {*NEEDED} <= found.keys() else {}


def votes(sheet: Sheet) -> Votes | None:
    """Return the votes of a file, None for a file of something else; raises BadInput where none can
    be used.

    The two texts are named by `first` and `second`, or by `method a`, `method b` and which of them
    stood first. A person's vote counts once on a pair: of several the last, with all that it says.
    Of a vote that a model gives twice in one order the first counts.
    """
    columns = columns_of(sheet)
    if not columns:
        return None
    # 2 and 1 may be our steps for the first, or the second and the first text, and 0 with them.
    winners = {unguarded(plain(cell)) for cell in sheet.values(columns["winner"])}
    steps = bool(winners & {"-1", "-2"}) or not winners & {"1", "2"}
    models, bad = dict[tuple[object, ...], _Vote](), list(sheet.refused)
    people = dict[tuple[object, ...], tuple[object, dict[str, _Vote]]]()
    for row in sheet.rows:
        try:
            vote = _read(row, columns, steps)
        except ValueError as error:
            bad.append(refused(row.where, row.cells.get(columns["topic"], ""), str(error)))
            continue
        if vote.person:
            pair = (vote.topic, *sorted((vote.first, vote.second)), vote.judge)
            ballot = (*vote.ballot, row.cells.get(columns.get("at", ""), ""))
            # The last ballot stands where it was cast, not where the first one was.
            known, votes_cast = people.pop(pair, (ballot, {}))
            same = known == ballot and vote.criterion not in votes_cast
            people[pair] = ballot, {**(votes_cast if same else {}), vote.criterion: vote}
        elif (place := (*vote.ballot, vote.criterion)) in models:
            bad.append(
                refused(
                    vote.where,
                    vote.topic,
                    f"{vote.judge!r} says this more than once in one order; number the repeats, or"
                    " keep one",
                )
            )
        else:
            models[place] = vote
    good = [
        *models.values(),
        *(vote for _, votes_cast in people.values() for vote in votes_cast.values()),
    ]
    if not good:
        raise BadInput(
            f"No vote in {sheet.name} can be used. "
            + (f"{bad[0].where}: {bad[0].reason}" if bad else "")
        )
    return Votes(_cast(good), columns, len(good), tuple(bad))


def _read(row: Row, columns: dict[str, str], steps: bool) -> _Vote:
    """Read one row; raises ValueError with what is wrong with it. `steps` says that the column has
    steps to both sides, from 2, the first much better, to -2.
    """
    cell = {what: unguarded(plain(row.cells.get(column, ""))) for what, column in columns.items()}
    if empty := [columns[what] for what in NEEDED if what != "winner" and not cell[what]]:
        raise ValueError(f"nothing stands in {', '.join(map(repr, empty))}")
    first, second = _sides(cell)
    person, repeat = cell.get("person", "").casefold(), cell.get("repeat", "") or "1"
    if person not in (*PERSON, *MODEL):
        raise ValueError(f"{columns['person']!r} is {person!r}; write person or model")
    if not repeat.isdecimal() or len(repeat) > 4 or not 1 <= int(repeat) <= 1_000:
        raise ValueError(f"the repeat {repeat!r} is no number from 1 to 1000")
    if person not in PERSON and cell["judge"] == PEOPLE:
        raise ValueError(f"{PEOPLE!r} is what all people together are called; name the judge")
    return _Vote(
        row.where,
        cell["topic"],
        first,
        second,
        cell["judge"],
        person in PERSON,
        int(repeat),
        cell["criterion"].lower().removeprefix("expected ").replace(" ", "_"),
        _verdict(cell, first, second, steps),
    )


def _sides(cell: dict[str, str]) -> tuple[str, str]:
    """Return which method stood first, and which second."""
    first, a, b = cell["first"], cell.get("a", ""), cell.get("b", "")
    if a and b:
        first = {"a": a, "b": b}.get(first.lower(), first) if first not in (a, b) else first
        if first not in (a, b):
            raise ValueError(
                f"it does not say whose text stood first: {first!r} is neither {a!r} nor {b!r}"
            )
    second = (b if first == a else a) if a and b else cell["second"]
    if not second or first == second:
        raise ValueError(
            f"{first!r} stands against {second or 'nobody'!r}; a pair is two different methods"
        )
    return first, second


def _verdict(cell: dict[str, str], first: str, second: str, steps: bool) -> int:
    """Return 1 for the first, -1 for the second, 0 for a tie."""
    winner, word = cell["winner"], cell["winner"].lower()
    if winner in (first, second):
        return 1 if winner == first else -1
    if word in ("first", "second", "tie", "draw"):
        return {"first": 1, "second": -1}.get(word, 0)
    if word in ("a", "b") and cell.get("a") and cell.get("b"):
        return 1 if cell[word] == first else -1
    if word in ("2", "1", "0", "-1", "-2"):
        if not steps:
            raise ValueError(
                f"the winner {winner!r} may mean one or the other; write first, second or tie"
            )
        return int(np.sign(int(word)))
    raise ValueError(
        f"the winner {winner!r} is neither first, second, tie, {first!r} nor {second!r}"
    )


def _numbered(names: AbstractSet[N]) -> dict[N, int]:
    return {name: n for n, name in enumerate(sorted(names))}


def _cast(votes: list[_Vote]) -> CastBallots:
    """Write votes in whole numbers; the criteria of one ballot stand together."""
    topics = _numbered({vote.topic for vote in votes})
    players = _numbered({name for vote in votes for name in (vote.first, vote.second)})
    judges = _numbered({(vote.judge, vote.person) for vote in votes})
    named = dict.fromkeys(vote.criterion for vote in votes)
    known = [name for names in CRITERIA.values() for name in names if name in named]
    criteria = tuple(dict.fromkeys((*known, *named)))
    if len(criteria) > MOST_CRITERIA:
        raise BadInput(
            f"The votes are on {len(criteria):,} criteria, such as {criteria[-1][:100]!r};"
            f" {MOST_CRITERIA} are read at most. Is the right column taken for the criterion?"
        )
    met = len(topics) * len(players) ** 2
    if len(players) > MOST_METHODS or len(judges) > MOST_JUDGES or met > MOST_MET:
        shown = counted(len(players), "method"), counted(len(topics), "topic")
        by = counted(len(judges), "judge")
        raise BadInput(
            f"The votes are on {' and '.join(shown)}, by {by}; {MOST_METHODS} methods and"
            f" {MOST_JUDGES} judges are read at most, and fewer methods on many topics. Are the"
            " right columns taken for them? Else split the file by topic."
        )
    rows: dict[tuple[object, ...], list[int]] = {}
    for vote in votes:
        head = (
            topics[vote.topic],
            players[vote.first],
            players[vote.second],
            judges[vote.judge, vote.person],
            vote.repeat,
        )
        row = rows.setdefault(vote.ballot, [*head, *[ABSENT] * len(criteria)])
        row[len(head) + criteria.index(vote.criterion)] = vote.verdict
    columns = np.array([*rows.values()], dtype=np.int64)
    topic, first, second, judge, repeat = columns.T[:5]
    return CastBallots(
        topics=tuple(topics),
        players=tuple(players),
        judges=tuple(judges),
        criteria=criteria,
        topic=topic,
        first=first,
        second=second,
        judge=judge,
        repeat=repeat,
        said=columns[:, 5:],
    )
