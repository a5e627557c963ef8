"""A novelty check as blocks: the nearest papers, with links, and how each query ended."""

from collections.abc import Iterable, Iterator, Mapping

from core.export.blocks import Block, Blocks, Cell, Line, Span, Table, entry, listing, prose
from core.export.chains import write_query
from core.export.papers import titled
from core.judging.claims import SIMILARITY, overlap_of, overlapping
from core.records import Compared, NoveltyCheck, Paper, Search

OVERLAP = "What overlaps"


def evidence(check: NoveltyCheck, own: Iterable[Paper]) -> Iterator[Block]:
    """Write what a verdict was given on; `own` are the papers of the idea's own chain, which are
    compared as well.
    """
    yield entry("Verdict", check.reason)
    if check.state != "similar" and (other := overlapping(check)):
        yield prose(f"The verdict names another paper: {other}.")
    chained = {paper.id: paper for paper in own}
    compared = _compared(check)
    if check.overlap and (check.nearest is None or check.nearest.id not in compared):
        yield entry(OVERLAP, overlap_of(check))
    yield from _nearest(check, compared, chained)
    yield entry("Queries" if len(check.searches) > 1 else "Query", "")
    yield from listing(map(write_query, check.searches), ordered=True)


def nearest_in_brief(check: NoveltyCheck, own: Iterable[Paper], most: int) -> Blocks:
    """List so many of the papers nearest to an idea, with links and how like it they are; `own` as
    for `evidence`.
    """
    papers = _known(check, {paper.id: paper for paper in own})
    lines: list[Line] = []
    for one in list(_compared(check).values())[:most]:
        like = f" ({one.year or 'undated'}), similarity {one.similarity:.2f}"
        lines.append((*titled(one.title, papers.get(one.id)), Span(like)))
    return listing(lines)


def _compared(check: NoveltyCheck) -> Mapping[str, Compared]:
    """Return the papers compared, the most similar first; of older runs the one that the verdict
    names.
    """
    if check.compared or check.nearest is None or check.similarity is None:
        return {one.id: one for one in check.compared}
    named = check.nearest
    return {
        named.id: Compared(
            id=named.id, title=named.title, year=named.year, similarity=check.similarity
        )
    }


def _nearest(
    check: NoveltyCheck, compared: Mapping[str, Compared], chained: Mapping[str, Paper]
) -> Blocks:
    if not compared:
        return ()
    papers = _known(check, chained)
    named = check.nearest.id if check.overlap and check.nearest else ""
    head, shares = ["Nearest papers", "Year", "Similarity", "Found by"], [44.0, 8.0, 14.0, 16.0]
    rows: list[list[Cell]] = []
    for one in compared.values():
        rows.append(
            [
                titled(one.title, papers.get(one.id)),
                str(one.year or "undated"),
                f"{one.similarity:.2f}",
                _found_by(one.id, check.searches, one.id in chained),
            ]
        )
        if named in compared:
            rows[-1].append(overlap_of(check) if one.id == named else "–")
    if named in compared:
        head.append(OVERLAP)
        shares.append(34.0)
    return Table(tuple(head), tuple(map(tuple, rows)), tuple(shares)), prose(SIMILARITY)


def _known(check: NoveltyCheck, chained: Mapping[str, Paper]) -> Mapping[str, Paper]:
    """Return what is known of the papers compared, by id."""
    found = {paper.id: paper for search in check.searches for paper in search.papers}
    named = {check.nearest.id: check.nearest} if check.nearest else {}
    return {**named, **chained, **found}


def _found_by(paper: str, searches: Iterable[Search], chained: bool) -> str:
    """Say which queries found a paper, by their numbers."""
    by = [
        str(n)
        for n, search in enumerate(searches, 1)
        if any(one.id == paper for one in search.papers)
    ]
    queries = f"{'queries' if len(by) > 1 else 'query'} {', '.join(by)}" if by else ""
    return " and ".join(filter(None, (queries, "its own chain" if chained else ""))) or "–"
