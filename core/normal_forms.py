"""Texts in a normal form of Unicode (UAX #15), in time that follows their length: to order signs
that combine takes the square of how many stand in a row, and no honest text has many.
"""

import re
import unicodedata
from functools import cache
from typing import Literal

MOST = 30
"""Signs in a row that combine, as the stream-safe form (UAX #15, 13) has them."""
JOINER = "\u034f"
"""What parts longer rows there: it is not seen, and nothing is ordered across it."""


def normal(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form, made stream-safe before."""
    if text.isascii():
        return text
    return unicodedata.normalize(form, _long_rows().sub(rf"\g<0>{JOINER}", text))


@cache
def _long_rows() -> re.Pattern[str]:
    combine = "".join(sign for sign in map(chr, range(0x300, 0x1F000)) if _combines(sign))
    return re.compile(f"[{combine}]{{{MOST}}}(?=[{combine}])")


def _combines(sign: str) -> bool:
    """Say whether a sign, or what it is taken apart into, stands on what is before it."""
    return bool(unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]))
