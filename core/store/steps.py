"""Steps, the tries they took, what is being written, and what a run has to show."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.errors import LeaseLost
from core.records import Call, Origin, Record, Run, Step
from core.records.usage import silent
from core.store import account, spending
from core.store.account import CALL, total
from core.store.connection import AMONG, Connections, Row, T, dump, now

INSERT = """INSERT INTO steps (run, key, place, kind, hash, request, status, reply, origin,
    tokens_in, tokens_out, cost, latency, tries, asked, ended, taken_from, epoch, unreported)
    VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""
AT_ONCE = 200
"""Steps that are read at once, with the calls made for them."""


class Partial(Record):
    """A reply that is still being written, or what is waited for."""

    key: str
    text: str
    note: str
    updated: str


class Product(Record):
    """A record a method has to show: `name` is where it was made, `kind` the record's type."""

    name: str
    kind: str
    data: dict[str, object]
    place: str


class Try(NamedTuple):
    """A call as it was booked."""

    id: int
    key: str
    """What it was made for: a step, or a cell of a benchmark."""
    at: str
    """When it was booked, which is once its answer came; UTC, ISO 8601."""
    call: Call


class Outline(Record):
    """A step without its request and reply: enough for a list."""

    key: str
    place: str
    status: str
    kind: str
    origin: str
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    latency: float | None
    """Seconds; None for a text somebody wrote for a case study."""
    tries: int
    unreported: int = 0
    """Tries whose server reported no usage: `tokens_in` and `tokens_out` say nothing about them."""
    ended: str
    taken_from: str | None


class AnsweredStep(NamedTuple):
    """Who answered a step, and whether that was in another run, from which it was taken over."""

    key: str
    kind: str
    role: str
    """Empty where no model was asked."""
    by: str
    taken: bool


def played_by(
    answered: Iterable[AnsweredStep], role: str, otherwise: str, place: str = ""
) -> tuple[str, ...]:
    """Return the models that answered in a role at a place of a run and below it, in the order in
    which they came to it: several where a run took over what another model answered. `otherwise`
    where none did.
    """
    below = f"{place}/" if place else ""
    names = (
        one.by
        for one in answered
        if one.kind == "model"
        and one.role == role
        and (one.key == place or one.key.startswith(below))
    )
    return tuple(dict.fromkeys(names)) or (otherwise,)


class StepSummary(NamedTuple):
    """What the steps of a run are, in numbers."""

    steps: int
    taken: int
    """How many came from another run, free of charge."""
    authored: bool
    """Whether the text of a step was written for a case study."""


def read_step(kind: type[T], row: Row, calls: Sequence[Call]) -> T:
    """Return a step, as a record of that kind, from its row and the calls made for it."""
    fields = row | {
        "request": json.loads(row["request"]),
        "reply": json.loads(row["reply"]),
        "origin": Origin.model_validate_json(row["origin"]),
        "latency": None if row["kind"] == "authored" else row["latency"],
        "calls": tuple(calls),
    }
    return kind(**{name: fields[name] for name in kind.model_fields})


def step_row(
    step: Step,
    tokens_in: float | None,
    tokens_out: float | None,
    cost: float | None,
    tries: int,
    epoch: int,
) -> tuple[object, ...]:
    """Return a step, and what it took, as INSERT takes them."""
    return (
        step.run,
        step.key,
        step.place,
        step.origin.kind,
        step.hash,
        dump_json(step.request),
        step.status,
        dump_json(step.reply),
        step.origin.model_dump_json(),
        tokens_in,
        tokens_out,
        cost,
        step.latency or 0.0,
        tries,
        step.asked,
        step.ended,
        step.taken_from,
        epoch,
        silent(step.calls),
    )


def read_products(db: Connections, run: str, kind: type[T]) -> list[T]:
    """Return what a run has to show as records of that kind, in the order it was made."""
    find = "SELECT name, kind, data, place FROM products WHERE run = ? ORDER BY place, name"
    return [kind(**(row | {"data": json.loads(row["data"])})) for row in db.rows(find, run)]


def dump_json(value: object) -> str:
    """Return a value as JSON, letters of all languages as they are."""
    return json.dumps(value, ensure_ascii=False)


class Steps:
    def __init__(self, connections: Connections):
        self._db = connections

    # -- reading -------------------------------------------------------------------------------

    def get(self, run: str, key: str) -> Step | None:
        """Return a step with its tries, or None."""
        row = self._db.row("SELECT * FROM steps WHERE run = ? AND key = ?", run, key)
        return self._step(row) if row else None

    def reply(self, run: str, key: str) -> object:
        """Return what a step was answered, or None where it has no accepted reply."""
        step = self.get(run, key)
        return step.reply if step and step.status == "done" else None

    def of(self, run: str) -> list[Step]:
        """Return all steps of a run, in the order they were asked: only for runs of few steps."""
        return list(self.each(run))

    def each(self, run: str) -> Iterator[Step]:
        """Yield the steps of a run in the order they were asked, a few in memory at a time.

        Steps that are added meanwhile are left out.
        """
        keys = self._db.column("SELECT key FROM steps WHERE run = ? ORDER BY place", run)
        for start in range(0, len(keys), AT_ONCE):
            page = keys[start : start + AT_ONCE]
            found = {step.key: step for step in self._several(run, page)}
            yield from (found[key] for key in page if key in found)

    def _several(self, run: str, keys: list[str]) -> list[Step]:
        """Return the steps of these keys with their tries, in any order."""
        calls: dict[str, list[Call]] = {key: [] for key in keys}
        for row in self._db.rows(
            f"SELECT key, {CALL} FROM calls WHERE run = ? AND key {AMONG} ORDER BY id",
            run,
            dump(keys),
        ):
            calls[row.pop("key")].append(Call(**row))
        rows = self._db.rows(f"SELECT * FROM steps WHERE run = ? AND key {AMONG}", run, dump(keys))
        return [read_step(Step, row, calls[row["key"]]) for row in rows]

    def summarise(self, run: str) -> StepSummary:
        """Count the steps of a run, without reading their texts."""
        ((steps, taken, authored),) = self._db.tuples(
            "SELECT count(*), count(taken_from), coalesce(max(kind = 'authored'), 0) FROM steps"
            " WHERE run = ?",
            run,
        )
        return StepSummary(steps, taken, bool(authored))

    def first_origin(self, run: str, name: str) -> Origin | None:
        """Return where the first answer by a model or source of that name came from, or None if it
        gave none.
        """
        return self._db.record(
            Origin,
            "SELECT origin FROM steps WHERE run = ? AND json_extract(origin, '$.name') = ? ORDER BY"
            " place LIMIT 1",
            run,
            name,
        )

    def writing(self, run: str, role: str, place: str, field: str, words: str) -> Origin | None:
        """Return where the last accepted answer of a role, or of a person, came from that has these
        words in a field and was asked for before a place in the order of asking; None where there
        is none.
        """
        return self._db.record(
            Origin,
            "SELECT origin FROM steps WHERE run = ?1 AND place < ?2 AND status = 'done' AND (kind ="
            " 'person' OR json_extract(request, '$.role') = ?3) AND instr(coalesce(json_extract("
            "reply, ?4), ''), ?5) ORDER BY place DESC LIMIT 1",
            run,
            place,
            role,
            f"$.{field}",
            words,
        )

    def took_over(self, run: str) -> dict[str, tuple[str, ...]]:
        """Return which models answered, by role, what a run took over from another one, in the
        order of asking.
        """
        found: dict[str, list[str]] = {}
        for role, name in self._db.tuples(
            "SELECT json_extract(request, '$.role') AS role, json_extract(origin, '$.name') AS name"
            " FROM steps WHERE run = ? AND kind = 'model' AND taken_from IS NOT NULL AND role IS"
            " NOT NULL GROUP BY role, name ORDER BY min(place)",
            run,
        ):
            found.setdefault(str(role), []).append(str(name))
        return {role: tuple(names) for role, names in found.items()}

    def models_in(self, run: Run) -> frozenset[str]:
        """Return the models a run asks, and those whose answers it took over from another one."""
        taken = self.took_over(run.id).values()
        return frozenset([*run.config.models.values(), *(one for names in taken for one in names)])

    def answered(self, run: Run) -> tuple[AnsweredStep, ...]:
        """Return who answered each step of a run that took some over from another one, in the order
        of asking; nothing for any other, whose steps are its own.
        """
        if not (run.parent or run.packed):
            return ()
        found = self._db.tuples(
            "SELECT key, kind, coalesce(json_extract(request, '$.role'), ''), json_extract(origin,"
            " '$.name'), taken_from IS NOT NULL FROM steps WHERE run = ? ORDER BY place",
            run.id,
        )
        steps = [
            AnsweredStep(str(key), str(kind), str(role), str(by), bool(taken))
            for key, kind, role, by, taken in found
        ]
        return tuple(steps) if any(one.taken for one in steps) else ()

    def outline(self, run: str) -> list[Outline]:
        """Return all steps of a run without their texts, in the order they were asked."""
        return self._db.build(
            Outline,
            "SELECT key, place, status, kind, json_extract(origin, '$.name') AS origin, tokens_in,"
            " tokens_out, cost, CASE WHEN kind != 'authored' THEN latency END AS latency, tries,"
            " unreported, ended, taken_from FROM steps WHERE run = ? ORDER BY place",
            run,
        )

    def sources(self, run: str) -> list[Origin]:
        """Return where every answer of a literature source came from, in the order they were
        asked.
        """
        return self._db.records(
            Origin, "SELECT origin FROM steps WHERE run = ? AND kind = 'source' ORDER BY place", run
        )

    def found_nothing(self, run: str) -> bool:
        """Say whether a run asked a literature source, and every answer is recorded and empty."""
        asked = "FROM steps WHERE run = ? AND kind = 'source'"
        return self._db.value(f"SELECT min(status = 'done' AND reply = '[]') {asked}", run) == 1

    def tries(self, run: str, after: int, limit: int) -> list[Try]:
        """Return the calls of a run that were booked after the one of this id, oldest first, so
        many at most: a whole sweep's do not fit into memory.
        """
        # By the table itself: the index on runs has no order in time, and each look would sort all
        # that is left.
        rows = self._db.rows(
            f"SELECT id, key, at, {CALL} FROM calls NOT INDEXED WHERE id > ? AND run = ? ORDER BY"
            " id LIMIT ?",
            after,
            run,
            limit,
        )
        return [
            Try(**{name: row.pop(name) for name in ("id", "key", "at")}, call=Call(**row))
            for row in rows
        ]

    def place(self, run: str, key: str) -> str | None:
        """Return where in the order of asking a step stands, or None if there is no such step."""
        return self._db.value("SELECT place FROM steps WHERE run = ? AND key = ?", run, key)

    def last_before(self, run: str, place: str) -> str | None:
        """Return the key of the step asked last before a place, or None if there is none."""
        return self._db.value(
            "SELECT key FROM steps WHERE run = ? AND place < ? ORDER BY place DESC LIMIT 1",
            run,
            place,
        )

    def last_below(self, run: str, place: str) -> str | None:
        """Return the key of the step asked last below a place in a run (`round-1`:
        `round-1/revise`), or None if there is none.
        """
        return self._db.value(
            "SELECT key FROM steps WHERE run = ? AND key >= ? AND key < ? ORDER BY place DESC"
            " LIMIT 1",
            run,
            f"{place}/",
            f"{place}0",  # The character after the slash.
        )

    def keys(self, run: str) -> list[str]:
        """Return the keys of a run's steps."""
        return [str(key) for key in self._db.column("SELECT key FROM steps WHERE run = ?", run)]

    def count(self, run: str) -> int:
        """Return the number of steps a run has."""
        return self._db.number("SELECT count(*) FROM steps WHERE run = ?", run)

    def _step(self, row: Row) -> Step:
        calls = self._db.build(
            Call,
            f"SELECT {CALL} FROM calls WHERE run = ? AND key = ? ORDER BY id",
            row["run"],
            row["key"],
        )
        return read_step(Step, row, calls)

    def partials(self, run: str) -> list[Partial]:
        """Return what is being written in a run at this moment."""
        return self._db.build(
            Partial,
            "SELECT key, text, note, updated FROM partials WHERE run = ? ORDER BY key",
            run,
        )

    def products(self, run: str) -> list[Product]:
        """Return what a run has to show, in the order it was made."""
        return read_products(self._db, run, Product)

    def product(self, run: str, name: str) -> Product | None:
        """Return what a run has to show under a name, or None."""
        find = "SELECT name, kind, data, place FROM products WHERE run = ? AND name = ?"
        row = self._db.row(find, run, name)
        return Product(**(row | {"data": json.loads(row["data"])})) if row else None

    def products_of(self, run: str, *kinds: str) -> list[Product]:
        """Return what a run has to show of these kinds, in the order it was made."""
        rows = self._db.rows(
            f"SELECT name, kind, data, place FROM products WHERE run = ? AND kind {AMONG}"
            " ORDER BY place, name",
            run,
            json.dumps(kinds),
        )
        return [Product(**(row | {"data": json.loads(row["data"])})) for row in rows]

    def shows(self, run: str, *kinds: str) -> bool:
        """Say whether a run has a record of one of these kinds to show."""
        find = f"SELECT 1 FROM products WHERE run = ? AND kind {AMONG} LIMIT 1"
        return self._db.value(find, run, json.dumps(kinds)) is not None

    def field(self, run: str, kind: str, name: str) -> list[object]:
        """Return one field of every record of a kind that a run has to show; of a list its
        length.
        """
        path = f"$.{name}"
        return self._db.column(
            "SELECT CASE json_type(data, ?1) WHEN 'array' THEN json_array_length(data, ?1)"
            " ELSE json_extract(data, ?1) END AS value FROM products WHERE run = ?2 AND kind = ?3",
            path,
            run,
            kind,
        )

    def tally(self, run: str, kind: str, name: str) -> dict[object, int]:
        """Return how many records of a kind that a run has to show have each value of a field."""
        rows = self._db.tuples(
            "SELECT json_extract(data, ?) AS value, count(*) FROM products WHERE run = ? AND kind"
            " = ? GROUP BY value",
            f"$.{name}",
            run,
            kind,
        )
        return dict(rows)

    def shown_as(self, runs: Iterable[str], kind: str) -> dict[str, list[str]]:
        """Return under which names runs show records of a kind, by run, in no order."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for row in self._db.rows(
            f"SELECT run, name FROM products WHERE kind = ? AND run {AMONG}",
            kind,
            json.dumps(list(runs)),
        ):
            found[row["run"]].append(row["name"])
        return found

    def with_field(
        self, run: str, kind: str, name: str, value: object, skip: int, most: int
    ) -> list[Product]:
        """Return so many records of a kind that a run has to show, by name, after so many, of those
        of which a field has this value.
        """
        rows = self._db.rows(
            "SELECT name, kind, data, place FROM products WHERE run = ? AND kind = ? AND"
            " json_extract(data, ?) = ? ORDER BY name LIMIT ? OFFSET ?",
            run,
            kind,
            f"$.{name}",
            value,
            most,
            skip,
        )
        return [Product(**(row | {"data": json.loads(row["data"])})) for row in rows]

    def failed_calls(self, run: str) -> list[Call]:
        """Return the tries of a run that were paid but not accepted, oldest first."""
        return self._db.build(
            Call,
            f"SELECT {CALL} FROM calls WHERE run = ? AND outcome != 'accepted' ORDER BY id",
            run,
        )

    # -- writing: every insert is fenced by the run's epoch ------------------------------------

    def add(self, step: Step, epoch: int) -> None:
        """Store an accepted answer with its tries and book what it cost; raises LeaseLost."""
        with self._db.writing() as connection:
            self.insert(connection, step, epoch)

    def insert(self, connection: sqlite3.Connection, step: Step, epoch: int) -> None:
        """Do `add` inside a transaction that is already open."""
        self.fence(connection, step.run, epoch)
        tokens_in = total(call.tokens_in for call in step.calls)
        tokens_out = total(call.tokens_out for call in step.calls)
        costs = [call.cost for call in step.calls]
        cost = None if None in costs else total(costs)
        connection.execute(
            INSERT, step_row(step, tokens_in, tokens_out, cost, len(step.calls), epoch)
        )
        connection.execute(
            "UPDATE runs SET steps = steps + 1, updated = ? WHERE id = ?", (step.ended, step.run)
        )
        connection.execute("DELETE FROM partials WHERE run = ? AND key = ?", (step.run, step.key))
        if step.taken_from is None:
            account.book(connection, step.run, [(step.key, step.calls)])

    def forget(self, run: str, failures: tuple[str, ...], epoch: int) -> None:
        """Delete recorded failures; what their tries cost stays booked. Raises LeaseLost."""
        with self._db.writing() as connection:
            self.fence(connection, run, epoch)
            for key in failures:
                gone = connection.execute(
                    "DELETE FROM steps WHERE run = ? AND key = ? AND status = 'failed'", (run, key)
                ).rowcount
                connection.execute("UPDATE runs SET steps = steps - ? WHERE id = ?", (gone, run))

    def book(self, run: str, key: str, calls: tuple[Call, ...], epoch: int) -> None:
        """Book tries that led to no accepted answer; raises LeaseLost."""
        with self._db.writing() as connection:
            self.fence(connection, run, epoch)
            account.book(connection, run, [(key, calls)])
            connection.execute("DELETE FROM partials WHERE run = ? AND key = ?", (run, key))

    @staticmethod
    def fence(connection: sqlite3.Connection, run: str, epoch: int) -> None:
        """Raise LeaseLost unless the run is still worked on under this epoch."""
        held = connection.execute("SELECT epoch FROM runs WHERE id = ?", (run,)).fetchone()
        if held is None or held["epoch"] != epoch:
            raise LeaseLost(f"Run {run} was taken over by another process, or deleted.")

    def write_partial(self, run: str, key: str, text: str, note: str, epoch: int) -> None:
        """Show what is written so far, and what is waited for; a worker that lost the run shows
        nothing.
        """
        self._db.write(
            "INSERT INTO partials SELECT id, ?, ?, ?, ? FROM runs WHERE id = ? AND epoch = ? ON"
            " CONFLICT(run, key) DO UPDATE SET text = excluded.text, note = excluded.note, updated"
            " = excluded.updated",
            key,
            text,
            note,
            now(),
            run,
            epoch,
        )

    def drop_partial(self, run: str, key: str) -> None:
        """Withdraw what was being written."""
        self._db.write("DELETE FROM partials WHERE run = ? AND key = ?", run, key)

    def show(self, run: str, product: Product, epoch: int) -> dict[str, object]:
        """Store what a run has to show, once; return what is stored under that name. Raises
        LeaseLost.
        """
        with self._db.writing() as connection:
            self.fence(connection, run, epoch)
            connection.execute(
                "INSERT OR IGNORE INTO products VALUES (?,?,?,?,?)",
                (run, product.name, product.kind, dump_json(product.data), product.place),
            )
            held = connection.execute(
                "SELECT data FROM products WHERE run = ? AND name = ?", (run, product.name)
            ).fetchone()
        stored: dict[str, object] = json.loads(held["data"])
        return stored

    # -- budget --------------------------------------------------------------------------------

    def reserve(
        self,
        run: str,
        key: str,
        cost: float,
        tokens: int,
        month_cap: float | None,
        epoch: int,
        model: str = "",
        begun: int = 0,
    ) -> None:
        """Set an estimate aside before a call goes out, so that calls side by side cannot
        overshoot; raises BudgetReached, LeaseLost.

        `begun` is the number of unbooked calls of this step, this one included; they count as
        possibly paid if the process dies.
        """
        with self._db.writing() as connection:
            self.fence(connection, run, epoch)
            (sweep,) = connection.execute("SELECT sweep FROM runs WHERE id = ?", (run,)).fetchone()
            spending.within_caps(connection, run, (run, key), cost, tokens)
            if sweep:
                spending.within_caps(connection, sweep, (run, key), cost, tokens)
            spending.within(connection, cost, month_cap, run, key)
            connection.execute(
                "INSERT OR REPLACE INTO reservations (run, key, cost, tokens, model, begun) VALUES"
                " (?,?,?,?,?,?)",
                (run, key, cost, tokens, model, begun),
            )

    def spent(self, month: str) -> tuple[float, int]:
        """Return the dollars spent in a month (YYYY-MM) and the number of calls of unknown
        price.
        """
        find = "SELECT total(cost), coalesce(sum(unpriced), 0) FROM spending WHERE month = ?"
        ((cost, unpriced),) = self._db.tuples(find, month)
        return cost, unpriced
