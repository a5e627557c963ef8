"""What of a run's document takes computing: the tables of a ranking, an arena or an experiment, and
the leaderboard of a benchmark.
"""

from collections.abc import Callable, Iterable
from typing import Any

from core.benchmark.conducting.kept import to_take_in
from core.benchmark.progress import KINDS
from core.benchmark.progress import progress as progress_of_benchmark
from core.benchmark.results.findings import findings
from core.experiments.novelty import figures as measured
from core.experiments.progress import progress
from core.experiments.topics import results as tried
from core.experiments.topics import tables as topic_tables
from core.export import arenas, ranked, shortlists, sweeps
from core.export.dumps import dump, dump_all
from core.export.tables import rows_by_head
from core.records import Lineup, Played, Run, Standing, Table
from core.store import Store
from core.story import Story


def describe(told: str, store: Store, run: Run, story: Story) -> dict[str, Any]:
    """Return what a run came to, in figures, told as the catalogue says (`Method.report`)."""
    if told == "ranking":
        standings = {
            place: part.model_dump(mode="json")
            for place, part in story.parts
            if isinstance(part, Standing)
        }
        return {"standings": standings, "tables": _tables(ranked.tables(store, run, story))}
    if told == "arena":
        return _arena(store, run, story)
    return DESCRIPTIONS.get(told, describe_benchmark)(store, run)


def _novelty(store: Store, run: Run) -> dict[str, Any]:
    held = measured.collect(store, run)
    return {
        "checks": {"ended": len(held.cells), "planned": held.planned},
        "found": list(measured.outcome(store, held)),
        "tables": dump_all(measured.tables(store, held)),
    }


def _over_topics(store: Store, run: Run) -> dict[str, Any]:
    held = tried.collect(store, run)
    return {
        "cells": {"ended": len(held.cells), "planned": held.planned},
        "arenas": {one.kind: one.run for one in held.arenas},
        "found": list(tried.outcome(store, held)),
        "tables": _tables(topic_tables.tables(store, held)),
    }


def _arena(store: Store, run: Run, story: Story) -> dict[str, Any]:
    """Return an arena in numbers: ballots, who is not in it, and the tables over all criteria."""
    models, people = store.ballots.count(run.id)
    lineup, played = story.last(Lineup), story.last(Played)
    left_out = (
        [one.model_dump(exclude={"sha", "length"}) for one in lineup.seats if not one.sha]
        if lineup
        else []
    )
    return {
        "ballots": {"models": models, "people": people},
        "played": dump(played),
        "left_out": left_out,
        "tables": _tables(arenas.tables(store, run, pooled_only=True)),
    }


def _sweep(store: Store, run: Run) -> dict[str, Any]:
    """Return an experiment in numbers: how many cells are in which state, the runs by their names
    in it, the tables.
    """
    found = progress(store, run)
    return {
        "cells": found.counts,
        "runs": {part.name: part.run for cell in found.cells for part in cell.pieces},
        "tables": _tables(sweeps.figures(store, run, "")),
    }


def describe_benchmark(store: Store, run: Run) -> dict[str, Any]:
    """Return a benchmark in numbers: how many answers are in which state, the leaderboard as it
    stands, who is on the Pareto front, what judges agree on.
    """
    found, far = findings(store, run.id), progress_of_benchmark(store, run)
    counts = {
        kind: {
            what: far.total(what, kind)
            for what in ("planned", "done", "failed", "excluded", "needless", "running", "left")
        }
        for kind in KINDS
    }
    return {
        "calls_to_take_in": to_take_in(store, run),
        "answers": counts,
        "leaderboard": dump_all(found.board.rows),
        "pareto": sorted(found.pareto),
        "notes": list(found.board.notes),
        "agreement": dump_all(found.agreement),
    }


def _tables(tables: Iterable[Table]) -> dict[str, list[dict[str, str]]]:
    return {table.name: rows_by_head(table) for table in tables}


DESCRIPTIONS: dict[str, Callable[[Store, Run], dict[str, Any]]] = {
    "experiment": _sweep,
    "novelty experiment": _novelty,
    "topic experiment": _over_topics,
    "shortlist": shortlists.describe,
}
"""How runs that have runs made are told, by what the catalogue calls their report."""
