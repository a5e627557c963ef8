"""The command line: everything the screens do, headless. `python -m core --help`."""
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

from core import settings
from core.commands import (
    Parser,
    Verbs,
    agreement,
    arena,
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
    studying,
)
from core.errors import FoundryError, Parked
from core.workshop import Workshop


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns 0 done, 2 bad input, 3 failed at a boundary, 4 parked."""
    given = sys.argv[1:] if argv is None else argv
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
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
    elif document["run"] or document["state"] in ("listed", "imported", "attached", "analysed"):
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
    """Return a document as a person reads it."""
    if "runs" in document:
        rows = [f"{one['run']}  {one['state']:<12} {one['method']:<7} {one['steps']:>4} steps  {one['title'][:80]}" for one in document["runs"]]
        return "\n".join(rows) or "No runs yet."
    if "in_words" in document:
        return str(document["in_words"])
    shown = {name: value for name, value in document.items() if value not in (None, [], {}, "")}
    return json.dumps(shown, ensure_ascii=False, indent=1)


def parser() -> Parser:
    """Return the parser of the whole command line."""
    common = Parser(add_help=False)
    common.add_argument("--data", type=Path, help="data folder (default: FOUNDRY_DATA or ~/.idea-foundry)")
    common.add_argument("--json", action="store_true", help="print one JSON document")
    whole = Parser(prog="python -m core", description=__doc__, allow_abbrev=False)
    verbs = Verbs(whole.add_subparsers(required=True, metavar="COMMAND"), common)
    for room in (agreement, arena, chaining, datasets, editing, entering, evolving, experimenting, refining, running, studying, own_literature, packing):
        room.words(verbs)
    return whole


if __name__ == "__main__":
    sys.exit(piped())
