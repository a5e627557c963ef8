"""What a hop has to choose from: papers that cite, or are cited, those of them that fit, nearest
first (Chain of Ideas, 2.2).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.desk import Desk
from core.literature.port import bare
from core.methods.inputs import ChainInputs
from core.records import Candidate, Considered, Hop, Paper, Reference

FETCHED, FETCHED_FIRST = 1_000, 200
"""Papers fetched from a source per hop; runs of edition 1 take the first 200."""
COMPARED = 200
"""How many papers are compared in meaning, those nearest in words: each takes some 30 ms where it
was not embedded before.
"""
SHOWN = 30
"""How many references the model chooses from, the nearest ones in meaning, and at most as many
again that stand out.
"""
LISTED = 8
"""Candidates of a hop that are kept to be looked at, plus at most as many that stand out (see
`foremost`).
"""
Ranked = tuple[tuple[Reference, float], ...]


@dataclass(frozen=True)
class Growth:
    """What every hop of one branch knows."""

    rules: ChainInputs
    anchor: Paper
    seen: frozenset[str]
    """Names of papers that belong to other branches."""

    def distance(self, line: tuple[Paper, ...]) -> int:
        """Return how many hops the paper after the last of `line` is from the anchor."""
        places = [n for n, paper in enumerate(line) if paper.same(self.anchor)]
        return len(line) - places[0]

    def fresh(self, found: tuple[Paper, ...], line: tuple[Paper, ...]) -> tuple[Paper, ...]:
        """Return what is in no branch yet, one paper under two ids counting once."""
        names, fresh = self.seen | names_of(line), []
        for paper in found:
            if names.isdisjoint(paper.names):
                names |= paper.names
                fresh.append(paper)
        return tuple(fresh)


@dataclass(frozen=True)
class Offer:
    """What a source gave for one hop, and what of it fits, nearest in meaning first."""

    of: Paper
    hop: Hop
    found: tuple[Paper, ...]
    more: bool = False
    """Whether the source has more than were taken."""
    ranked: Ranked = ()
    compared: int | None = None
    """How many of those that fit were compared in meaning, where not all were."""

    def considered(self, candidates: tuple[Candidate, ...]) -> Considered:
        """Return what a person is shown of it."""
        return Considered(
            of=self.of,
            hop=self.hop,
            candidates=candidates,
            found=len(self.found),
            more=self.more,
            compared=self.compared,
        )


def papers_after(
    desk: Desk, growth: Growth, head: Paper, line: tuple[Paper, ...], name: str = "citing"
) -> Offer:
    """Return papers that cite `head` and can come after all of `line`; raises SourceFailed,
    BadInput, EmbeddingFailed.
    """
    rules = growth.rules
    query, more = rules.query(rules.topic), False
    if desk.edition == 1:
        citing = desk.citations(name, head, query, FETCHED_FIRST)
    else:
        citing, more = desk.citing(name, head, query, FETCHED)
    offer = Offer(of=head, hop="forward", found=citing, more=more)
    # After all of the line, not only after the head: where the head's date is rough, a paper could
    # pass it and still be older than the anchor.
    following = [
        paper
        for paper in growth.fresh(citing, line)
        if all(paper.before(old) is not True for old in line)
    ]
    return rank_offer(desk, offer, near_to(rules.topic, growth.anchor), bare(tuple(following)))


def papers_before(
    desk: Desk, growth: Growth, tail: Paper, line: tuple[Paper, ...], name: str = "cited"
) -> Offer:
    """Return papers that `tail` cites and that can come before all of `line`, each with how it is
    cited; raises as `papers_after` does.
    """
    cited = references(desk, growth.rules, tail, name)
    by_id = {reference.id: reference for reference in cited}
    found = tuple(reference.paper for reference in cited)
    fit = tuple(
        by_id[paper.id]
        for paper in growth.fresh(found, line)
        if all(new.before(paper) is not True for new in line)
    )
    offer = Offer(of=tail, hop="backward", found=found)
    return rank_offer(desk, offer, near_to(growth.rules.topic, tail), fit)


def references(desk: Desk, rules: ChainInputs, paper: Paper, name: str) -> tuple[Reference, ...]:
    """Return what a paper cites, with how: as the source says, or where it says nothing as the
    paper's own text does.
    """
    query = rules.query(rules.topic)
    if desk.edition == 1:
        return bare(desk.references(name, paper, query, FETCHED_FIRST))
    cited = desk.cited(name, paper, query, FETCHED)
    papers = tuple(reference.paper for reference in cited)
    told_how = any(reference.how.known for reference in cited)
    if told_how or all(cited_paper.near for cited_paper in papers) or not rules.full_text:
        return cited
    return desk.passages("cited-in-full-text", paper, papers)


def rank_offer(desk: Desk, offer: Offer, text: str, fit: tuple[Reference, ...]) -> Offer:
    """Return the offer with what fits, nearest to a text first: the nearest in words and what
    stands out, compared in meaning.
    """
    if not fit:
        return offer
    by_id = {reference.id: reference for reference in fit}
    outstanding = tuple(reference.paper for reference in fit if reference.how.stands_out)
    first = outstanding[:COMPARED]
    rest = tuple(reference.paper for reference in fit if reference.paper not in first)
    near = (*first, *desk.nearest("nearest-in-words", text, rest, COMPARED - len(first)))
    ranked = desk.rank("ranking", text, near)
    return replace(
        offer,
        ranked=tuple((by_id[paper.id], score) for paper, score in ranked),
        compared=len(near) if len(near) < len(fit) else None,
    )


def foremost(found: Ranked, n: int) -> Ranked:
    """Return the nearest `n`, and of the others at most as many that stand out: what was built on
    may be worded quite differently.
    """
    outstanding = [pair for pair in found[n:] if pair[0].how.stands_out]
    return (*found[:n], *outstanding[:n])


def unjudged(found: Ranked) -> tuple[Candidate, ...]:
    """Return papers nobody judged as candidates."""
    return tuple(Candidate(paper=one.paper, score=score, how=one.how) for one, score in found)


def names_of(papers: Iterable[Paper]) -> frozenset[str]:
    """Return every name of every one of these papers."""
    return frozenset[str]().union(*(paper.names for paper in papers))


def near_to(topic: str, paper: Paper) -> str:
    """Return the text candidates are ranked by (Chain of Ideas, section 2.2)."""
    return f"{topic}\n{paper.abstract}"
