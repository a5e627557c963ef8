"""The keywords of the paper, and the domains they are counted to (LiveIdeaBench, Methods,
Scientific keyword selection).
"""

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.records import Keyword, KeywordList

FILE = Path(__file__).parents[2] / "assets" / "benchmark" / "keywords.csv"
SOURCE = (
    "Keywords Everywhere, top science keywords, 16 December 2024, as listed by LiveIdeaBench (MIT)."
    " The domains are the machine-made labels published with the list; many are wrong."
)
DOMAINS = (
    "Accounting",
    "Agricultural science",
    "Anthropology",
    "Astronomy",
    "Biology",
    "Chemistry",
    "Data engineering",
    "Data science",
    "Earth science",
    "Economics",
    "Finance",
    "Mathematics and Logic",
    "Medicine",
    "Pedagogy",
    "Pharmacy",
    "Physics",
    "Political science",
    "Psychology",
    "Sociology",
    "Statistics",
    "Systems engineering",
    "Systems science",
)
"""The paper's 22."""


@cache
def shipped() -> KeywordList:
    """Return the paper's 1,180 keywords in its order, with the domains published for them."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = tuple(csv.DictReader(lines))
    return KeywordList(
        name="LiveIdeaBench, December 2024",
        source=SOURCE,
        keywords=tuple(
            Keyword(text=row["keyword"], domain=row["domain"], by="published") for row in rows
        ),
    )


def first(held: KeywordList, n: int | None) -> str:
    """Return what a benchmark of a list's first `n` keywords is called where nobody says; None is
    all of them.
    """
    return held.name if n is None or n >= len(held.keywords) else f"{held.name}, first {n}"


def holding(keywords: Sequence[str], text: str) -> list[int]:
    """Return the places of the keywords that are this text, or, where none is, of those that hold
    it; whatever the case, and all for an empty text.
    """
    wanted = text.strip().casefold()
    exact = [n for n, one in enumerate(keywords) if one.casefold() == wanted]
    return exact or [n for n, one in enumerate(keywords) if wanted in one.casefold()]
