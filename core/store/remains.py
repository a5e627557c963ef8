"""What runs leave behind when they are deleted: rows by the hundred thousand, which go a portion at
a time, so that nobody else waits long to write.
"""

import shutil
import time

from core.store.connection import Connections
from core.store.spool import FOLDER

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


def clear(db: Connections) -> int:
    """Remove the rows and the spools of runs that are not there any more, and return how many rows
    they were; raises StoreFailed.

    What a kill interrupts, the next call goes on with. Several may clear at once.
    """
    for folder in (db.path.parent / FOLDER).glob("*"):
        if not db.rows("SELECT 1 FROM runs WHERE id = ?", folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    return sum(
        _emptied(db, table, row["run"]) for table in LARGE for row in db.rows(GONE.format(table))
    )


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
