"""Looking for what may anticipate an idea: for the whole and for each claim, in every source at
hand side by side, then along the citations of what is nearest.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from core.desk import Desk
from core.errors import BadInput, SourceFailed
from core.literature.combined import Several
from core.literature.port import Source
from core.methods.inputs import NoveltyInputs
from core.methods.novelty.dating import Hit, Work
from core.records import Claim, Looked, NoveltyQueries, Paper
from core.records.base import part

WHOLE = "the whole idea"
HOP = 50
"""References, and citations, that are asked for around a near work in each source."""


class Sought(NamedTuple):
    """What was found, and every question that was asked for it."""

    hits: tuple[Hit, ...] = ()
    looked: tuple[Looked, ...] = ()

    def with_more(self, other: "Sought") -> "Sought":
        return Sought((*self.hits, *other.hits), (*self.looked, *other.looked))


class SearchQuery(NamedTuple):
    """A query and what it is for."""

    what: str
    n: int
    text: str


def write_queries(
    desk: Desk, asked: NoveltyInputs, claims: tuple[Claim, ...]
) -> tuple[SearchQuery, ...]:
    """Return the queries for the whole and for each claim; a claim for which no usable query came
    is looked for by its own words.
    """
    reply = desk.spare(
        "queries",
        lambda d: d.ask("novelty-claim-queries", NoveltyQueries, idea=asked.idea, claims=claims),
    )
    by_claim = {one.claim: one.queries for one in reply.claims} if reply else {}
    wanted = {WHOLE: reply.whole if reply else (asked.idea.title,)}
    wanted |= {name_claim(one): by_claim.get(one.n) or (one.text,) for one in claims}
    return tuple(
        SearchQuery(what, n, text)
        for what, texts in wanted.items()
        for n, text in enumerate(dict.fromkeys(texts), 1)
    )


def name_claim(claim: Claim) -> str:
    return f"claim {claim.n}"


def sources_of(desk: Desk) -> tuple[Source, ...]:
    """Return every single source of the run, in the order it names them; a second choice is asked
    beside the first, not in its place.
    """
    source = desk.source
    return source.parts if isinstance(source, Several) else (source,)


def search_all(desk: Desk, asked: NoveltyInputs, questions: Sequence[SearchQuery]) -> Sought:
    """Ask every source every query, all at once."""
    work = [
        partial(search, asked=asked, question=question, source=source)
        for question in questions
        for source in sources_of(desk)
    ]
    return together(desk.all(*work))


def search(desk: Desk, asked: NoveltyInputs, question: SearchQuery, source: Source) -> Sought:
    """Ask one source one query."""
    place = f"search/{part(question.what)}-{question.n}/{source.name}"
    here = desk.asking(source).at(place)
    found = here.look("search", asked.query(question.text))
    looked = Looked(
        source=source.name,
        what=question.what,
        query=question.text,
        state=found.state,
        found=len(found.papers),
        reason=found.reason,
        at=answered_at(here, "search"),
    )
    return Sought(hits_of(found.papers, looked), (looked,))


def follow(desk: Desk, asked: NoveltyInputs, works: Sequence[Work]) -> Sought:
    """Return the references and the citations of these works in every source, all at once."""
    work: list[Callable[[Desk], Sought]] = [
        partial(hop, asked=asked, work=one, n=n, source=source, way=way)
        for n, one in enumerate(works, 1)
        for source in sources_of(desk)
        for way in ("references", "citations")
    ]
    return together(desk.all(*work))


def hop(desk: Desk, asked: NoveltyInputs, work: Work, n: int, source: Source, way: str) -> Sought:
    """Follow the citations of one work one way in one source, from that source's own entry of it
    where it has one.
    """
    here = desk.asking(source).at(f"around/{n}/{source.name}")
    own = [
        entry for entry, name in zip(work.entries, work.sources, strict=True) if name == source.name
    ]
    paper, query = (own or [work.paper])[0], asked.query(asked.topic)
    ask = here.references if way == "references" else here.citations
    papers: tuple[Paper, ...] = ()
    state, reason = "nothing found", ""
    try:
        papers = ask(way, paper, query, HOP)
        state = "found" if papers else state
    except SourceFailed as error:
        state, reason = "source failed", str(error)
    except BadInput as error:
        state, reason = "not known there", str(error)
    looked = Looked.model_validate(
        {
            "source": source.name,
            "what": f"{way} of {work.paper.title}",
            "state": state,
            "found": len(papers),
            "reason": reason,
            "at": answered_at(here, way),
        }
    )
    return Sought(hits_of(papers, looked), (looked,))


def hits_of(papers: Sequence[Paper], looked: Looked) -> tuple[Hit, ...]:
    linked = not looked.query
    return tuple(Hit(paper, looked.source, looked.what, linked) for paper in papers)


def together(parts: Sequence[Sought]) -> Sought:
    """Put together what several questions found."""
    whole = Sought()
    for one in parts:
        whole = whole.with_more(one)
    return whole


def answered_at(desk: Desk, name: str) -> str:
    """Return when a step was answered: in a fork, when its parent's was."""
    step = desk.bench.store.steps.get(desk.bench.run.id, f"{desk.place}/{name}")
    return step.ended if step else ""
