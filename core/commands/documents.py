"""What a command prints: a document, as JSON or as a person reads it."""

import json
from typing import Any

PRINTED = ("listed", "imported", "attached", "analysed")
"""States of documents about no run that are printed."""


def nothing(state: str) -> dict[str, Any]:
    """Return a document about no run."""
    return {"run": None, "state": state, "calls": 0, "tokens": {"in": 0, "out": 0}, "cost": 0}


def readable(document: dict[str, Any]) -> str:
    """Return a document as a person reads it, with the commands that go on from it as they are
    copied.
    """
    if isinstance(
        document.get("runs"), list
    ):  # In the document of an experiment they stand by name.
        rows = [
            f"{one['run']}  {_standing(one):<12} {one['method']:<7} {_made(one)} "
            f" {one['title'][:80]}"
            for one in document["runs"]
        ]
        return "\n".join(rows) or "No runs yet."
    if "in_words" in document:
        return str(document["in_words"])
    shown = {
        name: value
        for name, value in document.items()
        if name != "next" and value not in (None, [], {}, "")
    }
    commands = document.get("next", ())
    heading = "To answer:" if document["state"] == "waiting" else "To go on:"
    return "\n".join(
        (
            json.dumps(shown, ensure_ascii=False, indent=1),
            *((heading, *commands) if commands else ()),
        )
    )


def _standing(one: dict[str, Any]) -> str:
    return "no result" if one.get("result") is False else str(one["state"])


def _made(one: dict[str, Any]) -> str:
    # A benchmark has no steps; its answers stand in cells.
    return f"{one['calls']:>4} calls" if one["method"] == "bench" else f"{one['steps']:>4} steps"
