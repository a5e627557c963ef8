"""What Semantic Scholar's answers mean: which are papers, which are 'not known', and which are failures to be named."""
import json
from typing import Any

from semanticscholar.Paper import Paper as Found

from core.errors import SourceFailed
from core.records import Paper

WHOM = "Semantic Scholar"


class NotReadable(Exception):
    """The answer did not arrive whole; another try may bring it."""


def is_hop(url: str) -> bool:
    """Say whether an address asks for citations or references."""
    return url.partition("?")[0].endswith(("/citations", "/references"))


def shaped(url: str, payload: dict[str, Any] | None, body: bytes) -> Any:
    """Return an answer in the shape the package expects; raises NotReadable for no JSON, SourceFailed for another shape."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"{WHOM} sent something that is not JSON ({body[:40].decode('utf-8', 'replace')!r} ...).") from error
    return _batch(data, payload["ids"]) if payload else _page(data, hop=is_hop(url))


def _page(data: Any, hop: bool) -> Any:
    if not isinstance(data, dict) or ("data" not in data and data.get("total") != 0):
        raise SourceFailed(f"{WHOM} sent an answer without a list of papers{_words(data)}.")
    items = data.get("data", [])
    if items is None and hop:
        # The publisher withholds this list; the service says so with null.
        items = []
    if not isinstance(items, list) or not all(_is_hop_entry(item) if hop else _is_paper(item) for item in items):
        raise SourceFailed(f"{WHOM} sent a list of papers that is none.")
    return {**data, "data": [item for item in items if _inner(item)] if hop else items}


def _is_paper(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("paperId"), str)


def _inner(item: dict[str, Any]) -> Any:
    return item["citingPaper"] if "citingPaper" in item else item["citedPaper"]


def _is_hop_entry(item: Any) -> bool:
    """Say whether an entry is a citation or reference; its paper may be null or lack an id where the service could not resolve it."""
    if not isinstance(item, dict) or not ("citingPaper" in item or "citedPaper" in item):
        return False
    inner = _inner(item)
    return inner is None or (isinstance(inner, dict) and isinstance(inner.get("paperId", 0), str | None))


def _batch(data: Any, ids: list[str]) -> Any:
    if not isinstance(data, list) or len(data) != len(ids) or not all(item is None or _is_paper(item) for item in data):
        raise SourceFailed(f"{WHOM} did not answer with one entry per paper asked for{_words(data)}.")
    return data


def unknown(status: int, body: bytes, url: str) -> bool:
    """Say whether a refusal means that no such paper is known, which is an answer and no failure."""
    said = _said(body).lower()
    return (status == 404 and is_hop(url) and "not found" in said) or (status == 400 and "no valid paper ids" in said)


def refused(status: int, body: bytes, with_key: bool) -> str:
    """Return the sentence for a refusal, with what the service said."""
    said = _said(body)
    words = f": {said}" if said else ""
    if status in (401, 403):
        cure = "Check SEMANTIC_SCHOLAR_API_KEY" if with_key else "It may want a key: set SEMANTIC_SCHOLAR_API_KEY"
        return f"{WHOM} refused access (HTTP {status}{words}). {cure}."
    if status == 404:
        return f"{WHOM} has nothing at this address (HTTP 404{words}). Check FOUNDRY_SEMANTIC_SCHOLAR_URL."
    return f"{WHOM} refused the request (HTTP {status}{words})."


def _said(body: bytes) -> str:
    try:
        return _message(json.loads(body))
    except (ValueError, RecursionError):
        return ""


def _message(data: Any) -> str:
    said = (data.get("error") or data.get("message")) if isinstance(data, dict) else None
    return said[:200].rstrip(". ") if isinstance(said, str) else ""


def _words(data: Any) -> str:
    said = _message(data)
    return f": {said}" if said else ""


def paper(found: Found) -> Paper | None:
    """Return the paper as every source gives it, or None for an entry without id or title: nothing could follow from it."""
    if not found.paperId or not found.title:
        return None
    outside = found.externalIds or {}
    day = found.publicationDate
    return Paper(
        id=f"s2:{found.paperId}", title=_sound(found.title), authors=tuple(_sound(author.name) for author in found.authors or () if author.name),
        year=found.year, published=day.date().isoformat() if day else None, venue=_sound(found.venue) or None, abstract=_sound(found.abstract),
        citations=found.citationCount, arxiv=outside.get("ArXiv"), doi=outside.get("DOI"),
        # The package's own `url` fails where the service left the field out.
        url=found.raw_data.get("url") or (found.openAccessPdf or {}).get("url") or None, source="semantic-scholar")


def _sound(text: str | None) -> str:
    # Half a surrogate pair, which JSON can spell, cannot be written as UTF-8.
    return (text or "").encode("utf-8", "replace").decode()
