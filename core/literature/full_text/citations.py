"""Where a paper's text cites which of its references: by number, or by author and year, as its own
list of references tells.

What cannot be told for certain (two papers by one author in one year, a list in no known form) has
no passages rather than another paper's.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from core.literature.full_text.titles import Titled
from core.literature.mentions import BASELINE, telling
from core.literature.port import bare
from core.records import Mention, Paper, Reference

_LIST = re.compile(
    r"^[ \t]*(?:#{1,3} |\d{1,2}\.?[ \t]+|[IVX]{1,4}\.[ \t]+)?(?:references(?: and notes)?|"
    r"bibliography|literature cited)[ \t]{0,20}:?[ \t]{0,20}$",
    re.IGNORECASE | re.MULTILINE,
)
"""The heading of a list of references."""
_BRACKETED, _DOTTED = (
    re.compile(r"\[(\d{1,3})\]"),
    re.compile(r"^[ \t]*(\d{1,3})\.[ \t]+(?=\S)", re.MULTILINE),
)
"""How an entry of a numbered list begins."""
_MARK = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]")
_BEFORE, _AFTER = (
    re.compile(r"\b((?:19|20)\d\d)([a-z]?)\)?[.,:]?\s{0,20}[\"“]?\s{0,20}$"),
    re.compile(r"\b((?:19|20)\d\d)([a-z]?)\b"),
)
"""The year of an entry, before its title (`2020a. Title`) or after it (`Title. Venue, 2020`)."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(“\"])")
_TITLE = 15
"""Letters a title needs to be told from other words."""
MOST_MARKS, MOST_CITED = 5_000, 100
"""Marks of a text that are read, and places at which one reference is looked at: more are in no
paper that is meant to be read.
"""
_ENTRY = 500
"""Letters of an entry in which its year is looked for."""
_LINE = re.compile(r"^[ \t]*\S.*$", re.MULTILINE)
_NAMES = re.compile(r"(?:[ \t]*[^\W\d_a-z][\w.'’-]*,?){0,4}")
"""The words with a capital letter that a line begins with: the first author's among them."""
_NEAR, _AROUND = 200, 140
"""How far behind its title, or behind a name, the year stands, and how much of a long sentence is
kept on either side of a citation.
"""


def cited_in(text: str, references: tuple[Paper, ...]) -> tuple[Reference, ...]:
    """Return the references, each with the passages of this text that cite it; `baseline` where one
    of them names it as such.
    """
    headings = (found for found in _LIST.finditer(text) if found.start() > len(text) // 4)
    heading = next(headings, None)
    if heading is None:
        return bare(references)
    body, listed = text[: heading.start()], _List(text[heading.end() :])
    entries = {paper.id: listed.entry(paper) for paper in references}
    shared = Counter(entries.values())
    marks = _marks(body)
    found = []
    for paper in references:
        entry = entries[paper.id]
        spans = _cited_at(body, entry, marks) if entry and shared[entry] == 1 else ()
        some = islice(spans, MOST_CITED)
        passages = dict.fromkeys(_sentence(body, start, end) for start, end in some)
        baseline = any(map(BASELINE.search, passages))
        how = Mention(contexts=telling(passages), intents=("baseline",) if baseline else ())
        found.append(Reference(paper=paper, how=how))
    return tuple(found)


@dataclass(frozen=True)
class _Entry:
    """How the text refers to one entry of its list: by number, or by the first author's name and
    the year.
    """

    number: int = 0
    name: str = ""
    year: str = ""


@dataclass(frozen=True)
class _List:
    """A paper's list of references."""

    text: str

    @cached_property
    def _titled(self) -> Titled:
        return Titled(self.text)

    @cached_property
    def _numbers(self) -> list[int]:
        """Where the entries of a numbered list begin, which count up from one; empty for a list
        without numbers.
        """
        for form in (_BRACKETED, _DOTTED):
            starts: list[int] = []
            for found in form.finditer(self.text):
                if int(found[1]) == len(starts) + 1:
                    starts.append(found.start())
            if len(starts) > 1:
                return starts
        return []

    def entry(self, paper: Paper) -> _Entry | None:
        """Return how the text refers to a paper whose title stands in the list, or None where it
        does not, or that cannot be told.
        """
        place = self._titled.find(paper.title, _TITLE)
        if place is None:
            return None
        start, end = place
        if self._numbers:
            number = bisect_right(self._numbers, start)
            return _Entry(number=number) if number else None
        before = self.text[max(0, start - 40) : start]
        after = self.text[end : end + _NEAR]
        names = "".join(paper.authors[:1]).split()
        year = _BEFORE.search(before) or _AFTER.search(after)
        if not names or not year:
            return None
        entry = _Entry(name=names[-1], year=year[1] + year[2])
        # Two papers by one name in one year cannot be told apart.
        return entry if len(self._years.get((entry.name, entry.year), ())) < 2 else None

    @cached_property
    def _years(self) -> dict[tuple[str, str], set[int]]:
        """Where the first year stands after a line that begins with a name, by both: of some
        entries the source may know nothing.
        """
        found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for line in _LINE.finditer(self.text):
            year = _AFTER.search(self.text, line.start(), line.start() + _ENTRY)
            names = _NAMES.match(line[0])
            if year and names:
                for name in names[0].split():
                    found[name.rstrip(".,:;"), year[1] + year[2]].add(year.start())
        return found


@dataclass(frozen=True)
class _CitationMark:
    """A mark such as `[3, 7-9]`: where it stands, and the ranges of numbers it names."""

    span: tuple[int, int]
    ranges: tuple[tuple[int, int], ...]


def _marks(body: str) -> tuple[_CitationMark, ...]:
    marks = []
    for mark in islice(_MARK.finditer(body), MOST_MARKS):
        parts = [re.findall(r"\d+", part) for part in re.split(r"[,;]", mark[1])]
        ranges = tuple((int(numbers[0]), int(numbers[-1])) for numbers in parts)
        marks.append(_CitationMark(mark.span(), ranges))
    return tuple(marks)


def _cited_at(
    body: str, entry: _Entry, marks: Iterable[_CitationMark]
) -> Iterator[tuple[int, int]]:
    """Yield where the text cites an entry."""
    if entry.number:
        for mark in marks:
            if any(low <= entry.number <= high for low, high in mark.ranges):
                yield mark.span
        return
    # Between name and year: further authors, `et al.`, a bracket; no words of a sentence.
    between = (
        r"(?:(?:,| and| &){0,2} [^\W\d_a-z][\w.'’-]*){0,3}?(?:,? et al\.?)?(?:['’]s)?,?\s*[(\[]?"
    )
    # A year without its letter may be meant for either of two papers, and is left to neither.
    following = re.compile(rf"{between}{entry.year}(?!\w)")
    line, read = body.replace("\n", " "), 0
    # A text may be nothing but the name: a year is looked for near each, not to the text's end.
    for name in re.finditer(rf"\b(?i:{re.escape(entry.name)})", line):
        found = following.match(line, name.end(), name.end() + _NEAR)
        if found and name.start() >= read:
            read = found.end()
            yield name.start(), read


def _sentence(body: str, start: int, end: int) -> str:
    """Return the sentence around a place, a long one cut on either side."""
    first = begin = max(0, start - 4 * _AROUND)
    until = min(len(body), end + 4 * _AROUND)
    for found in _SENTENCE.finditer(body[first:until]):
        place = first + found.end()
        if place <= start:
            begin = place
        elif place >= end:
            until = place
            break
    low, high = start - _AROUND, end + _AROUND
    words = body[max(begin, low) : min(until, high)].split()
    if begin < low:
        words.insert(0, "…")
    if until > high:
        words.append("…")
    return " ".join(words)
