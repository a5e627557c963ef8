"""From the entries of any kind of file to papers: what is taken, what is not and why, and which
cites which.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.literature.importing.dates import when, when_on_arxiv
from core.literature.importing.text import plain
from core.literature.paper_ids import arxiv_in, doi_in, paper_id, wanted_id
from core.records import Paper
from core.store.own import OWN, Edge, Imported, Skipped

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


def gathered(name: str, kind: str, entries: Iterable[FileEntry]) -> Imported:
    """Judge the entries of a file one by one: papers with a title are taken, the first of each."""
    papers: list[Paper] = []
    at: list[str] = []
    skipped: list[Skipped] = []
    places: dict[str, int] = {}
    keys: dict[str, str] = {}
    cites: list[tuple[str, str]] = []
    for entry in entries:
        paper = None if entry.trouble else _paper(entry)
        same = (
            next((places[one] for one in sorted(paper.names) if one in places), None)
            if paper
            else None
        )
        if paper is None or same is not None:
            earlier = f"same paper as {at[same]}" if same is not None else ""
            skipped.append(
                Skipped(
                    where=entry.where,
                    title=plain(entry.title)[:200],
                    reason=entry.trouble or earlier or _lacks(entry),
                )
            )
        else:
            places |= dict.fromkeys(paper.names, len(papers))
            papers.append(paper)
            at.append(entry.where)
        if taken := paper if same is None else papers[same]:
            keys.setdefault(entry.key, taken.id)
            cites += [(taken.id, one) for one in entry.cites]
    return Imported(
        name=name,
        format=kind,
        papers=tuple(papers),
        at=tuple(at),
        skipped=tuple(skipped),
        edges=_edges(cites, keys, papers, places),
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
    return "no title" + (
        "; put its DOI into a list of DOIs to have it looked up" if doi_in(entry.doi) else ""
    )


def _paper(entry: FileEntry) -> Paper | None:
    title = plain(entry.title)
    if not any(sign.isalnum() for sign in title) or len(title) > LONGEST_TITLE:
        return None
    authors = tuple(name for one in entry.authors if (name := plain(one)))
    doi = doi_in(entry.doi) or (doi_in(entry.url) if "doi.org/" in entry.url else None)
    arxiv = arxiv_in(entry.arxiv, bare=True) or next(
        (own for said in (doi or "", entry.url, entry.venue) if (own := arxiv_in(said))), None
    )
    year, published = when(entry.date, entry.year, entry.month, entry.day)
    if year is None and arxiv:
        year, published = when_on_arxiv(arxiv)
    return Paper(
        id=paper_id(doi, arxiv, title, authors, year),
        title=title,
        authors=authors,
        year=year,
        published=published,
        venue=plain(entry.venue) or None,
        abstract=plain(entry.abstract),
        abstract_by="foundry" if entry.by_foundry and entry.abstract else "authors",
        citations=_count(entry.citations),
        arxiv=arxiv,
        doi=doi,
        url=_address(entry.url),
        pdf=_address(entry.pdf),
        source=OWN,
    )


def _count(text: str) -> int | None:
    number = text.strip().replace(",", "")
    return int(number) if re.fullmatch(r"[0-9]{1,9}", number) else None


def _address(text: str) -> str | None:
    address = "".join(plain(text).split())
    return address if address.lower().startswith(("https://", "http://")) else None
