"""Judgments made elsewhere, filed into an arena: a CSV with a row for each verdict on one
criterion, and a report of the rows that say nothing usable.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.csv_rows import CsvRow, read_rows
from core.errors import BadInput
from core.judging.arena.contests import CRITERIA, contested, place
from core.judging.arena.results import PEOPLE
from core.literature.importing.text import decode, plain
from core.records import Ballot, Contest, Kind, Lineup, Record, Side, part
from core.refusals import LONGEST, Refusals
from core.store import Store
from core.store.ballots import IMPORTED

COLUMNS = ("topic", "method a", "method b", "first", "criterion", "winner", "judge", "person")
"""What a file must have."""
MAY_HAVE = ("repeat", "why")
LARGEST = 25_000_000
YES, NO = ("yes", "y", "true", "1", "person"), ("no", "n", "false", "0", "", "model")


class RefusedVote(Record):
    """A row that was not filed; `row` is its line in the file."""

    row: int
    reason: str


class VotesReport(Record):
    """What came of a file of votes."""

    rows: int
    filed: int
    """Ballots; each has the verdicts of one judge on one pair in one order."""
    known: int = 0
    """Ballots that were there already, saying the same."""
    refused: tuple[RefusedVote, ...] = ()
    """The first of the rows that were not filed, by their lines."""
    more_refused: int = 0
    """Rows beyond these that were not filed either."""
    refused_by_reason: dict[str, int] = {}
    """How many of all rows that were not filed have a reason of a kind."""

    @property
    def refused_count(self) -> int:
        """How many rows were not filed."""
        return len(self.refused) + self.more_refused


class ImportedVote(NamedTuple):
    """A row that can be read."""

    row: int
    key: str
    contest: Contest
    first: str
    judge: str
    person: bool
    repeat: int
    criterion: str
    side: Side
    why: str


def file_votes(
    store: Store, arena: str, lineup: Lineup, kind: Kind, data: bytes, judges: Iterable[str] = ()
) -> VotesReport:
    """File the votes of a CSV into an arena; the rows of a ballot are filed together or not at all,
    and those refused are named. Raises BadInput.

    `judges` are the models that judge in the arena themselves. Filing a file again changes nothing,
    so a corrected file can be filed whole.
    """
    said, spoilt, rows = list[ImportedVote](), set[tuple[str, ...]](), 0
    refused = Refusals[RefusedVote](place=lambda one: one.row)
    whole = {(one.topic, one.a, one.b): one for one in contested(lineup)}
    own = frozenset(judges)
    for n, row in _rows(data):
        rows += 1
        try:
            said.append(_read(n, row, whole, kind, own))
        except ValueError as error:
            refused.add(RefusedVote(row=n, reason=str(error)[:LONGEST]))
            # Half a ballot is not filed.
            spoilt.add(_group(row))
    good = _ballots(store, arena, said, spoilt, refused)
    filed = store.ballots.add(tuple(good))
    return VotesReport(
        rows=rows,
        filed=filed,
        known=len(good) - filed,
        refused=refused.first,
        more_refused=refused.more,
        refused_by_reason=refused.reasons,
    )


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    if len(data) > LARGEST:
        raise BadInput(
            f"The file has {len(data) / 1e6:.0f} MB; {LARGEST / 1e6:.0f} MB is the limit."
            " Divide it."
        )
    text = decode(data)
    head = text.split("\n", 1)[0]
    comma = max(",;\t", key=head.count)
    # Half a ballot is not filed, and whose row it is a broken one does not say.
    rows = (_whole(row) for row in read_rows(text.split("\n"), comma))
    _, head_cells = next(rows, (1, []))
    names = [" ".join(plain(name).lower().replace("_", " ").split()) for name in head_cells]
    if missing := [name for name in COLUMNS if name not in names]:
        raise BadInput(
            f"The file lacks the columns {', '.join(missing)}. Its first line must name"
            f" {', '.join(COLUMNS)}; repeat and why may be there too."
        )
    # Columns that are not read may be called alike, as those without a name are.
    if twice := [name for name in (*COLUMNS, *MAY_HAVE) if names.count(name) > 1]:
        raise BadInput(
            f"The file has more than one column {', '.join(twice)}; capitals and spaces make no"
            " difference. Keep the one that counts, or give the other another name."
        )
    for n, cells in rows:
        if any(cell.strip() for cell in cells):
            given = map(unguarded, map(plain, cells))
            yield n, dict(zip(names, given, strict=False))


def _whole(row: CsvRow) -> tuple[int, list[str]]:
    """Return a row with the number of its line; raises BadInput for a broken one."""
    if row.cells is None:
        raise BadInput(
            f"Line {row.line + 1} of the file cannot be read: {row.trouble}. Mend it there, or save"
            " the file as CSV again; nothing was filed."
        )
    return row.line + 1, row.cells


def unguarded(cell: str) -> str:
    """Return a cell without the apostrophe that our own files put before what a spreadsheet would
    run.
    """
    return cell[1:] if cell.startswith(("'=", "'+", "'-", "'@")) else cell


def _group(row: dict[str, str]) -> tuple[str, ...]:
    """Return of which judge on which pair a row is, as far as it says."""
    pair = sorted((row.get("method a", ""), row.get("method b", "")))
    return (row.get("topic", ""), *pair, row.get("judge", ""))


def _read(
    n: int,
    row: dict[str, str],
    whole: dict[tuple[str, str, str], Contest],
    kind: Kind,
    judges: frozenset[str],
) -> ImportedVote:
    """Read one row; raises ValueError with what is wrong with it."""
    a, b = row.get("method a", ""), row.get("method b", "")
    contest = whole.get((row.get("topic", ""), min(a, b), max(a, b)))
    if contest is None:
        raise ValueError(
            f"{a!r} and {b!r} do not meet on {row.get('topic', '')!r} in this arena; names must be"
            " as they are there"
        )
    first, criterion, person = (
        _method(row.get("first", ""), a, b),
        _criterion(row.get("criterion", ""), kind),
        _yes(row.get("person", "")),
    )
    judge, repeat = row.get("judge", ""), row.get("repeat", "") or "1"
    if not judge:
        raise ValueError("it does not say who judged")
    if not person and judge == PEOPLE:
        raise ValueError(f"{PEOPLE!r} is what all people together are called; name the judge")
    if not person and judge in judges:
        raise ValueError(
            f"{judge!r} judges in this arena itself; give what was imported another name"
        )
    if not repeat.isdecimal() or len(repeat) > 4 or not 1 <= int(repeat) <= 1_000:
        raise ValueError(f"the repeat {repeat!r} is no number from 1 to 1000")
    who = f"{'person' if person else 'model'}/{part(judge)}"
    key = f"{IMPORTED}{who}/{place(contest)}/{part(first)}-first/{int(repeat)}"
    return ImportedVote(
        n,
        key,
        contest,
        first,
        judge,
        person,
        int(repeat),
        criterion,
        _side(row.get("winner", ""), first, a, b),
        row.get("why", ""),
    )


def _method(said: str, a: str, b: str) -> str:
    # As in the winner's column: the very name comes first, then the column's letter.
    named = {**{one.lower(): one for one in (a, b)}, "a": a, "b": b}
    if said not in (a, b) and said.lower() not in named:
        raise ValueError(
            f"it does not say whose text stood first: {said!r} is neither a, b, {a!r} nor {b!r}"
        )
    return said if said in (a, b) else named[said.lower()]


def _criterion(said: str, kind: Kind) -> str:
    name = said.lower().removeprefix("expected ").replace(" ", "_")
    if name not in CRITERIA[kind]:
        raise ValueError(f"{said!r} is no criterion here; there are {', '.join(CRITERIA[kind])}")
    return name


def _yes(said: str) -> bool:
    if said.lower() not in (*YES, *NO):
        raise ValueError(f"person is {said!r}; write yes or no")
    return said.lower() in YES


def _side(said: str, first: str, a: str, b: str) -> Side:
    if said in (a, b):
        return "first" if said == first else "second"
    word = said.lower()
    if word in ("tie", "draw"):
        return "tie"
    if word in ("first", "second"):
        return "first" if word == "first" else "second"
    if word in ("a", "b"):
        return "first" if {"a": a, "b": b}[word] == first else "second"
    raise ValueError(f"the winner {said!r} is neither a, b, first, second, tie, {a!r} nor {b!r}")


def _ballots(
    store: Store,
    arena: str,
    said: Sequence[ImportedVote],
    spoilt: set[tuple[str, ...]],
    refused: Refusals[RefusedVote],
) -> list[Ballot]:
    """Return the ballots that can be filed, and refuse the rows of those that cannot."""
    held, voted = store.ballots.keys(arena, IMPORTED), store.ballots.voted(arena)
    groups: dict[str, list[ImportedVote]] = {}
    for one in said:
        groups.setdefault(one.key, []).append(one)
    good = list[Ballot]()
    for key, rows in groups.items():
        sides, one = {row.criterion: row.side for row in rows}, rows[0]
        who = (one.judge, one.contest.topic, one.contest.a, one.contest.b)
        if reason := _against(
            key, rows, sides, spoilt, held, who in voted if one.person else False
        ):
            refused.extend(RefusedVote(row=row.row, reason=reason) for row in rows)
            continue
        if one.person and key not in held:
            voted.add(who)
        good.append(
            Ballot(
                arena=arena,
                contest=one.contest,
                first=one.first,
                sides=sides,
                judge=one.judge,
                person=one.person,
                repeat=one.repeat,
                key=key,
                why=next((row.why for row in rows if row.why), ""),
            )
        )
    return good


def _against(
    key: str,
    rows: Sequence[ImportedVote],
    sides: dict[str, Side],
    spoilt: set[tuple[str, ...]],
    held: dict[str, str],
    voted: bool,
) -> str:
    """Return why a ballot is not filed, or nothing."""
    one = rows[0]
    if (one.contest.topic, one.contest.a, one.contest.b, one.judge) in spoilt:
        return (
            "another row of the same judge on the same pair was refused; correct that one, and"
            " import the file again"
        )
    if len(sides) < len(rows):
        return (
            f"{one.judge!r} says more than once in this order which is better by one criterion;"
            " number the repeats, or keep one"
        )
    if key in held:
        return (
            ""
            if json.loads(held[key]) == sides
            else (
                f"a vote of {one.judge!r} on this pair in this order was imported before, saying"
                " something else"
            )
        )
    return (
        f"{one.judge!r} has a vote on this pair already; a person's vote counts once, whichever"
        " text stood first"
        if voted
        else ""
    )
