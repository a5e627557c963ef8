"""Case studies: a finished run read whole, and put into a store it was not made in."""

import json
import sqlite3

from core.errors import BadInput
from core.records import Call, Config, Origin, Packed, Paper
from core.records.usage import silent
from core.store.account import BOOK, CALL, call_row
from core.store.connection import AMONG, Connections, Row
from core.store.library import BROUGHT
from core.store.steps import INSERT
from core.store.whole import KeptProduct, KeptStep, Margin, Prompt, Totals, Whole
from core.store.working_time import covered


class Cases:
    def __init__(self, connections: Connections):
        self._db = connections

    def whole(self, run: str) -> Whole:
        """Return everything of a run that is done; raises BadInput for one that is not there."""
        row = self._db.row("SELECT * FROM runs WHERE id = ?", run)
        if row is None:
            raise BadInput(f"There is no run {run!r}. `python -m core runs` lists them.")
        config = Config.model_validate_json(row["config"])
        return Whole(
            **{name: row[name] for name in ("created", "ended", "parent", "fork_at")},
            config=config,
            totals=Totals(**{name: row[name] for name in Totals.model_fields}),
            prompts=self._prompts(config),
            steps=self._steps(run),
            products=tuple(
                KeptProduct(**(one | {"data": json.loads(one["data"])}))
                for one in self._db.rows(
                    "SELECT name, kind, data, place FROM products WHERE run = ? ORDER BY place,"
                    " name",
                    run,
                )
            ),
            notes=tuple(
                Margin(**one)
                for one in self._db.rows(
                    "SELECT about, text, by, at FROM notes WHERE run = ? ORDER BY id", run
                )
            ),
            papers=tuple(
                self._db.records(
                    Paper,
                    "SELECT data FROM papers WHERE id IN"
                    " (SELECT paper FROM run_papers WHERE run = ?) ORDER BY id",
                    run,
                )
            ),
        )

    def _prompts(self, config: Config) -> dict[str, Prompt]:
        shas = json.dumps(list(config.prompts.values()))
        rows = self._db.rows(
            f"SELECT sha, name, text FROM prompts WHERE sha {AMONG} ORDER BY sha", shas
        )
        return {row["sha"]: Prompt(name=row["name"], text=row["text"]) for row in rows}

    def _steps(self, run: str) -> tuple[KeptStep, ...]:
        calls: dict[str, list[Call]] = {}
        for row in self._db.rows(f"SELECT key, {CALL} FROM calls WHERE run = ? ORDER BY id", run):
            calls.setdefault(row.pop("key"), []).append(Call(**row))
        rows = self._db.rows("SELECT * FROM steps WHERE run = ? ORDER BY place, key", run)
        return tuple(_kept(row, tuple(calls.get(row["key"], ()))) for row in rows)

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
            held = connection.execute("SELECT packed FROM runs WHERE id = ?", (run,)).fetchone()
            if held is None or not held["packed"]:
                raise BadInput(
                    f"{run!r} is no case study that is open here. `python -m core cases` lists"
                    " them."
                )
            connection.execute(
                "DELETE FROM papers WHERE added = ? AND id NOT IN (SELECT paper FROM attached_pdfs)"
                " AND id IN (SELECT paper FROM run_papers GROUP BY paper HAVING min(run) = ? AND"
                " max(run) = ?)",
                (BROUGHT, run, run),
            )
            for table in ("steps", "calls", "products", "notes", "run_papers"):
                connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
            connection.execute("DELETE FROM runs WHERE id = ?", (run,))


def unpacked(connections: Connections, run: str) -> None:
    """Raise BadInput if the run is a case study: it plays, and nothing about it changes."""
    if connections.row("SELECT 1 FROM runs WHERE id = ? AND packed IS NOT NULL", run):
        raise BadInput(
            f"{run} is a case study that was opened from a file: it can be read and played, and"
            " nothing about it changes. To try something else, start a run of your own."
        )


def _kept(row: Row, calls: tuple[Call, ...]) -> KeptStep:
    plain = (
        "key",
        "place",
        "hash",
        "status",
        "tokens_in",
        "tokens_out",
        "cost",
        "tries",
        "asked",
        "ended",
        "taken_from",
    )
    return KeptStep(
        **{name: row[name] for name in plain},
        request=json.loads(row["request"]),
        reply=json.loads(row["reply"]),
        origin=Origin.model_validate_json(row["origin"]),
        latency=None if row["kind"] == "authored" else row["latency"],
        calls=calls,
    )


def _insert(connection: sqlite3.Connection, run: str, packed: Packed, whole: Whole) -> None:
    config, totals = whole.config, whole.totals.model_dump()
    columns = {
        "id": run,
        "title": packed.title,
        "method": config.method,
        "state": "done",
        "config": config.model_dump_json(),
        "created": whole.created,
        "updated": whole.ended,
        "ended": whole.ended,
        "cap_usd": config.cap_usd,
        "cap_tokens": config.cap_tokens,
        "packed": packed.model_dump_json(),
        "worked": _worked(whole),
        **totals,
    }
    connection.execute(
        f"INSERT INTO runs ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})",
        tuple(columns.values()),
    )
    connection.executemany(INSERT, [_step_row(run, step) for step in whole.steps])
    connection.executemany(
        BOOK,
        [
            call_row(run, step.key, n, c, step.ended[:7], step.ended)
            for step in whole.steps
            for n, c in enumerate(step.calls, 1)
        ],
    )
    connection.executemany(
        "INSERT INTO products VALUES (?,?,?,?,?)",
        [(run, one.name, one.kind, _json(one.data), one.place) for one in whole.products],
    )
    connection.executemany(
        "INSERT INTO notes (run, about, text, by, at) VALUES (?,?,?,?,?)",
        [(run, note.about, note.text, note.by, note.at) for note in whole.notes],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO prompts VALUES (?,?,?)",
        [(sha, one.name, one.text) for sha, one in whole.prompts.items()],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO papers VALUES (?,?,?,?,?,?)",
        [(p.id, p.title, p.year, p.source, p.model_dump_json(), BROUGHT) for p in whole.papers],
    )
    connection.executemany(
        "INSERT OR IGNORE INTO run_papers VALUES (?,?)", [(run, paper.id) for paper in whole.papers]
    )


def _worked(whole: Whole) -> float:
    """Return the seconds a run was at work; of what a fork took over none."""
    return covered(
        (one.asked, one.ended)
        for one in whole.steps
        if one.origin.kind != "person" and not one.taken_from
    )


def _step_row(run: str, step: KeptStep) -> tuple[object, ...]:
    return (
        run,
        step.key,
        step.place,
        step.origin.kind,
        step.hash,
        _json(step.request),
        step.status,
        _json(step.reply),
        step.origin.model_dump_json(),
        step.tokens_in,
        step.tokens_out,
        step.cost,
        step.latency or 0.0,
        step.tries,
        step.asked,
        step.ended,
        step.taken_from,
        0,
        silent(step.calls),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
