"""What a screen shows of an arena, as tables: made at once, or in a process of its own, since the
ratings of a large arena hold up whoever makes them.
"""

import sys
from pathlib import Path

from core.beside import answer_with, bound
from core.judging.arena import tables
from core.judging.arena.ballots import CastBallots, Whose, cast, who_voted
from core.judging.arena.competition import ArenaInputs, lineup_of
from core.judging.arena.contestants import by_method
from core.judging.arena.results import judged, results
from core.records import Record, Table
from core.store import Store

MEMORY, WORK = 2 << 30, 900
"""Bytes of address space beside what the libraries take, and seconds of the processor."""


class VoteStanding(Record):
    """How the methods stand by the votes of models, or of people."""

    who: Whose
    ratings: Table
    matches: Table
    curve: Table
    connected: str
    """Whether the matches connect everybody, and what that means."""
    level: tuple[str, ...]
    """Who is not separable, a sentence a group."""
    unplayed: str = ""
    """Which methods have played no match that counts, if any."""


class RatingsSheet(Record):
    """The ratings of an arena by one criterion, or by all; by models and by people, each apart,
    where they have voted.
    """

    ballots: int
    """Of so many ballots."""
    stands: tuple[VoteStanding, ...]
    methods: tuple[VoteStanding, ...] = ()
    """How methods stand by all their texts, where single texts compete."""


class Trust(Record):
    """How far the judges of an arena can be trusted, by one criterion, or by all."""

    ballots: int
    judges: Table
    agreement: Table
    people: Table


def sheet(store: Store, run_id: str, criterion: str | None) -> RatingsSheet:
    """Return how the methods of an arena stand. Raises BadInput for an unknown criterion."""
    ballots, held = _cast(store, run_id)
    voted = who_voted(held)
    method_of = store.runs.get(run_id).inputs_as(ArenaInputs).method_of
    methods = by_method(held, method_of)
    return RatingsSheet(
        ballots=ballots,
        stands=tuple(_stand(held, who, criterion) for who in voted),
        methods=tuple(_stand(methods, who, criterion) for who in voted if method_of),
    )


def trust(store: Store, run_id: str, criterion: str | None) -> Trust:
    """Return the health of an arena's judges. Raises BadInput for an unknown criterion."""
    ballots, held = _cast(store, run_id)
    lineup = lineup_of(store, run_id)
    assert lineup is not None
    found = judged(held, lineup, criterion)
    return Trust(
        ballots=ballots,
        judges=tables.judges(found),
        agreement=tables.agreement(found),
        people=tables.people(found),
    )


def _stand(held: CastBallots, who: Whose, criterion: str | None) -> VoteStanding:
    found = results(held, who, criterion)
    return VoteStanding(
        who=who,
        ratings=tables.ratings(found),
        matches=tables.matches(found),
        curve=tables.curve(found),
        connected=tables.connected(found),
        level=tuple(tables.level(found)),
        unplayed=tables.unplayed(found),
    )


def _cast(store: Store, run_id: str) -> tuple[int, CastBallots]:
    ballots = sum(store.ballots.count(run_id))
    lineup = lineup_of(store, run_id)
    assert lineup is not None, "ballots are filed once the line-up is settled"
    kind = store.runs.get(run_id).inputs_as(ArenaInputs).kind
    return ballots, cast(store.ballots.lines(run_id), lineup, kind)


def _answer(folder: str, run: str, what: str, by: str) -> str:
    make = {"sheet": sheet, "trust": trust}[what]
    return make(Store(Path(folder)), run, by or None).model_dump_json()


if __name__ == "__main__":
    bound(MEMORY, WORK)
    answer_with(lambda: _answer(*sys.argv[1:5]))
