"""Ballots: who said which of two texts is better; only ever added, and the last of a person on a
contest counts.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from core.records import Ballot, Contest, HalfBallot
from core.store.connection import AMONG, Connections, Row, dump, narrow, now
from core.store.packed import unpacked

COLUMNS = "key, topic, a, b, first, judge, person, repeat, sides, strength, why, at"
# Not OR IGNORE: that would also pass over a ballot that lacks something.
INSERT = (
    f"INSERT INTO ballots (arena, {COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (arena,"
    " key) DO NOTHING"
)
IMPORTED = "import/"
"""How the keys of imported ballots begin."""
AT_ONCE = 1_000
"""Ballots that are read at once."""
COUNTED = (
    "arena = ?1 AND (person = 0 OR id IN (SELECT max(id) FROM ballots WHERE arena = ?1 AND person ="
    " 1 GROUP BY judge, topic, a, b))"
)
"""Of an arena's ballots all but those of people that a later one replaced."""
B = TypeVar("B", bound=Ballot)
Line = tuple[str, str, str, str, str, int, int, str]
"""topic, a, b, first, judge, person, repeat, and the sides as JSON."""


def read_ballot(kind: type[B], row: Row) -> B:
    """Return a row as a ballot."""
    plain = ("arena", "key", "first", "judge", "repeat", "why", "at")
    return kind(
        **{name: row[name] for name in plain},
        contest=Contest(topic=row["topic"], a=row["a"], b=row["b"]),
        person=bool(row["person"]),
        sides=json.loads(row["sides"]),
        strength=json.loads(row["strength"]),
    )


def ballot_row(ballot: Ballot) -> tuple[object, ...]:
    """Return a ballot as a row, as INSERT takes it."""
    return (
        ballot.arena,
        ballot.key,
        ballot.contest.topic,
        ballot.contest.a,
        ballot.contest.b,
        ballot.first,
        ballot.judge,
        int(ballot.person),
        ballot.repeat,
        json.dumps(ballot.sides),
        json.dumps(ballot.strength),
        ballot.why,
        ballot.at or now(),
    )


def _last(ballots: list[Ballot]) -> list[Ballot]:
    """Return ballots without those that a later one of the same person on the same contest
    replaced.
    """
    last = {(one.judge, one.contest): one.key for one in ballots if one.person}
    return [one for one in ballots if not one.person or last[one.judge, one.contest] == one.key]


class Ballots:
    def __init__(self, connections: Connections):
        self._db = connections

    # -- filing --------------------------------------------------------------------------------

    def add(self, ballots: tuple[Ballot, ...]) -> int:
        """Add ballots, all or none, and return how many were new; one whose key is there already is
        left as it is.

        A person's half ballot on the same contest is taken away. Raises BadInput in a case study.
        """
        for arena in {ballot.arena for ballot in ballots}:
            unpacked(self._db, arena)
        with self._db.writing() as connection:
            return sum(self._file(connection, ballot) for ballot in ballots)

    @staticmethod
    def _file(connection: sqlite3.Connection, ballot: Ballot) -> int:
        new = connection.execute(INSERT, ballot_row(ballot)).rowcount
        # Sent twice, a ballot must not take away what was begun since.
        if new and ballot.person:
            contest = ballot.contest
            connection.execute(
                "DELETE FROM half_ballots WHERE arena = ? AND judge = ? AND json_extract(data,"
                " '$.contest.topic') = ? AND json_extract(data, '$.contest.a') = ? AND"
                " json_extract(data, '$.contest.b') = ?",
                (ballot.arena, ballot.judge, contest.topic, contest.a, contest.b),
            )
        return new

    def carry(self, source: str, target: str, contests: Collection[Contest]) -> int:
        """Copy what people said of these contests in one arena, and what was imported there, to
        another, under the same keys, once; return how many are there now.
        """
        wanted = {(one.topic, one.a, one.b) for one in contests}
        rows = self._db.rows(
            f"SELECT {COLUMNS} FROM ballots WHERE arena = ? AND (person = 1 OR key LIKE"
            f" '{IMPORTED}%') ORDER BY id",
            source,
        )
        kept = [
            (target, *row.values()) for row in rows if (row["topic"], row["a"], row["b"]) in wanted
        ]
        self._db.write_all(INSERT, kept)
        return len(kept)

    # -- reading -------------------------------------------------------------------------------

    def of(
        self, arena: str, person: bool | None = None, contest: Contest | None = None
    ) -> list[Ballot]:
        """Return the ballots of an arena, or of one contest of it, oldest first; of people's only
        the last on each contest.
        """
        chosen: dict[str, object] = {"person = ?": person}
        if contest:
            chosen |= {"topic = ?": contest.topic, "a = ?": contest.a, "b = ?": contest.b}
        return _last(self._read(*narrow("arena = ?", [arena], chosen)))

    def each(self, arena: str) -> Iterator[Ballot]:
        """Yield what `of` returns of an arena, a few ballots in memory at a time."""
        ids = self._db.column(f"SELECT id FROM ballots WHERE {COUNTED} ORDER BY id", arena)
        for start in range(0, len(ids), AT_ONCE):
            yield from self._read(f"id {AMONG}", [dump(ids[start : start + AT_ONCE])])

    def _read(self, where: str, values: Sequence[object]) -> list[Ballot]:
        rows = self._db.rows(f"SELECT * FROM ballots WHERE {where} ORDER BY id", *values)
        return [read_ballot(Ballot, row) for row in rows]

    def on(self, arena: str, contests: Collection[Contest]) -> dict[Contest, list[Ballot]]:
        """Return the ballots on each of a few contests, oldest first, in one look; of people's only
        the last of each.
        """
        found: dict[Contest, list[Ballot]] = {one: [] for one in contests}
        if not found:
            return found
        marks = ",".join(["(?,?,?)"] * len(found))
        places = [name for one in found for name in (one.topic, one.a, one.b)]
        where = f"arena = ? AND (topic, a, b) IN (VALUES {marks})"
        for ballot in _last(self._read(where, [arena, *places])):
            found[ballot.contest].append(ballot)
        return found

    def lines(self, arena: str) -> list[Line]:
        """Return the ballots of an arena as plain tuples, oldest first, for arenas of many
        thousands; of people's only the last on each contest.
        """
        return self._db.tuples(
            "SELECT topic, a, b, first, judge, person, repeat, sides FROM ballots WHERE"
            f" {COUNTED} ORDER BY id",
            arena,
        )

    def count(self, arena: str) -> tuple[int, int]:
        """Return how many ballots models and people have filed in an arena; cheap, so that pages
        can see whether anything is new.
        """
        ((models, people),) = self._db.tuples(
            "SELECT count(*) FILTER (WHERE NOT person), count(*) FILTER (WHERE person) FROM ballots"
            " WHERE arena = ?",
            arena,
        )
        return models, people

    def keys(self, arena: str, beginning: str) -> dict[str, str]:
        """Return the sides, as JSON, of the ballots whose keys begin so."""
        return dict(
            self._db.tuples(
                "SELECT key, sides FROM ballots WHERE arena = ? AND substr(key, 1, ?) = ?",
                arena,
                len(beginning),
                beginning,
            )
        )

    def people(self, arena: str) -> dict[tuple[str, str, str], int]:
        """Return how many people have voted on each contest (topic, a, b) somebody has voted on."""
        rows = self._db.tuples(
            "SELECT topic, a, b, count(DISTINCT judge) FROM ballots WHERE arena = ? AND person = 1"
            " GROUP BY topic, a, b",
            arena,
        )
        return {(topic, a, b): n for topic, a, b, n in rows}

    def voted(self, arena: str) -> set[tuple[str, str, str, str]]:
        """Return who of the people has voted on what: (judge, topic, a, b)."""
        find = "SELECT DISTINCT judge, topic, a, b FROM ballots WHERE arena = ? AND person = 1"
        return set(self._db.tuples(find, arena))

    def imported(self, arena: str) -> set[str]:
        """Return the models whose judgments were imported."""
        return set(
            self._db.column(
                "SELECT DISTINCT judge FROM ballots WHERE arena = ? AND person = 0 AND key LIKE"
                f" '{IMPORTED}%'",
                arena,
            )
        )

    def by(self, arena: str, judge: str) -> list[Ballot]:
        """Return a person's ballots, oldest first, those that a later one replaced included."""
        return self._read("arena = ? AND person = 1 AND judge = ?", (arena, judge))

    # -- half ballots --------------------------------------------------------------------------

    def half(self, arena: str, judge: str) -> HalfBallot | None:
        """Return what a person has half filled in, or None."""
        return self._db.record(
            HalfBallot,
            "SELECT data FROM half_ballots WHERE arena = ? AND judge = ?",
            arena,
            judge,
        )

    def deal_half(self, dealt: HalfBallot, before: HalfBallot | None) -> HalfBallot:
        """Keep a ballot nobody has filled in yet in place of the one before; return what is kept
        now: another tab of this person may have been dealt one since, and begun it.
        """
        with self._db.writing():
            kept = self.half(dealt.arena, dealt.judge)
            if kept != before and kept is not None:
                return kept
            self.keep_half(dealt)
        return dealt

    def keep_half(self, half: HalfBallot) -> None:
        """Keep what a person has half filled in, in place of what it was before."""
        self._db.write(
            "INSERT OR REPLACE INTO half_ballots VALUES (?,?,?,?)",
            half.arena,
            half.judge,
            half.model_dump_json(),
            now(),
        )
