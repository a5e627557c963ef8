"""Votes of an arena from a file: each says which of two texts is better by one criterion, in the
order in which they stood.
"""

from typing import NamedTuple

import numpy as np

from core.errors import BadInput
from core.importing.names import simple
from core.importing.rating_columns import NO, YES, RatingSheet
from core.importing.sheets import RefusedRow, Row, refused
from core.judging.arena_votes import ABSENT, CastBallots
from core.judging.contests import CRITERIA
from core.judging.imported_votes import unguarded
from core.literature.importing.text import plain

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


def columns_of(sheet: RatingSheet) -> dict[str, str]:
    """Return the columns of a file of votes by what they say; nothing for any other file."""
    simpler = {simple(column): column for column in reversed(sheet.columns)}
    found = {
        what: simpler[name]
        for what, names in NAMES.items()
        if (name := next((one for one in names if one in simpler), ""))
    }
    whole = all(what in found for what in NEEDED) and (
        "second" in found or {"a", "b"} <= found.keys()
    )
    return found if whole else {}


def votes(sheet: RatingSheet) -> Votes | None:
    """Return the votes of a file, None for a file of something else; raises BadInput where none can
    be used.

    The two texts are named by `first` and `second`, or by `method a`, `method b` and which of them
    stood first. A person's vote counts once on a pair: of several the last, with all that it says.
    Of a vote that a model gives twice in one order the first counts.
    """
    columns = columns_of(sheet)
    if not columns:
        return None
    models, bad = dict[tuple[object, ...], _Vote](), list(sheet.refused)
    people = dict[tuple[object, ...], tuple[object, dict[str, _Vote]]]()
    for row in sheet.rows:
        try:
            one = _read(row, columns)
        except ValueError as error:
            bad.append(refused(row.where, row.cells.get(columns["topic"], ""), str(error)))
            continue
        if one.person:
            pair = (one.topic, *sorted((one.first, one.second)), one.judge)
            ballot = (*one.ballot, row.cells.get(columns.get("at", ""), ""))
            # The last ballot stands where it was cast, not where the first one was.
            known, said = people.pop(pair, (ballot, {}))
            same = known == ballot and one.criterion not in said
            people[pair] = ballot, {**(said if same else {}), one.criterion: one}
        elif (place := (*one.ballot, one.criterion)) in models:
            bad.append(
                refused(
                    one.where,
                    one.topic,
                    f"{one.judge!r} says this more than once in one order; number the repeats, or"
                    " keep one",
                )
            )
        else:
            models[place] = one
    good = [*models.values(), *(one for _, said in people.values() for one in said.values())]
    if not good:
        raise BadInput(
            f"No vote in {sheet.name} can be used. "
            + (f"{bad[0].where}: {bad[0].reason}" if bad else "")
        )
    return Votes(_cast(good), columns, len(good), tuple(bad))


def _read(row: Row, columns: dict[str, str]) -> _Vote:
    """Read one row; raises ValueError with what is wrong with it."""
    cell = {what: unguarded(plain(row.cells.get(column, ""))) for what, column in columns.items()}
    if empty := [columns[what] for what in NEEDED if what != "winner" and not cell[what]]:
        raise ValueError(f"nothing stands in {', '.join(map(repr, empty))}")
    first, second = _sides(cell)
    person, repeat = cell.get("person", "").casefold(), cell.get("repeat", "") or "1"
    if person not in (*PERSON, *MODEL):
        raise ValueError(f"{columns['person']!r} is {person!r}; write person or model")
    if not repeat.isdecimal() or not 1 <= int(repeat) <= 1_000:
        raise ValueError(f"the repeat {repeat!r} is no number from 1 to 1000")
    return _Vote(
        row.where,
        cell["topic"],
        first,
        second,
        cell["judge"],
        person in PERSON,
        int(repeat),
        cell["criterion"].lower().removeprefix("expected ").replace(" ", "_"),
        _verdict(cell, first, second),
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


def _verdict(cell: dict[str, str], first: str, second: str) -> int:
    """Return 1 for the first, -1 for the second, 0 for a tie."""
    said, word = cell["winner"], cell["winner"].lower()
    if said in (first, second):
        return 1 if said == first else -1
    if word in ("first", "second", "tie", "draw"):
        return {"first": 1, "second": -1}.get(word, 0)
    if word in ("a", "b") and cell.get("a") and cell.get("b"):
        return 1 if cell[word] == first else -1
    if word in ("2", "1", "0", "-1", "-2"):
        return int(np.sign(int(word)))
    raise ValueError(f"the winner {said!r} is neither first, second, tie, {first!r} nor {second!r}")


def _cast(held: list[_Vote]) -> CastBallots:
    """Write votes in whole numbers; the criteria of one ballot stand together."""
    topics, players = (
        sorted({one.topic for one in held}),
        sorted({name for one in held for name in (one.first, one.second)}),
    )
    judges, found = (
        sorted({(one.judge, one.person) for one in held}),
        dict.fromkeys(one.criterion for one in held),
    )
    known = [name for names in CRITERIA.values() for name in names]
    criteria = tuple(dict.fromkeys((*(name for name in known if name in found), *found)))
    ballots: dict[tuple[object, ...], list[int]] = {}
    for one in held:
        ballots.setdefault(one.ballot, [ABSENT] * len(criteria))[criteria.index(one.criterion)] = (
            one.verdict
        )
    heads = {
        one.ballot: (
            topics.index(one.topic),
            players.index(one.first),
            players.index(one.second),
            judges.index((one.judge, one.person)),
            one.repeat,
        )
        for one in held
    }
    columns = np.array([(*heads[key], *said) for key, said in ballots.items()], dtype=np.int64)
    topic, first, second, judge, repeat = columns.T[:5]
    return CastBallots(
        tuple(topics),
        tuple(players),
        tuple(judges),
        criteria,
        topic,
        first,
        second,
        judge,
        repeat,
        columns[:, 5:],
    )
