"""Papers for reference managers: RIS and CSL-JSON, beside BibTeX."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from core.literature.addresses import page
from core.literature.bibtex import bibtex
from core.literature.venues import is_proceedings, part_venue
from core.records import Paper


def ris(papers: Iterable[Paper]) -> str:
    """Return RIS with one entry a paper, in order."""
    import rispy  # type: ignore[import-untyped]

    return str(rispy.dumps([_ris_entry(paper) for paper in papers]))


def csl(papers: Iterable[Paper]) -> str:
    """Return CSL-JSON with one item a paper, in order."""
    return json.dumps([_csl_item(paper) for paper in papers], indent=1, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Iterable[Paper]], str]] = {
    "bib": bibtex,
    "ris": ris,
    "csl.json": csl,
}
"""What a bibliography can be written as, by ending."""


class Names(NamedTuple):
    """What a kind of paper is called in each format."""

    ris: str
    csl: str


KINDS = {
    "conference": Names("CPAPER", "paper-conference"),
    "journal": Names("JOUR", "article-journal"),
    "other": Names("GEN", "article"),
}


def _kind(paper: Paper) -> str:
    if not paper.venue:
        return "other"
    return "conference" if is_proceedings(paper.venue) else "journal"


def _ris_entry(paper: Paper) -> dict[str, Any]:
    at = part_venue(paper.venue or "")
    first, _, last = paper.pages.partition("-")
    fields: dict[str, Any] = {
        "type_of_reference": KINDS[_kind(paper)].ris,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": str(paper.year or ""),
        "date": (paper.published or "").replace("-", "/"),
        "journal_name": at.name,
        "volume": at.volume,
        "number": at.number,
        "start_page": first,
        "end_page": last,
        "abstract": paper.abstract if paper.abstract_by == "authors" else "",
        "doi": paper.doi or "",
        "urls": [address] if (address := _address(paper)) else [],
    }
    # A line end begins another field, or another entry.
    return {
        name: _line(value) if isinstance(value, str) else list(map(_line, value))
        for name, value in fields.items()
        if value
    }


def _csl_item(paper: Paper) -> dict[str, Any]:
    at = part_venue(paper.venue or "")
    fields: dict[str, Any] = {
        "id": paper.id,
        "type": KINDS[_kind(paper)].csl,
        "title": _line(paper.title),
        "author": [_name(name) for name in paper.authors],
        "issued": {"date-parts": [parts]} if (parts := _date(paper)) else None,
        "container-title": at.name,
        "volume": at.volume,
        "issue": at.number,
        "page": paper.pages,
        "abstract": paper.abstract if paper.abstract_by == "authors" else None,
        "DOI": paper.doi,
        "URL": _address(paper),
    }
    return {name: value for name, value in fields.items() if value}


def _name(name: str) -> dict[str, str]:
    """Part a name into given and family name, the last word; a single word is taken whole."""
    given, _, family = _line(name).rpartition(" ")
    return {"family": family, "given": given} if given else {"literal": family}


def _date(paper: Paper) -> list[int]:
    if found := re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", paper.published or ""):
        return [int(part) for part in found.groups() if part]
    return [paper.year] if paper.year else []


def _address(paper: Paper) -> str | None:
    # The DOI has a field of its own.
    return f"https://arxiv.org/abs/{paper.arxiv}" if paper.arxiv else page(paper)


def _line(text: str) -> str:
    return " ".join(text.split())
