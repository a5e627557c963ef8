"""The cells of a benchmark: laid out once, claimed by the one worker that holds the run's lease,
settled in batches with their sums.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal

from core.errors import BudgetReached
from core.records import BenchCell, BenchState, Call, Keyword, Settled
from core.store import account, spending
from core.store.account import CALL
from core.store.bench_growth import take_over
from core.store.bench_sums import FEW, Sums
from core.store.connection import Connections, Row, now
from core.store.steps import Steps

CELL = (
    "id, kind, keyword, model, n, m, asked, state, why, tries, so_far, refusals, unmarked, text,"
    " words, reply_length, thoughts_length, judged, originality, feasibility, clarity, score,"
    " fluency, proxy"
)
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
FAILED = "run = ? AND state = 'failed' AND state IN ('failed', 'excluded')"
"""The failed cells of a run; said twice over, as the index on what was lost is found by its own
words alone.
"""
IdeaOrder = Literal["keyword", "best", "worst"]
"""By keyword, model and number; by score."""
Draw = Callable[[BenchCell, Sequence[BenchCell]], Sequence[tuple[str, int, int, str]]]
"""(accepted idea, the other accepted ideas of its model for its keyword) -> what is asked of it
now, as (kind, n, m, model that is asked).
"""
Allowance = Callable[[BenchCell, tuple[str, ...]], tuple[float, int]]
"""(cell, the ideas it is about) -> dollars and tokens to set aside."""


def cell_of(row: Row) -> BenchCell:
    """Make a cell of a row of CELL."""
    return BenchCell(
        **{**row, "so_far": json.loads(row["so_far"]), "unmarked": bool(row["unmarked"])}
    )


def _about(row: Row) -> tuple[BenchCell, tuple[str, ...]]:
    """Make a cell, and the ideas it is about, of a row of CELL, `first` and `second`."""
    first, second, cell = row.pop("first"), row.pop("second"), cell_of(row)
    return cell, {"idea": (), "judge": (first,), "fluency": (first, second)}[cell.kind]


class Benchmarks:
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
            (
                (run, k, one.text, one.domain, one.confidence, one.by)
                for k, one in enumerate(keywords)
            ),
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
            return self.give_back(
                connection, run, self.rows(connection, "run = ? AND state = 'taken'", run)
            )

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
            rows = connection.execute(
                f"{ASKED} AND lane = ? AND state = 'ready' AND asked NOT IN (SELECT value FROM"
                " json_each(?)) ORDER BY keyword, id LIMIT ?",
                (run, lane, json.dumps(list(without)), most),
            ).fetchall()
            wanted = [_about(dict(row)) for row in rows]
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
                "UPDATE bench_cells SET state = 'taken' WHERE id IN (SELECT value FROM"
                " json_each(?))",
                (json.dumps([cell.id for cell, _ in taken]),),
            )
            Sums.moved(connection, run, [(cell, "taken") for cell, _ in taken])
        return taken

    def taken(self, run: str, cells: Sequence[int]) -> list[tuple[BenchCell, tuple[str, ...]]]:
        """Return those of these cells that are taken, each with the ideas it is about."""
        return [
            _about(row)
            for row in self._db.rows(
                f"{ASKED} AND state = 'taken' AND id IN (SELECT value FROM json_each(?))",
                run,
                json.dumps(list(cells)),
            )
        ]

    @staticmethod
    def _affordable(
        connection: Any, run: str, needs: Sequence[tuple[float, int]], month_cap: float | None
    ) -> int:
        """Return how many of these can be set aside one after another; raises BudgetReached where
        not even the first can.
        """

        def check(n: int) -> None:
            cost, tokens = (
                sum(cost for cost, _ in needs[:n]),
                sum(tokens for _, tokens in needs[:n]),
            )
            spending.within_caps(connection, run, "id = ?", ("", ""), cost, tokens)
            spending.within(connection, cost, month_cap)

        for n in range(len(needs), 1, -1):
            with suppress(BudgetReached):
                check(n)
                return n
        if needs:
            check(1)
        return min(1, len(needs))

    def release(self, run: str, epoch: int, cells: Sequence[int]) -> None:
        """Give taken cells back unanswered; raises LeaseLost."""
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            named = self.rows(
                connection,
                "run = ? AND state = 'taken' AND id IN (SELECT value FROM json_each(?))",
                run,
                json.dumps(list(cells)),
            )
            self.give_back(connection, run, named)

    def revive(self, run: str, epoch: int, cells: Sequence[int]) -> None:
        """Make failed cells ready again: it was no failure of theirs, their model could not be
        reached at all. Raises LeaseLost.
        """
        with self._db.writing() as connection:
            self._steps.fence(connection, run, epoch)
            named = self.rows(
                connection,
                f"{FAILED} AND id IN (SELECT value FROM json_each(?))",
                run,
                json.dumps(list(cells)),
            )
            self.give_back(connection, run, named, anew=True)

    @staticmethod
    def rows(connection: Any, where: str, *values: object) -> list[BenchCell]:
        """Return the cells for which this holds, inside a transaction that is already open."""
        return [
            cell_of(dict(row))
            for row in connection.execute(
                f"SELECT {CELL} FROM bench_cells WHERE {where}", values
            ).fetchall()
        ]

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
        Sums.moved(connection, run, [(cell, "ready") for cell in cells])
        if anew:
            for model, keyword in sorted({(cell.model, cell.keyword) for cell in cells}):
                Sums.grouped(connection, run, model, keyword)
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
            named = {
                cell.id: cell
                for cell in self.rows(
                    connection,
                    "id IN (SELECT value FROM json_each(?))",
                    json.dumps([one.id for one in settled]),
                )
            }
            calls = [(named[one.id], one.calls) for one in settled]
            account.book(connection, run, [(cell.key, several) for cell, several in calls])
            Sums.used(connection, run, calls, at)
            taken = [(named[one.id], one) for one in settled if named[one.id].state == "taken"]
            for cell, one in taken:
                self._write(connection, cell, one, at)
            over = [(cell, one) for cell, one in taken if one.state != "again"]
            Sums.moved(connection, run, [(cell, one.state) for cell, one in over])
            Sums.scored(connection, run, over)
            for cell, one in over:
                if cell.kind == "idea" and one.state == "done":
                    self._follow(
                        connection,
                        run,
                        cell.model_copy(update={"text": one.text, "state": "done"}),
                        draw,
                    )
            for model, keyword in sorted({(cell.model, cell.keyword) for cell, _ in over}):
                Sums.grouped(connection, run, model, keyword)

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
            Sums.tallied(connection, run, kind, idea.model, "ready", more)

    # -- reading -------------------------------------------------------------------------------

    def keywords(self, run: str) -> list[Keyword]:
        """Return the keywords of a benchmark in its order, with the domains as they are now."""
        return [
            Keyword(**row)
            for row in self._db.rows(
                "SELECT text, domain, confidence, by FROM bench_keywords WHERE run = ? ORDER BY n",
                run,
            )
        ]

    def relabel(self, run: str, labels: dict[int, Keyword]) -> None:
        """Count keywords, by their number, to other domains; what they are stays."""
        with self._db.writing() as connection:
            connection.executemany(
                "UPDATE bench_keywords SET domain = ?, confidence = ?, by = ? WHERE run = ? AND"
                " n = ?",
                [(one.domain, one.confidence, one.by, run, n) for n, one in labels.items()],
            )

    def cells(self, run: str, model: int, keyword: int) -> list[BenchCell]:
        """Return all cells of one model's ideas for one keyword."""
        return [
            cell_of(row)
            for row in self._db.rows(
                f"SELECT {CELL} FROM bench_cells WHERE run = ? AND model = ? AND keyword = ? ORDER"
                " BY kind, n, m",
                run,
                model,
                keyword,
            )
        ]

    def ideas(
        self,
        run: str,
        *,
        keyword: int | None = None,
        model: int | None = None,
        order: IdeaOrder = "keyword",
        limit: int = 20,
        skip: int = 0,
        among: Sequence[int] | None = None,
    ) -> list[BenchCell]:
        """Return accepted ideas, in the order of keywords, or by score (only those judged); `among`
        leaves all but these keywords out.
        """
        given = {
            name: value
            for name, value in (("keyword", keyword), ("model", model))
            if value is not None
        }
        # Only an accepted idea has a score: without its state an index alone says which come on a
        # far page.
        where = "run = ? AND kind = 'idea' AND " + (
            "state = 'done'" if order == "keyword" else "score IS NOT NULL"
        )
        where += "".join(f" AND {name} = ?" for name in given)
        where += " AND keyword IN (SELECT value FROM json_each(?))" * (among is not None)
        values = [*given.values(), *([] if among is None else [json.dumps(list(among))])]
        # Of few keywords the best are found by sorting those; of many, by going through the best;
        # and the worst alike.
        few = (
            " INDEXED BY bench_cells_ideas"
            if keyword is not None or (among is not None and len(among) <= FEW)
            else ""
        )
        sorting = {"keyword": "keyword, model, n", "best": "score DESC, id", "worst": "score, id"}[
            order
        ]
        rows = self._db.rows(
            f"SELECT {CELL} FROM bench_cells WHERE id IN (SELECT id FROM bench_cells{few} WHERE"
            f" {where} ORDER BY {sorting} LIMIT ? OFFSET ?) ORDER BY {sorting}",
            run,
            *values,
            limit,
            skip,
        )
        return [cell_of(row) for row in rows]

    def calls(self, run: str, key: str) -> list[Call]:
        """Return every try of one cell, oldest first, with what was answered; of one that was taken
        over those of the run that asked it, while it is kept.
        """
        return [
            Call(**row)
            for row in self._db.rows(
                "WITH RECURSIVE line(id, back) AS (SELECT ?1, 0 UNION ALL SELECT parent, back + 1"
                f" FROM line JOIN runs USING (id) WHERE parent IS NOT NULL) SELECT {CALL} FROM"
                " calls WHERE key = ?2 AND run = (SELECT line.id FROM line WHERE EXISTS (SELECT 1"
                " FROM calls WHERE run = line.id AND key = ?2) ORDER BY back LIMIT 1) ORDER BY id",
                run,
                key,
            )
        ]

    def line(self, run: str) -> list[str]:
        """Return a benchmark's run and those it extends, the nearest first, as far as they are
        kept.
        """
        rows = self._db.rows(
            "WITH RECURSIVE line(id, back) AS (SELECT ?1, 0 UNION ALL SELECT parent, back + 1 FROM"
            " line JOIN runs USING (id) WHERE parent IS NOT NULL) SELECT id FROM line ORDER BY"
            " back",
            run,
        )
        return [row["id"] for row in rows]

    def calls_of(self, line: Sequence[str], keys: Sequence[str]) -> dict[str, list[Call]]:
        """Return every try of several cells by their keys, oldest first, each from the nearest run
        of a `line` that asked it.
        """
        found: dict[str, dict[str, list[Call]]] = {}
        for row in self._db.rows(
            f"SELECT run, key, {CALL} FROM calls WHERE run IN (SELECT value FROM json_each(?)) AND"
            " key IN (SELECT value FROM json_each(?)) ORDER BY id",
            json.dumps(list(line)),
            json.dumps(list(keys)),
        ):
            found.setdefault(row.pop("key"), {}).setdefault(row.pop("run"), []).append(Call(**row))
        return {key: next(by[run] for run in line if run in by) for key, by in found.items()}

    def unreported(self, run: str) -> int:
        """Return the upper guess of tokens that servers did not report in the run's own calls."""
        row = self._db.row("SELECT tokens_expected FROM runs WHERE id = ?", run)
        return int(row["tokens_expected"]) if row else 0

    def lost(
        self,
        run: str,
        state: str,
        limit: int = 50,
        skip: int = 0,
        *,
        model: int | None = None,
        among: Sequence[int] | None = None,
    ) -> list[BenchCell]:
        """Return cells that `failed` or were `excluded`, in the order they were laid out; of one
        model's ideas, of these keywords alone.
        """
        some = " AND model = ?" * (
            model is not None
        ) + " AND keyword IN (SELECT value FROM json_each(?))" * (among is not None)
        values = [
            *([] if model is None else [model]),
            *([] if among is None else [json.dumps(list(among))]),
        ]
        return [
            cell_of(row)
            for row in self._db.rows(
                f"SELECT {CELL} FROM bench_cells INDEXED BY bench_cells_lost WHERE run = ? AND"
                f" state = ? AND state IN ('failed', 'excluded'){some} ORDER BY id LIMIT ?"
                " OFFSET ?",
                run,
                state,
                *values,
                limit,
                skip,
            )
        ]

    def pairs_without_proxy(self, run: str, limit: int) -> list[tuple[BenchCell, str, str]]:
        """Return pairs of ideas whose distance of embeddings is not computed yet, with both
        texts.
        """
        rows = self._db.rows(
            f"SELECT {', '.join('p.' + name for name in CELL.split(', '))}, a.text AS first, b.text"
            " AS second FROM bench_cells p JOIN bench_cells a ON a.run = p.run AND a.model ="
            " p.model AND a.keyword = p.keyword AND a.kind = 'idea' AND a.n = p.n AND a.m = 0 JOIN"
            " bench_cells b ON b.run = p.run AND b.model = p.model AND b.keyword = p.keyword AND"
            " b.kind = 'idea' AND b.n = p.m AND b.m = 0 WHERE p.run = ? AND p.kind = 'fluency' AND"
            " p.proxy IS NULL LIMIT ?",
            run,
            limit,
        )
        return [
            (cell_of({name: row[name] for name in CELL.split(", ")}), row["first"], row["second"])
            for row in rows
        ]

    def keep_proxies(self, run: str, distances: Sequence[tuple[BenchCell, float]]) -> None:
        """Keep the distance of the embeddings of both ideas, pair by pair."""
        with self._db.writing() as connection:
            connection.executemany(
                "UPDATE bench_cells SET proxy = ? WHERE id = ?",
                [(distance, cell.id) for cell, distance in distances],
            )
            for model, keyword in sorted({(cell.model, cell.keyword) for cell, _ in distances}):
                Sums.grouped(connection, run, model, keyword)


def lane_of(model: str) -> str:
    """Return whose limit counts for a model: its provider."""
    return model.partition(":")[0]
