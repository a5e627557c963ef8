"""The shape of an answer as model servers take it: strict, self-contained, constraints in words."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from core import prompts

SCHEMAS = prompts.HERE / "schemas"
_WORDS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "pattern": "matching {}",
}
"""Constraints some servers refuse in a schema; the reply is checked against all of them afterwards.
"""
_UNSAID = {("minLength", 1), ("maxLength", 20_000)}
"""What every Text has; naming it for each field would cost more than it helps."""
_DROPPED = ("title", "default", "$defs", "uniqueItems", "format")


@cache
def schema_of(returns: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a reply, as it is sent and hashed.

    The replies of methods have theirs pinned in `core/prompts/schemas`, titles and descriptions
    included: a request's hash holds it, and a reworded docstring would make another request.
    """
    pinned = SCHEMAS / f"{returns.__name__}.json"
    if pinned.is_file():
        schema: dict[str, Any] = json.loads(pinned.read_text("utf-8"))
        return schema
    return returns.model_json_schema()


@cache
def strict_schema(returns: type[BaseModel]) -> dict[str, object]:
    """Return the JSON schema of `returns` with every property required, none added, references
    filled in.
    """
    whole = schema_of(returns)
    made = _strict(whole, whole.get("$defs", {}))
    assert isinstance(made, dict)
    return made


@cache
def in_words(returns: type[BaseModel] | None, constrained: bool) -> str:
    """Return how to answer, nothing for free text; the schema is spelled out unless the server is
    `constrained` by it anyway.
    """
    if returns is None:
        return ""
    how = "Answer with exactly one JSON object and nothing before or after it."
    if constrained:
        return how
    return (
        f"{how} It must fit this JSON schema, with every property"
        f" present:\n{json.dumps(strict_schema(returns), ensure_ascii=False)}"
    )


def _strict(node: object, shared: Mapping[str, object]) -> object:
    if isinstance(node, list):
        return [_strict(part, shared) for part in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = shared[reference.rsplit("/", 1)[1]]
        assert isinstance(target, dict)
        beside = {name: part for name, part in node.items() if name != "$ref"}
        return _strict({**target, **beside}, shared)
    made: dict[str, object] = {}
    for name, part in node.items():
        if name not in (*_DROPPED, *_WORDS, "properties", "description"):
            made[name] = _strict(part, shared)
    if said := _description(node):
        made["description"] = said
    if isinstance(properties := node.get("properties"), dict):
        made["properties"] = {name: _strict(part, shared) for name, part in properties.items()}
        made["required"] = list(properties)
        made["additionalProperties"] = False
    return made


def _description(node: Mapping[str, object]) -> str:
    limits = [
        words.format(node[name])
        for name, words in _WORDS.items()
        if name in node and (name, node[name]) not in _UNSAID
    ]
    parts = [str(node.get("description", ""))]
    if limits:
        parts.append(f"({', '.join(limits)})")
    return " ".join(filter(None, parts))
