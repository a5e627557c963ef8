"""The top-level sections of a paper's text, as far as its headings can be told from plain lines."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBERED = re.compile(
    r"(?:\d{1,3}[ \t]+)?(?:#{1,3} )?(?:(\d{1,2})[.):]?|([IVX]{1,4})[.:])[ \t]+([A-Z].{2,60})"
)
"""The first number may be the line number of a manuscript under review."""
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_ASIDE = re.compile(
    r"abstract|introduction|(literature|related|prior|previous)(work|review|stud|literature)|"
    r"background|preliminar|notation|contents|keywords|acknowledg|ethic|(broader|societal)?impact|"
    r"authorcontrib|(data|code)\w*availab|reproducib|funding|conflict|competing|declaration"
)
"""Beginnings of names that say: here is neither what was done nor what came of it."""
_CORE = re.compile(
    r"(our|the|proposed)?(method(s|ology)?|approach|model|framework|materials?andmethods?|"
    r"experiment(s|al)?(results?|setup|settings?|design|protocol)?|evaluations?|"
    r"results?(anddiscussion)?|analysis|ablations?|discussions?|limitations?|"
    r"conclusions?(andfuturework)?|findings|implementation|threatstovalidity|futurework)"
)
_ALONE = re.compile(
    r"limitations?|ethic\w*|acknowledg\w*|abstract|broaderimpacts?|reproducibilitystatement"
)
"""What stands without a number in papers that number their sections."""
_BACK = re.compile(
    r"references|bibliography|literaturecited|referencesandnotes|appendi(x|ces)|"
    r"supplementary(material|information)?"
)
_KNOWN = (_CORE, _BACK, _ALONE, _ASIDE)
_SENTENCE = re.compile(r"(we|our|this|these|in|to|for|how|if|it|is)\b|.*[.;] [A-Z]", re.IGNORECASE)


class TextSection(NamedTuple):
    start: int
    end: int
    matters: bool
    """Whether it is none of those every paper has: introduction, related work, thanks ..."""


class _Heading(NamedTuple):
    start: int
    number: int
    name: str
    """Letters only, in lower case: small capitals come apart (`M ETHOD`)."""


def sections(text: str) -> list[TextSection]:
    """Return the sections up to the references, in order; empty where fewer than two headings can
    be told.
    """
    heads = list(_headings(text))
    numbered = _take_counting([head for head in heads if head.number])
    alone = [head for head in heads if not head.number]
    # Numbers that begin late are those of a supplement.
    if len(numbered) >= 3 and numbered[0].start < len(text) // 4:
        heads = sorted(numbered + [head for head in alone if _ALONE.fullmatch(head.name)])
    else:
        heads = [head for head in alone if not _BACK.fullmatch(head.name)]
    back = [head.start for head in alone if _BACK.fullmatch(head.name)]
    # A table of contents names the references too.
    end = min((start for start in back if start > len(text) // 4), default=len(text))
    heads = [head for head in heads if head.start < end]
    if len(heads) < 2:
        return []
    ends = [head.start for head in heads[1:]] + [end]
    return [
        TextSection(head.start, until, not _ASIDE.match(head.name))
        for head, until in zip(heads, ends, strict=True)
    ]


def _headings(text: str) -> Iterator[_Heading]:
    start = 0
    for raw in text.split("\n"):
        line = raw.strip()
        if 4 <= len(line) <= 80 and line[-1] not in ".,;:":
            found, name = _NUMBERED.fullmatch(line), _letters(line)
            if found and len(found[3].split()) <= 10 and not _SENTENCE.match(found[3]):
                roman = _ROMAN.index(found[2]) if found[2] in _ROMAN else 0
                yield _Heading(start, int(found[1] or 0) or roman, _letters(found[3]))
            elif len(name) < 40 and any(form.fullmatch(name) for form in _KNOWN):
                yield _Heading(start, 0, name)
        start += len(raw) + 1


def _take_counting(heads: list[_Heading]) -> list[_Heading]:
    """Return those whose numbers count up from one; a table's rows and a list's items seldom do."""
    counting: list[_Heading] = []
    last, most = 0, 1
    for head in heads:
        if last < head.number <= most:
            counting.append(head)
            last, most = head.number, head.number + 2
    return counting


def _letters(line: str) -> str:
    return "".join(sign for sign in line.casefold() if sign.isalpha())
