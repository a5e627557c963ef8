"""The command line: everything the screens do, headless. `python -m core --help`."""

import json
import logging
import os
import sys
from errno import EACCES, ENAMETOOLONG, EPERM

from core import settings
from core.commands.documents import PRINTED, nothing, plain, readable
from core.commands.parsing import parse
from core.errors import BadInput, FoundryError, NotThere, Parked

UNUSABLE = (ENAMETOOLONG, EACCES, EPERM)
"""What is wrong with a path that was named, and not with the program."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns 0 done, 1 something is broken (`doctor`), 2 bad input, 3 failed at a
    boundary, 4 parked.
    """
    given = sys.argv[1:] if argv is None else argv
    logging.basicConfig(
        level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        args = parse(given, __doc__)
        # After the verb is read: `--help` needs no workshop.
        from core.runs.workshop import Workshop
        from core.store.event_log import listening

        chosen = settings.read(data=args.data)
        if args.bare:
            document, code = args.command(chosen, args)
        else:
            shop = Workshop(chosen)
            with listening(shop.store.log):
                document, code = args.command(shop, args)
    except FoundryError as error:
        said = str(error)
        if isinstance(error, NotThere):
            said += f" `python -m core {error.listing}` lists what there is."
        document, code = {**nothing("refused"), "reason": said}, error.exit_code
        print(plain(said), file=sys.stderr)
    except OSError as error:
        if error.errno not in UNUSABLE or not error.filename:
            raise
        said = f"{error.filename} cannot be used: {error.strerror}. Name another file or folder."
        document, code = {**nothing("refused"), "reason": said}, BadInput.exit_code
        print(plain(said), file=sys.stderr)
    except KeyboardInterrupt:
        said = "Interrupted. `python -m core resume ID` goes on from here."
        document, code = {**nothing("interrupted"), "reason": said}, Parked.exit_code
        print(said, file=sys.stderr)
    if "--json" in given:
        print(json.dumps(document, indent=1))
    elif document["run"] or document["state"] in PRINTED:
        print(plain(readable(document)))
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


if __name__ == "__main__":
    sys.exit(piped())
