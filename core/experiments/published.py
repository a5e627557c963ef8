"""The figures InfAL published, as findings: means without intervals, and the slips that are
known.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.experiments.findings import Findings, Measured, What
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
    both = {
        field: (
            {getattr(one, field) for one in found.quality}
            & {getattr(one, field) for one in shipped().quality + shipped().ablation}
        )
        for field in ("method", "indicator")
    }
    names = (
        [table.name for table in tables(found) if table.name in held] if all(both.values()) else []
    )
    return {name: _marked(held[name]) for name in names}


def _marked(table: Table) -> Table:
    """Return a published table under a name and a title that no table of one's own has."""
    return table.model_copy(
        update={
            "name": f"published-{table.name}",
            "title": f"{table.title}, {MARKED}",
            "note": f"InfAL, {MARKED}. {table.note}",
        }
    )


def _quality(rows: Rows) -> Iterator[Measured]:
    first = {row["model"]: row for row in rows if row["method"] == "initial"}
    for row in rows:
        for indicator in INDICATORS:
            of = {"method": METHODS[row["method"]], "model": row["model"], "indicator": indicator}
            yield _one("q", row[f"q_{indicator}"], **of)
            if row["method"] != "initial" and (before := first.get(row["model"])):
                change = improvement(before[f"q_{indicator}"], row[f"q_{indicator}"])
                yield Measured(
                    what="change", value=Value(mean=change, unit="change", digits=1), **of
                )


def _convergence(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        of = {"method": "infal", "model": row["model"], "indicator": row["indicator"]}
        yield _whole("rounds", row["median_iterations"], **of)
        yield Measured(
            what="converged", value=Value(mean=row["converged_within_10"], unit="percent"), **of
        )


def _ablation(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            of = {"method": METHODS[row["variant"]], "model": "GPT-4o", "indicator": indicator}
            yield _one("q", row[f"q_{indicator}"], **of)
            yield _whole("rounds", row[f"iters_{indicator}"], **of)


def _repeats(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        of = {"method": "infal", "model": "GPT-4o", "indicator": row["indicator"]}
        half = row["ci95_half"]
        yield Measured(
            what="q",
            value=Value(
                mean=row["q"], low=row["q"] - half, high=row["q"] + half, n=5, counted="repeats"
            ),
            **of,
        )
        yield _one("deviation", row["std"], **of)
        yield Measured(what="variance", value=Value(mean=row["variance"], digits=8), **of)


def _judges(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            yield _one(
                "q",
                row[f"q_{indicator}"],
                method="infal",
                model="GPT-4o",
                indicator=indicator,
                judge=row["ranker"],
            )


def _tests(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for indicator in INDICATORS:
            of = {
                "method": "infal",
                "against": "self-reflection",
                "model": row["model"],
                "indicator": indicator,
            }
            yield Measured(what="test", value=Value(text="not named"), **of)
            yield Measured(what="p", value=Value(mean=row[f"p_{indicator}"], unit="p"), **of)


def _costs(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        yield Measured(
            what="cost",
            value=Value(mean=row["usd"], unit="dollars", digits=2),
            method="infal",
            model=row["model"],
        )


def _rounds(rows: Rows) -> Iterator[Measured]:
    for row in rows:
        for method in ("self_reflection", "infal"):
            yield _whole(
                "rounds",
                row[method],
                method=METHODS[method],
                model=row["model"],
                indicator=row["indicator"],
            )


def _categories(table: Mapping[str, Any]) -> Iterator[Measured]:
    for row in table["rows"]:
        for model in (name for name in row if name != "category"):
            yield _one(
                "q",
                row[model],
                method=METHODS[table["method"]],
                model=model,
                indicator=table["indicator"],
                category=row["category"],
            )


def _one(what: What, mean: float, **of: str) -> Measured:
    return Measured(what=what, value=Value(mean=mean), **of)


def _whole(what: What, mean: float, **of: str) -> Measured:
    return Measured(what=what, value=Value(mean=mean, digits=0), **of)
