"""From the entries of any kind of file to papers: what is taken, what is not and why, and which
cites which.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import BadInput
from core.literature.importing.dates import when, when_on_arxiv
from core.literature.importing.text import plain
from core.literature.paper_ids import arxiv_in, doi_in, paper_id, wanted_id
from core.literature.venues import read_pages
from core.records import OTHERS, Paper
from core.refusals import Refusals
from core.store.own import OWN, Edge, Imported, Skipped

MOST_ENTRIES = 20_000
"""Of one file: all of it is kept at once, while nobody else can write."""
MOST_CITED = 200_000
"""Citations that one file may name, for the same reason."""
LONGEST_TITLE = 1_000
"""Characters; what is longer has swallowed its neighbours."""


@dataclass(frozen=True)
class FileEntry:
    """One entry as its file has it, decoded to text and not yet judged."""

    where: str
    trouble: str = ""
    """Why it cannot be read, if it cannot."""
    key: str = ""
    """What the file itself calls it."""
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    year: str = ""
    month: str = ""
    day: str = ""
    venue: str = ""
    pages: str = ""
    abstract: str = ""
    by_foundry: bool = False
    """Whether the abstract is a summary the workbench wrote."""
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    pdf: str = ""
    citations: str = ""
    cites: tuple[str, ...] = ()
    """What it cites: DOIs, arXiv ids or keys of the same file."""


def gather(name: str, kind: str, entries: Iterable[FileEntry]) -> Imported:
    """Judge the entries of a file one by one: papers with a title are taken, the first of each;
    raises BadInput for too many.
    """
    papers: list[Paper] = []
    at: list[str] = []
    skipped = Refusals[Skipped]()
    places: dict[str, int] = {}
    keys: dict[str, str] = {}
    cites: list[tuple[str, str]] = []
    for number, entry in enumerate(entries):
        _check_many(name, number)
        paper = None if entry.trouble else _paper(entry)
        reason = "" if paper else entry.trouble or _lacks(entry)
        for alias in sorted(paper.names if paper else ()):
            if alias in places:
                paper, reason = papers[places[alias]], f"same paper as {at[places[alias]]}"
                break
        if reason:
            title = plain(entry.title)[:200]
            skipped.add(Skipped(where=entry.where, title=title, reason=reason))
        elif paper:
            places |= dict.fromkeys(paper.names, len(papers))
            papers.append(paper)
            at.append(entry.where)
        if paper:
            keys.setdefault(entry.key, paper.id)
            cites += [(paper.id, cited) for cited in entry.cites]
        if len(cites) > MOST_CITED:
            raise BadInput(
                f"{name} names more than {MOST_CITED:,} citations up to {entry.where}. Divide it,"
                " or leave the column of references out."
            )
    return Imported(
        name=name,
        format=kind,
        papers=tuple(papers),
        at=tuple(at),
        skipped=skipped.first,
        more_skipped=skipped.more,
        skipped_by_reason=skipped.reasons,
        edges=_edges(cites, keys, papers, places),
    )


def _check_many(name: str, so_far: int) -> None:
    if so_far >= MOST_ENTRIES:
        raise BadInput(
            f"{name} has more than {MOST_ENTRIES:,} entries. Divide it into several files."
        )


def _edges(
    cites: list[tuple[str, str]], keys: dict[str, str], papers: list[Paper], places: dict[str, int]
) -> tuple[Edge, ...]:
    """Resolve what entries say they cite: a key of the file, else a DOI or arXiv id, of a paper in
    the file where there is one.
    """
    found: dict[Edge, None] = {}
    for citing, said in cites:
        cited = keys.get(said) or wanted_id(said)
        if cited and cited in places:
            cited = papers[places[cited]].id
        if cited and cited != citing:
            found[citing, cited] = None
    return tuple(found)


def _lacks(entry: FileEntry) -> str:
    if len(plain(entry.title)) > LONGEST_TITLE:
        return (
            f"its title has more than {LONGEST_TITLE:,} characters; a bracket or a quotation mark"
            " is missing near it"
        )
    advice = "; put its DOI into a list of DOIs to have it looked up" if doi_in(entry.doi) else ""
    return f"no title{advice}"


def _paper(entry: FileEntry) -> Paper | None:
    title = plain(entry.title)
    if not any(sign.isalnum() for sign in title) or len(title) > LONGEST_TITLE:
        return None
    authors = tuple(name for one in entry.authors if (name := plain(one)))
    named = authors[:-1] if len(authors) > 1 and authors[-1] == OTHERS else authors
    doi = doi_in(entry.doi) or (doi_in(entry.url) if "doi.org/" in entry.url else None)
    arxiv = arxiv_in(entry.arxiv, bare=True)
    for said in (doi or "", entry.url, entry.venue):
        arxiv = arxiv or arxiv_in(said)
    citations = entry.citations.strip().replace(",", "")
    year, published = when(entry.date, entry.year, entry.month, entry.day)
    if year is None and arxiv:
        year, published = when_on_arxiv(arxiv)
    return Paper(
        # By those named, as when `others` was left out: the same file gives the same papers.
        id=paper_id(doi, arxiv, title, named, year),
        title=title,
        authors=authors,
        year=year,
        published=published,
        venue=plain(entry.venue) or None,
        pages=read_pages(plain(entry.pages)),
        abstract=plain(entry.abstract),
        abstract_by="foundry" if entry.by_foundry and entry.abstract else "authors",
        citations=int(citations) if re.fullmatch(r"[0-9]{1,9}", citations) else None,
        arxiv=arxiv,
        doi=doi,
        url=_address(entry.url),
        pdf=_address(entry.pdf),
        source=OWN,
    )


def _address(text: str) -> str | None:
    address = "".join(plain(text).split())
    return address if address.lower().startswith(("https://", "http://")) else None


def read_list(name: str, text: str) -> Imported:
    """Return what a list names as ids to be looked up; lines that name neither a DOI nor an arXiv
    id are skipped, as are repeated ones; raises BadInput for too many.
    """
    wanted: dict[str, str] = {}
    skipped = Refusals[Skipped]()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        where, said = f"line {number}", plain(line)
        if not said or said.startswith("#"):
            continue
        _check_many(name, len(wanted) + skipped.more + len(skipped.first))
        found = wanted_id(said)
        if found and found not in wanted:
            wanted[found] = where
        else:
            reason = f"the same as {wanted[found]}" if found else "neither a DOI nor an arXiv id"
            skipped.add(Skipped(where=where, title=said[:200], reason=reason))
    return Imported(
        name=name,
        format="list of DOIs",
        skipped=skipped.first,
        more_skipped=skipped.more,
        skipped_by_reason=skipped.reasons,
        wanted=tuple(wanted),
    )
