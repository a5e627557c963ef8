"""The figures InfAL published, as findings: means without intervals, and the slips that are
known.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.experiments.findings import Findings, Measured, What, named
from core.experiments.tables import tables
from core.records import Table, Value
from core.statistics.paired import improvement

FILE = Path(__file__).parents[2] / "assets" / "experiments" / "infal_tables.json"
MARKED = "as published"
METHODS = {
    "initial": "initial",
    "self_reflection": "self-reflection",
    "infal": "infal",
    "without_discriminator": "no-discriminator",
    "without_optimizer": "no-optimizer",
    "full": "infal",
}
INDICATORS = ("novelty", "feasibility")
BARE = "Published without intervals."
NOTES = {
    "quality": (
        f"{BARE} The paper's text calls the change of GPT-4o's feasibility a 322 % increase; that"
        " is the ratio 0.550 / 0.171, the increase is 221.6 %. GPT-4o Mini's novelty of 0.960 lies"
        " above every category of table 11 (0.887 to 0.918)."
    ),
    "convergence": BARE,
    "ablation": f"{BARE} 100 target papers.",
    "repeatability": "5 repeats, 100 target papers.",
    "judges": BARE,
    "tests": "The paper does not name its test.",
    "costs": BARE,
    "rounds": BARE,
    "categories": (
        f"{BARE} 65 papers a category; the dataset sizes stated elsewhere sum to 900, not 500."
        " Table 12 (feasibility, initial idea) has the same row for Health and Medicine and for"
        " Environmental Sciences in five of its six columns."
    ),
}
"""What a reader must know, by table; the known slips among it, said and not repeated."""
Rows = list[dict[str, Any]]


def published(tables: Mapping[str, Any]) -> Findings:
    """Return the published figures as findings; `tables` holds `table1` .. `table14`, each with its
    rows.
    """
    rows: dict[str, Rows] = {
        name: table["rows"] for name, table in tables.items() if name.startswith("table")
    }
    return Findings(
        title="InfAL as published",
        quality=tuple(_quality(rows["table1"])),
        convergence=tuple(_convergence(rows["table2"])),
        ablation=tuple(_ablation(rows["table3"])),
        repeatability=tuple(_repeats(rows["table4"])),
        judges=tuple(_judges(rows["table5"])),
        tests=tuple(_tests(rows["table6"])),
        costs=tuple(_costs(rows["table7"])),
        rounds=tuple(_rounds(rows["table8"])),
        categories=tuple(one for n in range(9, 15) for one in _categories(tables[f"table{n}"])),
        notes=NOTES,
    )


@cache
def shipped() -> Findings:
    """Return the published figures that come with the program."""
    return published(json.loads(FILE.read_text("utf-8")))


def beside(found: Findings) -> dict[str, Table]:
    """Return the published tables that stand beside an experiment's own, by the name of that one,
    each marked as published.

    There is one where both have that table, and some method and some quality in it.
    """
    held = {table.name: table for table in tables(shipped())}
    theirs = shipped().quality + shipped().ablation
    for field in ("method", "indicator"):
        ours = set(named(found.quality, field))
        if ours.isdisjoint(named(theirs, field)):
            return {}
    names = [table.name for table in tables(found)]
    return {name: _mark(held[name]) for name in names if name in held}


def _mark(table: Table) -> Table:
    """Return a published table under a name and a title that no table of one's own has."""
    marks = {
        "name": f"published-{table.name}",
        "title": f"{table.title}, {MARKED}",
        "note": f"InfAL, {MARKED}. {table.note}",
    }
    return table.model_copy(update=marks)


def _quality(rows: Rows) -> Iterator[Measured]:
    first = {row["model"]: row for row in rows if row["method"] == "initial"}
    for row in rows:
        for indicator in INDICATORS:
            of = {"method": METHODS[row["method"]], "model": row["model"], "indicator": indicator}
            q = row[f"q_{indicator}"]
            yield _figure("q", of, q)
            before = first.get(row["model"])
            if row["method"] != "initial" and before:
                change = improvement(before[f"q_{indicator}"], q)
                yield _figure("change", of, change, unit="change", digits=1)


def _convergence(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        of = {"method": "infal", "model": row["model"], "indicator": row["indicator"]}
        yield _figure("rounds", of, row["median_iterations"], digits=0)
        yield _figure("converged", of, row["converged_within_10"], unit="percent")


def _ablation(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            of = {"method": METHODS[row["variant"]], "model": "GPT-4o", "indicator": indicator}
            yield _figure("q", of, row[f"q_{indicator}"])
            yield _figure("rounds", of, row[f"iters_{indicator}"], digits=0)


def _repeats(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        of = {"method": "infal", "model": "GPT-4o", "indicator": row["indicator"]}
        q, half = row["q"], row["ci95_half"]
        low, high = q - half, q + half
        yield _figure("q", of, q, low=low, high=high, n=5, counted="repeats")
        yield _figure("deviation", of, row["std"])
        yield _figure("variance", of, row["variance"], digits=8)


def _judges(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            of = {"method": "infal", "model": "GPT-4o", "indicator": indicator}
            yield _figure("q", {**of, "judge": row["ranker"]}, row[f"q_{indicator}"])


def _tests(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            of = {
                "method": "infal",
                "against": "self-reflection",
                "model": row["model"],
                "indicator": indicator,
            }
            yield _figure("test", of, text="not named")
            yield _figure("p", of, row[f"p_{indicator}"], unit="p")


def _costs(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        of = {"method": "infal", "model": row["model"]}
        yield _figure("cost", of, row["usd"], unit="dollars", digits=2)


def _rounds(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for method in ("self_reflection", "infal"):
            whose = {"model": row["model"], "indicator": row["indicator"]}
            yield _figure("rounds", {"method": METHODS[method], **whose}, row[method], digits=0)


def _categories(table: Mapping[str, Any]) -> Iterator[Measured]:
    whose = {"method": METHODS[table["method"]], "indicator": table["indicator"]}
    for row in table["rows"]:
        for model in (name for name in row if name != "category"):
            of = {**whose, "model": model, "category": row["category"]}
            yield _figure("q", of, row[model])


def _figure(what: What, of: Mapping[str, str], mean: float | None = None, **value: Any) -> Measured:
    return Measured(what=what, value=Value(mean=mean, **value), **of)
