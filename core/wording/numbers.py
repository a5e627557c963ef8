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


def percent(share: float) -> str:
    """Say a share without decimals; what is not all or nothing is not rounded to it: 249 of 250
    are `99.6%`.
    """
    if 0 < share < 0.001:
        return "under 0.1%"
    if 0.999 < share < 1:
        return "over 99.9%"
    return f"{share:.1%}" if 0 < share < 0.005 or 0.995 <= share < 1 else f"{share:.0%}"
