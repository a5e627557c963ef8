"""What Semantic Scholar's answers mean: which are papers, which are 'not known', and which are
failures to be named.
"""

from typing import Any

from semanticscholar.Paper import Paper as Found
from semanticscholar.Reference import Reference as FoundReference

from core.errors import SourceFailed
from core.literature.http import (
    AUTHORS,
    ID,
    HttpAnswer,
    Service,
    sound,
    sound_address,
    sound_id,
    sound_line,
    sound_name,
    sound_number,
    sound_title,
)
from core.literature.mentions import telling
from core.records import Mention, Paper, Reference


def is_hop(url: str) -> bool:
    """Say whether an address asks for citations or references."""
    return url.partition("?")[0].endswith(("/citations", "/references"))


def judge(service: Service, answer: HttpAnswer, url: str, payload: dict[str, Any] | None) -> Any:
    """Return an answer in the shape the package expects, None where no such paper is known; raises
    NotReadable, SourceFailed.
    """
    if answer.status == 200:
        return shape(service, url, payload, answer.body)
    # Some refusals say that no such paper is known, which is an answer and no failure.
    words = service.words_of(answer).lower()
    if answer.status == 404 and is_hop(url) and "not found" in words:
        return None
    if answer.status == 400 and "no valid paper ids" in words:
        return None
    raise service.refused(answer)


def shape(service: Service, url: str, payload: dict[str, Any] | None, body: bytes) -> Any:
    """Return an answer in the shape the package expects; raises NotReadable for no JSON,
    SourceFailed for another shape.
    """
    data = service.parsed(body)
    if payload:
        return _batch(service, data, payload["ids"])
    return _page(service, data, hop=is_hop(url))


def _page(service: Service, data: Any, hop: bool) -> Any:
    if not isinstance(data, dict) or ("data" not in data and data.get("total") != 0):
        said = service.said(data)
        raise SourceFailed(f"{service.whom} sent an answer without a list of papers{said}.")
    items = data.get("data", [])
    if items is None and hop:
        # The publisher withholds this list; the service says so with null.
        items = []
    if not isinstance(items, list) or not all(
        _is_hop_entry(item) if hop else _is_paper(item) for item in items
    ):
        raise SourceFailed(f"{service.whom} sent a list of papers that is none.")
    return {**data, "data": [item for item in items if _inner(item)] if hop else items}


def _is_paper(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("paperId"), str)
        and len(item["paperId"]) <= ID
    )


def _inner(item: dict[str, Any]) -> Any:
    return item["citingPaper"] if "citingPaper" in item else item["citedPaper"]


def _is_hop_entry(item: Any) -> bool:
    """Say whether an entry is a citation or reference; its paper may be null or lack an id where
    the service could not resolve it.
    """
    if not isinstance(item, dict) or not ("citingPaper" in item or "citedPaper" in item):
        return False
    inner = _inner(item)
    return inner is None or (
        isinstance(inner, dict) and isinstance(inner.get("paperId", 0), str | None)
    )


def _batch(service: Service, data: Any, ids: list[str]) -> Any:
    if (
        not isinstance(data, list)
        or len(data) != len(ids)
        or not all(item is None or _is_paper(item) for item in data)
    ):
        said = service.said(data)
        raise SourceFailed(
            f"{service.whom} did not answer with one entry per paper asked for{said}."
        )
    return data


def paper(found: Found) -> Paper | None:
    """Return the paper as every source gives it, or None for an entry without id or title: nothing
    could follow from it.
    """
    if not found.paperId or not found.title:
        return None
    outside, pdf = found.externalIds or {}, sound_address((found.openAccessPdf or {}).get("url"))
    day = found.publicationDate
    return Paper(
        id=f"s2:{found.paperId}",
        title=sound_title(found.title),
        authors=tuple(
            sound_name(author.name) for author in (found.authors or ())[:AUTHORS] if author.name
        ),
        year=sound_number(found.year),
        published=day.date().isoformat() if day else None,
        venue=sound_name(found.venue) or None,
        abstract=sound_line(found.abstract),
        citations=sound_number(found.citationCount),
        arxiv=sound_id(outside.get("ArXiv")),
        doi=sound_id(outside.get("DOI")),
        # The package's own `url` fails where the service left the field out.
        url=sound_address(found.raw_data.get("url"), pdf),
        pdf=pdf,
        source="semantic-scholar",
    )


def reference(found: FoundReference) -> Reference | None:
    """Return the reference with what is said of it; its paper counts also where what is said of it
    cannot be read.
    """
    cited = paper(found.paper)
    if cited is None:
        return None
    how = Mention(
        contexts=telling(_texts(found.contexts)),
        intents=_texts(found.intents),
        influential=found.isInfluential is True,
    )
    return Reference(paper=cited, how=how)


def _texts(given: object) -> tuple[str, ...]:
    """Return the texts in a list: null where the publisher withholds them."""
    texts = given if isinstance(given, list) else ()
    return tuple(sound(text) for text in texts if isinstance(text, str))
