"""The account of a run: every call it made, booked once, with what it took and what it may have
taken.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from core.records import Call
from core.records.usage import silent
from core.store import spending
from core.store.connection import AMONG, dump, mended, now

CALL = (
    "model, tokens_in, tokens_out, tokens_expected, cost, cost_expected, latency, outcome, raw,"
    " thoughts, tokens_thought, tokens_cached"
)
BOOK = (
    f"INSERT INTO calls (run, key, try, {CALL}, thoughts_length, month, at) VALUES"
    f" ({','.join('?' * 18)})"
)


def book(
    connection: sqlite3.Connection, run: str, spent: Sequence[tuple[str, Sequence[Call]]]
) -> None:
    """Book the calls made for several keys inside a transaction that is already open, and free what
    was set aside for them.
    """
    connection.execute(
        f"DELETE FROM reservations WHERE run = ? AND key {AMONG}",
        (run, dump([key for key, _ in spent])),
    )
    calls = [call for _, several in spent for call in several]
    if not calls:
        return
    at, month = now(), spending.month()
    connection.executemany(
        BOOK,
        [
            call_row(run, key, n, c, month, at)
            for key, several in spent
            for n, c in enumerate(several, 1)
        ],
    )
    connection.execute(
        "UPDATE runs SET calls = calls + ?, tokens_in = tokens_in + ?, tokens_out = tokens_out + ?,"
        " tokens_expected = tokens_expected + ?, cost = cost + ?, cost_expected = cost_expected +"
        " ?, unpriced = unpriced + ?, unreported = unreported + ?, maybe_paid = maybe_paid + ?"
        " WHERE id = ?",
        (
            len(calls),
            sum(c.tokens_in or 0 for c in calls),
            sum(c.tokens_out or 0 for c in calls),
            sum(c.tokens_expected for c in calls),
            sum(c.cost or 0.0 for c in calls),
            sum(c.cost_expected for c in calls),
            sum(c.cost is None for c in calls),
            silent(calls),
            sum(c.maybe_paid for c in calls),
            run,
        ),
    )
    spending.add(connection, calls)


def call_row(run: str, key: str, n: int, call: Call, month: str, at: str) -> tuple[object, ...]:
    """Return the n-th call made for a key as BOOK takes it."""
    return (
        run,
        key,
        n,
        call.model,
        call.tokens_in,
        call.tokens_out,
        call.tokens_expected,
        call.cost,
        call.cost_expected,
        call.latency,
        mended(call.outcome),
        mended(call.raw),
        mended(call.thoughts),
        call.tokens_thought,
        call.tokens_cached,
        call.thoughts_length,
        month,
        at,
    )


def total(values: Iterable[float | int | None]) -> float | None:
    """Return the sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
