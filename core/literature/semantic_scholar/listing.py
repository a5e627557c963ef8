"""Listing papers by criteria: the service's bulk search, asked by ourselves (the package pastes
criteria into the address unescaped).
"""

from collections.abc import Mapping
from typing import Any

import httpx
from semanticscholar.Paper import Paper as Found

from core.errors import BadInput, SourceFailed
from core.literature.corpora import CorpusListing, ListedPage, draw_sample
from core.literature.http.asking import Asker, SourceQuestion
from core.literature.semantic_scholar.answers import judge, paper

FIELDS = [
    "title",
    "abstract",
    "year",
    "publicationDate",
    "authors",
    "venue",
    "citationCount",
    "externalIds",
    "openAccessPdf",
    "url",
]


def list_page(
    asker: Asker, question: SourceQuestion, wanted: CorpusListing, page: str
) -> ListedPage:
    """Return one page, in the service's own order (by paper id, which says nothing of a paper),
    drawn by the seed; raises BadInput, SourceFailed.

    Documented at api.semanticscholar.org/api-docs/graph: /paper/search/bulk pages by `token`, takes
    no limit, and gives up to 1,000 papers a page.
    """
    bulk = f"{asker.service.address}/graph/v1/paper/search/bulk"
    address = str(httpx.URL(bulk, params=_parameters(wanted, page)))
    data: Mapping[str, Any] = asker.ask(
        question, address, lambda answer: judge(asker.service, answer, address, None)
    )
    total, token = data.get("total"), data.get("token")
    if type(total) is not int or not isinstance(token, str | None):
        raise SourceFailed(
            f"{asker.service.whom} sent a list of papers that does not say how long it is."
        )
    without = frozenset(wanted.without)
    typed = [one for one in data["data"] if without.isdisjoint(one.get("publicationTypes") or ())]
    # A filter the service overlooks must not widen the data set.
    papers = [
        found
        for found in filter(None, map(paper, map(Found, typed)))
        if wanted.holds(found) and (found.citations or 0) >= wanted.citations
    ]
    told = tuple(one for one in papers if one.abstract)
    return ListedPage(
        papers=draw_sample(told, wanted.seed, wanted.keep),
        matching=total,
        read=len(data["data"]),
        of_other_types=len(data["data"]) - len(typed),
        without_abstract=len(papers) - len(told),
        next=token or "",
    )


def _parameters(wanted: CorpusListing, page: str) -> dict[str, str]:
    if divided := [name for name in (*wanted.venues, *wanted.fields) if "," in name]:
        raise BadInput(
            f"{divided[0]!r}: a venue or a field of study with a comma cannot be asked for. Write"
            " the abbreviation the venue goes by."
        )
    window = f"{wanted.since}:{wanted.until}" if wanted.since and wanted.until else ""
    given = {
        "query": wanted.words,
        "year": "" if window else str(wanted.year),
        "publicationDateOrYear": window,
        "fieldsOfStudy": ",".join(wanted.fields),
        "venue": ",".join(wanted.venues),
        "minCitationCount": str(wanted.citations) if wanted.citations else "",
        "fields": ",".join([*FIELDS, "publicationTypes"]),
        "token": page,
    }
    return {name: value for name, value in given.items() if value}
