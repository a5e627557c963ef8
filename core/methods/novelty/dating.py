"""Works over all their versions, and when each was public first: nothing later than an idea
anticipates it.
"""

import datetime
import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from core.records import Paper, Version
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


def merge(hits: Iterable[Hit], dated: str) -> tuple[Work, ...]:
    """Return the works among what was found, in the order they were found in: entries that are one
    paper are versions of one work, however far around. `dated` is the idea's own date.
    """
    every = list(hits)
    leader = list(range(len(every)))
    known: dict[str, list[int]] = {}

    def root(n: int) -> int:
        while leader[n] != n:
            n = leader[n]
        return n

    for n, hit in enumerate(every):
        for name in sorted(hit.paper.names):
            for other in known.setdefault(name, []):
                first, mine = root(other), root(n)
                if first != mine and hit.paper.same(every[other].paper):
                    leader[max(first, mine)] = min(first, mine)
            known[name].append(n)
    groups: dict[int, list[Hit]] = {}
    for n, hit in enumerate(every):
        groups.setdefault(root(n), []).append(hit)
    return tuple(_work(group, dated) for group in groups.values())


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
