"""What an extension of a benchmark takes over: cells and sums as they stand in its parent, copied
by SQL, as half a million rows would take Python minutes.
"""

import sqlite3

from core.records import GroupSums

COPIED = (
    "kind, keyword, model, n, m, asked, lane, state, why, tries, so_far, refusals, unmarked, text,"
    " words, reply_length, thoughts_length, judged, originality, feasibility, clarity, score,"
    " fluency, proxy, ended"
)
SETTLED = "state IN ('done', 'excluded')"
GROUP = ", ".join(GroupSums._fields)
UNFAILED = ", ".join("0" if name == "failed" else name for name in GroupSums._fields)
"""The sums of a group whose failed cells are asked anew: failures are in no other sum."""
COLUMNS = {
    "bench_keywords": "n, text, domain, confidence, by",
    "bench_scores": "model, judge, what, value, n",
    "bench_usage": (
        "model, role, calls, accepted, tokens_in, tokens_out, unreported, cost, unpriced, seconds,"
        " silent"
    ),
}
"""What is taken over as it stands. The pace is not: it is of the calls a run makes itself."""


def take_over(connection: sqlite3.Connection, parent: str, child: str) -> None:
    """Copy keywords, all that is settled and the sums of it to a run that has nothing yet; the
    parent's other questions to models are ready in it.

    Ideas that are not settled are left to be laid out. Usage is all that the parent took, with what
    failed there: it is what these results cost.
    """
    for table, columns in COLUMNS.items():
        connection.execute(
            f"INSERT INTO {table} (run, {columns}) SELECT ?, {columns} FROM {table} WHERE run = ?",
            (child, parent),
        )
    connection.execute(
        f"INSERT INTO bench_groups (run, {GROUP}, detail) SELECT ?, {UNFAILED}, detail FROM"
        " bench_groups WHERE run = ?",
        (child, parent),
    )
    connection.execute(
        f"INSERT INTO bench_cells (run, {COPIED}) SELECT ?, {COPIED} FROM bench_cells WHERE run = ?"
        f" AND {SETTLED} ORDER BY id",
        (child, parent),
    )
    # The proxy of a pair rests on its ideas alone.
    connection.execute(
        "INSERT INTO bench_cells (run, kind, keyword, model, n, m, asked, lane, proxy) SELECT ?,"
        " kind, keyword, model, n, m, asked, lane, proxy FROM bench_cells WHERE run = ? AND NOT"
        f" ({SETTLED}) AND kind != 'idea' ORDER BY id",
        (child, parent),
    )
