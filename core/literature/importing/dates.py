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
    full_year, *full = _parts(day)
    own_year, *in_year = _parts(year)
    # A month field: `may`, `5`, `May--June`, `10 May`.
    named, number = _named_month(month), _first(month)
    in_month = [named, number] if named else [_month(number or 0), None]
    known = own_year or full_year
    m, d = next((part for part in (full, in_year, in_month) if part[0]), (None, None))
    if not known or not m:
        return known, None
    try:
        return known, date(full_year or known, m, d or _first(of_month) or 0).isoformat()
    except ValueError:
        return known, f"{full_year or known:04}-{m:02}"


def when_on_arxiv(arxiv: str) -> tuple[int, str]:
    """Return year and month in which a paper was first put on arXiv: its id begins with them."""
    _, _, digits = arxiv.rpartition("/")
    year = 2000 + int(digits[:2])
    if year > 2090:
        year -= 100
    return year, f"{year}-{digits[2:4]}"


def _parts(text: str) -> Parts:
    year, month = None, _named_month(text)
    if found := _NUMBERS.search(text):
        numbers = [int(number) for number in found.groups() if number]
        if OLDEST <= numbers[0] <= NEWEST:
            year = numbers[0]
        if len(numbers) > 1:
            return year, _month(numbers[1]), numbers[2] if len(numbers) > 2 else None
        text = text.replace(found.group(), " ")
    return year, month, _first(text) if month else None


def _named_month(text: str) -> int | None:
    word = _WORD.search(text)
    return MONTHS.index(word[1].lower()) + 1 if word else None


def _first(text: str) -> int | None:
    found = _SMALL.search(text)
    return int(found.group(1)) if found else None


def _month(number: int) -> int | None:
    return number if 1 <= number <= 12 else None
