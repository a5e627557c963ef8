"""Citing papers as Author et al., Year, and telling whether a text cites only what it was given
(EvoIdeator, section 4.1).
"""

import re
from calendar import month_name
from collections import Counter
from collections.abc import Sequence
from string import ascii_lowercase

from core.records import Cited, LiteratureReview, Paper

WORDS, PARAGRAPHS = (120, 250), 2
"""How long a literature review is."""
YEAR = r"(?:(?:1[89]|20)\d\d|n\.d\.)[a-z]{0,2}"
_NAME = r"(?<![^\W\d_])[^\W\d_][\w'’.-]{0,79}"
"""From a word's first letter on, and no longer than a name: a text of one long word would take
minutes otherwise.
"""
_NARRATIVE = re.compile(
    rf"({_NAME})(?:\s+et\s+al\.?|\s+(?:and|&)\s+{_NAME})?(?:['’]s)?,?\s*[(\[]({YEAR}(?:\s*[,;]\s*{YEAR})*)[)\]]"
)
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_INSIDE = re.compile(
    rf"({_NAME})(\s+et\s+al\.?|\s+(?:and|&)\s+{_NAME})?,?\s+({YEAR}(?:\s*,\s*{YEAR})*)$"
)
_LOOSE = re.compile(rf"({_NAME})\s+et\s+al\.?,?\s+[(\[]?({YEAR})")
_PROPOSES = re.compile(
    r"\b(?:we|i)\s+(?:propose|suggest|will|plan|intend|aim|introduce|present|recommend)\b|"
    r"\bthis (?:study|work|review|paper) (?:proposes|will)\b",
    re.IGNORECASE,
)
LONGEST = 250
"""Characters of two names and the years behind them."""
_NO_NAMES = frozenset(
    (
        "in",
        "since",
        "from",
        "until",
        "before",
        "after",
        "by",
        "around",
        "circa",
        *(name.lower() for name in month_name[1:]),
    )
)
"""What may stand before a year without being anybody."""
Mention = tuple[str, str]
"""Surname, casefolded, and year with its letter."""


def cited_as(papers: Sequence[Paper]) -> tuple[Cited, ...]:
    """Return papers with the label each is cited by; papers that would share one are told apart by
    a letter behind the year.
    """
    labels = [_label(paper) for paper in papers]
    many, seen = Counter(labels), Counter[str]()
    found = []
    for paper, label in zip(papers, labels, strict=True):
        letter = _letter(seen[label]) if many[label] > 1 else ""
        seen[label] += 1
        found.append(Cited(label=label + letter, paper=paper))
    return tuple(found)


def _letter(n: int) -> str:
    """Return the n-th of the letters that tell works of one author and year apart: a to z, then aa,
    ab, ...
    """
    before, last = divmod(n, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


def check_citations(papers: Sequence[Cited], written: LiteratureReview) -> None:
    """Raise ValueError for a review that cites what was not given, cites next to nothing, is too
    short or too long, or proposes something.
    """
    review = written.review
    words = len(review.split())
    paragraphs = sum(bool(part.strip()) for part in re.split(r"\n\s*\n", review))
    if not WORDS[0] <= words <= WORDS[1]:
        raise ValueError(f"the review has {words} words; write between {WORDS[0]} and {WORDS[1]}")
    if paragraphs > PARAGRAPHS:
        raise ValueError(f"the review has {paragraphs} paragraphs; write one or two")
    known = {mention for paper in papers for mention in mentions(f"({paper.label})")}
    cited = mentions(review)
    for name, year in cited:
        if (name, year) not in known:
            raise ValueError(
                f"{name.title()}, {year} is not among the papers given; cite only them, each by its"
                " label exactly as it stands in square brackets"
            )
    if len(cited) < min(2, len(papers)):
        raise ValueError(
            "cite at least two of the papers, each by its label in round brackets"
            if len(papers) > 1
            else "cite the paper by its label in round brackets"
        )
    if proposes := _PROPOSES.search(review):
        raise ValueError(f"{proposes[0]!r}: report themes and gaps only, and propose nothing")


def mentions(text: str) -> dict[Mention, str]:
    """Return every work a text cites, by surname and year, in whichever of the usual ways, each
    with how it stands there first.
    """
    found: dict[Mention, str] = {}
    for match in _BRACKETS.finditer(text):
        for part in match[1].split(";"):
            # A citation stands at the end; to look for it all through a long list of years would
            # take the square of its length.
            whole = part.strip()
            if inside := _INSIDE.search(whole, max(0, len(whole) - LONGEST)):
                _add(found, inside[0], inside[1], inside[3])
    for pattern in (_NARRATIVE, _LOOSE):
        for match in pattern.finditer(text):
            _add(found, match[0], match[1], match[2])
    return found


def _add(found: dict[Mention, str], whole: str, name: str, years: str) -> None:
    whose = re.sub(r"['’]s$", "", name.casefold())
    is_name = _capital(name) == name and whose not in _NO_NAMES
    if is_name or re.search(r"\bet\s+al\b", whole):
        for year in re.findall(YEAR, years):
            found.setdefault((whose, year), whole)


def _label(paper: Paper) -> str:
    surnames = filter(None, map(surname, paper.authors))
    author = _capital(next(surnames, "Anonymous"))
    others = " et al." if len(paper.authors) > 1 else ""
    year = paper.year or (paper.published or "")[:4] or "n.d."
    return f"{author}{others}, {year}"


def surname(name: str) -> str:
    """Return the last part of a name, or of what stands before its comma, in letters; empty where
    it has none.
    """
    for word in reversed(name.partition(",")[0].split()):
        if letters := re.sub(r"[^\w'’-]|[\d_]", "", word).strip("-'’"):
            return letters
    return ""


def _capital(name: str) -> str:
    """Return a name with its first letter as a capital, where that letter has one."""
    first = name[0].upper()
    return first + name[1:] if len(first) == 1 else name
