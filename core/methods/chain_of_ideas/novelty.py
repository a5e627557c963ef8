"""The novelty check: has this been published? With its evidence, and never 'novel' because a source
failed.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from core.desk import Desk
from core.judging.claims import NEAREST
from core.methods.experiment import look_up, papers_found
from core.methods.inputs import ChainInputs
from core.records import (
    Compared,
    Draft,
    Idea,
    NoveltyCheck,
    NoveltyVerdict,
    Paper,
    Queries,
    Record,
    Search,
    WeighedVerdict,
)


class RepeatedDirection(Record):
    """A direction that turned out to repeat published work: what not to do again."""

    direction: str
    overlap: str

    def __str__(self) -> str:
        return f"{self.direction} (repeats: {self.overlap})"


def look_for(desk: Desk, rules: ChainInputs, draft: Draft) -> tuple[Search, ...] | None:
    """Search for what a draft proposes; the finished idea is written meanwhile, so this costs no
    time of its own. None: no queries could be had.
    """
    asked = desk.spare(
        "queries of the novelty check",
        lambda d: d.ask("novelty-queries", Queries, topic=rules.topic, draft=draft),
    )
    return look_up(desk, rules, asked.queries[:3]) if asked else None


def check_novelty(
    desk: Desk, idea: Idea, searches: tuple[Search, ...] | None, chain: tuple[Paper, ...], n: int
) -> NoveltyCheck:
    """Compare the idea with the nearest papers that were found and the chain's own, and say what
    was found; `not judged` where a model's part is lost.
    """
    if searches is None:
        return NoveltyCheck(
            round=n,
            searches=(),
            state="not judged",
            reason="Nothing was searched: the model gave no usable queries.",
        )
    failed = [
        search.reason or search.partly
        for search in searches
        if search.state == "source failed" or search.partly
    ]
    found = papers_found(searches)
    if not found:
        return NoveltyCheck(
            round=n,
            searches=searches,
            state="source failed" if failed else "nothing found",
            reason=failed[0] if failed else "Every query was answered, and none found a paper.",
        )
    # The chain's own papers are compared too: the nearest published work is often where the idea
    # came from.
    papers = found | {paper.id: paper for paper in chain}
    ranked = desk.rank("ranking", idea.text, tuple(papers.values()))[:NEAREST]
    similarity = {paper.id: score for paper, score in ranked}
    verdict = desk.spare(
        "verdict of the novelty check",
        lambda d: judge(d, idea, tuple(paper for paper, _ in ranked)),
    )
    if verdict is None:
        nearest = ranked[0][0]
        return NoveltyCheck(
            round=n,
            searches=searches,
            state="not judged",
            nearest=nearest,
            similarity=similarity[nearest.id],
            reason=(
                f"Whether one of the {len(found)} papers that were found has the idea was not"
                " judged: the model gave no usable answer."
            ),
        )
    if verdict.similar:
        state, reason = "similar", verdict.reason
    elif failed:
        state = "source failed"
        reason = (
            f"{len(failed)} of {len(searches)} queries were not answered in full: {failed[0]} In"
            f" what was found: {verdict.reason}"
        )
    else:
        state, reason = "novel", verdict.reason
    return NoveltyCheck(
        round=n,
        searches=searches,
        state=state,
        nearest=next((paper for paper, _ in ranked if paper.id == verdict.nearest), None),
        similarity=similarity.get(verdict.nearest or ""),
        overlap=verdict.overlap,
        reason=reason,
        compared=tuple(
            Compared(id=paper.id, title=paper.title, year=paper.year, similarity=score)
            for paper, score in ranked
        ),
    )


def judge(desk: Desk, idea: Idea, papers: tuple[Paper, ...]) -> NoveltyVerdict:
    """Decide whether one of these papers has the idea already; the nearest must be one of them."""
    known = {paper.id for paper in papers}

    def on_the_list(verdict: Any) -> None:
        if verdict.nearest is not None and verdict.nearest not in known:
            raise ValueError(
                f"{verdict.nearest!r} is not one of the ids shown; copy one exactly, or answer null"
            )
        if verdict.similar and verdict.nearest is None:
            raise ValueError("an idea that is similar has a nearest paper; name it by its id")

    role = "novelty" if "novelty" in desk.bench.models else "cheap"  # Which it was at first.
    ask: Callable[..., Any] = partial(
        desk.ask, "novelty-verdict", role=role, check=on_the_list, idea=idea, papers=papers
    )
    found: NoveltyVerdict = (
        ask(returns=NoveltyVerdict) if desk.edition == 1 else ask(returns=WeighedVerdict).decided()
    )
    return found
