"""Which papers may follow, and in which order: dates, bans, and closeness in meaning."""

from core.literature.port import Query
from core.records import Paper


def allowed(papers: tuple[Paper, ...], query: Query) -> tuple[Paper, ...]:
    """Return the papers that a cut-off date and a ban list let through, the first of each id, in
    order.

    A ban may name a paper by any of `Paper.names`: by its title it holds for a preprint under
    another id too.
    """
    banned = {name.strip().lower() for name in query.ban}
    kept = {
        p.id: p
        for p in reversed(papers)
        if banned.isdisjoint(name.lower() for name in (*ids_of(p), *p.names))
        and _in_time(p, query.before)
    }
    return tuple(p for p in papers if kept.get(p.id) is p)


def ids_of(paper: Paper) -> tuple[str, ...]:
    """Return every id a paper goes by: the id its source gave it, `doi:...`, `arxiv:...`."""
    return (
        paper.id,
        *([f"doi:{paper.doi}"] if paper.doi else []),
        *([f"arxiv:{paper.arxiv}"] if paper.arxiv else []),
    )


def _in_time(paper: Paper, before: str | None) -> bool:
    if before is None:
        return True
    when = paper.published or (f"{paper.year}-12-31" if paper.year else None)
    # A date known only to the month, or only to the year, counts as its last possible day: what may
    # be too new is too new.
    return when is not None and when + "-31"[: max(0, 10 - len(when))] < before
