"""Which paper a text is: its title, DOI and arXiv id, guessed from the first page for a person to
check.
"""

import re
from typing import NamedTuple

_FIRST_PAGE = 8_000
"""Characters looked at; a densely set first page has some 6,000."""
_REFERENCES = re.compile(
    r"^[\d.\s]{0,6}(references|bibliography)\s*$", re.IGNORECASE | re.MULTILINE
)
_NEW, _OLD = r"\d{4}\.\d{4,5}", r"[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7}"
_STAMP = re.compile(rf"arXiv:\s?({_NEW}|{_OLD})(?:v\d{{1,2}})?\s{{0,4}}\[[\w.-]{{2,20}}\]")
"""As arXiv prints it on the first page of every paper: nothing that is cited looks like this."""
_ARXIV = re.compile(
    rf"(?:arxiv:\s?|arxiv\.org/(?:abs|pdf)/|10\.48550/arxiv\.)({_NEW}|{_OLD})", re.IGNORECASE
)
_DOI = re.compile(r"(?:doi\.org/|doi:?\s{0,2})(10\.\d{4,9}/[^\s\"<>{}|]{1,120})", re.IGNORECASE)
_LETTERHEAD = re.compile(
    r"^\W*(published as|(currently )?under review|preprint|accepted|to appear|proceedings of|"
    r"in proceedings|arxiv:|doi\b|https?://|www\.|©|copyright|vol(ume|\.)|pages? \d|pp\. ?\d|issn|"
    r"received|available online|contents lists|open access|(original |research )?article\W*$|"
    r"review\W*$|letters?\W*$|journal of|(ieee|acm) transactions|anonymous|.*\b(vol\.|no\.) ?\d|"
    r"[\d\W]+$)",
    re.IGNORECASE,
)
_AFTER_TITLE = re.compile(
    r"@|https?:|\babstract\b|\b(university|department|institute|laborator(y|ies)|school of|"
    r"college|authors?|inc\.)(\W|$)|[¹²³†‡*∗]|\w\d+,",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:[A-Z][\w.'’-]*|de|van|von|der|la|del|bin|al)(?: (?:[A-Z][\w.'’-]*|de|van|von|der|la|del|"
    r"bin|al)){1,4}"
)


_NO_TITLE = re.compile(
    r"^(microsoft (word|powerpoint)\b.*|powerpoint presentation|untitled.*|no title|title|unknown|"
    r"none|document ?\d*|draft|manuscript|paper|main|article|slide \d+|layout \d+|pii\b.*|"
    r".*\.(docx?|pptx?|pdf|tex|dvi|e?ps|rtf|odt|indd|qxd|pages|html?)|\S*[_\d/\\]\S*|"
    r".*\b(template|instructions for|camera.ready)\b.*)$",
    re.IGNORECASE,
)
"""What programs put where a title belongs: names of files and templates."""


class About(NamedTuple):
    title: str | None
    doi: str | None
    arxiv: str | None


def about(text: str, title: str = "") -> About:
    """Guess a paper's title, DOI (in lower case) and arXiv id (without its version) from its text,
    None where nothing looks like one.

    `title`: the file's own (`PdfText.title`), preferred where it can be a title.
    """
    first = text[:_FIRST_PAGE]
    if cited := _REFERENCES.search(first):
        first = first[: cited.start()]
    arxiv = _STAMP.search(first) or _ARXIV.search(first)
    doi = _DOI.search(first)
    whole = (
        title if 3 <= len(title) <= 300 and not _LETTERHEAD.match(title) else _first_lines(first)
    )
    return About(
        whole or None,
        doi[1].rstrip(".,;:)]'’”").lower() if doi else None,
        arxiv[1] if arxiv else None,
    )


def own_title(first: str, large: str, named: str) -> str:
    """Return the title of a PDF from the text of its first page, what stands in the largest type
    there, and what its metadata names; may be empty.

    The metadata is believed where the page says the same, and where nothing else is there: programs
    put names of files and templates into it.
    """
    if not 3 <= len(named) <= 300 or _NO_TITLE.match(named) or _LETTERHEAD.match(named):
        return large
    title = _letters(named)
    if len(title) < 10:
        there = title in map(_letters, first.split("\n"))
    else:
        there = title in _letters(first[:_FIRST_PAGE])
    return named if there or not large else large


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _first_lines(text: str) -> str:
    """Return the lines before the authors, at most three; empty where they make no title."""
    lines: list[str] = []
    for raw in text[:2_000].split("\n"):
        line = raw.strip().lstrip("# ")
        if lines and (not line or _AFTER_TITLE.search(line) or _lists_people(line)):
            break
        if line and (lines or not _LETTERHEAD.match(line)):
            lines.append(line)
    whole = " ".join(" ".join(lines[:3]).split())
    return whole if 10 <= len(whole) <= 300 else ""


def _lists_people(line: str) -> bool:
    """Say whether a line is a list of people: two names of several words each, parted by commas or
    'and', or one and a comma.
    """
    parts = map(str.strip, re.split(r",|\band\b|&", line))
    names = list(filter(_NAME.fullmatch, parts))
    if len(names) == 1:
        return line.rstrip().endswith(",")
    return bool(names)
