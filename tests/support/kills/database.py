"""What a database must be after any kill, and all it says, to be held against another one's."""

import json
import re
from collections import Counter
from itertools import zip_longest

from core.records import MAYBE_PAID
from core.store import Store

OWN = {
    # When something happened, how long it took, how often it was tried, and who did it.
    *("added", "asked", "at", "began", "created", "ended", "epoch", "fetched", "heartbeat"),
    *("latency", "month", "owner", "probed", "saved", "seconds", "since", "tries", "try"),
    *("updated", "worked"),
    # Where the loopback server is, and how long its turn was waited for.
    *("address", "waited"),
    # Numbers of rows, and the ids that are drawn.
    *("id", "seq"),
    # What calls that may have been paid are booked with; they are counted on their own.
    *("cost_expected", "maybe_paid", "tokens_expected", "unpriced", "unreported"),
}
"""Columns, and fields of records, that two runs of one seed need not share."""
BESIDE = {
    # Empty when nothing is under way, looked at on their own; or about calls that may be paid.
    *("reservations", "partials", "spending", "bench_usage", "bench_pace"),
    # No part of what came of a run.
    *("_sqlite_migrations", "sqlite_sequence", "source_cache", "vectors"),
}
"""Tables that are left out of a comparison, with what the index of words is made of."""


def check(store: Store) -> None:
    """Fail unless the database is sound and every record in it is whole."""
    db = store.connections
    assert db.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert db.rows("PRAGMA foreign_key_check") == []
    for step in db.rows("SELECT request, reply, origin FROM steps"):
        for text in step.values():
            json.loads(text)  # Half a record is none.
    for run in _runs(store):
        name = run["id"]
        assert run["steps"] == store.steps.count(name), "a step without its count"
        booked = db.row(
            "SELECT count(*) AS calls, coalesce(sum(tokens_in), 0) AS tokens_in,"
            " coalesce(sum(tokens_out), 0) AS tokens_out FROM calls WHERE run = ?",
            name,
        )
        assert booked == {one: run[one] for one in ("calls", "tokens_in", "tokens_out")}, (
            "a call that is booked by half"
        )
        for product in store.steps.products(name):
            assert product.data, "a record of which there is nothing"
    half = db.rows(
        "SELECT run, key FROM steps WHERE kind = 'model' AND taken_from IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM calls WHERE calls.run = steps.run AND calls.key = steps.key)"
    )
    assert half == [], "a step without the call it was paid by"


def steps(store: Store) -> dict[tuple[str, str], str]:
    """Return every step's reply by run and key."""
    rows = store.connections.rows("SELECT run, key, hash || status || reply AS said FROM steps")
    return {(row["run"], row["key"]): row["said"] for row in rows}


def under_way(store: Store) -> dict[str, int]:
    """Return how many rows and files there are of what is only there while a run is at work."""
    counts = {
        table: store.connections.number(f"SELECT count(*) FROM {table}")
        for table in ("reservations", "partials")
    }
    return counts | {"spools": len(list((store.folder / "spool").glob("*")))}


def contents(store: Store, decimals: int | None = None) -> Counter[str]:
    """Return everything a database says as lines of `table row`, without OWN and with runs called
    by what they are in the run that made them; of numbers so many decimals, if any are asked for.
    """
    db, lines = store.connections, Counter[str]()
    tables = db.column("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = _names(store)
    for table in map(str, tables):
        if table in BESIDE or table.startswith("search_"):
            continue
        for row in db.rows(f"SELECT * FROM {table}"):
            if table == "calls" and str(row["outcome"]).startswith(MAYBE_PAID):
                continue
            if table == "runs":
                row["calls"] -= row["maybe_paid"]
            said = json.dumps(
                _told(row, decimals), ensure_ascii=False, sort_keys=True, default=repr
            )
            lines[f"{table} {_called(said, names)}"] += 1
    return lines


def differences(found: Counter[str], wanted: Counter[str], most: int = 5) -> str:
    """Say where the first lines that two databases do not share part."""
    more, less = sorted((found - wanted).elements()), sorted((wanted - found).elements())
    said = [f"{len(more)} lines are not as they should be, {len(less)} are missing"]
    for one, other in list(zip_longest(more, less, fillvalue=""))[:most]:
        at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        said += [f"{text[:80]} ... {text[max(0, at - 80) : at + 80]}" for text in (one, other)]
    return "\n".join(said)


def _told(value: object, decimals: int | None) -> object:
    """Return a row or a record without what is its own; JSON in a column is read."""
    if isinstance(value, dict):
        return {name: _told(inner, decimals) for name, inner in value.items() if name not in OWN}
    if isinstance(value, list):
        return [_told(one, decimals) for one in value]
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return _told(json.loads(value), decimals)
        except ValueError:
            return value
    return round(value, decimals) if decimals and isinstance(value, float) else value


def _runs(store: Store) -> list[dict]:
    return store.connections.rows("SELECT * FROM runs")


def _names(store: Store) -> dict[str, str]:
    """Return what each run is called: `run` if nobody made it, else by its cell."""
    runs = {run["id"]: run for run in _runs(store)}

    def name(run: dict) -> str:
        maker = runs.get(run["sweep"])
        return f"{name(maker)}>{run['cell']}" if maker else f"run {run['method']}"

    return {run_id: name(run) for run_id, run in runs.items()}


def _called(said: str, names: dict[str, str]) -> str:
    if not names:
        return said
    return re.sub("|".join(map(re.escape, names)), lambda found: f"<{names[found[0]]}>", said)
