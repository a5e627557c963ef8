"""Runs: what was asked for, in which state it is, who works on it, and what one leaves behind when
it is deleted.
"""

import json
import shutil
import sqlite3
import time
from collections.abc import Iterable
from typing import Any, NamedTuple, TypedDict, Unpack

from core.errors import BadInput, LeaseLost
from core.records import Config, Packed, Run, State
from core.store import unheard
from core.store.cases import no_run
from core.store.connection import AMONG, Connections, Row, now
from core.store.packed import unpacked
from core.store.places import forget_to_run
from core.store.spool import FOLDER

COLUMNS = (
    "id",
    "title",
    "state",
    "reason",
    "config",
    "parent",
    "fork_at",
    "created",
    "updated",
    "ended",
    "steps",
    "calls",
    "tokens_in",
    "tokens_out",
    "cost",
    "unpriced",
    "unreported",
    "maybe_paid",
    "epoch",
    "tags",
    "archived",
    "packed",
    "sweep",
    "cell",
    "worked",
    "since",
)
PICK = ", ".join(COLUMNS)
PLAIN = (
    "id",
    "title",
    "state",
    "reason",
    "parent",
    "fork_at",
    "created",
    "updated",
    "sweep",
    "cell",
)
"""What is stored of a new run as it stands in its record."""
SUMS = ("steps", "calls", "tokens_in", "tokens_out", "cost", "unpriced", "unreported", "maybe_paid")
"""What can be added up over runs."""
UNTIL_BEAT = "worked = worked + coalesce(max(0, heartbeat - since), 0)"
"""A process that is gone was at work until its last heartbeat."""
WITH_RUN = (
    "reservations",
    "partials",
    "products",
    "questions",
    "wishes",
    "notes",
    "run_papers",
    "reading_links",
)
SMALL = dict.fromkeys(WITH_RUN, "run") | {"ballots": "arena", "half_ballots": "arena", "runs": "id"}
"""Tables that hold few rows of a run, and their columns with its id; the others are emptied a
portion at a time.
"""
LARGE = {
    "bench_cells": "id",
    "calls": "id",
    "steps": "rowid",
    "bench_keywords": "rowid",
    "bench_groups": "run, model, keyword",
    "bench_scores": "run, model, judge, what, value",
    "bench_tally": "run, kind, model, state",
    "bench_usage": "run, model, role",
    "bench_pace": "run, minute",
}
"""Tables that may hold very many rows of one run, and what names a row there."""
TRAININGS = "trainings"
"""The folder, within the data folder, that holds the checkpoints of each training."""
PORTION = 5_000
"""Rows that go in one transaction."""
REST = 0.03
"""Seconds between two portions: whoever waits to write looks again after that many, and without a
pause would find the lock taken every time.
"""
GONE = (
    "WITH RECURSIVE held(run) AS (SELECT min(run) FROM {0} UNION ALL SELECT (SELECT min(run) FROM"
    " {0} WHERE run > held.run) FROM held WHERE held.run IS NOT NULL) SELECT run FROM held WHERE"
    " run IS NOT NULL AND run NOT IN (SELECT id FROM runs)"
)
"""The runs that have rows in a table and are not there any more; from each to the next by the
index, so that it takes no longer for many rows.
"""


def _run(row: Row) -> Run:
    parsed = {
        "config": Config.model_validate_json(row["config"]),
        "tags": json.loads(row["tags"]),
        "archived": bool(row["archived"]),
        "packed": Packed.model_validate_json(row["packed"]) if row["packed"] else None,
    }
    return Run(**({name: row[name] for name in COLUMNS} | parsed))


def must_be(run: Run, method: str, otherwise: str) -> Run:
    """Return the run if it is of that method; raises BadInput that says what it is `otherwise`."""
    if run.config.method != method:
        raise BadInput(otherwise)
    return run


class Extent(NamedTuple):
    """What a run and those it started hold, in numbers."""

    runs: int
    """How many it started."""
    steps: int
    calls: int


class RunQuery(TypedDict, total=False):
    """Which runs are asked for."""

    states: tuple[str, ...]
    method: str
    methods: tuple[str, ...]
    without: tuple[str, ...]
    text: str
    archived: bool
    packed: bool | None
    sweep: str | None


class Runs:
    def __init__(self, connections: Connections):
        self._db = connections

    def add(self, run: Run, owner: str, fork_place: str | None = None) -> None:
        """Store a new run, queued by the process `owner`."""
        config = run.config
        columns = {name: getattr(run, name) for name in PLAIN} | {
            "method": config.method,
            "config": config.model_dump_json(),
            "fork_place": fork_place,
            "cap_usd": config.cap_usd,
            "cap_tokens": config.cap_tokens,
            "owner": owner,
        }
        marks = ",".join("?" * len(columns))
        self._db.write(
            f"INSERT INTO runs ({', '.join(columns)}) VALUES ({marks})", *columns.values()
        )

    def get(self, run_id: str) -> Run:
        """Return the run; raises BadInput for an id that is not there."""
        row = self._db.row(f"SELECT {PICK} FROM runs WHERE id = ?", run_id)
        if row is None:
            raise no_run(run_id)
        return _run(row)

    def listed(self, *, limit: int = 50, skip: int = 0, **wanted: Unpack[RunQuery]) -> list[Run]:
        """Return runs, newest first, whose title, id or tags hold `text`, but none of the methods
        `without`.

        Case studies that were opened are left out; with `packed` there is nothing else, with None
        there is both. The runs of a sweep are listed only where that is asked for.
        """
        where, values = self._filter(**wanted)
        find = f"SELECT {PICK} FROM runs WHERE {where} ORDER BY created DESC LIMIT ? OFFSET ?"
        rows = self._db.rows(find, *values, limit, skip)
        return [_run(row) for row in rows]

    def ids(self, *, limit: int = 50, **wanted: Unpack[RunQuery]) -> list[str]:
        """Return the ids of what `listed` would find, without reading what the runs were asked."""
        where, values = self._filter(**wanted)
        find = f"SELECT id FROM runs WHERE {where} ORDER BY created DESC LIMIT ?"
        return self._db.column(find, *values, limit)

    def count(self, **wanted: Unpack[RunQuery]) -> int:
        """Return how many runs `listed` would find in all."""
        where, values = self._filter(**wanted)
        return self._db.number(f"SELECT count(*) FROM runs WHERE {where}", *values)

    @staticmethod
    def _filter(
        states: tuple[str, ...] = (),
        method: str = "",
        methods: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
        text: str = "",
        archived: bool = False,
        packed: bool | None = False,
        sweep: str | None = None,
    ) -> tuple[str, list[object]]:
        where, values = ["archived = ?", "sweep IS ?"], [int(archived), sweep]
        if packed is not None:
            where.append("packed IS NOT NULL" if packed else "packed IS NULL")
        if states:
            where.append(f"state IN ({','.join('?' * len(states))})")
            values.extend(states)
        if method:
            where.append("method = ?")
            values.append(method)
        if methods:
            where.append(f"method IN ({','.join('?' * len(methods))})")
            values.extend(methods)
        if without:
            where.append(f"method NOT IN ({','.join('?' * len(without))})")
            values.extend(without)
        if text:
            where.append(
                "(instr(folded(title), folded(?)) OR instr(id, ?) OR EXISTS (SELECT 1 FROM"
                " json_each(tags) WHERE instr(folded(value), folded(?))))"
            )
            values.extend([text, text, text])
        return " AND ".join(where), list(values)

    def children(self, run_id: str) -> list[Run]:
        """Return the forks of a run, oldest first."""
        rows = self._db.rows(f"SELECT {PICK} FROM runs WHERE parent = ? ORDER BY created", run_id)
        return [_run(row) for row in rows]

    def cell(self, sweep: str, cell: str) -> Run | None:
        """Return the run a sweep started under a name, or None."""
        row = self._db.row(f"SELECT {PICK} FROM runs WHERE sweep = ? AND cell = ?", sweep, cell)
        return _run(row) if row else None

    def adopt(self, run_id: str, sweep: str) -> None:
        """Put a run under another sweep."""
        self._db.write("UPDATE runs SET sweep = ? WHERE id = ?", sweep, run_id)

    def spent(self, sweep: str) -> Row:
        """Return what all runs of a sweep have taken: runs, steps, calls, tokens_in, tokens_out,
        cost, unpriced, unreported, maybe_paid.
        """
        sums = ", ".join(f"coalesce(sum({name}), 0) AS {name}" for name in SUMS)
        return self._db.rows(f"SELECT count(*) AS runs, {sums} FROM runs WHERE sweep = ?", sweep)[0]

    def extent(self, run: Run) -> Extent:
        """Return what goes with a run, as it was read, when it is deleted."""
        made = self.spent(run.id)
        return Extent(made["runs"], run.steps + made["steps"], run.calls + made["calls"])

    def with_runs_made(self, run: Run) -> Run:
        """Return a run with calls, tokens and cost of all the runs it started, and its own."""
        spent = self.spent(run.id)
        whole = {name: getattr(run, name) + spent[name] for name in SUMS if name != "steps"}
        return run.model_copy(update=whole)

    def took(self, run_ids: Iterable[str]) -> dict[str, Row]:
        """Return tokens_in, tokens_out, calls, cost, unpriced and worked (seconds) of runs, by
        id.
        """
        rows = self._db.rows(
            "SELECT id, tokens_in, tokens_out, calls, cost, unpriced, worked, 0 AS taken, 0 AS"
            " lacking FROM runs WHERE id"
            f" {AMONG}",
            json.dumps(list(run_ids)),
        )
        return {row["id"]: row for row in rows}

    def needed(self, run_ids: Iterable[str]) -> dict[str, Row]:
        """Return what `took` does, with what answers that a run took over from another one took
        there: what it needs, whoever paid for it.

        `taken` counts such answers, `lacking` those of which nobody knows what they took any more.
        """
        own = self.took(run_ids)
        # A fork of a fork has no usage beside its steps, and the run that paid may be deleted.
        for row in self._db.rows(
            "SELECT mine.run AS id, count(*) AS taken, sum(mine.kind = 'model' AND theirs.run IS"
            " NULL AND NOT mine.tries) AS lacking, coalesce(sum(coalesce(theirs.tokens_in,"
            " mine.tokens_in)), 0) AS tokens_in, coalesce(sum(coalesce(theirs.tokens_out,"
            " mine.tokens_out)), 0) AS tokens_out, sum(coalesce(theirs.tries, mine.tries)) AS"
            " calls, total(coalesce(theirs.cost, mine.cost)) AS cost, sum(mine.kind = 'model' AND"
            " coalesce(theirs.cost, mine.cost) IS NULL) AS unpriced FROM"
            " steps AS mine LEFT JOIN steps AS theirs ON theirs.run = mine.taken_from AND"
            f" theirs.key = mine.key WHERE mine.taken_from IS NOT NULL AND mine.run {AMONG} GROUP"
            " BY mine.run",
            json.dumps(list(own)),
        ):
            whole = own[row["id"]]
            for name in ("tokens_in", "tokens_out", "calls", "cost", "unpriced"):
                whole[name] += row[name]
            whole |= {"taken": row["taken"], "lacking": row["lacking"]}
        return own

    def accounts(self, run_ids: Iterable[str], sweeps: Iterable[str]) -> list[Row]:
        """Return id, sweep, cell, cost and unpriced of every run of these sweeps, and of those that
        had these runs made.
        """
        return self._db.rows(
            f"SELECT id, sweep, cell, cost, unpriced FROM runs WHERE sweep {AMONG} OR sweep IN"
            f" (SELECT sweep FROM runs WHERE id {AMONG})",
            json.dumps(list(sweeps)),
            json.dumps(list(run_ids)),
        )

    def lineage(self, run_id: str) -> tuple[str, ...]:
        """Return a run and those it goes back to, the latest first; the last may be deleted."""
        found, earlier = list[str](), run_id
        while earlier:
            found.append(earlier)
            earlier = str(self._db.value("SELECT parent FROM runs WHERE id = ?", earlier) or "")
        return tuple(found)

    def fork_place(self, run_id: str) -> str | None:
        """Return where in the parent's order a fork begins, or None for a run that is no fork."""
        return self._db.value("SELECT fork_place FROM runs WHERE id = ?", run_id)

    def caps(self, run_id: str) -> tuple[float | None, int | None]:
        """Return the run's caps in dollars and in tokens as they are now (a person may have raised
        them).
        """
        row = self._db.row("SELECT cap_usd, cap_tokens FROM runs WHERE id = ?", run_id) or {}
        return row.get("cap_usd"), row.get("cap_tokens")

    def change(self, run_id: str, **columns: Any) -> None:
        """Change what a person may change: title, tags, archived, cap_usd, cap_tokens."""
        allowed = {"title", "tags", "archived", "cap_usd", "cap_tokens"}
        unpacked(self._db, run_id)
        if unknown := set(columns) - allowed:
            raise BadInput(f"{sorted(unknown)} cannot be changed; {sorted(allowed)} can.")
        if "tags" in columns:
            columns["tags"] = json.dumps(list(columns["tags"]))
        names = ", ".join(f"{name} = ?" for name in columns)
        self._db.write(f"UPDATE runs SET {names} WHERE id = ?", *columns.values(), run_id)

    def delete(self, run_id: str) -> None:
        """Remove a run and all that is only its own, the runs of an experiment with it; saved ideas
        and papers stay.

        It is gone at once; the many rows it leaves are removed by `clear_deleted`, which whoever
        deletes calls next. Raises BadInput while a fork of it is unfinished, and while an
        experiment that extends it shows its runs.
        """
        unpacked(self._db, run_id)
        mine = self._db.column("SELECT id FROM runs WHERE sweep = ?", run_id)
        # One that made no run is still the way to those of what it goes back to.
        earlier = json.dumps(self.lineage(run_id))
        shown = self._db.column(f"SELECT id FROM runs WHERE sweep {AMONG} LIMIT 1", earlier)
        if shown and (extended := self.children(run_id)):
            raise BadInput(
                f"Experiment {run_id} stays: {extended[0].id} extends it and shows its runs. Delete"
                " that one first."
            )
        # A benchmark's extension holds all it took over.
        forks = [fork for fork in self.children(run_id) if fork.config.method != "bench"]
        if unfinished := [fork.id for fork in forks if fork.state != "done"]:
            raise BadInput(
                f"Run {run_id} stays: its fork {unfinished[0]} is not finished and still takes"
                " steps from it. Finish or delete the fork first."
            )
        with self._db.writing() as connection:
            for gone in (*mine, run_id):
                # The month keeps what may have been paid.
                unheard.close(self._db, connection, gone)
                for table, column in SMALL.items():
                    connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (gone,))
                forget_to_run(connection, gone)

    def clear_deleted(self) -> int:
        """Remove the rows, spools and checkpoints that deleted runs left, a portion at a time so
        that nobody else waits long to write, and return how many rows they were; raises
        StoreFailed.

        What a kill interrupts, the next call goes on with. Several may clear at once.
        """
        data = self._db.path.parent
        for folder in (*(data / FOLDER).glob("*"), *(data / TRAININGS).glob("*")):
            if not self._db.rows("SELECT 1 FROM runs WHERE id = ?", folder.name):
                shutil.rmtree(folder, ignore_errors=True)
        return sum(
            _emptied(self._db, table, row["run"])
            for table in LARGE
            for row in self._db.rows(GONE.format(table))
        )

    # -- the lease: one worker per run, fenced by the epoch ------------------------------------

    def claim(self, run_id: str, owner: str, epoch: int) -> int | None:
        """Take a queued or orphaned run if its epoch is still `epoch`; return the new epoch, or
        None if somebody else was faster.
        """
        with self._db.writing() as connection:
            taken = connection.execute(
                f"UPDATE runs SET {UNTIL_BEAT}, since = ?, owner = ?, heartbeat = ?, epoch = epoch"
                " + 1, state = 'running', reason = '', ended = NULL, updated = ? WHERE id = ? AND"
                " epoch = ? AND state IN ('queued', 'running')",
                (time.time(), owner, time.time(), now(), run_id, epoch),
            ).rowcount
            if taken:
                unheard.close(self._db, connection, run_id)
        return epoch + 1 if taken else None

    def beat(self, run_id: str, epoch: int) -> str | None:
        """Renew the lease and return what the run was asked to do (`stop`), if anything; raises
        LeaseLost.
        """
        if not self._db.write(
            "UPDATE runs SET heartbeat = ? WHERE id = ? AND epoch = ?", time.time(), run_id, epoch
        ):
            raise LeaseLost(f"Run {run_id} was taken over by another process.")
        return self._db.value("SELECT asked_to FROM runs WHERE id = ?", run_id)

    def release(
        self, run_id: str, epoch: int, state: State, reason: str = "", at: float | None = None
    ) -> None:
        """Give the lease back and say how the run stands; raises LeaseLost if it is no longer ours.

        `at` is when the work ended (seconds since 1970), if that was before now.
        """
        ended = now() if state in ("done", "failed") else None
        with self._db.writing() as connection:
            mine = connection.execute(
                "UPDATE runs SET owner = NULL, state = ?, reason = ?, asked_to = NULL, updated = ?,"
                " ended = ?, worked = worked + coalesce(max(0, ? - since), 0), since = NULL WHERE"
                " id = ? AND epoch = ?",
                (state, reason, now(), ended, at or time.time(), run_id, epoch),
            ).rowcount
            if not mine:
                raise LeaseLost(f"Run {run_id} was taken over by another process.")
            self._end(connection, run_id)

    def _end(self, connection: sqlite3.Connection, run_id: str) -> None:
        """Book the calls whose end nobody heard, and drop what is only there while a run works."""
        unheard.close(self._db, connection, run_id)
        for table in ("reservations", "partials"):
            connection.execute(f"DELETE FROM {table} WHERE run = ?", (run_id,))

    def interrupt(
        self,
        run_id: str,
        epoch: int,
        state: State = "interrupted",
        reason: str = "The process that worked on it is gone. Nothing is lost; resume to go on.",
    ) -> bool:
        """Park a run nobody works on, unless somebody took it meanwhile; return whether it was
        parked.
        """
        with self._db.writing() as connection:
            parked = connection.execute(
                f"UPDATE runs SET {UNTIL_BEAT}, since = NULL, state = ?, reason = ?, owner = NULL,"
                " asked_to = NULL, epoch = epoch + 1, updated = ? WHERE id = ? AND epoch = ? AND"
                " state IN ('queued', 'running')",
                (state, reason, now(), run_id, epoch),
            ).rowcount
            if parked:
                self._end(connection, run_id)
        return bool(parked)

    def stop_waiting(self, run_id: str, reason: str) -> bool:
        """Stop a run that waits for a person, unless it went on meanwhile; return whether it was
        stopped. Its questions stay open.
        """
        return bool(
            self._db.write(
                "UPDATE runs SET state = 'stopped', reason = ?, epoch = epoch + 1, updated = ?"
                " WHERE id = ? AND state = 'waiting'",
                reason,
                now(),
                run_id,
            )
        )

    def enqueue(self, run_id: str, owner: str) -> bool:
        """Queue a parked or failed run for the process `owner`; return False if somebody else did
        so first.
        """
        return bool(
            self._db.write(
                "UPDATE runs SET state = 'queued', reason = '', owner = ?, asked_to = NULL,"
                " heartbeat = ?, updated = ? WHERE id = ? AND state NOT IN ('queued', 'running',"
                " 'done')",
                owner,
                time.time(),
                now(),
                run_id,
            )
        )

    def reopen(self, run_id: str) -> None:
        """Make a finished run one that was stopped: there is something to do in it again."""
        self._db.write(
            "UPDATE runs SET state = 'stopped', ended = NULL, updated = ? WHERE id = ? AND state ="
            " 'done'",
            now(),
            run_id,
        )

    def ask_to(self, run_id: str, what: str | None) -> None:
        """Leave a request (`stop`, `pause`, `round`) for whoever works on the run; one to stop at
        once is never weakened. None takes any back.
        """
        self._db.write(
            "UPDATE runs SET asked_to = ? WHERE id = ? AND (? IS NULL OR asked_to IS NOT 'stop')",
            what,
            run_id,
            what,
        )

    def working(self) -> list[Row]:
        """Return id, state, owner, heartbeat, epoch, asked_to and sweep of every run queued or
        running.
        """
        return self._db.rows(
            "SELECT id, state, owner, heartbeat, epoch, asked_to, sweep FROM runs WHERE state IN"
            " ('queued', 'running') ORDER BY created"
        )

    def lease(self, run_id: str) -> Row:
        """Return owner, heartbeat, epoch, state and asked_to of one run."""
        row = self._db.row(
            "SELECT id, state, owner, heartbeat, epoch, asked_to FROM runs WHERE id = ?", run_id
        )
        if row is None:
            raise BadInput(f"There is no run {run_id!r}.")
        return row


def _emptied(db: Connections, table: str, run: str) -> int:
    name, removed = LARGE[table], 0
    while gone := db.write(
        f"DELETE FROM {table} WHERE ({name}) IN (SELECT {name} FROM {table} WHERE run = ? LIMIT ?)",
        run,
        PORTION,
    ):
        removed += gone
        if gone < PORTION:
            break
        time.sleep(REST)
    return removed
