"""Every verb, and every verb below one, says what it does when it is asked to."""

import argparse

import pytest

from core.commands import ROOMS, options
from core.commands.parsing import Parser


def below(parser: argparse.ArgumentParser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for other in action.choices.values():
                yield from below(other)


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_help_of_every_verb_can_be_printed(room):
    module = __import__(f"core.commands.{room}", fromlist=["words"])
    whole = Parser(prog="python -m core")
    verbs = whole.add_subparsers(metavar="COMMAND")
    module.words(options.Verbs(verbs, options.common_options(), ROOMS[room]))
    printed = [one.format_help() for one in below(whole)]
    assert len(printed) > len(ROOMS[room]), "the room's verbs are there"
    assert all("usage: python -m core" in one for one in printed)
