"""What a month has cost, over all runs and beside them, and the cap on it."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

from core.errors import BudgetReached
from core.records import Call
from core.store.connection import Connections

RECENT = 100
"""Calls by which the speed of a model is told, the last ones."""


def month() -> str:
    """Return this month in UTC, YYYY-MM."""
    return datetime.now(UTC).strftime("%Y-%m")


def over(which: str, cap: str, spent: str, remedy: str, set_aside: str = "") -> BudgetReached:
    """Return the failure that names a cap the next call could pass; `set_aside` is what was set
    aside for calls side by side, where that alone stands in the way.
    """
    way_on = f"{remedy} to go on."
    if set_aside:
        spent += f", and {set_aside} set aside for calls that had not ended, which mostly take less"
        way_on = f"Go on under the same cap, or {remedy[0].lower()}{remedy[1:]}."
    reached = BudgetReached(f"The next call could pass {which} of {cap} (so far {spent}). {way_on}")
    reached.held = bool(set_aside)
    return reached


def add(connection: sqlite3.Connection, calls: Sequence[Call]) -> None:
    """Add calls to this month inside a transaction that is already open; a call of unknown price is
    counted as such.
    """
    known = [call.cost for call in calls if call.cost is not None]
    connection.execute(
        "INSERT INTO spending (month, cost, tokens, unpriced, cost_expected) VALUES (?,?,?,?,?) ON"
        " CONFLICT(month) DO UPDATE SET cost = cost + excluded.cost, tokens = tokens +"
        " excluded.tokens, unpriced = unpriced + excluded.unpriced, cost_expected = cost_expected +"
        " excluded.cost_expected",
        (
            month(),
            sum(known),
            sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in calls),
            len(calls) - len(known),
            sum(call.cost_expected for call in calls),
        ),
    )


def within(
    connection: sqlite3.Connection, cost: float, cap: float | None, run: str = "", key: str = ""
) -> None:
    """Raise BudgetReached if a call of this cost could pass the month's cap; what is set aside for
    (run, key) itself does not count.
    """
    if cap is None or not cost:
        return
    spent, expected = connection.execute(
        "SELECT coalesce(sum(cost), 0), coalesce(sum(cost_expected), 0) FROM spending WHERE month ="
        " ?",
        (month(),),
    ).fetchone()
    (aside,) = connection.execute(
        "SELECT coalesce(sum(cost), 0) FROM reservations WHERE NOT (run = ? AND key = ?)",
        (run, key),
    ).fetchone()
    if spent + expected + aside + cost > cap:
        spent_text = _dollars(spent, expected)
        held = f"${aside:.4f}" if spent + expected + cost <= cap else ""
        raise over("this month's cap", f"${cap:.2f}", spent_text, "Raise it in Settings", held)


def _tokens(reported: int, expected: int) -> str:
    if not expected:
        return f"{reported:,}"
    known = f"{reported:,}" if reported else "none"
    return f"{known} reported, and at most some {expected:,} in calls whose server reported none"


def _dollars(known: float, expected: float) -> str:
    if not expected:
        return f"${known:.4f}"
    guess = f"${expected:.4f} in calls whose server reported no usage"
    return f"${known:.4f} known, and at most some {guess}"


def within_caps(
    connection: sqlite3.Connection,
    holder: str,
    asking: tuple[str, str],
    cost: float,
    tokens: int,
) -> None:
    """Raise BudgetReached if a call could exceed the caps of the run `holder`, which are shared by
    all runs that it has made.

    What is set aside for the step that is `asking`, as (run, key), does not count.
    """
    caps = connection.execute(
        "SELECT cap_usd, cap_tokens, json_extract(config, '$.cap_tokens') AS began,"
        " json_extract(config, '$.cap_chosen') AS chosen FROM runs WHERE id = ?",
        (holder,),
    ).fetchone()
    if caps is None or (caps["cap_usd"] is None and caps["cap_tokens"] is None):
        return
    known_cost, known_tokens, expected_tokens, expected_cost = connection.execute(
        "SELECT coalesce(sum(cost), 0), coalesce(sum(tokens_in + tokens_out), 0),"
        " coalesce(sum(tokens_expected), 0), coalesce(sum(cost_expected), 0) FROM runs WHERE"
        " id = ?1 OR sweep = ?1",
        (holder,),
    ).fetchone()
    aside_cost, aside_tokens = connection.execute(
        "SELECT coalesce(sum(cost), 0), coalesce(sum(tokens), 0) FROM reservations WHERE NOT (run ="
        " ?1 AND key = ?2) AND run IN (SELECT id FROM runs WHERE id = ?3 OR sweep = ?3)",
        (*asking, holder),
    ).fetchone()
    which = "this run's cap" if asking[0] == holder else "the cap of the whole experiment"
    most_dollars, most_tokens = caps["cap_usd"], caps["cap_tokens"]
    dollars = known_cost + expected_cost + cost
    if most_dollars is not None and dollars + aside_cost > most_dollars:
        spent_text = _dollars(known_cost, expected_cost)
        held = f"${aside_cost:.4f}" if dollars <= most_dollars else ""
        raise over(which, f"${most_dollars:.2f}", spent_text, "Raise the cap", held)
    reached = known_tokens + expected_tokens + tokens
    if most_tokens is not None and reached + aside_tokens > most_tokens:
        # A configuration from before this was told apart says nothing.
        own = caps["chosen"] == 0 and caps["began"] == most_tokens
        chooser = ", which the program set because nobody chose one" if own else ""
        cap = f"{most_tokens:,} tokens{chooser}"
        spent_text = _tokens(known_tokens, expected_tokens)
        held = f"{aside_tokens:,}" if reached <= most_tokens else ""
        raise over(which, cap, spent_text, "Raise the cap", held)


class Spending:
    def __init__(self, connections: Connections):
        self._db = connections

    def book(self, calls: Sequence[Call]) -> None:
        """Book calls that belong to no run, such as the test of a model."""
        with self._db.writing() as connection:
            add(connection, calls)

    def allow(self, cost: float, cap: float | None) -> None:
        """Raise BudgetReached if a call of this cost, beside all runs, could pass the month's
        cap.
        """
        with self._db.writing() as connection:
            within(connection, cost, cap)

    def seconds_a_call(self, model: str) -> float | None:
        """Return how long the last calls of a model took, their median; None where none was
        made.
        """
        rows = self._db.tuples(
            "SELECT latency FROM calls WHERE model = ? ORDER BY id DESC LIMIT ?", model, RECENT
        )
        return median(seconds for (seconds,) in rows) if rows else None
