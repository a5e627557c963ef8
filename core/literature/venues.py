"""Where papers stand: conferences told from journals, a journal's volume and number."""

import re
from typing import NamedTuple

from core.records import Paper

_PROCEEDINGS = re.compile(
    r"\b(proceedings|proc\.|conference|workshop|symposium|advances in neural|neurips|nips|icml|"
    r"iclr|aaai|ijcai|cvpr|iccv|eccv|acl|emnlp|naacl|coling|eacl|kdd|www|sigir|chi|uai|aistats|"
    r"colm)\b",
    re.IGNORECASE,
)
_ISSUE = re.compile(r"(?P<name>.*[^\d\s,])\s(?P<volume>\d{1,4})(?:\((?P<number>[^()]{1,20})\))?$")
_PAGES = re.compile(r"\w[\w.:, +-]{0,39}$")
_YEAR = re.compile(r"(?:19|20)\d\d$")


def is_proceedings(venue: str) -> bool:
    """Say whether a venue is a conference, by its name."""
    return bool(_PROCEEDINGS.search(venue))


class Venue(NamedTuple):
    """Where a paper stands: the journal's own name, and its volume and number where they are said
    with it.
    """

    name: str
    volume: str = ""
    number: str = ""


def part_venue(venue: str) -> Venue:
    """Part `Sleep 34(7)` into journal, volume and number, as they are joined when they are read; a
    conference, and a journal with a mere year, keep their whole name.
    """
    whole = " ".join(venue.split())
    found = None if is_proceedings(whole) else _ISSUE.match(whole)
    if found is None or (not found["number"] and _YEAR.match(found["volume"])):
        return Venue(whole)
    return Venue(found["name"], found["volume"], found["number"] or "")


def read_pages(first: str, last: str = "") -> str:
    """Return pages as a record holds them, `123-130`, from `123--130` of BibTeX or the two ends of
    RIS; empty for what is no page.
    """
    parts = [
        " ".join(part.split()) for part in re.split(r"[-\u2010-\u2015]+", first) if part.strip()
    ]
    if last.strip() and last.strip() not in parts:
        parts.append(last.strip())
    pages = "-".join(filter(None, parts))
    return pages if _PAGES.match(pages) else ""


def name_place(paper: Paper) -> str:
    """Say where a paper stands as people cite it: `Sleep 34(7), 943` to 950; empty where its
    venue is not known.
    """
    if not paper.venue or not paper.pages:
        return paper.venue or ""
    pages = paper.pages.replace("-", "\u2013")
    return f"{paper.venue.rstrip('.')}, {pages}"


def join_venue(name: str, volume: str, number: str) -> str:
    """Join a journal with its volume and number as in `Sleep 34(7)`, where `part_venue` parts them
    again; otherwise return the name alone.
    """
    named, of = name.strip(), f"({number.strip()})" if number.strip() else ""
    joined = f"{named} {volume.strip()}{of}"
    parted = volume.strip() and part_venue(joined).name == named
    return joined if parted else name
