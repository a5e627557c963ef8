"""The cells of a benchmark: laid out once, claimed by the one worker that holds the run's lease,
settled in batches with their sums.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from core.errors import BudgetReached
from core.records import BenchCell, BenchState, GroupSums, Keyword, Settled
from core.store import account, spending
from core.store.bench_cells import CELL, BenchCells, cell_of
from core.store.bench_sums import GROUP, Sums
from core.store.connection import AMONG, Connections, Row, dump, now
from core.store.steps import Steps

TEXT_OF = (
    "(SELECT text FROM bench_cells AS i WHERE i.run = c.run AND i.model = c.model AND i.keyword ="
    " c.keyword AND i.kind = 'idea' AND i.n = {} AND i.m = 0)"
)
"""The text of an idea a cell is about."""
ASKED = (
    f"SELECT {CELL}, {TEXT_OF.format('c.n')} AS first, {TEXT_OF.format('c.m')} AS second FROM"
    " bench_cells AS c WHERE run = ?"
)
"""Cells of a run, each with the ideas it is about."""
TAKEN = "run = ? AND state = 'taken'"
"""The taken cells of a run."""
FAILED = "run = ? AND state = 'failed' AND state IN ('failed', 'excluded')"
"""The failed cells of a run; the condition comes twice, as SQLite uses the partial index only if it
finds its condition letter by letter.
"""
COPIED = f"{CELL.removeprefix('id, ')}, lane, ended"
SETTLED = "state IN ('done', 'excluded')"
UNFAILED = ", ".join("0" if name == "failed" else name for name in GroupSums._fields)
"""The sums of a group whose failed cells are asked anew: failures are in no other sum."""
TAKEN_OVER = {
    "bench_keywords": "n, text, domain, confidence, by",
    "bench_scores": "model, judge, what, value, n",
    "bench_usage": (
        "model, role, calls, accepted, tokens_in, tokens_out, unreported, cost, unpriced, seconds,"
        " silent"
    ),
}
"""What an extension takes over as it stands. The pace is not: it is of the calls that a run makes
itself.
"""
Draw = Callable[[BenchCell, Sequence[BenchCell]], Sequence[tuple[str, int, int, str]]]
"""(accepted idea, the other accepted ideas of its model for its keyword) -> what is asked of it
now, as (kind, n, m, model that is asked).
"""
Allowance = Callable[[BenchCell, tuple[str, ...]], tuple[float, int]]
"""(cell, the ideas it is about) -> dollars and tokens to set aside."""


def _about(row: Row) -> tuple[BenchCell, tuple[str, ...]]:
    """Make a cell, and the ideas it is about, of a row of CELL, `first` and `second`."""
    first, second, cell = row.pop("first"), row.pop("second"), cell_of(row)
    return cell, {"idea": (), "judge": (first,), "fluency": (first, second)}[cell.kind]


class Benchmarks(BenchCells):
    def __init__(self, connections: Connections, steps: Steps):
        self._db, self._steps = connections, steps
        self.sums = Sums(connections)

    # -- laying out ----------------------------------------------------------------------------

    def lay(
        self, run: str, epoch: int, keywords: Sequence[Keyword], models: Sequence[str], ideas: int
    ) -> None:
        """Lay out every idea that is asked for, keyword by keyword, unless that was done; raises
        LeaseLost.
        """
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            if connection.execute(
                "SELECT 1 FROM bench_keywords WHERE run = ? LIMIT 1", (run,)
            ).fetchone():
                return
            self._lay(connection, run, keywords, models, ideas)

    def grow(
        self, parent: str, run: str, keywords: Sequence[Keyword], models: Sequence[str], ideas: int
    ) -> None:
        """Lay out an extension: all that is settled in its parent is taken over with its sums,
        everything else that is asked for is ready.
        """
        with self._db.writing() as connection:
            take_over(connection, parent, run)
            self._lay(connection, run, keywords, models, ideas)

    @staticmethod
    def _lay(
        connection: Any, run: str, keywords: Sequence[Keyword], models: Sequence[str], ideas: int
    ) -> None:
        """Lay out the keywords and ideas that are not there, and count all cells."""
        connection.executemany(
            "INSERT OR IGNORE INTO bench_keywords VALUES (?,?,?,?,?,?)",
            ((run, k, w.text, w.domain, w.confidence, w.by) for k, w in enumerate(keywords)),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO bench_cells (run, kind, keyword, model, n, asked, lane) VALUES"
            " (?, 'idea', ?, ?, ?, ?, ?)",
            (
                (run, k, m, n, name, lane_of(name))
                for k in range(len(keywords))
                for m, name in enumerate(models)
                for n in range(1, ideas + 1)
            ),
        )
        connection.execute(
            "INSERT INTO bench_tally SELECT run, kind, model, state, count(*) FROM bench_cells"
            " WHERE run = ? GROUP BY kind, model, state",
            (run,),
        )

    def reclaim(self, run: str, epoch: int) -> int:
        """Give back what a worker that is gone had taken, and return how many cells that were;
        raises LeaseLost.
        """
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            return self.give_back(connection, run, self.rows(connection, TAKEN, run))

    def again(self, run: str) -> int:
        """Ask the cells that failed once more, when the run goes on next; return how many they
        are.
        """
        with self._db.writing() as connection:
            return self.give_back(connection, run, self.rows(connection, FAILED, run), anew=True)

    # -- claiming ------------------------------------------------------------------------------

    def claim(
        self,
        run: str,
        epoch: int,
        lane: str,
        most: int,
        allowance: Allowance,
        month_cap: float | None,
        without: Sequence[str] = (),
    ) -> list[tuple[BenchCell, tuple[str, ...]]]:
        """Take ready cells of a provider, the first keywords first, and set aside what they may
        cost; return each with the ideas it is about.

        `without` names models that are left alone. Raises LeaseLost, and BudgetReached where not
        even the first can be paid.
        """
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            rows = self._db.rows(
                f"{ASKED} AND lane = ? AND state = 'ready' AND asked NOT {AMONG}"
                " ORDER BY keyword, id LIMIT ?",
                run,
                lane,
                dump(without),
                most,
            )
            wanted = [_about(row) for row in rows]
            needs = [allowance(cell, about) for cell, about in wanted]
            taken = wanted[: self._affordable(connection, run, needs, month_cap)]
            aside = [
                (cell.key, *need, cell.asked) for (cell, _), need in zip(taken, needs, strict=False)
            ]
            # One statement for all: each one lets the threads that make calls go first.
            connection.execute(
                "INSERT OR REPLACE INTO reservations (run, key, cost, tokens, model)"
                " SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)",
                (run, json.dumps(aside)),
            )
            connection.execute(
                f"UPDATE bench_cells SET state = 'taken' WHERE id {AMONG}",
                (dump([cell.id for cell, _ in taken]),),
            )
            Sums.move_cells(connection, run, [(cell, "taken") for cell, _ in taken])
        return taken

    def taken(self, run: str, cells: Sequence[int]) -> list[tuple[BenchCell, tuple[str, ...]]]:
        """Return those of these cells that are taken, each with the ideas it is about."""
        rows = self._db.rows(f"{ASKED} AND state = 'taken' AND id {AMONG}", run, dump(cells))
        return [_about(row) for row in rows]

    @staticmethod
    def _affordable(
        connection: Any, run: str, needs: Sequence[tuple[float, int]], month_cap: float | None
    ) -> int:
        """Return how many of these can be set aside one after another; raises BudgetReached where
        not even the first can.
        """

        for n in range(len(needs), 0, -1):
            cost = sum(cost for cost, _ in needs[:n])
            tokens = sum(tokens for _, tokens in needs[:n])
            try:
                spending.within_caps(connection, run, (run, ""), cost, tokens)
                spending.within(connection, cost, month_cap)
            except BudgetReached:
                if n == 1:
                    raise
            else:
                return n
        return 0

    def release(self, run: str, epoch: int, cells: Sequence[int]) -> None:
        """Give taken cells back unanswered; raises LeaseLost."""
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            named = self.rows(connection, f"{TAKEN} AND id {AMONG}", run, dump(cells))
            self.give_back(connection, run, named)

    def revive(self, run: str, epoch: int, cells: Sequence[int]) -> None:
        """Make failed cells ready again: it was no failure of theirs, their model could not be
        reached at all. Raises LeaseLost.
        """
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            named = self.rows(connection, f"{FAILED} AND id {AMONG}", run, dump(cells))
            self.give_back(connection, run, named, anew=True)

    @staticmethod
    def rows(connection: Any, where: str, *values: object) -> list[BenchCell]:
        """Return the cells for which this holds, inside a transaction that is already open."""
        rows = connection.execute(
            f"SELECT {CELL} FROM bench_cells WHERE {where}", values
        ).fetchall()
        return [cell_of(dict(row)) for row in rows]

    @staticmethod
    def give_back(connection: Any, run: str, cells: Sequence[BenchCell], anew: bool = False) -> int:
        """Make cells ready, inside a transaction that is already open, and return how many they
        are; `anew` forgets what was answered so far.
        """
        forget = ", so_far = '[]', refusals = 0, why = '', text = '', ended = NULL" if anew else ""
        for cell in cells:
            connection.execute(
                f"UPDATE bench_cells SET state = 'ready'{forget} WHERE id = ?", (cell.id,)
            )
            connection.execute(
                "DELETE FROM reservations WHERE run = ? AND key = ?", (run, cell.key)
            )
        Sums.move_cells(connection, run, [(cell, "ready") for cell in cells])
        if anew:
            Sums.sum_groups(connection, run, cells)
        return len(cells)

    # -- settling ------------------------------------------------------------------------------

    def settle(self, run: str, epoch: int, settled: Sequence[Settled], draw: Draw) -> None:
        """Write what became of taken cells, book their calls, lay out what follows from accepted
        ideas, and bring the sums up to date, all at once.

        A cell that is not taken (any more) is left as it is, and its calls are booked all the same.
        Raises LeaseLost.
        """
        at = now()
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            cells = self.rows(connection, f"id {AMONG}", dump([one.id for one in settled]))
            named = {cell.id: cell for cell in cells}
            answers = [(named[one.id], one) for one in settled]
            account.book(connection, run, [(cell.key, one.calls) for cell, one in answers])
            Sums.book_usage(connection, run, [(cell, one.calls) for cell, one in answers], at)
            taken = [(cell, one) for cell, one in answers if cell.state == "taken"]
            for cell, one in taken:
                self._write(connection, cell, one, at)
            over = [(cell, one) for cell, one in taken if one.state != "again"]
            Sums.move_cells(connection, run, [(cell, one.state) for cell, one in over])
            Sums.count_scores(connection, run, over)
            for cell, one in over:
                if cell.kind == "idea" and one.state == "done":
                    idea = cell.model_copy(update={"text": one.text, "state": "done"})
                    self._follow(connection, run, idea, draw)
            Sums.sum_groups(connection, run, [cell for cell, _ in over])

    @staticmethod
    def _write(connection: Any, cell: BenchCell, one: Settled, at: str) -> None:
        state: BenchState = "taken" if one.state == "again" else one.state
        scores = one.scores or (None, None, None)
        connection.execute(
            "UPDATE bench_cells SET state = ?, why = ?, text = ?, words = ?, reply_length = ?,"
            " thoughts_length = ?, refusals = ?, unmarked = ?, so_far = ?, tries = tries + ?,"
            " originality = ?, feasibility = ?, clarity = ?, fluency = ?, ended = ? WHERE id = ?",
            (
                state,
                one.why,
                one.text,
                one.words,
                one.reply_length,
                one.thoughts_length,
                one.refusals,
                int(one.unmarked),
                json.dumps(one.so_far, ensure_ascii=False),
                len(one.calls),
                *scores,
                one.fluency,
                None if one.state == "again" else at,
                cell.id,
            ),
        )

    def _follow(self, connection: Any, run: str, idea: BenchCell, draw: Draw) -> None:
        others = self.rows(
            connection,
            "run = ? AND model = ? AND keyword = ? AND kind = 'idea' AND state = 'done' AND id"
            " != ?",
            run,
            idea.model,
            idea.keyword,
            idea.id,
        )
        laid: Counter[str] = Counter()
        for kind, n, m, asked in draw(idea, others):
            laid[kind] += connection.execute(
                "INSERT OR IGNORE INTO bench_cells (run, kind, keyword, model, n, m, asked, lane)"
                " VALUES (?,?,?,?,?,?,?,?)",
                (run, kind, idea.keyword, idea.model, n, m, asked, lane_of(asked)),
            ).rowcount
        for kind, more in laid.items():
            Sums.tally_cells(connection, run, kind, idea.model, "ready", more)

    # -- changing what is read -----------------------------------------------------------------

    def keep_proxies(self, run: str, distances: Sequence[tuple[BenchCell, float]]) -> None:
        """Keep the distance of the embeddings of both ideas, pair by pair."""
        with self._db.writing() as connection:
            connection.executemany(
                "UPDATE bench_cells SET proxy = ? WHERE id = ?",
                [(distance, cell.id) for cell, distance in distances],
            )
            Sums.sum_groups(connection, run, [cell for cell, _ in distances])


def take_over(connection: sqlite3.Connection, parent: str, child: str) -> None:
    """Copy keywords, all that is settled and the sums of it to a run that has nothing yet; the
    parent's other questions to models are ready in it.

    Ideas that are not settled are left to be laid out. Usage is all that the parent took, with what
    failed there: it is what these results cost.
    """
    # By SQL: half a million rows would take Python minutes.
    for table, columns in TAKEN_OVER.items():
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


def lane_of(model: str) -> str:
    """Return whose limit counts for a model: its provider."""
    return model.partition(":")[0]
