"""RIS, read by `rispy` one entry at a time, so that a broken one takes no other along."""

import re
from collections.abc import Iterator
from typing import Any

import rispy  # type: ignore[import-untyped]

from core.errors import BadInput, boundary
from core.literature.importing.entries import FileEntry
from core.literature.venues import join_venue

_TAG = re.compile(r"^\s*([A-Z][A-Z0-9])  ?-(?: |$)")
TITLES, VENUES, ABSTRACTS = (
    ("title", "primary_title"),
    ("secondary_title", "journal_name", "alternate_title3", "alternate_title1", "alternate_title2"),
    ("abstract", "notes_abstract"),
)
AUTHORS = ("authors", "first_authors")
PDFS = ("file_attachments1", "file_attachments2")


def entries(text: str) -> Iterator[FileEntry]:
    """Give the entries of a RIS file in order, broken ones with what is wrong."""
    block: list[str] = []
    start = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        tag = _tag(line)
        if tag == "TY" and block:
            yield _unended(start, block)
            block = []
        if block or (tag and tag != "ER"):
            start = start if block else number
            block.append(_TAG.sub(r"\1  - ", line))
        if tag == "ER" and block:
            yield _ended(start, block)
            block = []
    if block:
        yield _unended(start, block)


def _tag(line: str) -> str:
    found = _TAG.match(line)
    return found.group(1) if found else ""


def _unended(start: int, block: list[str]) -> FileEntry:
    return FileEntry(
        where=f"line {start}",
        title=_title(block),
        trouble="no line ER ends it; its end is missing, or that line is broken",
    )


def _title(block: list[str]) -> str:
    return next((line[6:] for line in block if line[:2] in ("TI", "T1")), block[0])


def _ended(start: int, block: list[str]) -> FileEntry:
    """Read one entry from its first line to ER."""
    if _tag(block[0]) != "TY":
        return FileEntry(where=f"line {start}", title=_title(block), trouble="no line TY begins it")
    try:
        with boundary(BadInput, "reading this entry"):
            found = rispy.loads("\n".join(block), list_tags=_EVERY_TAG, delimiter_tags_mapping={})
            (one,) = found
    except BadInput as error:
        return FileEntry(where=f"line {start}", title=_title(block), trouble=str(error))
    return _described(f"line {start}", one)


_EVERY_TAG = sorted(set(rispy.TAG_KEY_MAPPING) - {"TY", "UK"})
"""All tags as lists: of a tag given twice nothing is lost, and lines that go on stay apart from
values of their own.
"""


def _described(where: str, one: dict[str, Any]) -> FileEntry:
    def first(*names: str) -> str:
        return next((text for name in names for text in one.get(name, ()) if text.strip()), "")

    def whole(*names: str) -> str:
        return next(
            (joined for name in names if (joined := " ".join(one.get(name, ())).strip())), ""
        )

    addresses = [text for text in one.get("urls", ()) if text.strip()]
    return FileEntry(
        where=where,
        key=first("id"),
        title=whole(*TITLES),
        authors=tuple(_turn(text) for name in AUTHORS for text in one.get(name, ())),
        date=first("date"),
        year=first("year", "publication_year"),
        venue=join_venue(first(*VENUES), first("volume"), first("number")),
        abstract=whole(*ABSTRACTS),
        doi=first("doi"),
        arxiv=next((text for text in addresses if "arxiv.org/" in text.lower()), ""),
        url=addresses[0] if addresses else "",
        pdf=first(*PDFS),
    )


def _turn(name: str) -> str:
    """Return `First Last Jr` for `Last, First, Jr`."""
    last, _, rest = name.partition(",")
    first, _, suffix = rest.partition(",")
    parts = map(str.strip, (first, last, suffix))
    return " ".join(filter(None, parts))
