"""Works over all their versions, and when each was public first: nothing later than an idea
anticipates it.
"""

import datetime
import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import combinations, product
from typing import NamedTuple
from unicodedata import combining, name

from core.normal_forms import normal
from core.records import EDITION, Paper, Version
from core.records.novelty import When

_NEW_ARXIV = re.compile(r"(\d{2})(0[1-9]|1[0-2])\.\d{4,5}")
_OLD_ARXIV = re.compile(r".*/(\d{2})(0[1-9]|1[0-2])\d{3}")
FIRST_OF_ARXIV = 91
"""arXiv began in 1991: two digits from there on are years of the last century."""


class Hit(NamedTuple):
    """A paper that was found: in which source, by which question."""

    paper: Paper
    source: str
    by: str
    linked: bool = False
    """Whether along a citation, and so whatever its text says."""


class Work(NamedTuple):
    """A work: every entry of it that was found, under one paper."""

    paper: Paper
    entries: tuple[Paper, ...]
    sources: tuple[str, ...]
    """The source of each entry."""
    date: str | None
    when: When
    found_by: tuple[str, ...]
    linked: bool

    @property
    def versions(self) -> tuple[Version, ...]:
        """The entries as versions, the earliest first."""
        found = {}
        for paper, source in zip(self.entries, self.sources, strict=True):
            date = earliest([paper])
            version = Version(id=paper.id, source=source, date=date, venue=paper.venue)
            found[paper.id, source] = version
        return tuple(sorted(found.values(), key=lambda one: (last_day(one.date or "9999"), one.id)))


def merge(hits: Iterable[Hit], dated: str, edition: int = EDITION) -> tuple[Work, ...]:
    """Return the works among what was found, in the order they were found in: entries that share an
    id, a DOI, an arXiv id or a title are versions of one work, however far around; not by a title
    that papers with DOIs and people of their own have in common. `dated` is the idea's own date.
    """
    every = list(hits)
    groups = [[n] for n in range(len(every))]
    """By entry, the entries that are one work with it so far: one list for all of them."""

    def join(a: int, b: int) -> None:
        first, other = groups[min(a, b)], groups[max(a, b)]
        if first is other:
            return
        first += other
        for n in other:
            groups[n] = first

    known: dict[str, list[int]] = {}
    for n, hit in enumerate(every):
        for called in sorted(hit.paper.names):
            same = known.setdefault(called, [])
            if same and (called in hit.paper.ids or edition < 4):
                join(same[0], n)
            same.append(n)
    for n, other in _of_one_title(every, known):
        if groups[n] is groups[other]:
            continue
        pairs = product(groups[n], groups[other])
        if not any(are_told_apart(every[a].paper, every[b].paper) for a, b in pairs):
            join(n, other)
    works = {id(group): sorted(group) for group in groups}
    in_order = sorted(works.values(), key=lambda group: group[0])
    return tuple(_work([every[n] for n in group], dated) for group in in_order)


def _of_one_title(
    every: Sequence[Hit], known: Mapping[str, Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Yield entries of one title by twos, those with an author in common first: a preprint without
    a DOI belongs to the article of its own authors.
    """
    titles = [numbers for called, numbers in known.items() if called.startswith("title:")]
    for numbers in titles:
        people = {n: set(_parts_of_names(every[n].paper)) for n in numbers}
        pairs = list(combinations(numbers, 2))
        yield from sorted(pairs, key=lambda pair: people[pair[0]].isdisjoint(people[pair[1]]))


def are_told_apart(one: Paper, other: Paper) -> bool:
    """Say whether two papers of one title are two: each has a DOI of its own, and nobody who wrote
    the one has a name like anybody's who wrote the other. Where authors are not all named, or are
    written in two scripts, nobody can tell.
    """
    if not (one.doi and other.doi) or one.doi.lower() == other.doi.lower():
        return False
    if one.unnamed or other.unnamed:
        return False
    mine, theirs = _parts_of_names(one), _parts_of_names(other)
    if not (mine and theirs) or _is_latin(mine) != _is_latin(theirs):
        return False
    return not any(_alike(a, b) for a, b in product(mine, theirs))


NAMES_COMPARED = 60
"""Parts of the names of a paper's authors that are looked at: those of the first twenty or so."""
LIKE = 0.75
"""How alike two names are that may be one, written in two ways: Müller and Mueller."""


def _parts_of_names(paper: Paper) -> list[str]:
    plain = normal("NFKD", " ".join(paper.authors).casefold())
    letters = "".join(sign if sign.isalpha() else " " for sign in plain if not combining(sign))
    return sorted({part for part in letters.split() if len(part) > 1})[:NAMES_COMPARED]


def _is_latin(parts: Iterable[str]) -> bool:
    return all("LATIN" in name(part[0], "") for part in parts)


def _alike(a: str, b: str) -> bool:
    return a == b or SequenceMatcher(None, a, b, autojunk=False).ratio() >= LIKE


def _work(hits: Sequence[Hit], dated: str) -> Work:
    distinct = {(hit.paper.id, hit.source): hit for hit in reversed(hits)}
    entries = sorted(distinct.values(), key=lambda hit: (hit.paper.id, hit.source))
    papers = tuple(hit.paper for hit in entries)
    date = earliest(papers)
    return Work(
        paper=_shown(papers),
        entries=papers,
        sources=tuple(hit.source for hit in entries),
        date=date,
        when=beside(date, dated),
        found_by=tuple(dict.fromkeys(f"{hit.by} ({hit.source})" for hit in hits)),
        linked=any(hit.linked for hit in hits),
    )


def _shown(papers: Sequence[Paper]) -> Paper:
    """Return the version to be read: one with the authors' abstract, with what the others know of
    where it is to be had.
    """
    best = min(papers, key=lambda one: (not one.abstract, one.abstract_by != "authors", one.id))
    also = {}
    for field in ("pdf", "doi", "arxiv", "year"):
        if getattr(best, field) is None:
            values = [value for one in papers if (value := getattr(one, field)) is not None]
            if values:
                also[field] = values[0]
    return best.model_copy(update=also) if also else best


def earliest(papers: Iterable[Paper]) -> str | None:
    """Return the earliest date by which a work was public in one of its versions, as exact as it is
    known; None where none is dated. A preprint's arXiv id tells its month.
    """
    dates = {date for paper in papers for date in _dates(paper)}
    # A year says nothing beside a day of that year.
    exact = [date for date in dates if not any(_refines(other, date) for other in dates)]
    return min(exact, key=lambda date: (last_day(date), date), default=None)


def _refines(other: str, date: str) -> bool:
    return len(other) > len(date) and other.startswith(date)


def _dates(paper: Paper) -> list[str]:
    found = [paper.published, str(paper.year) if paper.year else None, arxiv_month(paper.arxiv)]
    return [date for date in found if date]


def arxiv_month(arxiv: str | None) -> str | None:
    """Return the month, YYYY-MM, in which an arXiv id was given out; None for what is no id."""
    found = arxiv and (_NEW_ARXIV.match(arxiv) or _OLD_ARXIV.match(arxiv))
    if not found:
        return None
    year = int(found[1])
    return f"{1900 + year if year >= FIRST_OF_ARXIV else 2000 + year}-{found[2]}"


def last_day(date: str) -> str:
    """Return the last day a date may mean, to be compared with: what may be too late is too late,
    and a month ends with a 31st.
    """
    return date + "-12-31"[len(date) - 4 :] if len(date) < 10 else date


def last_of_month(day: str) -> str:
    """Return the last day of the month of a day, YYYY-MM-DD; the day may lie beyond its month."""
    year, month = int(day[:4]), int(day[5:7])
    return f"{day[:7]}-{monthrange(year, month)[1]}"


def first_day(date: str) -> str:
    """Return the first day a date may mean."""
    return date + "-01-01"[len(date) - 4 :] if len(date) < 10 else date


def public_from(paper: Paper) -> str | None:
    """Return the first day on which a paper may have been public, its preprint included; None where
    no date of it is one.
    """
    days = [_public_on(date) for date in (earliest([paper]), *_dates(paper))]
    return next(filter(None, days), None)


def published_from(paper: Paper) -> str | None:
    """Return the first day on which a paper may have been published, by its own date, else by its
    year; None where neither is one. Runs of earlier editions went by it.
    """
    days = [_public_on(date) for date in (paper.published, str(paper.year or ""))]
    return next(filter(None, days), None)


def _public_on(date: str | None) -> str | None:
    with suppress(ValueError):
        return datetime.date.fromisoformat(first_day((date or "")[:10])).isoformat()
    return None


def beside(date: str | None, dated: str) -> When:
    """Say how a work's date stands to the idea's own, YYYY-MM-DD."""
    if date is None:
        return "undated"
    if last_day(date) < dated:
        return "earlier"
    if first_day(date) > dated:
        return "later"
    return "same day" if date == dated else "cannot be told"
