"""What a desk asks of literature: searches, citations in both directions, whole texts; every answer
a step of the run.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from core.desk.bench import Bench, Lane
from core.errors import BadInput, FoundryError, SourceFailed
from core.journal import Answer, StepQuestion
from core.literature.full_text import excerpt
from core.literature.full_text.citations import cited_in
from core.literature.port import Query, Source
from core.literature.ranking import let_through
from core.records import FullText, Mention, Origin, Paper, Reference, Search

PAPERS = TypeAdapter(tuple[Paper, ...])
MENTIONS = TypeAdapter(dict[str, Mention])
Also = Callable[[dict[str, object]], dict[str, object]]
"""What a step says beside its papers, made of what the source told of its answer."""


@dataclass(frozen=True)
class Literature:
    """A place in a run from which literature is asked for."""

    bench: Bench
    lane: Lane
    place: str = ""
    passed: tuple[type[FoundryError], ...] = ()
    """Failures this line of work is given up on, while others go on: every step records them."""

    @property
    def source(self) -> Source:
        return self.bench.source

    def step(
        self,
        name: str,
        asked: Mapping[str, object],
        answer: Callable[[], Answer],
        check: Callable[[object], object] = lambda reply: reply,
        recorded: tuple[type[FoundryError], ...] = (),
    ) -> Any:
        """Return what is answered under this name at this place, a step of the run: recorded once,
        and free from then on.
        """
        question = StepQuestion(
            f"{self.place}/{name}", self.lane.next(), dict(asked), check, recorded
        )
        return self.bench.journal.step(question, answer)

    def note(self, name: str) -> Callable[[str], None]:
        """Return what shows a line about a step while it is waited for."""
        tell = self.bench.journal.progress(f"{self.place}/{name}")
        return lambda line: tell("", line)

    def search(self, name: str, query: Query) -> tuple[Paper, ...]:
        """Search the source; empty means nothing found, SourceFailed (recorded) means it did not
        answer.
        """
        return self._search(name, query)[0]

    def look(self, name: str, query: Query) -> Search:
        """Search the source and return how it ended: found, nothing found, or failed, which may be
        one of several sources only.
        """
        try:
            papers, beside = self._search(
                name,
                query,
                lambda detail: {"instead": str(detail["because"])} if "because" in detail else {},
            )
        except (SourceFailed, BadInput) as error:
            return Search(query=query.text, state="source failed", reason=str(error))
        return Search(
            query=query.text,
            state="found" if papers else "nothing found",
            papers=papers,
            partly=str(beside.get("failed", "")),
            instead=str(beside.get("instead", "")),
        )

    def _search(
        self, name: str, query: Query, also: Also = lambda _: {}
    ) -> tuple[tuple[Paper, ...], dict[str, Any]]:
        def search() -> tuple[Paper, ...]:
            return self.source.search(query)

        return self._find(name, {"search": query.model_dump()}, search, query, also)

    def citations(self, name: str, paper: Paper, query: Query, limit: int) -> tuple[Paper, ...]:
        """Return papers that cite `paper` and that the query's cut-off and bans let through; a
        failure is recorded.
        """
        asked = {"citations": paper.id, "limit": limit, "query": query.model_dump()}
        return self._find(name, asked, self._citing(paper, query, limit), query)[0]

    def _citing(self, paper: Paper, query: Query, limit: int) -> Callable[[], tuple[Paper, ...]]:
        return lambda: self.source.citations(paper, limit, query.before)

    def references(self, name: str, paper: Paper, query: Query, limit: int) -> tuple[Paper, ...]:
        """Return papers that `paper` cites and that the query's cut-off and bans let through; a
        failure is recorded.
        """
        asked = {"references": paper.id, "limit": limit, "query": query.model_dump()}
        return self._find(name, asked, lambda: self.source.references(paper, limit), query)[0]

    def citing(
        self, name: str, paper: Paper, query: Query, limit: int
    ) -> tuple[tuple[Paper, ...], bool]:
        """Return what `citations` does, and whether the source has more than that; a failure, of a
        later page too, is recorded.
        """
        asked = {"citing": paper.id, "limit": limit, "query": query.model_dump()}
        found, beside = self._find(
            name,
            asked,
            self._citing(paper, query, limit),
            query,
            lambda detail: {"more": True} if detail.get("more") else {},
        )
        return found, bool(beside.get("more"))

    def cited(self, name: str, paper: Paper, query: Query, limit: int) -> tuple[Reference, ...]:
        """Return what `references` does, each with what the source knows of how it is cited; a
        failure is recorded.
        """
        how: dict[str, object] = {}

        def look() -> tuple[Paper, ...]:
            references = self.source.cited(paper, limit)
            how.update(_mentions(references))
            return tuple(reference.paper for reference in references)

        asked = {"cited": paper.id, "limit": limit, "query": query.model_dump()}
        found, beside = self._find(name, asked, look, query, lambda _: {"how": how} if how else {})
        return _refer(found, beside.get("how", {}))

    def papers(self, name: str, ids: tuple[str, ...], query: Query) -> tuple[Paper, ...]:
        """Return the papers with these ids that the source knows; a failure is recorded."""
        asked = {"papers": list(ids), "query": query.model_dump()}
        return self._find(name, asked, lambda: self.source.papers(ids), query)[0]

    def _find(
        self,
        name: str,
        call: dict[str, Any],
        look: Callable[[], tuple[Paper, ...]],
        query: Query,
        also: Also = lambda _: {},
    ) -> tuple[tuple[Paper, ...], dict[str, Any]]:
        """Return the permitted papers and the step's further fields: failures of single sources,
        and the result of `also`.
        """
        source = self.source

        def answer() -> Answer:
            with source.telling(self.note(name)):
                found = PAPERS.dump_python(let_through(look(), query), mode="json")
                detail = dict(source.last())
            beside: dict[str, object] = {}
            if isinstance(failed := detail.get("failed"), dict):
                beside["failed"] = " ".join(map(str, failed.values()))
            beside |= also(detail)
            return Answer(
                {"papers": found, **beside} if beside else found,
                Origin(kind="source", name=source.name, detail=detail),
            )

        def fits(reply: object) -> object:
            return PAPERS.dump_python(PAPERS.validate_python(reply), mode="json")

        # BadInput too: a paper somebody put into a chain may be one that this source does not know.
        recorded: tuple[type[FoundryError], ...] = (SourceFailed, BadInput, *self.passed)
        reply = self.step(name, {"source": source.name, **call}, answer, fits, recorded)
        if isinstance(reply, dict):
            return PAPERS.validate_python(reply["papers"]), reply
        return PAPERS.validate_python(reply), {}

    def passages(
        self, name: str, paper: Paper, references: tuple[Paper, ...]
    ) -> tuple[Reference, ...]:
        """Return a paper's references, with the passages of its full text that cite them where
        that text is available.
        """

        def answer() -> Answer:
            found = self.bench.texts.read(paper, self.note(name))
            whole = self.whole_text(found)
            cited = cited_in(whole, references) if whole else ()
            return Answer(_mentions(cited), _origin(found))

        asked = {
            "cited in": paper.id,
            "pdf": paper.pdf,
            "references": sorted({one.id for one in references}),
        }
        return _refer(references, self.step(name, asked, answer))

    def full_text(self, name: str, paper: Paper) -> tuple[FullText, str | None]:
        """Return whether a paper's whole text is to be had, and what a model is shown of it; a PDF
        that cannot be had is an answer.
        """

        def answer() -> Answer:
            found = self.bench.texts.read(paper, self.note(name))
            return Answer(found.model_dump(mode="json"), _origin(found))

        asked = {"full text": paper.id, "pdf": paper.pdf}
        found = FullText.model_validate(self.step(name, asked, answer))
        whole = self.whole_text(found)
        return found, excerpt(whole) if whole else None

    def whole_text(self, text: FullText) -> str | None:
        """Return a paper's whole text as it was read; None where it could not be had."""
        return self.bench.store.library.full_text(text.sha) if text.sha else None


def _origin(text: FullText) -> Origin:
    return Origin(kind="source", name="full text", detail={"origin": text.origin})


def _mentions(references: Iterable[Reference]) -> dict[str, object]:
    """Return what is known of how papers are cited, by their id, as JSON."""
    known = [reference for reference in references if reference.how.known]
    return {reference.id: reference.how.model_dump(mode="json") for reference in known}


def _refer(papers: tuple[Paper, ...], how: object) -> tuple[Reference, ...]:
    mentions = MENTIONS.validate_python(how)
    return tuple(Reference(paper=paper, how=mentions.get(paper.id, Mention())) for paper in papers)
