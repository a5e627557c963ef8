"""Made-up values that fit a JSON schema, for servers that play a language model."""

import json
import random
from typing import Any

Body = dict[str, Any]
WORDS = (
    "sparse",
    "retrieval",
    "review",
    "memory",
    "chain",
    "evidence",
    "causal",
    "sampling",
    "novelty",
    "search",
    "critique",
    "signal",
    "operator",
    "sleep",
    "solver",
    "graph",
    "feedback",
    "budget",
    "teacher",
    "debate",
    "protein",
    "boundary",
    "planning",
    "contrast",
    "mesh",
    "attention",
    "trial",
    "cohort",
    "prior",
    "reward",
)


def asked_schema(body: Body) -> Body | None:
    """Return the JSON schema of a request, wherever it stands; None where there is none."""
    given = body.get("response_format") or {}
    if schema := (given.get("json_schema") or {}).get("schema") or given.get("schema"):
        return dict(schema)
    for said in body["messages"]:
        _, found, rest = str(said["content"]).partition(
            "JSON schema, with every property present:\n"
        )
        if found:
            return dict(json.loads(rest))
    return None


def instance(schema: Body, dice: random.Random, shared: Body) -> Any:
    """Return a value that fits a JSON schema."""
    if "$ref" in schema:
        return instance(shared[schema["$ref"].rsplit("/", 1)[1]], dice, shared)
    if "enum" in schema or "const" in schema:
        return dice.choice(schema.get("enum") or [schema["const"]])
    if options := schema.get("anyOf"):
        return instance(next(o for o in options if o.get("type") != "null"), dice, shared)
    match schema.get("type"):
        case "object":
            return {
                name: instance(part, dice, shared)
                for name, part in schema.get("properties", {}).items()
            }
        case "array":
            return [
                instance(schema.get("items", {"type": "string"}), dice, shared)
                for _ in range(max(2, schema.get("minItems", 0)))
            ]
        case "boolean":
            return dice.random() < 0.5
        case "integer":
            return dice.randint(int(schema.get("minimum", 1)), int(schema.get("maximum", 10)))
        case "number":
            return round(dice.uniform(schema.get("minimum", 0), schema.get("maximum", 1)), 3)
        case "null":
            return None
    return sentence(dice)


def sentence(dice: random.Random) -> str:
    """Return a readable sentence of nine drawn words, so that two are hardly ever the same."""
    return " ".join(dice.choice(WORDS) for _ in range(9)).capitalize() + "."
