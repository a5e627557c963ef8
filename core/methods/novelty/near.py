"""Which of the works found are read: those nearest to the whole idea and to each of its claims."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest

from core.desk import Desk
from core.methods.inputs import NoveltyInputs
from core.methods.novelty.dating import Work
from core.records import Claim, Paper, PriorWork

COMPARED = 200
"""Works whose meaning is compared, at most; of more, those that share most words with the idea and
its claims.
"""
LATER = 5
"""Works that came too late and are named all the same, at most."""
TOO_LATE = ("later", "same day")


def nearest_works(desk: Desk, asked: NoveltyInputs, works: Sequence[Work]) -> tuple[Work, ...]:
    """Return the few works around which references and citations are followed."""
    by_id = {work.paper.id: work for work in works}
    few = desk.nearest("words", asked.idea.text, _papers(works), COMPARED)
    ranked = desk.rank("whole", asked.idea.text, few)
    return tuple(by_id[paper.id] for paper, _ in ranked[: asked.around])


def choose_near(
    desk: Desk, asked: NoveltyInputs, claims: Sequence[Claim], works: Sequence[Work]
) -> tuple[tuple[PriorWork, ...], tuple[PriorWork, ...]]:
    """Return the works to be read, those most similar to the whole idea first, and near ones that
    came too late to anticipate it.

    Each claim gives of its nearest in turn, the whole idea first, so that a claim worded like no
    other has its precedents read.
    """
    if not works:
        return (), ()
    texts = {"whole": asked.idea.text}
    texts |= {f"claim-{one.n}": f"{one.text}\n{one.passage.quote}" for one in claims}
    by_id = {work.paper.id: work for work in compared(desk, texts, works)}
    papers = _papers(tuple(by_id.values()))
    ranked = desk.all(
        *(partial(_rank, name=name, text=text, papers=papers) for name, text in texts.items())
    )
    similarity = {paper.id: score for paper, score in ranked[0]}
    in_time = [[p.id for p, _ in one if by_id[p.id].when not in TOO_LATE] for one in ranked]
    turns = [name for turn in zip_longest(*in_time) for name in turn if name]
    chosen = list(dict.fromkeys(turns))[: asked.papers]
    late = [p.id for p, _ in ranked[0] if by_id[p.id].when in TOO_LATE][:LATER]
    near = (_prior(by_id[name], similarity) for name in chosen)
    return (
        tuple(sorted(near, key=lambda work: (-work.similarity, work.id))),
        tuple(_prior(by_id[name], similarity) for name in late),
    )


def compared(desk: Desk, texts: Mapping[str, str], works: Sequence[Work]) -> tuple[Work, ...]:
    """Return the works whose meaning is compared with each of these texts."""
    if len(works) <= COMPARED:
        return tuple(works)
    papers, each = _papers(works), COMPARED // len(texts)
    kept = {
        paper.id
        for name, text in texts.items()
        for paper in desk.nearest(f"{name}-words", text, papers, each)
    }
    return tuple(work for work in works if work.paper.id in kept)


def _rank(
    desk: Desk, name: str, text: str, papers: tuple[Paper, ...]
) -> tuple[tuple[Paper, float], ...]:
    return desk.rank(name, text, papers)


def _papers(works: Sequence[Work]) -> tuple[Paper, ...]:
    return tuple(work.paper for work in works)


def _prior(work: Work, similarity: Mapping[str, float]) -> PriorWork:
    return PriorWork(
        paper=work.paper,
        versions=work.versions,
        date=work.date,
        when=work.when,
        similarity=similarity[work.paper.id],
        found_by=work.found_by,
        unread=_too_late(work) if work.when in TOO_LATE else "",
    )


def _too_late(work: Work) -> str:
    if work.when == "same day":
        return f"It was public on the idea's own date, {work.date}, and cannot anticipate it."
    return f"It was public from {work.date} on, after the idea."
