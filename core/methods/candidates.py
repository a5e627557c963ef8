"""Which papers could come next to one of a chain: for a person who builds it by hand."""
from collections.abc import Iterator

from core.desk import Desk
from core.errors import ModelFailed
from core.methods.chain_growth import FETCHED, LISTED, Growth, following, judge_relevance, near_to, preceding
from core.methods.inputs import CandidateInputs, ChainInputs
from core.records import Candidate, Considered, Paper

PROMPTS = ("relevance",)


def consider(desk: Desk, asked: CandidateInputs) -> Iterator[Considered]:
    """Yield what could follow or precede a paper, nearest first, the nearest few judged; raises SourceFailed."""
    ask = desk.citations if asked.hop == "forward" else desk.references
    found = ask("found", asked.of, asked.query(asked.topic), FETCHED)
    growth = Growth(ChainInputs(topic=asked.topic, before=asked.before, ban=asked.ban), asked.anchor, frozenset().union(*(paper.names for paper in asked.held)))
    fit = (following if asked.hop == "forward" else preceding)(growth, found, asked.line or (asked.of,))
    ranked = desk.rank("ranking", near_to(asked.topic, asked.anchor if asked.hop == "forward" else asked.of), fit)[:LISTED] if fit else ()
    near = ranked[:asked.judged]
    judged = desk.all(*(lambda d, n=n, paper=paper, score=score: judge(d.at(f"candidate-{n}"), asked.topic, paper, score)
                        for n, (paper, score) in enumerate(near, 1))) if near else ()
    rest = tuple(Candidate(paper=paper, score=score) for paper, score in ranked[len(near):])
    yield Considered(of=asked.of, hop=asked.hop, candidates=(*judged, *rest), found=len(found))


def judge(desk: Desk, topic: str, paper: Paper, score: float) -> Candidate:
    """Judge one candidate; not judged, recorded with its reason, where no model answered."""
    try:
        said = judge_relevance(desk.past(ModelFailed), topic, paper)
    except ModelFailed as error:
        return Candidate(paper=paper, score=score, reason=f"Not judged: {error}")
    return Candidate(paper=paper, score=score, relevant=said.relevant, reason=said.reason)
