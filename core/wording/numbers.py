"""Numbers with what they count."""

import re


def counted(n: int, noun: str) -> str:
    """Say how many there are: `1 step`, `1,200 calls`, `2 matches`."""
    return f"{n:,} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a regular noun: `steps`, `matches`, `studies`."""
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"
