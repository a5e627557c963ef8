"""An arena as blocks: who competed, how the methods stand by models and by people, how far the judges can be trusted, what is missing."""
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
from core.judging.arena_results import judged, results
from core.judging.arena_sheet import SIDES
from core.judging.arena_votes import cast
from core.judging.contests import CRITERIA, contested
from core.records import Entry, Lineup, Played, Run, Seat
from core.records import Table as Figures
from core.store import Store
from core.story import Story

TOGETHER = "All ratings are relative to who competed, and on what."


def asked(run: Run) -> ArenaInputs:
    """Return what an arena was asked for, of whichever version; raises StoreFailed."""
    with boundary(StoreFailed, f"reading what run {run.id} was asked for, which another version of this program may have written"):
        return ArenaInputs.model_validate(run.config.inputs)


def arena(store: Store, run: Run, story: Story) -> Blocks:
    """Write an arena as it stands: models and people each apart, each criterion after all of them pooled."""
    given, lineup = asked(run), lineup_of(store, run.id)
    if lineup is None:
        return (Heading("How it stands"), said(unfinished(run)), *_entered(given, ()))
    head = (Heading("How it stands"), *_numbers(store, run, story, lineup))
    body = (block for table in tables(store, run) for block in grid(table))
    return (*head, *body, *_entered(given, lineup.seats), *_left_out(lineup))


def tables(store: Store, run: Run, overall: bool = False) -> tuple[Figures, ...]:
    """Return ratings and matches overall and by criterion, then the health of the judges; `overall` leaves the criteria out. Nothing before the first vote."""
    lineup, kind = lineup_of(store, run.id), asked(run).kind
    if lineup is None or not sum(store.ballots.count(run.id)):
        return ()
    held = cast(store.ballots.lines(run.id), lineup, kind)
    criteria = (None, *(() if overall else CRITERIA[kind]))
    sides = [who for who in SIDES if any(person == (who == "people") for _, person in held.judges)]
    stands, trusted = [results(held, who, criterion) for criterion in criteria for who in sides], judged(held, lineup)
    found = (*map(arena_tables.ratings, stands), *map(arena_tables.matches, stands), arena_tables.judges(trusted), arena_tables.agreement(trusted),
             arena_tables.people(trusted))
    return tuple(table for table in found if table.rows)


def _numbers(store: Store, run: Run, story: Story, lineup: Lineup) -> Iterator[Block]:
    models, people = store.ballots.count(run.id)
    yield said(f"{counted(len(contested(lineup)), 'contest')}; {counted(models, 'ballot')} by models, {people:,} by people. "
               f"{'Every text was shown in the common form.' if lineup.common else 'Texts were shown as they are.'} {TOGETHER}")
    played = story.last(Played)
    if run.state != "done":
        yield said(unfinished(run))
    if played and played.failed:
        yield from listed(f"{counted(n, 'match')} of {judge} came to nothing and count for nobody" for judge, n in sorted(played.failed.items()))
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
    rows = tuple((method, ", ".join(sorted({one.model for one in held} - {""})) or "–", str(len(held)), ", ".join(sorted({one.collection for one in held})),
                  f"{fmean(lengths[method]):,.0f}" if lengths[method] else "–") for method, held in sorted(mine.items()))
    topics = sorted({entry.topic for entry in given.entries})
    return (Heading("Who competed"), Table(("Method", "Model", "Texts", "Brought in with", "Mean length as shown (characters)"), rows),
            Heading(f"Topics ({len(topics)})", 3), *listed(topics))


def _left_out(lineup: Lineup) -> Blocks:
    missing = [f"{seat.method} on {seat.topic}: {seat.reason}" for seat in lineup.seats if not seat.sha]
    return (Heading("Not in it"), *listed(missing)) if missing else ()
