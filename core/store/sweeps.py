"""What a sweep has made so far, in a few light reads: its runs, and which of its places have
something to show.
"""

from collections.abc import Collection

from core.records import Record
from core.store.connection import AMONG, Connections, dump

RECORD, STEP, SPACED = 100, 600, 1.2
"""Bytes of a record's and of a step's other fields in a file, and what its spaces add, about."""


class SweepRun(Record):
    """A run that a sweep started, by its name there."""

    name: str
    run: str
    state: str
    reason: str = ""
    steps: int = 0
    calls: int = 0


class Weight(Record):
    """How much a case study of an experiment holds."""

    runs: int
    records: int
    """Bytes, about, of what its runs have to show."""
    steps: int
    """Bytes, about, of their steps."""


class Sweeps:
    def __init__(self, connections: Connections):
        self._db = connections

    def begun(self, sweep: str) -> dict[str, SweepRun]:
        """Return every run that is a sweep's, by name: those it started, and those it took over
        finished from the one it extends.
        """
        columns = "runs.id AS run, runs.state, runs.reason, runs.steps, runs.calls"
        made = f"SELECT cell AS name, {columns} FROM runs WHERE sweep = ?"
        taken_over = (
            f"SELECT steps.key AS name, {columns} FROM steps JOIN runs ON runs.id ="
            " json_extract(steps.reply, '$.run') WHERE steps.run = ? AND steps.kind = 'computed'"
            " AND steps.status = 'done'"
        )
        runs = [run for find in (made, taken_over) for run in self._db.build(SweepRun, find, sweep)]
        return {run.name: run for run in runs}

    def deleted(self, sweep: str) -> set[str]:
        """Return the names of the runs that a sweep had made and that were deleted since."""
        return set(
            self._db.column(
                "SELECT key FROM steps WHERE run = ? AND kind = 'computed' AND status = 'done' AND"
                " json_extract(reply, '$.run') NOT IN (SELECT id FROM runs UNION SELECT '')",
                sweep,
            )
        )

    def under_way(self, sweep: str) -> list[str]:
        """Return the names of a sweep's runs that are queued or at work."""
        # The plus has the few runs at work looked through, and not all of the sweep's.
        return self._db.column(
            "SELECT cell FROM runs WHERE state IN ('queued', 'running') AND +sweep = ?", sweep
        )

    def shown(self, sweep: str) -> dict[str, tuple[str, str]]:
        """Return state and reason of every cell's ideas and standings that a sweep has to show, by
        place.
        """
        rows = self._db.tuples(
            "SELECT name, json_extract(data, '$.state'), json_extract(data, '$.reason') FROM"
            " products WHERE run = ? AND kind IN ('Made', 'Standings')",
            sweep,
        )
        return {name: (state, reason) for name, state, reason in rows}

    def came(self, sweep: str, what: str) -> bool:
        """Say whether a sweep has anything done to show whose name ends in a part that begins so;
        one row is enough.
        """
        done = self._db.value(
            "SELECT 1 FROM products WHERE run = ? AND '/' || name GLOB ? AND '/' || name NOT GLOB ?"
            " AND kind IN ('Made', 'Standings') AND json_extract(data, '$.state') = 'done' LIMIT 1",
            sweep,
            f"*/{what}*",
            f"*/{what}*/*",
        )
        return done is not None

    def qs(self, sweep: str) -> dict[str, float]:
        """Return the mean Q of every ranking that a sweep has to show and that has one, by
        place.
        """
        rows = self._db.tuples(
            "SELECT name, (SELECT avg(value) FROM json_each(data, '$.q')) AS q FROM products WHERE"
            " run = ? AND kind = 'Standings' AND q IS NOT NULL",
            sweep,
        )
        return dict(rows)

    def pace(self, sweep: str, since: str) -> tuple[int, frozenset[str]]:
        """Return how many calls of a sweep's runs are under way, and the names of its runs that
        came to their end since a moment.
        """
        flying = self._db.number(
            "SELECT count(*) FROM reservations JOIN runs ON runs.id = reservations.run"
            " WHERE runs.sweep = ?",
            sweep,
        )
        ended = "SELECT cell FROM runs WHERE sweep = ? AND ended >= ?"
        return flying, frozenset(self._db.column(ended, sweep, since))

    def weigh(self, sweep: str, runs: Collection[str]) -> Weight:
        """Return about how much a file takes that holds an experiment and these runs."""
        steps = (
            f"SELECT sum(length(request) + length(reply) + {STEP}) FROM steps WHERE run {AMONG}",
            f"SELECT sum(length(raw) + {STEP}) FROM calls WHERE run {AMONG}",
        )
        records = (
            f"SELECT sum(length(config) + {STEP}) FROM runs WHERE id {AMONG}",
            f"SELECT sum(length(data) + {RECORD}) FROM products WHERE run {AMONG}",
            "SELECT sum(length(data)) FROM run_papers JOIN papers ON papers.id = paper WHERE run"
            f" {AMONG}",
        )
        # What an experiment froze serves all its runs.
        prompts = (
            "SELECT sum(length(text)) FROM prompts WHERE sha IN (SELECT frozen.value FROM runs,"
            f" json_each(config, '$.prompts') AS frozen WHERE runs.id {AMONG})"
        )

        def sum_up(finds: tuple[str, ...], ids: Collection[str]) -> int:
            held = dump(tuple(ids))
            return int(SPACED * sum(self._db.value(find, held) or 0 for find in finds))

        own = sum_up((*steps, prompts), (sweep,))
        kept = sum_up(records, (sweep, *runs))
        return Weight(runs=len(runs), records=own + kept, steps=sum_up(steps, runs))
