"""What a command prints: a document, as JSON or as a person reads it."""

import json
import re
from typing import Any

PRINTED = (
    *("listed", "found", "imported", "attached", "analysed"),
    *("backed-up", "restored", "examined"),
)
"""States of documents about no run that are printed."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What a terminal acts on instead of showing it, or turns the direction of writing at: texts of
papers and models may hold any.
"""


def plain(text: str) -> str:
    """Return a text that a terminal shows and does nothing else with."""
    return CONTROL.sub("\ufffd", text)


def nothing(state: str) -> dict[str, Any]:
    """Return a document about no run."""
    return {"run": None, "state": state, "calls": 0, "tokens": {"in": 0, "out": 0}, "cost": 0}


def readable(document: dict[str, Any]) -> str:
    """Return a document as a person reads it, with the commands that go on from it as they are
    copied.
    """
    # In the document of an experiment its runs stand by name.
    if isinstance(document.get("runs"), list):
        return "\n".join(map(_line, document["runs"])) or "No runs yet."
    if "in_words" in document:
        return str(document["in_words"])
    shown = {
        name: value
        for name, value in document.items()
        if name != "next" and value not in (None, [], {}, "")
    }
    commands = document.get("next", ())
    heading = "To answer:" if document["state"] == "waiting" else "To go on:"
    text = json.dumps(shown, ensure_ascii=False, indent=1)
    return "\n".join((text, heading, *commands)) if commands else text


def _line(run: dict[str, Any]) -> str:
    """Return a run as a line of a list."""
    state = "no result" if run.get("result") is False else run["state"]
    # A benchmark has no steps; its answers stand in cells.
    counted = "calls" if run["method"] == "bench" else "steps"
    made = f"{run[counted]:>4} {counted}"
    return f"{run['run']}  {state:<12} {run['method']:<7} {made}  {run['title'][:80]}"
