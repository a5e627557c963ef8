"""Semantic Scholar as a source, through the `semanticscholar` package with a requester of ours:
synchronous, limited, cached, and typed in its failures.
"""

import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

import httpx
from semanticscholar import AsyncSemanticScholar
from semanticscholar.ApiRequester import ApiRequester

from core.errors import BadInput, SourceFailed
from core.literature.corpora import CorpusListing, ListedPage
from core.literature.http import PAGES, Service
from core.literature.http.asking import Asker, Asking, SourceQuestion
from core.literature.http.words import cut, day_before
from core.literature.port import Query
from core.literature.ranking import ids_of, let_through
from core.literature.semantic_scholar.answers import is_hop, judge, paper, reference
from core.literature.semantic_scholar.listing import FIELDS, list_page
from core.records import Paper, Reference
from core.settings import Settings
from core.store.library import Library

T = TypeVar("T")
WHOM = "Semantic Scholar"
PREFIXES = {"s2": "", "doi": "DOI:", "arxiv": "ARXIV:"}
"""How an id of ours begins, and how the same is said to the service."""
LONGEST = 500
"""Characters of a query that are sent: more matches nothing, and an address has a limit."""
EVIDENCE = ["contexts", "intents", "isInfluential"]
"""What the service knows of a citation itself."""
PAGE, BATCH, DEEPEST = 100, 500, 1_000
"""Papers per search page, ids per batch, and results a search has at most."""


class Requester(ApiRequester):  # type: ignore[misc]  # the package is untyped
    """Answers the package's client through an asker of ours."""

    def __init__(self, settings: Settings, asker: Asker):
        super().__init__(timeout=settings.read_timeout, retry=False)
        self._asker = asker
        self._local = threading.local()

    def begin(self, question: SourceQuestion, also: str = "") -> None:
        """Let what this thread asks from now on belong to `question`, with `also` behind each
        address: parameters the package cannot express.
        """
        self._local.question, self._local.also = question, also

    async def get_data_async(
        self,
        url: str,
        parameters: str,
        headers: dict[str, str] | None,  # noqa: ARG002
        payload: dict[str, Any] | None = None,
    ) -> Any:
        """Answer the package; it never waits on an event loop, and our own headers go out whatever
        the package gives.
        """
        question: SourceQuestion = self._local.question
        full = str(httpx.URL(f"{url}?{parameters.lstrip('&')}{self._local.also}"))
        data = self._asker.ask(
            question,
            full,
            lambda answer: judge(self._asker.service, answer, full, payload),
            payload,
        )
        if data is not None:
            return data
        question.unknown = True
        return {"data": []} if is_hop(full) else [None] * len((payload or {})["ids"])


class Client(AsyncSemanticScholar):  # type: ignore[misc]  # the package is untyped
    """The package's client with our requester; it is never given the key."""

    debug = (
        False  # hides the package's property, whose setter configures logging for the whole process
    )

    def __init__(self, address: str, requester: Requester):
        super().__init__(api_url=address, retry=False)
        self._requester = requester

    def _get_not_found_ids(self, paper_ids: list[str], papers: list[Any]) -> list[str]:  # noqa: ARG002
        """Return nothing: the package would log the ids on the screen, and trips over a paper
        without one.
        """
        return []


class SemanticScholarSource(Asking):
    """Semantic Scholar; papers are `s2:<paper id>`, and `doi:` and `arxiv:` ids are understood
    too.
    """

    name = "semantic-scholar"
    about = (
        "Semantic Scholar holds some 200 million papers of all fields. Word the topic with fewer or"
        " other terms."
    )

    def __init__(self, settings: Settings, library: Library):
        address = settings.semantic_scholar_url.rstrip("/").removesuffix("/graph/v1")
        key = settings.semantic_scholar_key
        super().__init__(
            Service(
                name=self.name,
                whom=WHOM,
                address=address,
                address_variable="FOUNDRY_SEMANTIC_SCHOLAR_URL",
                interval=settings.semantic_scholar_interval,
                key=key,
                key_variable="SEMANTIC_SCHOLAR_API_KEY",
                without_key="without a key everybody shares one limit",
                headers={"x-api-key": key} if key else {},
            ),
            settings,
            library,
        )
        self._requester = Requester(settings, self._asker)
        self._client = Client(address, self._requester)

    def search(self, query: Query) -> tuple[Paper, ...]:
        """Return the papers that fit the words (the first 500 characters), best first; raises
        BadInput, SourceFailed.
        """
        # Its documentation: "Hyphenated query terms yield no matches". Read as 'nothing found',
        # that would be a false 'novel'.
        text = query.text.encode("utf-8", "ignore").decode()
        words = cut(re.sub(r"(?<=\w)[-\u2010\u2011\u2013](?=\w)", " ", text), LONGEST)
        wanted = min(query.limit + len(query.ban), DEEPEST)
        with self._asked("searching for papers"):
            results = _finish(
                self._client.search_paper(
                    quote_plus(words),
                    fields=FIELDS,
                    limit=min(wanted, PAGE),
                    publication_date_or_year=_until(query.before),
                )
            )
            found = _papers(self._pages(results, wanted))
        return let_through(found, query)[: query.limit]

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        """Return the papers with these ids, in this order, without those the service does not know;
        raises SourceFailed.
        """
        asked = list(filter(None, map(_theirs, ids)))
        with self._asked("fetching papers"):
            batches = [
                _finish(self._client.get_papers(asked[start : start + BATCH], FIELDS))
                for start in range(0, len(asked), BATCH)
            ]
            return _papers([found for batch in batches for found in batch])

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        """Return papers that cite this one, in the service's order; raises BadInput for one it has
        no name for, SourceFailed.

        With `before` the service looks among papers up to that day only; otherwise the newest of a
        much cited paper may be all that come.
        """
        until = _until(before)
        return self._hop(
            self._client.get_paper_citations,
            paper,
            limit,
            FIELDS,
            _paper_in,
            f"&publicationDateOrYear={until}" if until else "",
        )

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        """Return papers that this one cites; none too where the publisher withholds them; raises
        BadInput, SourceFailed.
        """
        return self._hop(self._client.get_paper_references, paper, limit, FIELDS, _paper_in)

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does, each with its passages, what it is cited for, and whether
        the service holds it influential.
        """
        return self._hop(
            self._client.get_paper_references, paper, limit, [*EVIDENCE, *FIELDS], reference
        )

    def listed(self, wanted: CorpusListing, page: str = "") -> ListedPage:
        """Return a page of a list by criteria, a thousand papers at most; raises BadInput for
        criteria it cannot take, SourceFailed.
        """
        with self._asking("listing papers") as question:
            return list_page(self._asker, question, wanted, page)

    def _hop(
        self,
        ask: Any,
        paper: Paper,
        limit: int,
        fields: list[str],
        read: Callable[[Any], T | None],
        also: str = "",
    ) -> tuple[T, ...]:
        """Follow a paper by the first of its names that the service knows; one of its own that it
        no longer knows has nothing.
        """
        for theirs in dict.fromkeys(filter(None, map(_theirs, ids_of(paper)))):
            with self._asked("following citations", also) as question:
                results = _finish(
                    ask(quote(theirs, safe="/:"), fields=fields, limit=min(limit, DEEPEST))
                )
                items = self._pages(results, limit)
                found = tuple(filter(None, map(read, items[:limit])))
                question.more = bool(results.next) or len(items) > limit
            if not question.unknown:
                return found
        if paper.id.startswith("s2:"):
            return ()
        raise BadInput(
            f"{WHOM} knows no paper {paper.id!r} by its id, DOI or arXiv id; follow papers in the"
            " source they came from."
        )

    @contextmanager
    def _asked(self, doing: str, also: str = "") -> Iterator[SourceQuestion]:
        with self._asking(doing) as question:
            self._requester.begin(question, also)
            yield question

    @staticmethod
    def _pages(results: Any, wanted: int) -> list[Any]:
        """Return the items of as many pages as are wanted; iterating the package's results would
        start an event loop per page.
        """
        read_to, pages = 0, 1
        while len(results) < wanted and results.next:
            pages += 1
            if results.next <= read_to or pages > 3 * wanted / PAGE + PAGES:
                raise SourceFailed(f"{WHOM} sent a list of papers whose pages lead nowhere.")
            read_to = results.next
            # Where the service sent less than a page, the package would take the list for read to
            # its end.
            results._offset = read_to - results._limit
            _finish(results.async_next_page())
        return list(results.items)


def _finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that never waits: our requester is synchronous, so no event loop is
    needed.
    """
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the requester waited on an event loop")


def _paper_in(item: Any) -> Paper | None:
    return paper(item.paper)


def _papers(found: list[Any]) -> tuple[Paper, ...]:
    return tuple(filter(None, map(paper, found)))


def _theirs(name: str) -> str | None:
    """Return an id of ours as the service writes it, or None for an id of another source."""
    prefix, _, rest = name.partition(":")
    return PREFIXES[prefix] + rest if prefix in PREFIXES and rest.strip() else None


def _until(before: str | None) -> str | None:
    """Return the range of days before a cut-off as the service writes it."""
    return f":{day_before(before)}" if before is not None else None
