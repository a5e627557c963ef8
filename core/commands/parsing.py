"""Reading a command: the parser knows every verb by name, and imports the room of the one that is
chosen.
"""

import argparse
import importlib
from collections.abc import Sequence
from itertools import chain
from typing import NoReturn

from core.commands import ROOMS
from core.errors import BadInput


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are sentences like all others, so that --json stays one
    document.
    """

    def error(self, message: str) -> NoReturn:
        raise BadInput(
            f"{message[:1].upper()}{message[1:]}. `{self.prog} --help` says what there is."
        )


def parse(words: Sequence[str], about: str | None) -> argparse.Namespace:
    """Read a command, `about` being what `--help` says first; raises BadInput."""
    chosen = next((word for word in words if not word.startswith("-")), None)
    whole = Parser(prog="python -m core", description=about, allow_abbrev=False)
    verbs = whole.add_subparsers(required=True, metavar="COMMAND")
    room = next((room for room, helps in ROOMS.items() if chosen in helps), None)
    if room is None:
        for verb, help_ in chain.from_iterable(helps.items() for helps in ROOMS.values()):
            verbs.add_parser(verb, help=help_)
    else:
        # All rooms together take seconds to import, and one verb needs one.
        options = importlib.import_module("core.commands.options")
        add_words = importlib.import_module(f"core.commands.{room}").words
        add_words(options.Verbs(verbs, options.common_options(), ROOMS[room]))
    return whole.parse_args(words)
