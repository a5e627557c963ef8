"""TOML that people write: recipes, rubrics, files of texts; read so that no file can hold the
program up.
"""

import re
import tomllib
from typing import Any

PARTS = 32
"""Parts that a dotted key may have: the time `tomllib` takes grows with their square."""
_TOKEN = re.compile(
    r"""
    (?P<string> "{3} (?:[^"\\]|\\.|"(?!""))*+ "{3,5} | '{3} (?:[^']|'(?!''))*+ '{3,5}
        | "(?!"") (?:[^"\\\n]|\\.)*+ " | '(?!'') [^'\n]*+ ')
    | (?P<bare> [\w-]++)
    | (?P<space> [ \t]++)
    | (?P<other> \#[^\n]*+ | .)
    """,
    re.DOTALL | re.VERBOSE,
)
"""What a TOML text is made of, as far as it takes to tell keys."""


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
    parts, dotted = 0, False
    for found in _TOKEN.finditer(text):
        kind, said = found.lastgroup, found[0]
        if kind in ("bare", "string"):
            parts = parts + 1 if dotted else 1
            dotted = False
            if parts > PARTS:
                line = text.count("\n", 0, found.start()) + 1
                raise ValueError(f"a key has more than {PARTS} parts (at line {line})")
        elif kind == "other":
            if said in "\"'":
                return  # A string without an end: no reader comes further.
            dotted = said == "." and parts > 0
            parts = parts if dotted else 0
