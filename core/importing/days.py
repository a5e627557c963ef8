"""The day that a cell of a table means, or a paper of a file was public, however it is written."""

import re
from contextlib import suppress
from datetime import date, datetime

from core.literature.importing.dates import NEWEST, OLDEST
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
_MOMENT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?!\d)", re.ASCII)
_YEAR = re.compile(r"([12]\d{3})(?:[a-z]|\.0)?", re.ASCII)
_ANOTHER = re.compile(r"(?<![\d.T+])(?:19|20)\d\d(?:\d{4})?(?!\d)", re.ASCII)
"""A year or a day behind one; not a fraction of a second, nor where a clock stands."""
_ASIDE = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
    r"|\d{1,2}:\d\d(?::\d\d)?(?: ?[+-]\d\d:?\d\d)?"
    r"|\b(?:of|gmt|utc)\b|(?<=\d)(?:st|nd|rd|th)\b|[,.-]",
    re.IGNORECASE | re.ASCII,
)
"""What stands beside a day in words, and does not change it."""
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
    if year := _YEAR.fullmatch(text):
        return year[1]
    # A moment, or a word behind it, says no more than its day.
    moment = _MOMENT.match(text)
    if moment and not _ANOTHER.search(text[moment.end() :]):
        text = "-".join(moment.groups())
    # A spreadsheet makes 2024.1 of 2024.10.
    october = re.fullmatch(r"\d{4}\.1", text)
    plain = " ".join(_SEPTEMBER.sub("Sep", _ASIDE.sub(" ", text)).split())
    if (day := _read(text, DAYS) or _read(plain, DAYS_IN_WORDS)) is not None:
        return day.isoformat()
    if (month := _read(text, MONTHS) or _read(plain, MONTHS_IN_WORDS)) and not october:
        return month.isoformat()[:7]
    raise ValueError(f"its date {text[:40]!r} cannot be told; write it as 2024-03-05")


def dated(paper: Paper) -> Paper:
    """Return a paper of a file with its date as papers are dated; raises ValueError as `date_of`
    does, and for a year that is none.
    """
    year, published = paper.year, date_of(paper.published or "")
    if published and len(published) == len("2024"):
        year, published = year or int(published), None
    if year is not None and not OLDEST <= year <= NEWEST:
        raise ValueError(f"its year {str(year)[:20]} cannot be told; write it as 2024")
    return paper.model_copy(update={"year": year, "published": published})


def _read(text: str, forms: tuple[str, ...]) -> date | None:
    for form in forms:
        with suppress(ValueError):
            return datetime.strptime(text, form).date()
    return None
