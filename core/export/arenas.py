"""An arena as blocks: who competed, how the methods stand by models and by people, how far the
judges can be trusted, what is missing.
"""

from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean

from core.export.asked import inputs_as
from core.export.blocks import Block, Heading, Table, grid, listing, prose, section
from core.export.facts import unfinished
from core.judging.arena import tables as arena_tables
from core.judging.arena.ballots import CastBallots, cast
from core.judging.arena.competition import ArenaInputs, lineup_of
from core.judging.arena.contests import NO_PAIR, contested, unmatched, unmatched_said
from core.judging.arena.imported_votes import COLUMNS
from core.records import Entry, Lineup, Played, Run, Seat
from core.records import Table as Figures
from core.store import Store
from core.story import Story
from core.tables.sheets import rows_as_csv
from core.wording.numbers import counted

TOGETHER = "All ratings are relative to who competed, and on what."


def arena(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write an arena as it stands: models and people each apart, each criterion after all of them
    pooled.
    """
    inputs, lineup = inputs_as(run, ArenaInputs), lineup_of(store, run.id)
    yield Heading("How it stands")
    if lineup is None:
        yield prose(unfinished(run))
        yield from _list_entered(inputs, ())
        return
    yield from _numbers(store, run, story, lineup)
    for table in tables(store, run):
        yield from grid(table)
    yield from _list_entered(inputs, lineup.seats)
    yield from section(
        "Not in it",
        listing(
            f"{seat.method} on {seat.topic}: {seat.reason}" for seat in lineup.seats if not seat.sha
        ),
    )


def tables(store: Store, run: Run, pooled_only: bool = False) -> tuple[Figures, ...]:
    """Return the grid of criteria and methods, ratings and matches pooled and by criterion, then
    the health of the judges.

    `pooled_only` leaves single criteria out but for the grid. Nothing before the first vote.
    """
    ballots_cast, lineup = cast_of(store, run)
    if ballots_cast is None or lineup is None:
        return ()
    method_of = inputs_as(run, ArenaInputs).method_of
    return arena_tables.every(ballots_cast, lineup, pooled_only, method_of)


def grid_of(store: Store, run: Run) -> Figures | None:
    """Return the grid of criteria and methods; None before the first vote."""
    ballots_cast, _ = cast_of(store, run)
    if ballots_cast is None:
        return None
    found = arena_tables.grid(arena_tables.by_side(ballots_cast))
    return found if found.head[2:] else None


def pictures(store: Store, run: Run) -> dict[str, bytes]:
    """Return the grid as SVG and PNG, by file name; nothing before the first vote."""
    # Matplotlib takes a second to import, and few want a picture.
    from core.export.pictures import KINDS, arena_ratings

    found = grid_of(store, run)
    if found is None:
        return {}
    return {f"{found.name}.{kind}": arena_ratings(found, kind) for kind in KINDS}


def cast_of(store: Store, run: Run) -> tuple[CastBallots | None, Lineup | None]:
    """Return the ballots of an arena in whole numbers, None before the first, and its line-up, None
    while it is not settled.
    """
    lineup = lineup_of(store, run.id)
    if lineup is None or not any(store.ballots.count(run.id)):
        return None, lineup
    kind = inputs_as(run, ArenaInputs).kind
    return cast(store.ballots.lines(run.id), lineup, kind), lineup


def ballots(store: Store, run: Run) -> str:
    """Return every ballot as CSV, a row for each verdict on one criterion, as `arena --add-votes`
    reads them back.

    Oldest first; of a person's ballots on one pair the last. Sources are named: it is for after the
    vote.
    """
    rows: list[tuple[object, ...]] = [(*COLUMNS, "repeat", "strength", "why", "at")]
    for ballot in store.ballots.of(run.id):
        topic, a, b = ballot.contest.topic, ballot.contest.a, ballot.contest.b
        winner = {"first": ballot.first, "second": b if ballot.first == a else a, "tie": "tie"}
        voter = ballot.judge, "yes" if ballot.person else "no", ballot.repeat
        rows += [
            (
                *(topic, a, b, ballot.first, criterion, winner[side], *voter),
                *(ballot.strength.get(criterion, ""), ballot.why, ballot.at),
            )
            for criterion, side in ballot.sides.items()
        ]
    return rows_as_csv(rows)


def _numbers(store: Store, run: Run, story: Story, lineup: Lineup) -> Iterator[Block]:
    models, people = store.ballots.count(run.id)
    contests = contested(lineup)
    shown = "Every text was shown in the common form."
    if not lineup.common:
        shown = "Texts were shown as they are."
    yield prose(
        f"{counted(len(contests), 'contest')}; {counted(models, 'ballot')} by models, {people:,} by"
        f" people. {shown} {TOGETHER}"
    )
    alone = unmatched((seat.topic, seat.method) for seat in lineup.seats if seat.sha)
    if not contests:
        yield prose(NO_PAIR)
    elif alone:
        yield prose(unmatched_said(alone))
    if run.state != "done":
        yield prose(unfinished(run))
    played = story.last(Played)
    if played and played.failed:
        yield from listing(
            f"{counted(n, 'match')} of {judge} came to nothing and count for no method"
            for judge, n in sorted(played.failed.items())
        )
        yield prose(f"The first of the failures: {played.reason}")
    if not models + people:
        yield prose("Nobody has voted yet, so there are no ratings.")


def _list_entered(inputs: ArenaInputs, seats: tuple[Seat, ...]) -> Iterator[Block]:
    by_method: defaultdict[str, list[Entry]] = defaultdict(list)
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    for entry in inputs.entries:
        by_method[entry.method].append(entry)
    for seat in seats:
        if seat.sha:
            lengths[seat.method].append(seat.length)
    rows = []
    for method, entries in sorted(by_method.items()):
        models = ", ".join(sorted({entry.model for entry in entries} - {""}))
        collections = ", ".join(sorted({entry.collection for entry in entries}))
        length = f"{fmean(lengths[method]):,.0f}" if lengths[method] else "–"
        rows.append((method, models or "–", str(len(entries)), collections, length))
    head = ("Method", "Model", "Texts", "Brought in with", "Mean length as shown (characters)")
    yield Heading("Who competed")
    yield Table(head, tuple(rows))
    topics = sorted({entry.topic for entry in inputs.entries})
    yield Heading(f"Topics ({len(topics)})", 3)
    yield from listing(topics)
