"""The novelty check: has this been published? With its evidence, and never 'novel' because a source
failed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.desk import Desk
from core.judging.claims import NEAREST
from core.judging.quotes import check_finding, look_up, texts_of
from core.methods.experiment import look_up as look_up_all
from core.methods.experiment import papers_found
from core.methods.inputs import Looking
from core.records import (
    Claim,
    ClaimedVerdict,
    Compared,
    Draft,
    Idea,
    NoveltyCell,
    NoveltyCheck,
    NoveltyVerdict,
    Paper,
    Queries,
    QuickFinding,
    RepeatedDirection,
    Search,
    WeighedVerdict,
)
from core.records.literature import once


def look_for(desk: Desk, rules: Looking, draft: Draft) -> tuple[Search, ...] | None:
    """Search for what a draft proposes; the finished idea is written meanwhile, so this costs no
    time of its own. None: no queries could be had.
    """
    asked = desk.spare(
        "queries of the novelty check",
        lambda d: d.ask("novelty-queries", Queries, topic=rules.topic, draft=draft),
    )
    return look_up_all(desk, rules, asked.queries[:3]) if asked else None


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
    if desk.edition > 3:
        # Of two entries of one work the one that can be read, the chain's own first.
        both = sorted((*chain, *found.values()), key=lambda one: not one.abstract)
        papers = {paper.id: paper for paper in once(both)}
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
    said = verdict.claims if isinstance(verdict, ClaimedVerdict) else ()
    claims, cells = hold_to_words(idea, papers, said)
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
        claims=claims,
        cells=cells,
    )


def hold_to_words(
    idea: Idea, papers: Mapping[str, Paper], said: Sequence[QuickFinding]
) -> tuple[tuple[Claim, ...], tuple[NoveltyCell, ...]]:
    """Return the claims that are in the idea, and of each what the paper nearest to it has, as far
    as its words are in both texts.
    """
    claims: list[Claim] = []
    cells: list[NoveltyCell] = []
    for one in said:
        passage = look_up(idea.text, one.idea_quote)
        if passage.state == "not found":
            continue
        claim = Claim(n=len(claims) + 1, kind=one.kind, text=one.text, passage=passage)
        claims.append(claim)
        paper = papers.get(one.paper or "")
        if paper is None:
            continue
        texts = texts_of(paper)
        found = check_finding(one.state, idea.text, one.idea_quote, texts, one.paper_quote)
        cells.append(
            NoveltyCell(
                claim=claim.n,
                work=paper.id,
                state=found.state,
                said=one.state,
                idea_quote=found.idea,
                paper_quote=found.paper.passage,
                quoted_from=found.paper.where,
            )
        )
    return tuple(claims), tuple(cells)


def repeats(
    check: NoveltyCheck, known: str, papers: Sequence[Paper]
) -> tuple[RepeatedDirection, ...]:
    """Return what a known idea repeats, for the next round: its direction, and each claim that a
    paper covers; `known` words the direction.
    """
    whole = RepeatedDirection(direction=known, overlap=check.overlap or check.reason)
    titles = {paper.id: paper.title for paper in papers}
    titles |= {paper.id: paper.title for search in check.searches for paper in search.papers}
    by_number = {claim.n: claim for claim in check.claims}
    parts = []
    for cell in check.cells:
        if cell.state == "covers":
            claim = by_number[cell.claim]
            direction = f"{claim.kind}: {claim.text}"
            overlap = titles.get(cell.work, cell.work)
            parts.append(RepeatedDirection(direction=direction, overlap=overlap))
    return whole, *parts


def judge(desk: Desk, idea: Idea, papers: tuple[Paper, ...]) -> NoveltyVerdict | ClaimedVerdict:
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
    given: dict[str, Any] = {"role": role, "check": on_the_list, "idea": idea, "papers": papers}
    if desk.edition == 1:
        return desk.ask("novelty-verdict", NoveltyVerdict, **given)
    if desk.edition == 2:
        return desk.ask("novelty-verdict", WeighedVerdict, **given).decided()
    return desk.ask("novelty-verdict", ClaimedVerdict, **given)
