"""An arena as blocks: who competed, how the methods stand by models and by people, how far the
judges can be trusted, what is missing.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean

from core.errors import StoreFailed, boundary
from core.export.asked import counted
from core.export.blocks import Block, Blocks, Heading, Table, listed, said
from core.export.facts import unfinished
from core.export.grids import grid
from core.judging import arena_tables
from core.judging.arena import ArenaInputs, lineup_of
from core.judging.arena_votes import CastBallots, cast
from core.judging.contests import NO_PAIR, contested, unmatched, unmatched_said
from core.judging.imported_votes import COLUMNS
from core.records import Entry, Lineup, Played, Run, Seat
from core.records import Table as Figures
from core.store import Store
from core.story import Story
from core.tables.sheets import harmless

TOGETHER = "All ratings are relative to who competed, and on what."


def asked(run: Run) -> ArenaInputs:
    """Return what an arena was asked for, of whichever version; raises StoreFailed."""
    with boundary(
        StoreFailed,
        f"reading what run {run.id} was asked for, which another version of this program may have"
        " written",
    ):
        return run.inputs_as(ArenaInputs)


def arena(store: Store, run: Run, story: Story) -> Blocks:
    """Write an arena as it stands: models and people each apart, each criterion after all of them
    pooled.
    """
    given, lineup = asked(run), lineup_of(store, run.id)
    if lineup is None:
        return (Heading("How it stands"), said(unfinished(run)), *_entered(given, ()))
    head = (Heading("How it stands"), *_numbers(store, run, story, lineup))
    body = (block for table in tables(store, run) for block in grid(table))
    return (*head, *body, *_entered(given, lineup.seats), *_left_out(lineup))


def tables(store: Store, run: Run, pooled_only: bool = False) -> tuple[Figures, ...]:
    """Return the grid of criteria and methods, ratings and matches pooled and by criterion, then
    the health of the judges.

    `pooled_only` leaves single criteria out but for the grid. Nothing before the first vote.
    """
    held, lineup = voted(store, run)
    if held is None or lineup is None:
        return ()
    return arena_tables.every(held, lineup, pooled_only)


def grid_of(store: Store, run: Run) -> Figures | None:
    """Return the grid of criteria and methods; None before the first vote."""
    held, _ = voted(store, run)
    found = arena_tables.grid(arena_tables.by_side(held)) if held else None
    return found if found and found.head[2:] else None


def pictures(store: Store, run: Run) -> dict[str, bytes]:
    """Return the grid as SVG and PNG, by file name; nothing before the first vote."""
    from core.export.arena_pictures import (
        picture,
    )  # Matplotlib takes a second to import, and few want a picture.

    found = grid_of(store, run)
    return (
        {f"{found.name}.{kind}": picture(found, kind) for kind in ("svg", "png")} if found else {}
    )


def voted(store: Store, run: Run) -> tuple[CastBallots | None, Lineup | None]:
    """Return the ballots of an arena in whole numbers, None before the first, and its line-up, None
    while it is not settled.
    """
    lineup = lineup_of(store, run.id)
    if lineup is None or not sum(store.ballots.count(run.id)):
        return None, lineup
    return cast(store.ballots.lines(run.id), lineup, asked(run).kind), lineup


def ballots(store: Store, run: Run) -> str:
    """Return every ballot as CSV, a row for each verdict on one criterion, as `arena --add-votes`
    reads them back.

    Oldest first; of a person's ballots on one pair the last. Sources are named: it is for after the
    vote.
    """
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow((*COLUMNS, "repeat", "strength", "why", "at"))
    for one in store.ballots.of(run.id):
        second = one.contest.b if one.first == one.contest.a else one.contest.a
        named = {"first": one.first, "second": second, "tie": "tie"}
        for criterion, side in one.sides.items():
            cells = (
                one.contest.topic,
                one.contest.a,
                one.contest.b,
                one.first,
                criterion,
                named[side],
                one.judge,
                "yes" if one.person else "no",
                str(one.repeat),
            )
            lines.writerow(
                [*map(harmless, cells), one.strength.get(criterion, ""), harmless(one.why), one.at]
            )
    return out.getvalue()


def _numbers(store: Store, run: Run, story: Story, lineup: Lineup) -> Iterator[Block]:
    models, people = store.ballots.count(run.id)
    shown = "Every text was shown in the common form."
    if not lineup.common:
        shown = "Texts were shown as they are."
    yield said(
        f"{counted(len(contested(lineup)), 'contest')}; {counted(models, 'ballot')} by models,"
        f" {people:,} by people. {shown} {TOGETHER}"
    )
    alone = unmatched((seat.topic, seat.method) for seat in lineup.seats if seat.sha)
    if not contested(lineup) or alone:
        yield said(unmatched_said(alone) if contested(lineup) else NO_PAIR)
    played = story.last(Played)
    if run.state != "done":
        yield said(unfinished(run))
    if played and played.failed:
        yield from listed(
            f"{counted(n, 'match')} of {judge} came to nothing and count for nobody"
            for judge, n in sorted(played.failed.items())
        )
        yield said(f"The first of the failures: {played.reason}")
    if not models + people:
        yield said("Nobody has voted yet, so there are no ratings.")


def _entered(given: ArenaInputs, seats: tuple[Seat, ...]) -> Blocks:
    mine: defaultdict[str, list[Entry]] = defaultdict(list)
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    for entry in given.entries:
        mine[entry.method].append(entry)
    for seat in seats:
        lengths[seat.method] += [seat.length] if seat.sha else []
    rows = tuple(
        (
            method,
            ", ".join(sorted({one.model for one in held} - {""})) or "–",
            str(len(held)),
            ", ".join(sorted({one.collection for one in held})),
            f"{fmean(lengths[method]):,.0f}" if lengths[method] else "–",
        )
        for method, held in sorted(mine.items())
    )
    topics = sorted({entry.topic for entry in given.entries})
    return (
        Heading("Who competed"),
        Table(
            ("Method", "Model", "Texts", "Brought in with", "Mean length as shown (characters)"),
            rows,
        ),
        Heading(f"Topics ({len(topics)})", 3),
        *listed(topics),
    )


def _left_out(lineup: Lineup) -> Blocks:
    missing = [
        f"{seat.method} on {seat.topic}: {seat.reason}" for seat in lineup.seats if not seat.sha
    ]
    return (Heading("Not in it"), *listed(missing)) if missing else ()
