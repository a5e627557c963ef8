"""The day that a cell of a table means, or a paper of a file was public, however it is written."""

import re
from contextlib import suppress
from datetime import date, datetime

from core.literature.importing.dates import NEWEST, OLDEST
from core.literature.paper_ids import arxiv_in, doi_in, wanted_id
from core.methods.novelty.dating import last_of_month
from core.records import Paper

NOTHING = (
    *("", "none", "n/a", "na", "nan", "n.d.", "-", "–", "—", "?", "null", "unknown", "tba", "tbd"),
    "forthcoming",
)
"""What a cell says that says nothing."""
DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y")
MONTHS = ("%Y-%m", "%Y/%m", "%Y.%m", "%m/%Y", "%m.%Y")
"""How days and months are written in numbers; 3/5/2024 is one day in one country and another in the
next.
"""
DAYS_IN_WORDS = (
    *("%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%Y %b %d", "%Y %B %d"),
    "%d%b%Y",
)
MONTHS_IN_WORDS = ("%b %Y", "%B %Y", "%Y %b", "%Y %B")
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?"
_NAMED = r"(?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[A-Z]{3,4}\b"
_ZONE = (
    r"(?:Z|(?:GMT|UTC)(?:[+-]\d\d:?\d\d)?(?: \([A-Z]{3,4}\))?|[+-]\d\d(?::?\d\d)?"
    rf"|{_NAMED}|\[[\w/]+\])"
)
_ASIDE = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b,?"
    rf"|(?:(?<=\d)T|(?<!\S)){_CLOCK} ?{_ZONE}?"
    rf"|(?<=\d\d\d\d)T\d\d\d\d(?:\d\d(?:\.\d+)?)?{_ZONE}?"
    r"|(?<=\d\d\d\d-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)(?!\S)"
    r"|\b(?:gmt|utc)(?:[+-]\d\d:?\d\d)?\b|\b(?:[ecmp][sd]t|cest?|bst|am|pm|at|the|of)\b|\b[ap]\.m\."
    r"|(?<=\d\d-\d\d) \((?:online|preprint|v\d+)\)|(?<=\d)[- ]?v\d+$"
    r"|(?<=\d)(?:st|nd|rd|th)\b|[.,;]$",
    re.IGNORECASE | re.ASCII,
)
"""What stands beside a day and does not change it: its name, the time of day, a version."""
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)", re.ASCII)
_YEAR = re.compile(r"([12]\d{3})(?:[a-z]|\.0)?", re.ASCII)
_OCTOBER = re.compile(r"\d{4}\.1", re.ASCII)
"""What a spreadsheet makes of 2024.10."""
_SEPTEMBER = re.compile(r"\bsept\b", re.IGNORECASE)


def day_of(cell: str) -> str | None:
    """Return the last day, YYYY-MM-DD, that a cell may mean, None for one without a date; raises
    ValueError as `date_of` does.
    """
    said = date_of(cell)
    match len(said or ""):
        case 4:
            return f"{said}-12-31"
        case 7:
            return last_of_month(f"{said}-01")
    return said


def date_of(cell: str) -> str | None:
    """Return what a cell says as YYYY-MM-DD, YYYY-MM or YYYY, None for one without a date; raises
    ValueError for what is no date, or may be two.
    """
    text = " ".join(cell.split())
    if text.casefold() in NOTHING:
        return None
    bare = " ".join(_ASIDE.sub(" ", text).split())
    if year := _YEAR.fullmatch(bare):
        return year[1]
    if day := _DAY.fullmatch(bare):
        bare = "-".join(day.groups())
    words = " ".join(_SEPTEMBER.sub("Sep", re.sub("[,.-]", " ", bare)).split())
    if whole := _read(bare, DAYS) or _read(words, DAYS_IN_WORDS):
        return whole.isoformat()
    if (month := _read(bare, MONTHS) or _read(words, MONTHS_IN_WORDS)) and not _OCTOBER.fullmatch(
        bare
    ):
        return month.isoformat()[:7]
    raise ValueError(f"its date {text[:40]!r} cannot be told; write it as 2024-03-05")


def normal_paper(paper: Paper) -> Paper:
    """Return a paper of a file with its date and its ids as papers have them; raises ValueError as
    `date_of` does, and for a year that is none.
    """
    year, published = paper.year or None, date_of(paper.published or "")
    if published and len(published) == len("2024"):
        year, published = int(published), None
    if year is not None and not OLDEST <= year <= NEWEST:
        raise ValueError(f"its year {str(year)[:20]} cannot be told; write it as 2024")
    named, called = _id_in(paper.doi), _id_in(paper.arxiv)
    # arXiv's own DOI, and its address, name the paper by its id there.
    elsewhere = (wanted_id(named) or "").partition("arxiv:")[2]
    return paper.model_copy(
        update={
            "year": year,
            "published": published,
            "doi": doi_in(named) or (None if elsewhere else named or None),
            "arxiv": arxiv_in(called, bare=True) or called or elsewhere or None,
        }
    )


def _id_in(cell: str | None) -> str:
    said = (cell or "").strip()
    return "" if said.casefold() in NOTHING else said


def _read(text: str, forms: tuple[str, ...]) -> date | None:
    for form in forms:
        with suppress(ValueError):
            return datetime.strptime(text, form).date()
    return None
