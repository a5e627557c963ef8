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


def consider(desk: Desk, inputs: CandidateInputs) -> Iterator[Considered]:
    """Yield what could follow or precede a paper, nearest first, the nearest few judged; raises
    SourceFailed.
    """
    rules = ChainInputs(
        topic=inputs.topic, before=inputs.before, ban=inputs.ban, full_text=inputs.full_text
    )
    growth = Growth(rules, inputs.anchor, names_of(inputs.held))
    find = papers_after if inputs.hop == "forward" else papers_before
    offer = find(desk, growth, inputs.of, inputs.line or (inputs.of,), "found")
    near = offer.ranked[: min(LISTED, inputs.judged)]
    places = {f"candidate-{n}": pair for n, pair in enumerate(near, 1)}
    judged: tuple[Candidate, ...] = ()
    if near:
        judged = desk.at_each(lambda here, pair: judge(here, inputs.topic, *pair), places)
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
