"""Calls that were begun and whose end nobody heard, as the process that made them is gone: they may
have been paid, and are booked as such.
"""

import sqlite3

from core.records import KILLED, Call
from core.store import account
from core.store.bench_sums import Sums
from core.store.benchmarks import TAKEN, Benchmarks
from core.store.connection import AMONG, Connections, Row, dump, now
from core.store.spool import FOLDER, Spool

NOBODYS = 0
"""The epoch of no worker."""


def close(db: Connections, connection: sqlite3.Connection, run: str) -> None:
    """Book what a run had begun and has no end as calls that may have been paid, inside a
    transaction that is open.
    """
    rows = db.rows("SELECT * FROM reservations WHERE run = ?", run)
    begun = [row for row in rows if row["begun"]]
    calls = [(row["key"], _calls(row, row["begun"], row["begun"])) for row in begun]
    account.book(connection, run, calls)
    aside = {row["key"]: row for row in rows}
    _close_cells(db, connection, run, aside)


def _close_cells(
    db: Connections, connection: sqlite3.Connection, run: str, aside: dict[str, Row]
) -> None:
    """Book the begun calls of a benchmark, which are noted in its spool, and make their cells
    ready; those whose answer came stay taken.
    """
    folder = db.path.parent / FOLDER / run
    begun = Spool(folder, NOBODYS).begun() if folder.exists() else {}
    if not begun:
        return
    cells = Benchmarks.rows(connection, f"{TAKEN} AND id {AMONG}", run, dump(list(begun)))
    spent = []
    for cell in cells:
        row = {"cost": 0.0, "tokens": 0, **aside.get(cell.key, {}), "model": cell.asked}
        spent.append((cell, _calls(row, begun[cell.id], 1)))
    if spent:
        account.book(connection, run, [(cell.key, calls) for cell, calls in spent])
        Sums.book_usage(connection, run, spent, now())
        Benchmarks.give_back(connection, run, cells)


def _calls(row: Row, n: int, estimates: int) -> tuple[Call, ...]:
    """Return n calls of what was set aside, which is the estimate of so many calls."""
    # At least one token: what is unreported is not nothing.
    tokens, cost = max(1, row["tokens"] // estimates), row["cost"] / estimates
    call = Call(
        model=row["model"],
        latency=0.0,
        outcome=KILLED,
        tokens_expected=tokens,
        cost_expected=cost,
    )
    return (call,) * n
