"""Where a chain is heading: what each paper adds to the one before, and what is still open at the end."""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.models.builtin.english import clipped, listed, opened, retold, said
from core.models.builtin.library import Library
from core.models.builtin.pairing import Pair, chosen, mechanisms_in, mentions, open_problems, pairs
from core.models.builtin.passages import Passage
from core.models.builtin.phrases import apart, by_authors, called, kept_capital
from core.models.builtin.setting import fits, kind_of, with_article
from core.records import Chain, Direction, Entity, Paper, Trend, TrendStep

TOUCHES = 0.3
"""Cosine from which a later mechanism is said to touch a limit of the earlier paper."""


def told(passage: Passage, most: int = 400) -> str:
    """Return a passage as a sentence that can follow a colon."""
    return opened(clipped(retold(passage.text, kept_capital(passage.paper)), most))


def source_of(paper: Paper, device: str) -> str:
    """Return how to refer to the paper beside its own device: by its authors where the device is its name."""
    if device not in called(paper):
        return called(paper)
    authors = by_authors(paper)
    return "its authors" if authors.startswith('"') else authors


def sources(chain: Chain) -> tuple[Paper, ...]:
    """Return the chain's papers; one without an abstract is represented by what was read of it."""
    papers = []
    for link in chain.links:
        read = link.reading.idea if link.reading else None
        if not link.paper.abstract.strip() and read:
            spoken = " ".join(part for part in (read.background, read.novelty, read.method, read.limits) if part)
            papers.append(link.paper.model_copy(update={"abstract": spoken}))
        else:
            papers.append(link.paper)
    return tuple(papers)


def trend(library: Library, topic: str, chain: Chain) -> Trend:
    """Say for each neighbouring pair what the later paper adds and which limit of the earlier it touches, by least and greatest cosine."""
    papers = sources(chain)
    added, steps = [], []
    for earlier, later in pairwise(papers):
        new, covered = _least_covered(library, earlier, later)
        added.append(library.term(new))
        steps.append(TrendStep(earlier=earlier.id, later=later.id, how=_step(library, earlier, later, new, covered)))
    return Trend(steps=tuple(steps), summary=_summary(library, topic, papers, added))


def _least_covered(library: Library, earlier: Paper, later: Paper) -> tuple[Passage, float]:
    """Return the later paper's mechanism sentence that the earlier covers least, and how far it does (cosine)."""
    before = library.passages([earlier])
    ways = mechanisms_in(library.passages([later])) or list(library.passages([later]))
    covered = [(round(max(float(one.vector @ other.vector) for other in before) - 0.08 * one.alone, 4), one) for one in ways]
    score, new = min(covered, key=lambda pair: (pair[0], pair[1].place))
    return new, score + 0.08 * new.alone


def _step(library: Library, earlier: Paper, later: Paper, new: Passage, covered: float) -> str:
    carried = max((one for one in library.passages([earlier])), key=lambda one: (round(float(one.vector @ new.vector), 4), -one.place))
    limits = [one for one in library.passages([earlier]) if one.open]
    limit = max(limits, key=lambda one: (round(float(one.vector @ new.vector), 4), -one.place), default=None)
    before, after = apart(earlier, later)
    first = f"{after} brought in what lies farthest from {before} (similarity {covered:.2f}): {told(new)}"
    if limit is not None and float(limit.vector @ new.vector) >= TOUCHES:
        return said(first, f"This bears on a point that {before} left open: {told(limit)}")
    return said(first, f"The sentence of {before} nearest to it is this one: {told(carried)}")


def _summary(library: Library, topic: str, papers: Sequence[Paper], added: Sequence[str]) -> str:
    if not added:
        return said(f"The chain has one paper, {called(papers[0])}, so it shows no development yet")
    span = f"Over {len(papers)} papers, from {' to '.join(apart(papers[0], papers[-1]))}, the line takes up {listed(dict.fromkeys(added))} in turn"
    vectors = library.abstracts(papers) @ library.vector(topic)
    drift = (
        "closer to"
        if float(vectors[-1]) > float(vectors[0]) + 0.02
        else "away from"
        if float(vectors[-1]) < float(vectors[0]) - 0.02
        else "no nearer to"
    )
    moved = f"It moves {drift} the topic (similarity {float(vectors[0]):.2f} at first, {float(vectors[-1]):.2f} at the end)"
    left = least_answered(library, topic, papers)
    return said(span, moved, stated(left) if left else "")


def stated(problem: Passage) -> str:
    """Say what a paper set out from or, only where its text says so, what it leaves open."""
    if problem.open:
        return f"{called(problem.paper)} left a point open: {told(problem)}"
    return f"{called(problem.paper)} set out from this problem: {told(problem)}"


def names_open_point(library: Library, paper: Paper) -> bool:
    """Say whether a sentence of the paper's text states a limit, an open question or future work."""
    return any(one.open for one in library.passages([paper]))


def least_answered(library: Library, topic: str, papers: Sequence[Paper]) -> Passage | None:
    """Return the stated problem or limit that later papers' mechanisms cover least, weighed by nearness to the topic."""
    ranked = unanswered(library, topic, papers)
    return ranked[0] if ranked else None


def unanswered(library: Library, topic: str, papers: Sequence[Paper]) -> list[Passage]:
    """Return the stated problems and limits, the one later papers cover least and the topic most first."""
    asked = library.vector(topic)
    ranked = []
    for n, paper in enumerate(papers):
        later = mechanisms_in(library.passages(papers[n + 1 :]))
        for one in open_problems(library.passages([paper])):
            answered = max((float(one.vector @ other.vector) for other in later), default=0.3)
            ranked.append((round(float(one.vector @ asked) - 0.7 * answered + 0.1 * one.alone + 0.05 * one.limit, 4), one))
    ranked.sort(key=lambda pair: (-pair[0], pair[1].paper.id, pair[1].place))
    return [one for _, one in ranked]


def future(
    library: Library, topic: str, chain: Chain, trend_seen: Trend, entities: tuple[Entity, ...], taken: tuple[object, ...], seed: int
) -> Direction:
    """Predict the next step: the open problem least covered, met by a mechanism it has not been put together with."""
    papers = sources(chain)
    pair = next_pair(library, topic, papers, taken, seed)
    if pair is None:
        only = library.passages(papers)[0]
        return Direction(
            direction=said(f"Test what {called(only.paper)} proposes under conditions it did not cover"),
            reasoning=said(
                f"The papers at hand state no problem and no mechanism that could be put together; the starting point is this: {told(only)}"
            ),
        )
    problem, way = pair.problem, pair.mechanism
    matter = with_article(library.term(problem))
    device = with_article(library.term(way, f"{topic} {matter}"))
    recent = trend_seen.steps[-1] if trend_seen.steps else None
    named = [entity.name for entity in entities if entity.name.lower() in f"{problem.text} {way.text}".lower()][:3]
    return Direction(
        direction=said(
            f"Try {device}, as described by {source_of(way.paper, device)}, on the problem of {matter} raised by {called(problem.paper)}"
        ),
        reasoning=said(
            stated(problem),
            "" if names_open_point(library, problem.paper) else "Its text names no open point, so a mechanism is carried over from another paper",
            f"{source_of(way.paper, device)} described this mechanism: {told(way)}",
            f"Whether {device} helps with {matter} has not been tried in the papers at hand",
            f"The two passages are related but not alike (similarity {pair.cosine:.2f})",
            f"The chain's latest step led from {_called(papers, recent.earlier)} to {_called(papers, recent.later)}" if recent else "",
            f"Terms the two share with the chain are {listed(named)}" if len(named) > 1 else "",
        ),
    )


def next_pair(library: Library, topic: str, papers: Sequence[Paper], taken: tuple[object, ...], seed: int) -> Pair | None:
    """Choose problem and mechanism; what a taken case names as its mechanism's paper is not used again."""
    gone = " ".join(str(case) for case in taken)
    reach = library.within_reach(topic, papers)
    problems = unanswered(library, topic, papers)[:6]
    used = {paper.id for paper in reach if gone and mentions(gone, paper)}
    kind = kind_of(f"{topic} {' '.join(paper.title for paper in papers)}")
    free = [one for one in mechanisms_in(library.passages(reach)) if one.paper.id not in used]
    ways = [one for one in free if fits(kind, one.paper)] or free
    return chosen(library, topic, pairs(library, topic, problems, ways), seed)


def _called(papers: Sequence[Paper], name: str) -> str:
    return next((called(paper) for paper in papers if paper.id == name), re.sub(r"\s+", " ", name))
