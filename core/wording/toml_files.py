"""TOML that people write: recipes, rubrics, files of texts; read so that no file can hold the
program up.
"""

import re
import tomllib
from typing import Any

PARTS = 32
"""Parts that a dotted key may have: the time `tomllib` takes grows with their square."""
_PART = re.compile(r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*(\.?)[ \t]*""")


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
    parts, end, dotted = 0, -1, False
    for found in _PART.finditer(text):
        parts = parts + 1 if dotted and found.start() == end else 1
        end, dotted = found.end(), bool(found[1])
        if parts > PARTS:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"a key has more than {PARTS} parts (at line {line})")
