"""Passages in which one paper speaks of another: which of them tell most of what it took from
there.
"""

import re
from collections.abc import Iterable

BASELINE = re.compile(
    r"\bbaselines?\b|\b(?:we|is|are|was|were) compared? (?:\w+ ){0,4}?(?:with|to|against)\b",
    re.IGNORECASE,
)
"""Where a paper names what it was compared with."""
_BUILT = re.compile(
    r"\b(?:buil[dt]s?|based|extend(?:s|ed|ing)?|adapt(?:s|ed|ing)?|follow(?:s|ing)?|"
    r"adopt(?:s|ed|ing)?|improv(?:es?|ed|ing)|generali[sz]\w+)\b",
    re.IGNORECASE,
)


def telling(passages: Iterable[str]) -> tuple[str, ...]:
    """Return passages, those that say what was built on or compared with before the others, else in
    their order.
    """
    return tuple(
        sorted(
            passages, key=lambda passage: not (_BUILT.search(passage) or BASELINE.search(passage))
        )
    )
