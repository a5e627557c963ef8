"""When a paper came out, from whatever fields a file gives: years, dates, months in words or
numbers.
"""

import re
from datetime import date

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL = r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?"
_WORD = re.compile(rf"\b({'|'.join(MONTHS)}){_FULL}\b", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<!\d)(\d{4})(?!\d)(?:[-/.](\d{1,2})(?!\d)(?:[-/.](\d{1,2})(?!\d))?)?")
_SMALL = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
Parts = tuple[int | None, int | None, int | None]
OLDEST, NEWEST = 1400, 2199


def when(
    day: str, year: str = "", month: str = "", of_month: str = ""
) -> tuple[int | None, str | None]:
    """Return year and date (YYYY-MM-DD or YYYY-MM, as far as it is given) from a date field, a
    year, a month and a day of the month.
    """
    whole, yearly = _parts(day), _parts(year)
    # A month field: `may`, `5`, `May--June`, `10 May`.
    named, number = _named_month(month), _first(month)
    monthly = (named, number) if named else (_month(number or 0), None)
    known = yearly[0] or whole[0]
    months = [(whole[1], whole[2]), (yearly[1], yearly[2]), monthly]
    in_year, in_month = next(((m, d) for m, d in months if m), (None, None))
    if not known or not in_year:
        return known, None
    return known, _dated(whole[0] or known, in_year, in_month or _first(of_month))


def when_on_arxiv(arxiv: str) -> tuple[int, str]:
    """Return year and month in which a paper was first put on arXiv: its id begins with them."""
    digits = arxiv.rpartition("/")[2]
    year, month = int(digits[:2]), digits[2:4]
    whole = year + (1900 if year > 90 else 2000)
    return whole, f"{whole}-{month}"


def _parts(text: str) -> Parts:
    found = _NUMBERS.search(text)
    year = int(found.group(1)) if found and OLDEST <= int(found.group(1)) <= NEWEST else None
    if found and found.group(2):
        return year, _month(int(found.group(2))), int(found.group(3)) if found.group(3) else None
    rest = text.replace(found.group(), " ") if found else text
    month = _named_month(text)
    return year, month, _first(rest) if month else None


def _named_month(text: str) -> int | None:
    word = _WORD.search(text)
    return MONTHS.index(word[1].lower()) + 1 if word else None


def _first(text: str) -> int | None:
    found = _SMALL.search(text)
    return int(found.group(1)) if found else None


def _month(number: int) -> int | None:
    return number if 1 <= number <= 12 else None


def _dated(year: int, month: int, day: int | None) -> str:
    try:
        return date(year, month, day or 0).isoformat()
    except ValueError:
        return f"{year:04}-{month:02}"
