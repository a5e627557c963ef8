"""Which of the works found are read: those nearest to the whole idea and to each of its claims."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from core.desk import Desk
from core.methods.inputs import NoveltyInputs
from core.methods.novelty.dating import Work
from core.records import Claim, Paper, PriorWork

COMPARED = 200
"""Works whose meaning is compared, at most; of more, those that share most words with the idea and
its claims.
"""
PASSED = 50
"""Works that were found and not read, and are named all the same, at most."""
LATER = 5
"""Works that came too late and are named all the same, at most."""
TOO_LATE = ("later", "same day")
PASSED_OVER = "Others are nearer to the idea and to each of its claims."


class Near(NamedTuple):
    """The works found, by whether they are read."""

    read: tuple[PriorWork, ...] = ()
    """To be read, those most similar to the whole idea first."""
    later: tuple[PriorWork, ...] = ()
    """Near ones that came too late to anticipate the idea."""
    passed: tuple[PriorWork, ...] = ()
    """In time, and not read since others are nearer; the most similar of them."""
    passed_over: int = 0
    """How many there are of these in all."""


def nearest_works(desk: Desk, asked: NoveltyInputs, works: Sequence[Work]) -> tuple[Work, ...]:
    """Return the few works around which references and citations are followed."""
    by_id = {work.paper.id: work for work in works}
    few = desk.nearest("words", asked.idea.text, _papers(works), COMPARED)
    ranked = desk.rank("whole", asked.idea.text, few)
    return tuple(by_id[paper.id] for paper, _ in ranked[: asked.around])


def choose_near(
    desk: Desk, asked: NoveltyInputs, claims: Sequence[Claim], works: Sequence[Work]
) -> Near:
    """Return the works to be read, and those that are not.

    Each claim gives of its nearest in turn, the whole idea first, so that a claim worded like no
    other has its precedents read.
    """
    if not works:
        return Near()
    texts = {"whole": asked.idea.text}
    texts |= {f"claim-{one.n}": f"{one.text}\n{one.passage.quote}" for one in claims}
    by_id = {work.paper.id: work for work in compared(desk, texts, works)}
    papers = _papers(tuple(by_id.values()))
    ranked = desk.all(
        *(partial(_rank, name=name, text=text, papers=papers) for name, text in texts.items())
    )
    cosines = [{paper.id: score for paper, score in one} for one in ranked]
    in_time = [[p.id for p, _ in one if by_id[p.id].when not in TOO_LATE] for one in ranked]
    turns = [name for turn in zip_longest(*in_time) for name in turn if name]
    chosen = list(dict.fromkeys(turns))[: asked.papers]
    late = [p.id for p, _ in ranked[0] if by_id[p.id].when in TOO_LATE][:LATER]
    passed = [name for name in in_time[0] if name not in set(chosen)]
    in_time_at_all = sum(work.when not in TOO_LATE for work in works)
    near = (_prior(by_id[name], cosines) for name in chosen)
    return Near(
        read=tuple(sorted(near, key=lambda work: (-work.similarity, work.id))),
        later=tuple(_prior(by_id[name], cosines) for name in late),
        passed=tuple(_pass_over(_prior(by_id[name], cosines)) for name in passed[:PASSED]),
        passed_over=in_time_at_all - len(chosen),
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


def _prior(work: Work, cosines: Sequence[Mapping[str, float]]) -> PriorWork:
    name = work.paper.id
    whole, *claims = (one[name] for one in cosines)
    return PriorWork(
        paper=work.paper,
        versions=work.versions,
        date=work.date,
        when=work.when,
        similarity=whole,
        to_claims=tuple(claims),
        found_by=work.found_by,
        unread=_too_late(work) if work.when in TOO_LATE else "",
    )


def _pass_over(work: PriorWork) -> PriorWork:
    """Return a work that is not read, without its abstract: it is named and linked, no more."""
    paper = work.paper.model_copy(update={"abstract": ""})
    return work.model_copy(update={"paper": paper, "unread": PASSED_OVER})


def _too_late(work: Work) -> str:
    if work.when == "same day":
        return f"It was public on the idea's own date, {work.date}, and cannot anticipate it."
    return f"It was public from {work.date} on, after the idea."
