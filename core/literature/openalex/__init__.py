"""OpenAlex as a source, over its documented REST API.

Asked by a requester of ours: pyalex 0.21 keeps key and settings in one object per process, builds
every address on api.openalex.org, has no time-outs, and would leave us nothing of its request path
but the joining of parameters.
"""

import re
from collections.abc import Sequence

import httpx

from core.errors import BadInput, SourceFailed
from core.literature.corpora import Sample
from core.literature.http import PAGES, Service
from core.literature.http.asking import Asking, SourceQuestion
from core.literature.http.words import cut, day_before, plain
from core.literature.openalex.answers import AnswerPage, Work, cited_ids, own, page, paper
from core.literature.port import Query, bare
from core.literature.ranking import ids_of, let_through
from core.records import Paper, Reference
from core.settings import Settings
from core.store.library import Library

WHOM = "OpenAlex"
FIELDS = (
    "id,doi,title,publication_year,publication_date,authorships,primary_location,best_oa_location,"
    "locations,cited_by_count,abstract_inverted_index"
)
PAGE, DEEPEST = 100, 1_000
"""Works per page and values per filter at most, and results a question has at most."""
SEEDS = (
    "type:article",
    "has_abstract:true",
    "is_retracted:false",
    "primary_location.source.type:journal|conference",
)
"""What a sampled work has to be (EvoIdeator, section 4.1)."""
LONGEST = 300
"""Characters of a query that are sent: all its words must be in a paper, and an address has 4 kB.
"""


class OpenAlexSource(Asking):
    """OpenAlex; papers are `openalex:W...`, and `doi:` and `arxiv:` ids are understood too."""

    name = "openalex"
    about = (
        "OpenAlex holds some 250 million papers of all fields, and finds those that hold every word"
        " asked for. Word the topic with fewer or other terms."
    )

    def __init__(self, settings: Settings, library: Library):
        key = settings.openalex_key
        super().__init__(
            Service(
                name=self.name,
                whom=WHOM,
                address=settings.openalex_url.rstrip("/"),
                address_variable="FOUNDRY_OPENALEX_URL",
                interval=settings.openalex_interval,
                key=key,
                key_variable="OPENALEX_API_KEY",
                without_key="a free key allows ten times as much a day",
                # In the header, where it is documented too, the key is in no address and so in no
                # log.
                headers={"authorization": f"Bearer {key}"} if key else {},
            ),
            settings,
            library,
        )

    def search(self, query: Query) -> tuple[Paper, ...]:
        """Return the papers that hold the words (of the first 300 characters), best first; raises
        BadInput, SourceFailed.
        """
        words = cut(plain(query.text).lower(), LONGEST)
        filters = _until(query.before)
        wanted = min(query.limit + len(query.ban), DEEPEST)
        with self._asking("searching for papers") as question:
            listed, _ = self._list(question, wanted, filters, search=words)
            found = tuple(filter(None, listed))
        return let_through(found, query)[: query.limit]

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        """Return the papers with these ids, in this order, without those the service does not know;
        raises SourceFailed.
        """
        with self._asking("fetching papers") as question:
            numbers = {name: number for name in ids if (number := _number(name))}
            ours = self._numbered(question, [numbers[name] for name in ids if name in numbers])
            found = []
            for name in ids:
                if name in numbers:
                    found.append(ours.get(numbers[name]))
                else:
                    work = self._sought(question, (name,), FIELDS)
                    found.append(paper(work) if work else None)
            return tuple(filter(None, found))

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        """Return papers that cite this one, the most cited first, of those before a date; raises
        BadInput for one it does not know, SourceFailed.
        """
        until = _until(before)
        with self._asking("following citations") as question:
            number = _number(paper.id) or own(self._known(question, paper, "id")["id"])
            listed, count = self._list(
                question,
                min(limit, DEEPEST),
                [f"cites:{number}", *until],
                sort="cited_by_count:desc",
            )
            found, question.more = tuple(filter(None, listed)), count > len(listed)
        return let_through(found, Query(text="", before=before))

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        """Return papers that this one cites, in its order; ids that lead nowhere are left out;
        raises BadInput as `citations` does, SourceFailed.
        """
        with self._asking("following references") as question:
            work = (
                self._sought(question, ids_of(paper), "id,referenced_works")
                if _number(paper.id)
                else self._known(question, paper, "id,referenced_works")
            )
            numbers = cited_ids(self._asker.service, work) if work else ()
            found: list[Paper] = []
            while numbers and len(found) < limit:
                part, numbers = numbers[:PAGE], numbers[PAGE:]
                held = self._numbered(question, part)
                found += [held[number] for number in part if number in held]
            return tuple(found[:limit])

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does; how each is cited the service does not say. Raises as
        `references` does.
        """
        return bare(self.references(paper, limit))

    def sample(self, wanted: Sample, page: int) -> tuple[Paper, ...]:
        """Return a page of a random sample, a hundred works each, in an order that the seed
        decides; raises SourceFailed.

        The same seed gives the same works until the service takes new ones in. Its documentation
        allows no cursor here, and at most 10,000 works.
        """
        if (page - 1) * PAGE >= wanted.works:
            return ()
        filters = [f"publication_year:{wanted.year}", *SEEDS]
        parameters = {
            "filter": ",".join(filters),
            "sample": str(wanted.works),
            "seed": str(wanted.seed),
            "per_page": str(PAGE),
            "page": str(page),
            "select": FIELDS,
        }
        with self._asking("sampling works") as question:
            works = self._ask_page(question, parameters).works
            return tuple(filter(None, map(paper, works)))

    # -- works ---------------------------------------------------------------------------------

    def _list(
        self,
        question: SourceQuestion,
        wanted: int,
        filters: list[str],
        **asked: str,
    ) -> tuple[list[Paper | None], int]:
        """Return the papers of as many works as are wanted, None for a work that is none, and how
        many works there are in all.

        A page's works become papers before the next is asked for: they take many times as much.
        """
        found: list[Paper | None] = []
        cursor: str | None = "*"
        count = pages = 0
        while cursor and len(found) < wanted:
            pages += 1
            if pages > 3 * wanted / PAGE + PAGES:
                raise SourceFailed(f"{WHOM} sent a list of papers whose pages lead nowhere.")
            parameters = {**asked, **_page_of(filters, min(wanted, PAGE), FIELDS, cursor)}
            got = self._ask_page(
                question, {name: value for name, value in parameters.items() if value}
            )
            found += map(paper, got.works[: wanted - len(found)])
            count = got.count
            cursor = got.next if got.works and len(found) < count else None
            del got
        return found, count

    def _ask_page(self, question: SourceQuestion, parameters: dict[str, str]) -> AnswerPage:
        address = httpx.URL(f"{self._asker.service.address}/works", params=parameters)
        return self._asker.ask(
            question, str(address), lambda answer: page(self._asker.service, answer)
        )

    def _numbered(self, question: SourceQuestion, numbers: Sequence[str]) -> dict[str, Paper]:
        """Return papers by their own ids, a hundred a request."""
        found: list[Paper] = []
        for start in range(0, len(numbers), PAGE):
            part = numbers[start : start + PAGE]
            wanted = [f"ids.openalex:{'|'.join(part)}"]
            listed, _ = self._list(question, len(part), wanted)
            found += filter(None, listed)
        return {one.id.removeprefix("openalex:"): one for one in found}

    def _sought(self, question: SourceQuestion, named: tuple[str, ...], fields: str) -> Work | None:
        """Return the work with one of these names, tried in turn, or None.

        Asked as a list, which is empty where nothing is known; a single work that is unknown would
        answer as a wrong address does.
        """
        for sought in dict.fromkeys(sought for name in named for sought in _filters(name)):
            works = self._ask_page(question, _page_of([sought], 1, fields)).works
            if works:
                return works[0]
        return None

    def _known(self, question: SourceQuestion, paper: Paper, fields: str) -> Work:
        work = self._sought(question, ids_of(paper), fields)
        if work is None:
            raise BadInput(
                f"{WHOM} knows no paper {paper.id!r} by its DOI or arXiv id; follow papers in the"
                " source they came from."
            )
        return work


def _page_of(filters: list[str], size: int, fields: str, cursor: str = "*") -> dict[str, str]:
    """Return the parameters of one page of a list."""
    return {
        "filter": ",".join(filters),
        "per_page": str(size),
        "cursor": cursor,
        "select": fields,
    }


def _number(name: str) -> str | None:
    """Return the `W...` of an id of ours, or None for an id of another source."""
    return own(name.removeprefix("openalex:")) if name.startswith("openalex:") else None


def _filters(name: str) -> list[str]:
    """Return the filters under which the service may have a name: none for one that only another
    source can have given.
    """
    prefix, _, rest = name.partition(":")
    rest = rest.strip().lower()
    if not rest or any(sign in rest for sign in ",|!"):
        return []  # These signs are the filter's own and cannot be escaped.
    if number := _number(name):
        return [f"ids.openalex:{number}"]
    if prefix == "doi":
        return [f"doi:https://doi.org/{rest}"]
    if prefix == "arxiv":
        rest = re.sub(r"v\d+$", "", rest)
        return [
            f"doi:https://doi.org/10.48550/arxiv.{rest}",
            f"locations.landing_page_url:http://arxiv.org/abs/{rest}|https://arxiv.org/abs/{rest}",
        ]
    return []


def _until(before: str | None) -> list[str]:
    """Return the filter for papers before a cut-off."""
    return [f"to_publication_date:{day_before(before)}"] if before is not None else []
