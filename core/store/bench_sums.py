"""The sums of a benchmark, kept up to date in the transactions that change its cells: every figure
of a page is read from these.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from core.records import (
    BENCH_DIMENSIONS,
    BenchCell,
    BenchUsage,
    Call,
    GroupDetail,
    GroupSums,
    Settled,
    digest,
)
from core.records.usage import silent
from core.store.connection import AMONG, Connections, Row, dump, narrow

GROUP = ", ".join(GroupSums._fields)
Judgments = dict[int, list[tuple[str, tuple[int, ...]]]]
"""(judge, scores) of every judgment that was given, by the number of the idea."""
Tally = dict[tuple[str, int, str], int]
"""(kind, model, state) -> how many cells."""
FEW = 100
"""Keywords that are looked up one by one; of more, all of a benchmark are gone through."""
BIN = 10
"""Words to one bar of the distribution of lengths."""


class DomainSums(NamedTuple):
    """Sums over one model's keywords of one domain; only keywords of which something is settled
    have any.
    """

    model: int
    domain: str
    ideas: int
    judgments: int
    pairs: int
    excluded: int
    failed: int
    spare: int
    """Pairs of ideas that need no comparing any more: one of the two is excluded."""


class Sums:
    def __init__(self, connections: Connections):
        self._db = connections

    # -- reading -------------------------------------------------------------------------------

    def tally(self, run: str) -> Tally:
        """Return how many cells there are by (kind, model, state)."""
        rows = self._db.tuples(
            "SELECT kind, model, state, n FROM bench_tally WHERE run = ? AND n != 0", run
        )
        return {(kind, model, state): n for kind, model, state, n in rows}

    def groups(self, run: str) -> list[GroupSums]:
        """Return the sums of every model for every keyword that has any, by model and keyword."""
        find = f"SELECT {GROUP} FROM bench_groups WHERE run = ? ORDER BY model, keyword"
        return list(map(GroupSums._make, self._db.tuples(find, run)))

    def by_domain(self, run: str, ideas: int) -> list[DomainSums]:
        """Return the sums of every model by domain, where each keyword has so many ideas; fast
        enough for a page of half a million judgments.
        """
        return self._db.build(
            DomainSums,
            "SELECT g.model, k.domain, SUM(g.ideas) AS ideas, SUM(g.judgments) AS judgments,"
            " SUM(g.pairs) AS pairs, SUM(g.refused_twice + g.long) AS excluded, SUM(g.failed) AS"
            " failed, SUM((? * (? - 1) - (? - g.refused_twice - g.long) * (? - g.refused_twice -"
            " g.long - 1)) / 2) AS spare FROM bench_groups g JOIN bench_keywords k ON k.run = g.run"
            " AND k.n = g.keyword WHERE g.run = ? GROUP BY g.model, k.domain",
            *(ideas,) * 4,
            run,
        )

    def means(self, run: str) -> dict[str, float]:
        """Return the mean of all scores that were given, by dimension and `fluency`; what nobody
        scored is left out.
        """
        rows = self._db.tuples(
            "SELECT what, SUM(value * n) * 1.0 / SUM(n) FROM bench_scores WHERE run = ? AND what !="
            " 'words' GROUP BY what",
            run,
        )
        return dict(rows)

    def accepted(
        self, run: str, model: int | None = None, keywords: Sequence[int] | None = None
    ) -> tuple[int, int]:
        """Return how many ideas were accepted, and how many of them judged, of one model or all,
        for these keywords or all.
        """
        few = keywords is not None and len(keywords) <= FEW and model is None
        # With the models named too, the rows of a few keywords are found by the table's key.
        models = "SELECT model FROM bench_tally WHERE run = ? AND kind = 'idea'"
        chosen = {
            "model = ?": model,
            f"keyword {AMONG}": dump(keywords),
            f"model IN ({models})": run if few else None,
        }
        where, values = narrow("run = ?", [run], chosen)
        ((ideas, rated),) = self._db.tuples(
            "SELECT coalesce(sum(ideas), 0), coalesce(sum(rated), 0) FROM bench_groups WHERE"
            f" {where}",
            *values,
        )
        return ideas, rated

    def keywords_judged(self, run: str) -> int:
        """Return for how many keywords there is any judgment."""
        return self._db.number(
            "SELECT count(DISTINCT keyword) FROM bench_groups WHERE run = ? AND judgments > 0",
            run,
        )

    def lost(
        self, run: str, state: str, model: int | None = None, keywords: Sequence[int] | None = None
    ) -> int:
        """Return how many cells `failed` or were `excluded`, of one model's ideas or all, for these
        keywords or all.
        """
        if keywords is None:
            where, values = narrow("run = ? AND state = ?", [run, state], {"model = ?": model})
            return self._db.number(f"SELECT sum(n) FROM bench_tally WHERE {where}", *values)
        what = {"failed": "failed", "excluded": "refused_twice + long"}[state]
        chosen = {"model = ?": model, f"keyword {AMONG}": dump(keywords)}
        where, values = narrow("run = ?", [run], chosen)
        return self._db.number(f"SELECT sum({what}) FROM bench_groups WHERE {where}", *values)

    def details(self, run: str) -> dict[tuple[int, int], GroupDetail]:
        """Return what agreement and severity are made from, by (model, keyword)."""
        rows = self._db.tuples(
            "SELECT model, keyword, detail FROM bench_groups WHERE run = ? ORDER BY model, keyword",
            run,
        )
        return {
            (model, keyword): GroupDetail.model_validate_json(detail)
            for model, keyword, detail in rows
        }

    def scores(self, run: str) -> list[tuple[int, str, str, int, int]]:
        """Return (model, judge, what, value, how often): what is a dimension, `fluency`, or `words`
        (the lower end of ten words, no judge).
        """
        find = "SELECT model, judge, what, value, n FROM bench_scores WHERE run = ?"
        return self._db.tuples(find, run)

    def usage(self, run: str) -> list[BenchUsage]:
        """Return what each model took in each role."""
        columns = ", ".join(BenchUsage.model_fields)
        find = f"SELECT {columns} FROM bench_usage WHERE run = ? ORDER BY model, role"
        return self._db.build(BenchUsage, find, run)

    def pace(self, run: str, minutes: int = 60) -> list[tuple[str, int, float]]:
        """Return (minute in UTC, calls that ended in it, seconds they took) for the last minutes in
        which any ended, oldest first.
        """
        latest = self._db.tuples(
            "SELECT minute, calls, seconds FROM bench_pace WHERE run = ? ORDER BY minute DESC"
            " LIMIT ?",
            run,
            minutes,
        )
        return latest[::-1]

    def proxies(self, run: str) -> tuple[int, int]:
        """Return how many pairs of ideas there are, and of how many the proxy of fluency is not
        computed yet.
        """
        ((pairs, computed),) = self._db.tuples(
            "SELECT (SELECT total(n) FROM bench_tally WHERE run = ?1 AND kind = 'fluency'),"
            " (SELECT total(proxies) FROM bench_groups WHERE run = ?1)",
            run,
        )
        return int(pairs), int(pairs - computed)

    def stamp(self, run: str) -> str:
        """Return what changes whenever a cell settles or fails, a keyword is counted to another
        domain or a proxy is computed; reads sums only.
        """
        row = self._db.row(
            "SELECT (SELECT group_concat(kind || ' ' || model || ' ' || state || ' ' || n) FROM"
            " (SELECT * FROM bench_tally WHERE run = ?1 AND n != 0 AND state IN ('done', 'failed',"
            " 'excluded') ORDER BY kind, model, state)) AS settled, (SELECT total(calls) FROM"
            " bench_usage WHERE run = ?1) AS calls, (SELECT total(proxies) || ' ' || total(proxy)"
            " FROM bench_groups WHERE run = ?1 AND proxies > 0) AS proxies, (SELECT"
            " group_concat(domain, char(10)) FROM (SELECT domain FROM bench_keywords WHERE run = ?1"
            " ORDER BY n)) AS domains",
            run,
        )
        return digest(row)

    # -- writing, inside a transaction that is already open ------------------------------------

    @staticmethod
    def tally_cells(
        connection: sqlite3.Connection, run: str, kind: str, model: int, state: str, by: int
    ) -> None:
        """Count cells of a state up or down."""
        connection.execute(
            "INSERT INTO bench_tally VALUES (?,?,?,?,?) ON CONFLICT DO UPDATE SET n = n +"
            " excluded.n",
            (run, kind, model, state, by),
        )

    @staticmethod
    def move_cells(
        connection: sqlite3.Connection, run: str, moves: Sequence[tuple[BenchCell, str]]
    ) -> None:
        """Count cells from their states to others."""
        changed: Counter[tuple[str, int, str]] = Counter()
        for cell, after in moves:
            whose = cell.kind, cell.model
            changed[*whose, cell.state] -= 1
            changed[*whose, after] += 1
        for (kind, model, state), by in changed.items():
            Sums.tally_cells(connection, run, kind, model, state, by)

    @staticmethod
    def count_scores(
        connection: sqlite3.Connection, run: str, settled: Sequence[tuple[BenchCell, Settled]]
    ) -> None:
        """Count what answers scored, and how long ideas are."""
        counted: Counter[tuple[int, str, str, int]] = Counter()
        for cell, one in settled:
            judge = "" if cell.kind == "idea" else cell.asked
            counted.update(
                (cell.model, judge, what, value)
                for what, value in zip(BENCH_DIMENSIONS, one.scores or (), strict=False)
            )
            if one.fluency:
                counted[cell.model, judge, "fluency", one.fluency] += 1
            if cell.kind == "idea" and one.state == "done" and one.words is not None:
                counted[cell.model, judge, "words", one.words // BIN * BIN] += 1
        connection.executemany(
            "INSERT INTO bench_scores VALUES (?,?,?,?,?,?) ON CONFLICT DO UPDATE SET n = n +"
            " excluded.n",
            [(run, *what, n) for what, n in counted.items()],
        )

    @staticmethod
    def book_usage(
        connection: sqlite3.Connection,
        run: str,
        spent: Sequence[tuple[BenchCell, Sequence[Call]]],
        at: str,
    ) -> None:
        """Book the calls of cells to the models' roles, and to the minute they ended in."""
        roles: dict[tuple[str, str], list[Call]] = defaultdict(list)
        for cell, several in spent:
            roles[cell.asked, cell.kind].extend(several)
        for (name, role), calls in roles.items():
            if calls:
                Sums._booked(connection, run, name, role, calls, at)

    @staticmethod
    def _booked(
        connection: sqlite3.Connection,
        run: str,
        name: str,
        role: str,
        calls: Sequence[Call],
        at: str,
    ) -> None:
        seconds = sum(call.latency for call in calls)
        connection.execute(
            "INSERT INTO bench_usage VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET"
            " calls = calls + excluded.calls, accepted = accepted + excluded.accepted, tokens_in ="
            " tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out,"
            " unreported = unreported + excluded.unreported, cost = cost + excluded.cost, unpriced"
            " = unpriced + excluded.unpriced, seconds = seconds + excluded.seconds, silent = silent"
            " + excluded.silent",
            (
                run,
                name,
                role,
                len(calls),
                sum(call.outcome == "accepted" for call in calls),
                sum(call.tokens_in or 0 for call in calls),
                sum(call.tokens_out or 0 for call in calls),
                sum(call.tokens_expected for call in calls),
                sum(call.cost or 0.0 for call in calls),
                sum(call.cost is None for call in calls),
                seconds,
                silent(calls),
            ),
        )
        connection.execute(
            "INSERT INTO bench_pace VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls +"
            " excluded.calls, seconds = seconds + excluded.seconds",
            (run, at[:16], len(calls), seconds),
        )

    @staticmethod
    def sum_groups(connection: sqlite3.Connection, run: str, cells: Iterable[BenchCell]) -> None:
        """Make the sums of these cells' models and keywords anew, and each idea's own means."""
        for model, keyword in sorted({(cell.model, cell.keyword) for cell in cells}):
            Sums.sum_cells(connection, run, model, keyword)

    @staticmethod
    def sum_cells(connection: sqlite3.Connection, run: str, model: int, keyword: int) -> None:
        """Make the sums of one model for one keyword anew from its cells, and each idea's own
        means.
        """
        rows = [
            dict(row)
            for row in connection.execute(
                "SELECT id, kind, n, m, asked, state, refusals, why, words, reply_length,"
                " thoughts_length, originality, feasibility, clarity, fluency, proxy FROM"
                " bench_cells WHERE run = ? AND model = ? AND keyword = ?",
                (run, model, keyword),
            ).fetchall()
        ]
        given = judgments(rows)
        ideas = [row for row in rows if row["kind"] == "idea" and row["state"] == "done"]
        connection.executemany(
            "UPDATE bench_cells SET judged = ?, originality = ?, feasibility = ?, clarity = ?,"
            " score = ? WHERE id = ?",
            [(*_means(given.get(row["n"], ())), row["id"]) for row in ideas],
        )
        sums = sum_group(model, keyword, rows, given)
        connection.execute(
            f"INSERT OR REPLACE INTO bench_groups (run, {GROUP}, detail) VALUES"
            f" (?,{','.join('?' * len(sums))},?)",
            (run, *sums, detail_group(given, rows).model_dump_json()),
        )


def judgments(rows: Sequence[Row]) -> Judgments:
    """Return (judge, scores) of every judgment that was given, by idea."""
    found: Judgments = defaultdict(list)
    for row in rows:
        if row["kind"] == "judge" and row["state"] == "done":
            scores = tuple(row[name] for name in BENCH_DIMENSIONS)
            found[row["n"]].append((row["asked"], scores))
    return found


def _means(given: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[float | None, ...]:
    if not given:
        return 0, None, None, None, None
    by_dimension = zip(*(scores for _, scores in given), strict=True)
    means = [fmean(values) for values in by_dimension]
    return len(given), *means, fmean(means)


def sum_group(model: int, keyword: int, rows: Sequence[Row], given: Judgments) -> GroupSums:
    """Return the sums of one model's cells for one keyword."""
    ideas = [row for row in rows if row["kind"] == "idea"]
    scores = [one for several in given.values() for _, one in several]
    pairs = [row["fluency"] for row in rows if row["kind"] == "fluency" and row["state"] == "done"]
    proxies = [row["proxy"] for row in rows if row["proxy"] is not None]
    lengths = [
        (row["words"] or 0, _means(given[row["n"]])[-1] or 0.0)
        for row in ideas
        if row["state"] == "done" and given.get(row["n"])
    ]
    return GroupSums(
        model,
        keyword,
        sum(row["state"] == "done" for row in ideas),
        len(scores),
        float(sum(one[0] for one in scores)),
        float(sum(one[1] for one in scores)),
        float(sum(one[2] for one in scores)),
        len(pairs),
        float(sum(pairs)),
        len(proxies),
        float(sum(proxies)),
        sum(row["refusals"] > 0 and row["state"] in ("done", "excluded") for row in ideas),
        sum(row["why"] == "refused" and row["state"] == "excluded" for row in ideas),
        sum(row["why"] == "long" and row["state"] == "excluded" for row in ideas),
        sum(row["state"] == "failed" for row in rows),
        len(lengths),
        float(sum(w for w, _ in lengths)),
        float(sum(w * w for w, _ in lengths)),
        sum(s for _, s in lengths),
        sum(s * s for _, s in lengths),
        sum(w * s for w, s in lengths),
    )


def detail_group(given: Judgments, rows: Sequence[Row]) -> GroupDetail:
    """Return what agreement and severity are made from, over ideas with two judgments or more, and
    every judged idea's own figures.
    """
    n, x, xx, within = 0, [0.0] * 3, [0.0] * 3, [0.0] * 3
    judges: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    for judgments_of_idea in given.values():
        k = len(judgments_of_idea)
        if k < 2:
            continue
        n += k
        for name, _ in judgments_of_idea:
            judges[name][0] += 1
        for d in range(3):
            scores = [scored[d] for _, scored in judgments_of_idea]
            total, mean = sum(scores), fmean(scores)
            x[d] += total
            xx[d] += sum(s * s for s in scores)
            within[d] += 2 * k * sum((s - mean) ** 2 for s in scores) / (k - 1)
            for (name, _), s in zip(judgments_of_idea, scores, strict=True):
                judges[name][1 + d] += s - (total - s) / (k - 1)
    ideas = [
        row
        for row in rows
        if row["kind"] == "idea" and row["state"] == "done" and row["n"] in given
    ]
    return GroupDetail(
        n=n,
        x=tuple(x),
        xx=tuple(xx),
        within=tuple(within),
        judges={name: (a, b, c, e) for name, (a, b, c, e) in sorted(judges.items())},
        ideas=tuple(
            (*_means(given[row["n"]])[1:4], row["reply_length"], row["thoughts_length"])
            for row in ideas
        ),
    )
