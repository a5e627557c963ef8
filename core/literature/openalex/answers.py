"""What OpenAlex's answers mean: which are works, what a work says of its paper, and which are
failures to be named.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import SourceFailed
from core.literature.http import (
    AUTHORS,
    HttpAnswer,
    Service,
    sound_address,
    sound_id,
    sound_line,
    sound_name,
    sound_number,
    sound_title,
)
from core.records import Paper

Work = Mapping[str, Any]
OWN = re.compile(r"(?:https://openalex\.org/)?(W\d+)", re.IGNORECASE)
ARXIV = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf)/|10\.48550/arxiv\.)((?:[a-z-]+(?:\.[a-z]{2})?/)?\d[\d.]*\d)",
    re.IGNORECASE,
)
"""Where an address or a DOI names an arXiv paper; its version is left out."""
RESOLVER = re.compile(r"^https?://(dx\.)?doi\.org/", re.IGNORECASE)
WORDS = 2_000
"""Words of an abstract that are read: where the service took a whole text for the abstract, its
beginning serves.
"""


@dataclass(frozen=True)
class AnswerPage:
    works: tuple[Work, ...]
    count: int
    """Works in the whole list."""
    next: str | None
    """Where the list goes on; the service gives it also behind the last page."""


def page(service: Service, answer: HttpAnswer) -> AnswerPage:
    """Return a page of a list of works; raises NotReadable for no JSON, SourceFailed for a refusal
    or another shape.
    """
    if answer.status != 200:
        raise service.refused(answer)
    data = service.parsed(answer.body)
    parts = data if isinstance(data, dict) else {}
    if not isinstance(parts.get("results"), list) or not isinstance(parts.get("meta"), dict):
        said = service.said(data)
        raise SourceFailed(f"{service.whom} sent an answer without a list of papers{said}.")
    if not all(isinstance(one, dict) and own(one.get("id")) for one in data["results"]):
        raise SourceFailed(f"{service.whom} sent a list of papers that is none.")
    count, following = data["meta"].get("count"), data["meta"].get("next_cursor")
    if type(count) is not int or not isinstance(following, str | None):
        raise SourceFailed(
            f"{service.whom} sent a list of papers that does not say how long it is."
        )
    return AnswerPage(tuple(data["results"]), count, following)


def own(name: object) -> str | None:
    """Return the `W...` of a work's id, or None for what is no such id."""
    found = OWN.fullmatch(name) if isinstance(name, str) else None
    return found[1].upper() if found else None


def cited_ids(service: Service, work: Work) -> tuple[str, ...]:
    """Return the ids of the works this one cites, in its order; none where the list is null, and
    without what is no id; raises SourceFailed.
    """
    listed = work.get("referenced_works", ...)
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise SourceFailed(f"{service.whom} sent a paper without a list of references.")
    return tuple(dict.fromkeys(name for one in listed if (name := own(one))))


def paper(work: Work) -> Paper | None:
    """Return the paper as every source gives it, or None for a work without a title: nothing could
    follow from it.
    """
    if not work.get("title"):
        return None
    place = work.get("primary_location") or {}
    best = work.get("best_oa_location") or {}
    doi = RESOLVER.sub("", work.get("doi") or "") or None
    return Paper(
        id=f"openalex:{own(work['id'])}",
        title=sound_title(work["title"]),
        authors=tuple(_authors((work.get("authorships") or ())[:AUTHORS])),
        year=sound_number(work.get("publication_year")),
        published=_published(work.get("publication_date")),
        citations=sound_number(work.get("cited_by_count")),
        venue=sound_name((place.get("source") or {}).get("display_name")) or None,
        abstract=abstract(work.get("abstract_inverted_index")),
        arxiv=_arxiv(work, doi),
        doi=sound_id(doi),
        url=sound_address(work.get("doi"), place.get("landing_page_url"), work["id"]),
        pdf=sound_address(best.get("pdf_url")),
        source="openalex",
    )


def abstract(index: object) -> str:
    """Return the abstract an inverted index (word -> its places) stands for: words in order, holes
    closed, what is no place left out.
    """
    if not isinstance(index, dict):
        return ""
    places = [
        (place, word)
        for word, listed in index.items()
        if isinstance(listed, list)
        for place in listed
        if type(place) is int and place >= 0
    ]
    places.sort(key=lambda found: found[0])
    return sound_line(" ".join(word for _, word in places[:WORDS]))


def _authors(authorships: Iterable[Any]) -> Iterable[str]:
    for one in authorships:
        if name := (one.get("author") or {}).get("display_name") or one.get("raw_author_name"):
            yield sound_name(name)


def _arxiv(work: Work, doi: str | None) -> str | None:
    addresses = [
        place.get(name)
        for place in work.get("locations") or ()
        for name in ("landing_page_url", "pdf_url")
    ]
    return next(
        (found[1] for one in (doi, *addresses) if one and (found := ARXIV.search(one))), None
    )


def _published(day: str | None) -> str | None:
    """Return a date as far as it can be known: a first of the month stands also for the month, and
    January 1 for the year.

    Crossref, where the dates are from, gives a month or a year as its first day; taken at its word,
    a paper of December would pass a cut-off in June.
    """
    if not day or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) or day.endswith("-01-01"):
        return None
    return day.removesuffix("-01")
