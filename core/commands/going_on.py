"""The very command that goes on with a run that rests, ready to be copied."""

import os
import shlex
import sys
from pathlib import Path
from typing import Any

from core import settings
from core.records import Run
from core.runs.catalogue import entry
from core.runs.workshop import Workshop
from core.store import Store
from core.store.answers import OpenQuestion

RESTING = ("stopped", "interrupted", "failed")
"""States in which resuming, and nothing else, goes on."""


def with_commands(shop: Workshop, document: dict[str, Any]) -> dict[str, Any]:
    """Return a run's document with the commands that go on with it, where it rests."""
    data = shop.settings.data
    elsewhere = None if data == settings.read().data else data
    return {
        **document,
        "next": commands(shop.store, shop.store.runs.get(document["run"]), elsewhere),
    }


def commands(store: Store, run: Run, data: Path | None) -> list[str]:
    """Return a command for each question that a run waits for, or the one that resumes it."""
    if run.state == "waiting":
        return [
            spell(
                data,
                "answer",
                run.id,
                one.key,
                *(("--confirm",) if proposal(one) is not None else ()),
            )
            for one in store.answers.open(run.id)
        ]
    verb = ("bench", "resume") if entry(run.config).cells else ("resume",)
    return [spell(data, *verb, run.id)] if run.state in RESTING and not run.packed else []


def proposal(question: OpenQuestion) -> dict[str, object] | None:
    """Return the answer a question proposes, or the empty one where that will do; None where a
    person has to say something.
    """
    shown = question.question["shown"]
    if isinstance(shown, dict) and isinstance(proposed := shown.get("proposed"), dict):
        return proposed
    return {} if not schema_of(question).get("required") else None


def schema_of(question: OpenQuestion) -> dict[str, object]:
    """Return the schema of the answer that a question takes."""
    schema = question.question["schema"]
    assert isinstance(schema, dict)
    return schema


def spell(data: Path | None, *words: str) -> str:
    """Spell a command as it was begun: by the same interpreter, on the same data folder."""
    return shlex.join(
        (interpreter(), "-m", "core", *words, *(("--data", str(data)) if data else ()))
    )


def interpreter() -> str:
    """Return what runs Python here, from the folder we are in where it lies below it."""
    here = os.path.join(os.getcwd(), "")
    return sys.executable.removeprefix(here) or "python"
