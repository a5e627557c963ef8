"""Which papers could come next to one of a chain: for a person who builds it by hand."""

from collections.abc import Iterator

from core.desk import Desk
from core.errors import ModelFailed
from core.methods.chain_of_ideas.growth import judge_relevance
from core.methods.chain_of_ideas.offers import (
    LISTED,
    Growth,
    foremost,
    names_of,
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
    growth = Growth(rules, asked.anchor, names_of(asked.held))
    find = papers_after if asked.hop == "forward" else papers_before
    offer = find(desk, growth, asked.of, asked.line or (asked.of,), "found")
    near = offer.ranked[: min(LISTED, asked.judged)]
    places = {f"candidate-{n}": pair for n, pair in enumerate(near, 1)}
    judged: tuple[Candidate, ...] = ()
    if near:
        judged = desk.at_each(lambda here, pair: judge(here, asked.topic, *pair), places)
    others = foremost(offer.ranked, LISTED)[len(near) :]
    yield offer.considered((*judged, *unjudged(others)))


def judge(desk: Desk, topic: str, reference: Reference, score: float) -> Candidate:
    """Judge one candidate; not judged, recorded with its reason, where no model answered."""
    paper, how = reference.paper, reference.how
    try:
        verdict = judge_relevance(desk.past(ModelFailed), topic, paper)
    except ModelFailed as error:
        return Candidate(paper=paper, score=score, reason=f"Not judged: {error}", how=how)
    return Candidate(
        paper=paper, score=score, relevant=verdict.relevant, reason=verdict.reason, how=how
    )
