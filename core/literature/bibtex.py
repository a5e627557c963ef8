"""Papers as BibTeX, written so that the same entries come back when it is read."""

import re
from collections import Counter
from collections.abc import Iterable

from core.literature.addresses import page
from core.literature.importing.dates import MONTHS
from core.literature.importing.latex import FOUND_AT, SUMMARY, latex_of
from core.literature.importing.text import plain
from core.literature.paper_ids import slug
from core.literature.venues import is_proceedings, part_venue
from core.records import OTHERS, Paper, digest

_SMALL_WORDS = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "the", "to", "with")
)


def bibtex(papers: Iterable[Paper], abstracts: bool = True) -> str:
    """Return BibTeX with one entry a paper, in order, of what it is and not how we came by it (id,
    source, where it was checked); `abstracts` are left out of a list that people read.

    Keys are author, year and first word of the title; where two papers would share one, each has a
    digest of its id added. A summary that the workbench wrote is no abstract and has a field of its
    own.
    """
    each = {paper.id: paper for paper in papers}.values()
    keys = [_key(paper) for paper in each]
    count = Counter(keys)
    entries = []
    for paper, key in zip(each, keys, strict=True):
        unique = key if count[key] == 1 else f"{key}-{digest(paper.id)[:8]}"
        entries.append(_entry(paper, unique, abstracts))
    return "\n".join(entries)


def _key(paper: Paper) -> str:
    names = "".join(paper.authors[:1]).split()
    family = slug(names[-1]) if names else []
    author = "".join(family) or "anonymous"
    year = str(paper.year or "")
    words = (word for word in slug(paper.title) if word not in _SMALL_WORDS)
    return author + year + next(words, "")


def _entry(paper: Paper, key: str, abstracts: bool) -> str:
    kind, venue = "misc", "journal"
    if paper.venue:
        held = is_proceedings(paper.venue)
        kind, venue = ("inproceedings", "booktitle") if held else ("article", "journal")
    month = re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])(-\d\d)?", paper.published or "")
    address, at = page(paper), part_venue(paper.venue or "")
    fields = {
        "title": latex_of(paper.title),
        "author": " and ".join([*map(_author, paper.named), *[OTHERS] * paper.unnamed]),
        "year": str(paper.year or ""),
        "date": _address(paper.published),
        "month": MONTHS[int(month[1]) - 1] if month else "",
        venue: latex_of(at.name),
        "volume": latex_of(at.volume),
        "number": latex_of(at.number),
        "pages": latex_of(paper.pages.replace("-", "--")),
        "doi": _address(paper.doi),
        "eprint": _address(paper.arxiv),
        "archiveprefix": "arXiv" if paper.arxiv else "",
        "url": _address(address if paper.url else ""),
        "pdf": _address(paper.pdf),
        "citations": "" if paper.citations is None else str(paper.citations),
    }
    if abstracts and paper.url != address:
        fields[FOUND_AT] = _address(paper.url)
    if abstracts:
        summary = SUMMARY if paper.abstract_by == "foundry" else "abstract"
        fields[summary] = latex_of(paper.abstract)
    enclosed = {
        name: value if name == "month" else f"{{{value}}}"
        for name, value in fields.items()
        if value
    }
    lines = [f"  {name} = {value}," for name, value in enclosed.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _author(name: str) -> str:
    """Return a name as BibTeX takes it: in brackets where a comma, an `and`, a command or a lone
    `others` would mean something else.
    """
    written = latex_of(name)
    meant = re.search(r"[,\\]|\band\b|^others$", written, re.IGNORECASE)
    return f"{{{written}}}" if meant else written


def _address(text: str | None) -> str:
    """Return a DOI, address or number as it stands; what would end the field early is a percent
    code.
    """
    return re.sub(r"[\\{}\s]", lambda found: f"%{ord(found.group()):02X}", plain(text or ""))
