"""Pinned schemas: what a request says of the reply it wants, whatever a class is called by now."""

import ast
import importlib
import json
from functools import cache
from typing import Any

import pytest
from pydantic import BaseModel

from core.benchmark.conducting.answers import Scored
from core.judging.arena.competition import ASKED
from core.models.schema import SCHEMAS, schema_of
from core.records import (
    Choice,
    HeadedIdea,
    Hypothesis,
    Keywords,
    LiteratureReview,
    NoveltyVerdict,
    Outlook,
    PlannedHeadedIdea,
    PlannedHypothesis,
    Reflection,
    Relevance,
    SideEffect,
    WeighedChoice,
    WeighedRelevance,
    WeighedVerdict,
)
from core.studies.model_replies import REPLIES
from tests import ROOT

CORE = ROOT / "core"
CHOSEN = (
    *(returns for _, returns in ASKED.values()),
    *REPLIES.values(),
    *(HeadedIdea, PlannedHeadedIdea, Hypothesis, PlannedHypothesis),
    *(Choice, WeighedChoice, Relevance, WeighedRelevance, NoveltyVerdict, WeighedVerdict),
    *(Keywords, LiteratureReview, Scored, Outlook, Reflection, SideEffect),
)
"""Classes of replies that a method chooses between, or asks for by a function of its own."""
PINNED = sorted(path.stem for path in SCHEMAS.glob("*.json"))


@cache
def asked_for() -> dict[str, type[BaseModel]]:
    """Return every class of a reply that core asks a model or a person for, by its name."""
    found = {one.__name__: one for one in CHOSEN}
    for path in CORE.rglob("*.py"):
        named = {
            call.args[1].id
            for call in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in ("ask", "person")
            and len(call.args) > 1
            and isinstance(call.args[1], ast.Name)
        }
        names = [name for name in named if name[0].isupper()]
        if names:
            place = path.relative_to(CORE.parent).with_suffix("").parts
            module = importlib.import_module(".".join(place).removesuffix(".__init__"))
            found |= {name: getattr(module, name) for name in names}
    return found


def bones(schema: dict[str, Any]) -> object:
    """Return a schema without its words: titles and descriptions gone, references filled in."""

    def plain(node: object) -> object:
        if isinstance(node, list):
            return [plain(part) for part in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return plain(schema["$defs"][node["$ref"].rsplit("/", 1)[1]])
        return {
            name: {key: plain(part) for key, part in inner.items()}
            if name == "properties"
            else plain(inner)
            for name, inner in node.items()
            if name not in ("title", "description", "$defs")
        }

    return plain(schema)


def test_a_pinned_schema_is_of_a_reply_that_is_asked_for():
    assert set(PINNED) == set(asked_for()), "python -m tests.test_schemas NAME pins a new one"


@pytest.mark.parametrize("name", PINNED)
def test_a_reply_has_its_schema_pinned_and_still_has_its_fields(name):
    returns = asked_for()[name]
    assert bones(schema_of(returns)) == bones(returns.model_json_schema())
    assert list(schema_of(returns)["properties"]) == list(returns.model_json_schema()["properties"])


def main(names: list[str]) -> None:
    """Pin the schemas of new classes; one that is pinned stays, since runs are hashed with it."""
    for name in names:
        path = SCHEMAS / f"{name}.json"
        if path.exists():
            raise SystemExit(f"{path} is there: stored runs are hashed with it.")
        schema = asked_for()[name].model_json_schema()
        path.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
