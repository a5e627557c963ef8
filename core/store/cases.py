"""Case studies: a finished run read whole, and put into a store it was not made in."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping

from core.errors import BadInput, NotThere
from core.records import Call, Config, Lineup, Packed, Paper, Step, Target, digest
from core.store.account import BOOK, CALL, call_row
from core.store.ballots import INSERT as CAST
from core.store.ballots import ballot_row, read_ballot
from core.store.connection import AMONG, Connections, Row, dump
from core.store.library import BROUGHT
from core.store.steps import INSERT, dump_json, read_products, read_step, step_row
from core.store.whole import (
    ArenaWhole,
    FrozenText,
    KeptBallot,
    KeptProduct,
    KeptRun,
    KeptStep,
    MadeRun,
    Margin,
    Prompt,
    Totals,
    Whole,
)
from core.store.working_time import covered

SELF = "this"
"""What a packed shortlist calls itself where a result names a step of its own."""


class Cases:
    def __init__(self, connections: Connections):
        self._db = connections

    def whole(self, run: str) -> Whole:
        """Return everything of a run that is done; raises BadInput for one that is not there."""
        row = self._row(run)
        prompts = self._prompts(Config.model_validate_json(row["config"]))
        return Whole(**self._kept(row), prompts=prompts, arena=self._arena(run))

    def made(self, run: str, name: str, stepwise: bool) -> MadeRun:
        """Return a run that an experiment had made under this name, with its steps or without;
        raises BadInput for one that is not there.
        """
        row = self._row(run)
        fields = {column: row[column] for column in ("id", "title", "state", "reason")}
        kept = self._kept(row) | ({} if stepwise else {"steps": ()})
        return MadeRun(**kept, **fields, name=name, prompts={}, arena=self._arena(run))

    def _row(self, run: str) -> Row:
        row = self._db.row("SELECT * FROM runs WHERE id = ?", run)
        if row is None:
            raise no_run(run)
        return row

    def _kept(self, row: Row) -> dict[str, object]:
        """Return what is kept of every run, by the fields of a `KeptRun`, but its prompts."""
        run = row["id"]
        notes = "SELECT about, text, by, at FROM notes WHERE run = ? ORDER BY id"
        papers = (
            "SELECT data FROM papers WHERE id IN (SELECT paper FROM run_papers WHERE run = ?)"
            " ORDER BY id"
        )
        return {
            **{name: row[name] for name in ("created", "ended", "parent", "fork_at")},
            "config": Config.model_validate_json(row["config"]),
            "totals": Totals(**{name: row[name] for name in Totals.model_fields}),
            "steps": self._steps(run),
            "products": tuple(read_products(self._db, run, KeptProduct)),
            "notes": tuple(self._db.build(Margin, notes, run)),
            "papers": tuple(self._db.records(Paper, papers, run)),
        }

    def _arena(self, run: str) -> ArenaWhole | None:
        """Return what an arena keeps beside its run; None for another run."""
        lineup = self._db.row(
            "SELECT data FROM products WHERE run = ? AND kind = 'Lineup' ORDER BY place DESC", run
        )
        if lineup is None:
            return None
        shown = Lineup.model_validate_json(lineup["data"])
        shas = dump_json(sorted({seat.sha for seat in shown.seats if seat.sha}))
        find = f"SELECT kind, data FROM frozen WHERE sha {AMONG} ORDER BY sha"
        texts = self._db.tuples(find, shas)
        ballots = self._db.rows("SELECT * FROM ballots WHERE arena = ? ORDER BY id", run)
        return ArenaWhole(
            texts=tuple(FrozenText(kind=kind, data=json.loads(data)) for kind, data in texts),
            ballots=tuple(read_ballot(KeptBallot, {**row, "arena": ""}) for row in ballots),
        )

    def _prompts(self, config: Config) -> dict[str, Prompt]:
        shas = json.dumps(list(config.prompts.values()))
        find = f"SELECT sha, name, text FROM prompts WHERE sha {AMONG} ORDER BY sha"
        rows = self._db.tuples(find, shas)
        return {sha: Prompt(name=name, text=text) for sha, name, text in rows}

    def _steps(self, run: str) -> tuple[KeptStep, ...]:
        calls: dict[str, list[Call]] = defaultdict(list)
        for row in self._db.rows(f"SELECT key, {CALL} FROM calls WHERE run = ? ORDER BY id", run):
            key = row.pop("key")
            calls[key].append(Call(**row))
        rows = self._db.rows("SELECT * FROM steps WHERE run = ? ORDER BY place, key", run)
        return tuple(read_step(KeptStep, row, calls[row["key"]]) for row in rows)

    def add(self, run: str, packed: Packed, whole: Whole) -> None:
        """Put a case study in as a run of this id, whole or not at all: nothing is booked, and
        papers that are known stay as they are.

        Opening it again changes nothing; raises BadInput if the id is that of something else.
        """
        with self._db.writing() as connection:
            held = connection.execute("SELECT packed FROM runs WHERE id = ?", (run,)).fetchone()
            if held is None:
                _insert(connection, run, packed, whole)
            elif not held["packed"] or Packed.model_validate_json(held["packed"]).sha != packed.sha:
                raise BadInput(
                    f"There is another run {run!r} here already, so this case study was not opened."
                    " Delete that run first."
                )

    def remove(self, run: str) -> None:
        """Take a case study out again, with the papers that came with it and that nothing else here
        has to do with; raises BadInput for a run that is none.
        """
        with self._db.writing() as connection:
            find = "SELECT packed, sweep FROM runs WHERE id = ?"
            held = connection.execute(find, (run,)).fetchone()
            if held is None or not held["packed"]:
                raise NotThere(f"{run!r} is no case study that is open here.", "cases")
            if held["sweep"]:
                raise BadInput(
                    f"Run {run} came with the case study {held['sweep']}. Close that one; its runs"
                    " go with it."
                )
            made = connection.execute("SELECT id FROM runs WHERE sweep = ?", (run,)).fetchall()
            mine = dump([run, *(row["id"] for row in made)])
            connection.execute(
                "DELETE FROM papers WHERE added = ? AND id NOT IN (SELECT paper FROM attached_pdfs)"
                f" AND id IN (SELECT paper FROM run_papers WHERE run {AMONG})"
                f" AND id NOT IN (SELECT paper FROM run_papers WHERE NOT run {AMONG})",
                (BROUGHT, mine, mine),
            )
            for table in ("steps", "calls", "products", "notes", "run_papers", "reading_links"):
                connection.execute(f"DELETE FROM {table} WHERE run {AMONG}", (mine,))
            connection.execute(f"DELETE FROM ballots WHERE arena {AMONG}", (mine,))
            connection.execute(f"DELETE FROM runs WHERE id {AMONG}", (mine,))


def no_run(run: str) -> NotThere:
    """Return what is said where no run is called so."""
    return NotThere(
        f"There is no run {run!r} here. It was deleted, or it is kept in another data folder.",
        "runs",
    )


def _insert(connection: sqlite3.Connection, run: str, packed: Packed, whole: Whole) -> None:
    kept: KeptRun = whole
    if whole.experiment:
        names = {made.id: f"{run}-{n:04}" for n, made in enumerate(whole.experiment.runs, 1)}
        kept = _renamed(whole, {**names, SELF: run})
        for made in whole.experiment.runs:
            described = packed.model_copy(update={"title": made.title})
            origin = {"sweep": run, "cell": made.name, "state": made.state, "reason": made.reason}
            _insert_run(connection, names[made.id], described, made, **origin)
            _insert_arena(connection, names[made.id], made.arena, whole.ended)
        _freeze(connection, whole.experiment.targets, whole.ended)
    _insert_run(connection, run, packed, kept)
    _insert_arena(connection, run, whole.arena, whole.ended)


def _insert_arena(
    connection: sqlite3.Connection, run: str, kept: ArenaWhole | None, at: str
) -> None:
    """Insert what an arena keeps beside its run; nothing for another run."""
    if kept is None:
        return
    connection.executemany(
        "INSERT OR IGNORE INTO frozen VALUES (?,?,?,?)",
        [(digest(one.data), one.kind, dump_json(one.data), at) for one in kept.texts],
    )
    connection.executemany(
        CAST, [ballot_row(one.model_copy(update={"arena": run})) for one in kept.ballots]
    )


def call_runs(value: object, names: Mapping[str, str]) -> object:
    """Return JSON in which everything that names a run names it otherwise: `run`, `runs` and
    `began`, at any depth.
    """

    def called(held: object) -> object:
        if isinstance(held, list):
            return [called(one) for one in held]
        return names.get(held, held) if isinstance(held, str) else call_runs(held, names)

    if isinstance(value, list):
        return [call_runs(part, names) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        name: called(part) if name in ("run", "runs", "began") else call_runs(part, names)
        for name, part in value.items()
    }


def _renamed(whole: Whole, names: Mapping[str, str]) -> KeptRun:
    """Return a run that has made others with steps and results that call them as they are called
    here.
    """
    steps = [
        step.model_copy(
            update={
                "reply": call_runs(step.reply, names),
                "origin": step.origin.model_copy(
                    update={"detail": call_runs(step.origin.detail, names)}
                ),
            }
        )
        for step in whole.steps
    ]
    products = [
        one.model_copy(update={"data": call_runs(one.data, names)}) for one in whole.products
    ]
    return whole.model_copy(update={"steps": tuple(steps), "products": tuple(products)})


def _freeze(connection: sqlite3.Connection, targets: tuple[Target, ...], at: str) -> None:
    rows = [(one.digest(), "Target", one.model_dump_json(), at) for one in targets]
    connection.executemany("INSERT OR IGNORE INTO frozen VALUES (?,?,?,?)", rows)


def _insert_run(
    connection: sqlite3.Connection, run: str, packed: Packed, kept: KeptRun, **origin: str
) -> None:
    """Insert a run and all that is its own; `origin` are columns of one that an experiment had
    made.
    """
    config = kept.config
    # Of what a fork took over, it worked on none.
    worked = covered(
        (one.asked, one.ended)
        for one in kept.steps
        if one.origin.kind != "person" and not one.taken_from
    )
    columns = {
        "id": run,
        "title": packed.title,
        "method": config.method,
        "state": "done",
        "config": config.model_dump_json(),
        "created": kept.created,
        "updated": kept.ended,
        "ended": kept.ended,
        "cap_usd": config.cap_usd,
        "cap_tokens": config.cap_tokens,
        "packed": packed.model_dump_json(),
        "worked": worked,
        **kept.totals.model_dump(),
        **origin,
    }
    connection.execute(
        f"INSERT INTO runs ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})",
        tuple(columns.values()),
    )
    connection.executemany(INSERT, [_step_row(run, step) for step in kept.steps])
    connection.executemany(
        BOOK,
        [
            call_row(run, step.key, n, c, step.ended[:7], step.ended)
            for step in kept.steps
            for n, c in enumerate(step.calls, 1)
        ],
    )
    connection.executemany(
        "INSERT INTO products VALUES (?,?,?,?,?)",
        [(run, one.name, one.kind, dump_json(one.data), one.place) for one in kept.products],
    )
    connection.executemany(
        "INSERT INTO notes (run, about, text, by, at) VALUES (?,?,?,?,?)",
        [(run, note.about, note.text, note.by, note.at) for note in kept.notes],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO prompts VALUES (?,?,?)",
        [(sha, one.name, one.text) for sha, one in kept.prompts.items()],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO papers VALUES (?,?,?,?,?,?)",
        [(p.id, p.title, p.year, p.source, p.model_dump_json(), BROUGHT) for p in kept.papers],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO run_papers VALUES (?,?)", [(run, paper.id) for paper in kept.papers]
    )


def _step_row(run: str, step: KeptStep) -> tuple[object, ...]:
    fields = {name: getattr(step, name) for name in Step.model_fields if name != "run"}
    plain = Step(run=run, **fields)
    return step_row(plain, step.tokens_in, step.tokens_out, step.cost, step.tries, 0)
