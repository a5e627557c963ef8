"""Which papers could come next to one of a chain: for a person who builds it by hand."""

from collections.abc import Iterator

from core.desk import Desk
from core.errors import ModelFailed
from core.methods.chain_of_ideas.growth import judge_relevance
from core.methods.chain_of_ideas.offers import (
    LISTED,
    Growth,
    foremost,
    papers_after,
    papers_before,
    unjudged,
)
from core.methods.inputs import CandidateInputs, ChainInputs
from core.records import Candidate, Considered, Reference

PROMPTS = ("relevance",)


def consider(desk: Desk, asked: CandidateInputs) -> Iterator[Considered]:
    """Yield what could follow or precede a paper, nearest first, the nearest few judged; raises
    SourceFailed.
    """
    rules = ChainInputs(
        topic=asked.topic, before=asked.before, ban=asked.ban, full_text=asked.full_text
    )
    growth = Growth(rules, asked.anchor, frozenset().union(*(paper.names for paper in asked.held)))
    offered = papers_after if asked.hop == "forward" else papers_before
    offer = offered(desk, growth, asked.of, asked.line or (asked.of,), "found")
    near = offer.ranked[: min(LISTED, asked.judged)]
    judged = (
        desk.all(
            *(
                lambda d, n=n, one=one, score=score: judge(
                    d.at(f"candidate-{n}"), asked.topic, one, score
                )
                for n, (one, score) in enumerate(near, 1)
            )
        )
        if near
        else ()
    )
    yield offer.considered((*judged, *unjudged(foremost(offer.ranked, LISTED)[len(near) :])))


def judge(desk: Desk, topic: str, one: Reference, score: float) -> Candidate:
    """Judge one candidate; not judged, recorded with its reason, where no model answered."""
    try:
        said = judge_relevance(desk.past(ModelFailed), topic, one.paper)
    except ModelFailed as error:
        return Candidate(paper=one.paper, score=score, reason=f"Not judged: {error}", how=one.how)
    return Candidate(
        paper=one.paper, score=score, relevant=said.relevant, reason=said.reason, how=one.how
    )
