"""The cells of a benchmark as they are read: ideas, judgments and pairs, with the calls behind
them.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from core.records import BenchCell, Call, Keyword
from core.store.account import CALL
from core.store.bench_sums import FEW
from core.store.connection import AMONG, Connections, Row, dump, narrow

CELL = (
    "id, kind, keyword, model, n, m, asked, state, why, tries, so_far, refusals, unmarked, text,"
    " words, reply_length, thoughts_length, judged, originality, feasibility, clarity, score,"
    " fluency, proxy"
)
LINE = (
    "WITH RECURSIVE line(id, back) AS (SELECT ?1, 0 UNION ALL SELECT parent, back + 1 FROM line"
    " JOIN runs USING (id) WHERE parent IS NOT NULL)"
)
"""A run and those it extends, the nearest first."""
IdeaOrder = Literal["keyword", "best", "worst"]
"""By keyword, model and number; by score."""


def cell_of(row: Row) -> BenchCell:
    """Make a cell of a row of CELL."""
    return BenchCell(
        **{**row, "so_far": json.loads(row["so_far"]), "unmarked": bool(row["unmarked"])}
    )


class BenchCells:
    _db: Connections

    def _cells(self, query: str, *values: object) -> list[BenchCell]:
        """Return the cells of a query for CELL."""
        return [cell_of(row) for row in self._db.rows(f"SELECT {CELL} FROM {query}", *values)]

    def keywords(self, run: str) -> list[Keyword]:
        """Return the keywords of a benchmark in its order, with the domains as they are now."""
        return self._db.build(
            Keyword,
            "SELECT text, domain, confidence, by FROM bench_keywords WHERE run = ? ORDER BY n",
            run,
        )

    def cells(self, run: str, model: int, keyword: int) -> list[BenchCell]:
        """Return all cells of one model's ideas for one keyword."""
        return self._cells(
            "bench_cells WHERE run = ? AND model = ? AND keyword = ? ORDER BY kind, n, m",
            run,
            model,
            keyword,
        )

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
        # Only an accepted idea has a score: without its state an index alone says which come on a
        # far page.
        known = "state = 'done'" if order == "keyword" else "score IS NOT NULL"
        chosen = {"keyword = ?": keyword, "model = ?": model, f"keyword {AMONG}": dump(among)}
        where, values = narrow(f"run = ? AND kind = 'idea' AND {known}", [run], chosen)
        # Of few keywords the best are found by sorting those; of many, by going through the best;
        # and the worst alike.
        few = keyword is not None or (among is not None and len(among) <= FEW)
        index = " INDEXED BY bench_cells_ideas" if few else ""
        sorting = {"keyword": "keyword, model, n", "best": "score DESC, id", "worst": "score, id"}
        by = sorting[order]
        return self._cells(
            f"bench_cells WHERE id IN (SELECT id FROM bench_cells{index} WHERE {where}"
            f" ORDER BY {by} LIMIT ? OFFSET ?) ORDER BY {by}",
            *values,
            limit,
            skip,
        )

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
        known = "run = ? AND state = ? AND state IN ('failed', 'excluded')"
        chosen = {"model = ?": model, f"keyword {AMONG}": dump(among)}
        where, values = narrow(known, [run, state], chosen)
        return self._cells(
            f"bench_cells INDEXED BY bench_cells_lost WHERE {where} ORDER BY id LIMIT ? OFFSET ?",
            *values,
            limit,
            skip,
        )

    def line(self, run: str) -> list[str]:
        """Return a benchmark's run and those it extends, the nearest first, as far as they are
        kept.
        """
        return self._db.column(f"{LINE} SELECT id FROM line ORDER BY back", run)

    def calls(self, run: str, key: str) -> list[Call]:
        """Return every try of one cell, oldest first, with what was answered; of one that was taken
        over those of the run that asked it, while it is kept.
        """
        return self._db.build(
            Call,
            f"{LINE} SELECT {CALL} FROM calls WHERE key = ?2 AND run = (SELECT line.id FROM line"
            " WHERE EXISTS (SELECT 1 FROM calls WHERE run = line.id AND key = ?2)"
            " ORDER BY back LIMIT 1) ORDER BY id",
            run,
            key,
        )

    def calls_of(self, line: Sequence[str], keys: Sequence[str]) -> dict[str, list[Call]]:
        """Return every try of several cells by their keys, oldest first, each from the nearest run
        of a `line` that asked it.
        """
        found: dict[str, dict[str, list[Call]]] = defaultdict(lambda: defaultdict(list))
        find = f"SELECT run, key, {CALL} FROM calls WHERE run {AMONG} AND key {AMONG} ORDER BY id"
        for row in self._db.rows(find, dump(line), dump(keys)):
            run, key = row.pop("run"), row.pop("key")
            found[key][run].append(Call(**row))
        nearest = {}
        for key, by_run in found.items():
            nearest[key] = next(by_run[run] for run in line if run in by_run)
        return nearest

    def unreported(self, run: str) -> int:
        """Return the upper guess of tokens that servers did not report in the run's own calls."""
        return self._db.number("SELECT tokens_expected FROM runs WHERE id = ?", run)

    def pairs_without_proxy(self, run: str, limit: int) -> list[tuple[BenchCell, str, str]]:
        """Return pairs of ideas whose distance of embeddings is not computed yet, with both
        texts.
        """
        columns = ", ".join(f"p.{name}" for name in CELL.split(", "))
        rows = self._db.rows(
            f"SELECT {columns}, a.text AS first, b.text AS second FROM bench_cells p"
            " JOIN bench_cells a ON a.run = p.run AND a.model = p.model AND a.keyword = p.keyword"
            " AND a.kind = 'idea' AND a.n = p.n AND a.m = 0"
            " JOIN bench_cells b ON b.run = p.run AND b.model = p.model AND b.keyword = p.keyword"
            " AND b.kind = 'idea' AND b.n = p.m AND b.m = 0"
            " WHERE p.run = ? AND p.kind = 'fluency' AND p.proxy IS NULL LIMIT ?",
            run,
            limit,
        )
        texts = [(row.pop("first"), row.pop("second")) for row in rows]
        return [(cell_of(row), *both) for row, both in zip(rows, texts, strict=True)]
