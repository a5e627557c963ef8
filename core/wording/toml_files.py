"""TOML that people write: recipes, rubrics, files of texts; read so that no file can hold the
program up.
"""

import re
import tomllib
from typing import Any

PARTS = 32
"""Parts that a dotted key may have: the time `tomllib` takes grows with their square."""
_QUOTED = r"""(?:"(?:[^"\\\n]|\\.){0,300}+"|'[^'\n]{0,300}+')"""
_PART = rf"(?:(?<![\w-])[\w-]++|{_QUOTED})[ \t]*+\.[ \t]*+"
_TOO_LONG = re.compile(f"(?:{_PART}){{{PARTS}}}")
"""Wherever such a row begins, in a string too: to know what is a key takes a parser, which is what
takes so long. A part of more than 300 characters ends a row, and of such a file holds few.
"""


def read_toml(text: str) -> dict[str, Any]:
    """Return what a TOML text says; raises ValueError, with line and column where they are known,
    for what is none, lies in itself too deeply, or has a key of more than PARTS parts.
    """
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its lists or tables lie in one another too deeply") from None


def _check_keys(text: str) -> None:
    if found := _TOO_LONG.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"a key has more than {PARTS} parts (at line {line})")
