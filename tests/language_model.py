"""What a well-behaved language model would answer on the wire, from the request alone: script for tests.openai_server."""
import hashlib
import itertools
import json
import random
import re
from typing import Any

from tests.schema_instances import Body, asked_schema, instance

IDS = re.compile(r"\[([\w:.\-/]+)\]")


def scholarly(body: Body) -> dict[str, Any]:
    """Answer every prompt of the main job in its own shape: ids come from the material, candidates are relevant, ideas are new.

    Version n of an idea says so in its title; versions 1 to 3 are improvements, later ones are not.
    """
    schema, said = asked_schema(body), body["messages"][1]["content"]
    assert schema
    dice = random.Random(hashlib.sha256(json.dumps(body["messages"]).encode()).digest())
    reply: dict[str, Any] = instance(schema, dice, schema.get("$defs", {}))
    match tuple(sorted(schema["properties"])):
        case ("queries",):
            reply["queries"] = [_between(said, "topic")[:80]]
        case ("reason", "relevant"):
            reply["relevant"] = True
        case ("id", "reason"):
            reply["id"] = IDS.findall(_between(said, "references"))[0]
        case ("steps", "summary"):
            ids = IDS.findall("\n".join(line for line in _between(said, "chain").splitlines() if re.match(r"\d+\. \[", line)))
            reply["steps"] = [{"earlier": a, "later": b, "how": f"From {a} to {b}."} for a, b in itertools.pairwise(ids)]
        case ("nearest", "overlap", "reason", "similar"):
            reply |= {"similar": False, "nearest": None}
        case ("remarks", "summary"):
            reply["remarks"] = [{"id": "r1", "text": "Name the mechanism.", "trait": ""}]
        case ("changes", *_):
            reply |= {"title": f"Version {_version(_between(said, 'idea')) + 1}", "changes": []}
        case ("improved", "reason"):
            reply["improved"] = _version(_between(said, "newer")) <= 3
    return reply


def forever(body: Body) -> dict[str, Any]:
    """Answer like `scholarly`, but find every version an improvement, so that a refinement runs to its last round."""
    reply = scholarly(body)
    return reply | {"improved": True} if "improved" in reply else reply


def _between(text: str, tag: str) -> str:
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return found.group(1) if found else ""


def _version(idea: str) -> int:
    found = re.search(r"Version (\d+)", idea)
    return int(found.group(1)) if found else 0
