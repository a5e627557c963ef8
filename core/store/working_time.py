"""How long a run was worked on: neither while it waited for a person, nor while it was paused,
stopped or broken off.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def covered(spans: Iterable[tuple[str, str]]) -> float:
    """Return the seconds that spans of (begun, ended), ISO 8601, cover together: what goes on side
    by side counts once.
    """
    seconds, reached = 0.0, float("-inf")
    for begun, ended in sorted((_moment(begun), _moment(ended)) for begun, ended in spans):
        seconds += max(0.0, ended - max(begun, reached))
        reached = max(reached, ended)
    return seconds


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def fill(db: "Database") -> None:
    """Give runs from before working time was kept the time that their steps took; benchmarks, which
    have none, the minutes with calls.
    """
    for query in (
        (
            "SELECT run, asked, ended FROM steps WHERE kind != 'person' AND taken_from IS NULL"
            " ORDER BY run"
        ),
        # An experiment is at work while any of its runs is.
        (
            "SELECT runs.sweep AS run, steps.asked, steps.ended FROM steps JOIN runs ON runs.id ="
            " steps.run WHERE runs.sweep IS NOT NULL AND steps.kind != 'person' AND"
            " steps.taken_from IS NULL ORDER BY runs.sweep"
        ),
    ):
        for run, rows in groupby(db.conn.execute(query).fetchall(), key=lambda row: row[0]):
            db.conn.execute(
                "UPDATE runs SET worked = max(worked, ?) WHERE id = ?",
                (covered((row[1], row[2]) for row in rows), run),
            )
    db.conn.execute(
        "UPDATE runs SET worked = min(60.0 * (SELECT count(*) FROM bench_pace WHERE run = runs.id),"
        " 86400.0 * (julianday(coalesce(ended, updated)) - julianday(created))) WHERE method ="
        " 'bench'"
    )
