"""The figures EvoIdeator published, beside those of an experiment of one's own."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from core.records import ITEMS, Table, Value
from core.tables.cells import make_table

FILE = Path(__file__).parents[3] / "assets" / "experiments" / "evoideator_tables.json"
MARKED = "as published"
NOTE = (
    "EvoIdeator, as published: other models and questions than here, and scored by another judge,"
    " {scorer}, so that figures are not to be compared one by one. n = {questions} at most: ideas"
    " that could not be read were left out."
)
OF_ITEMS = (
    " Directives by DeepSeek R1 Distill (70B). Layout is left out there, since nearly all ideas had"
    " it; with Layout at 1, EvoIdeator's items add up to the sums of table 2."
)
OF_PROVIDERS = (
    " The generator is EvoIdeator. Its first ideas were written anew for each provider; here all"
    " providers are given the same."
)


@cache
def shipped() -> dict[str, Any]:
    """Return the published figures that come with the program."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def beside() -> dict[str, Table]:
    """Return the published tables by the name of the table of one's own that they belong to, each
    marked as published.
    """
    held = shipped()
    note = NOTE.format(scorer=held["scorer"], questions=held["questions"])
    names = [item.name for item in ITEMS if item.name in held["table1"][0]["items"]]
    items = [
        (str(row["step"]), row["generator"], *(_value(row["items"][name]) for name in names))
        for row in held["table1"]
    ]
    providers = [(row["provider"], *map(_value, row["steps"])) for row in held["table2"]]
    return {
        "checklist-items": make_table(
            "published-checklist-items",
            f"Mean score per item, {MARKED}",
            ("Step", "Model", *(name.capitalize() for name in names)),
            items,
            note + OF_ITEMS,
        ),
        "checklist-providers": make_table(
            "published-checklist-providers",
            f"Sum over items by provider of directives, {MARKED}",
            ("Directives by", "Step 0", "Step 1"),
            providers,
            note + OF_PROVIDERS,
        ),
    }


def _value(figure: list[float]) -> Value:
    mean, half = figure
    return Value(mean=mean, low=mean - half, high=mean + half, digits=2)
