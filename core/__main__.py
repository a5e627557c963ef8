"""The command line: everything the screens do, headless. `python -m core --help`."""

import json
import logging
import os
import sys
from functools import cache
from typing import Any

from core import settings
from core.commands import (
    Parser,
    Verbs,
    agreement,
    arena,
    benchmarking,
    chaining,
    datasets,
    editing,
    entering,
    evolving,
    experimenting,
    nothing,
    own_literature,
    packing,
    refining,
    running,
    shared,
    studying,
)
from core.errors import FoundryError, Parked
from core.runs.workshop import Workshop

PRINTED = ("listed", "imported", "attached", "analysed")
"""States of documents about no run that are printed."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns 0 done, 2 bad input, 3 failed at a boundary, 4 parked."""
    given = sys.argv[1:] if argv is None else argv
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        args = parser().parse_args(given)
        document, code = args.command(Workshop(settings.read(data=args.data)), args)
    except FoundryError as error:
        document, code = {**nothing("refused"), "reason": str(error)}, error.exit_code
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        said = "Interrupted. `python -m core resume ID` goes on from here."
        document, code = {**nothing("interrupted"), "reason": said}, Parked.exit_code
        print(said, file=sys.stderr)
    if "--json" in given:
        print(json.dumps(document, indent=1))
    elif document["run"] or document["state"] in PRINTED:
        print(readable(document))
    return int(code)


def piped() -> int:
    """Run `main`; a reader that has seen enough, such as `head`, ends it quietly."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


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


@cache
def parser() -> Parser:
    """Return the parser of the whole command line; making it takes a twentieth of a second."""
    whole = Parser(prog="python -m core", description=__doc__, allow_abbrev=False)
    verbs = Verbs(whole.add_subparsers(required=True, metavar="COMMAND"), shared())
    for room in (
        agreement,
        arena,
        benchmarking,
        chaining,
        datasets,
        editing,
        entering,
        evolving,
        experimenting,
        refining,
        running,
        studying,
        own_literature,
        packing,
    ):
        room.words(verbs)
    return whole


if __name__ == "__main__":
    sys.exit(piped())
