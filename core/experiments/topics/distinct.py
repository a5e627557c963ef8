"""How many of a contender's ideas are different from each other, by meaning and by judges.

By meaning: an idea counts as new unless its embedding lies near that of an earlier one that counts
(Si et al., 2024, take a cosine of 0.8 of the same model). By a judge: an idea counts as new unless
the judge takes it for one with an earlier one. A judge is asked only of pairs that are near enough,
so that what it takes grows with the number of ideas and not with its square.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from core.desk import Desk
from core.errors import CannotAnswer, ModelFailed
from core.experiments.topics.cells import TopicExperimentInputs, players
from core.journal import Answer
from core.judging.arena.competition import ROLES
from core.records import (
    DistinctByJudge,
    DistinctIdeas,
    Idea,
    Origin,
    Record,
    SameIdea,
    TopicCell,
    digest,
    part,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.literature.embeddings import Embedder

NEAR = 0.8
"""The cosine from which on two ideas are taken for one."""
ASKED_FROM = 0.75
"""The cosine from which on a judge is asked whether two ideas are one: below `NEAR`, so that it can
find more than embeddings do.
"""
MOST_ASKED = 5
"""Earlier ideas, the nearest ones, that an idea is held against by a judge at most."""
MANY = 1_000
"""Ideas of a contender beyond which a summary of their cosines is recorded and not every one."""
MOST_PAIRS = 50_000
"""Pairs that such a summary keeps at most, shared evenly among the ideas, though of each as many as
a judge may be asked of: ten times as many held Python's lock for a tenth of a second and more.
"""
ROWS = 64
"""Ideas whose cosines are computed at a time: with 10,000 ideas, 5 MB and some milliseconds."""
PORTION = 256
"""Texts that are embedded at a time: their vectors are kept although the next portion fails."""
MILLION = 1_000_000
"""A cosine of six decimals times this is a whole number, so that sums of many are exact."""
PROMPT = "same-idea"
UNJUDGED = (ModelFailed, CannotAnswer)
Alike = Callable[[int, int], bool]
"""Says of two ideas, by their numbers, whether they are the same."""
Pair = tuple[str, str]
"""Two texts by their digests, the lesser first."""


class Closeness(NamedTuple):
    """What the cosines of every two ideas of a contender come to."""

    distinct: int
    """Ideas that are not near any earlier one that counts."""
    spread: float | None
    """Mean of 1 - cosine over all pairs; None with fewer than two ideas."""
    nearest: tuple[float, ...]
    """Of every idea but the first, the cosine to the nearest before it."""
    pairs: tuple[tuple[int, int], ...]
    """The pairs that a judge is asked of, as (idea, earlier idea), an idea's nearest first."""
    near: int
    """Pairs that are near enough to be asked of, those beyond `MOST_ASKED` included."""


class PlayersIdeas(NamedTuple):
    """What a contender wrote, in the order of the cells."""

    player: str
    shas: tuple[str, ...]
    topics: tuple[str, ...]
    ideas: Mapping[str, Idea]
    """By hash."""


def measure_all(
    desk: Desk, asked: TopicExperimentInputs, came: Sequence[TopicCell]
) -> tuple[DistinctIdeas, ...]:
    """Show of every contender how many of its ideas, over all topics and seeds, are distinct."""
    found = []
    for player in (one.name for one in players(asked)):
        cells = [cell for cell in came if cell.player == player and cell.idea]
        if cells:
            shas = tuple(cell.idea for cell in cells)
            held = desk.bench.store.frozen.several(tuple(dict.fromkeys(shas)), Idea)
            wrote = PlayersIdeas(player, shas, tuple(cell.topic for cell in cells), held)
            here = desk.at("distinct").at(part(player))
            made = measure(here, asked, wrote)
            here.show(made)
            found.append(made)
    return tuple(found)


def measure(desk: Desk, asked: TopicExperimentInputs, wrote: PlayersIdeas) -> DistinctIdeas:
    """Return how many of these ideas, in their order, are distinct, and how far they are spread."""
    found = cosines(desk, [wrote.ideas[sha].text for sha in wrote.shas])
    by_judge: tuple[DistinctByJudge, ...] = ()
    if asked.distinct_by_judge and asked.judges:
        by_judge = judge_all(desk, asked, wrote, found)
    return DistinctIdeas(
        player=wrote.player,
        ideas=len(wrote.shas),
        distinct=found.distinct,
        spread=found.spread,
        nearest=found.nearest,
        by_judge=by_judge,
    )


def count_distinct(ideas: int, alike: Alike) -> int:
    """Return how many of so many ideas are like none of the earlier ones that count."""
    counted: list[int] = []
    for n in range(ideas):
        if not any(alike(n, other) for other in counted):
            counted.append(n)
    return len(counted)


def cosines(desk: Desk, texts: Sequence[str]) -> Closeness:
    """Compute the cosine of every text with each one before it, as a step: recorded are rows, row n
    of n cosines, or, of more than `MANY` texts, a summary.
    """
    embedder = desk.bench.embedder

    def answer() -> Answer:
        computed = (
            summarize(embed_all(embedder, texts))
            if len(texts) > MANY
            else [
                _rounded(embedder.similarities(text, list(texts[:n]))) if n else []
                for n, text in enumerate(texts)
            ]
        )
        origin = Origin(kind="computed", name="embedding", detail={"model": embedder.name})
        return Answer(computed, origin)

    # Earlier versions recorded rows of any number of texts.
    reply = desk.step("cosines", {"cosines": digest(list(texts))}, answer)
    if isinstance(reply, list):
        return read_rows(reply)
    assert isinstance(reply, dict)
    return read_summary(reply)


def read_rows(rows: Sequence[Sequence[float]]) -> Closeness:
    """Return what cosines come to, where row n has those of idea n with each one before it."""

    def alike(a: int, b: int) -> bool:
        return rows[a][b] >= NEAR

    values = [value for row in rows for value in row]
    pairs, near = near_pairs(rows)
    return Closeness(
        distinct=count_distinct(len(rows), alike),
        spread=round(1 - sum(values) / len(values), 6) if values else None,
        nearest=tuple(max(row) for row in rows[1:]),
        pairs=pairs,
        near=near,
    )


# -- of many ideas -----------------------------------------------------------------------------


def embed_all(embedder: "Embedder", texts: Sequence[str]) -> "NDArray[np.float64]":
    """Return one vector per text, in portions so that no other thread waits long; raises
    EmbeddingFailed.
    """
    import numpy as np

    portions = [texts[start : start + PORTION] for start in range(0, len(texts), PORTION)]
    return np.concatenate([embedder.vectors(one).astype(np.float64) for one in portions])


def summarize(vectors: "NDArray[np.float64]") -> dict[str, object]:
    """Return what is recorded of the cosines of every two of many vectors, each of length one: as
    plain JSON, with six decimals.

    `pairs` are [idea, earlier idea, cosine] from `ASKED_FROM` on, of each idea the nearest, so many
    that `MOST_PAIRS` holds; `near` counts all that there are. `distinct` and
    `nearest` are those of `Closeness`; `sum` and `count` are of all pairs.
    """
    # Imported here, as above: what lists runs need not have it.
    import numpy as np

    ideas = len(vectors)
    most = max(MOST_ASKED, MOST_PAIRS // ideas)
    counts = np.zeros(ideas, dtype=bool)
    pairs: list[list[float]] = []
    nearest: list[float] = []
    near = total = 0
    for start in range(0, ideas, ROWS):
        # NumPy lets other threads run meanwhile, unlike a comprehension over as many pairs.
        stop = min(start + ROWS, ideas)
        block = np.rint(vectors[start:stop] @ vectors[:stop].T * MILLION)
        own = block[:, start:]
        total += int(block[:, :start].sum()) + int(np.tril(own, -1).sum())
        own[np.triu_indices(stop - start)] = -np.inf
        nearest += (block.max(axis=1) / MILLION).tolist()
        like_earlier = np.any((block[:, :start] >= NEAR * MILLION) & counts[:start], axis=1)
        for n, row in enumerate(block, start):
            like_own = (row[start:] >= NEAR * MILLION) & counts[start:stop]
            counts[n] = not (like_earlier[n - start] or like_own.any())
            close = np.flatnonzero(row >= ASKED_FROM * MILLION)
            near += len(close)
            if len(close) > most:
                close = close[row[close] >= np.partition(row[close], -most)[-most]]
            kept = close[np.argsort(-row[close], kind="stable")[:most]]
            others, values = kept.tolist(), (row[kept] / MILLION).tolist()
            pairs += [[n, other, value] for other, value in zip(others, values, strict=True)]
    return {
        "distinct": int(counts.sum()),
        "near": near,
        "pairs": pairs,
        "nearest": nearest[1:],
        "sum": total / MILLION,
        "count": ideas * (ideas - 1) // 2,
    }


def read_summary(reply: Mapping[str, Any]) -> Closeness:
    """Return what cosines come to of which `summarize` made a summary."""
    wanted: list[tuple[int, int]] = []
    for _, kept in groupby(reply["pairs"], key=itemgetter(0)):
        wanted += [(n, other) for n, other, _ in islice(kept, MOST_ASKED)]
    return Closeness(
        distinct=reply["distinct"],
        spread=round(1 - reply["sum"] / reply["count"], 6) if reply["count"] else None,
        nearest=tuple(reply["nearest"]),
        pairs=tuple(wanted),
        near=reply["near"],
    )


# -- by judges ---------------------------------------------------------------------------------


def ideas_by_player(asked: TopicExperimentInputs) -> tuple[int, ...]:
    """Return how many ideas each contender writes with each model, if every cell comes to one."""
    return tuple(asked.count * (asked.seeds if one.by_model else 1) for one, *_ in players(asked))


def most_comparisons(asked: TopicExperimentInputs) -> int:
    """Return how many pairs one judge is asked of at most."""
    return sum(min(n, MOST_ASKED) for ideas in ideas_by_player(asked) for n in range(ideas))


def said_of_comparisons(asked: Record) -> str:
    """Say by what rule judges are asked which ideas are one, and how many calls that takes at most;
    empty where they are not asked.
    """
    if not isinstance(asked, TopicExperimentInputs):
        return ""
    if not asked.distinct_by_judge or not asked.judges:
        return ""
    most = most_comparisons(asked) * len(asked.judges)
    return (
        "Which ideas of a contender are one, each judge says of an idea and its"
        f" {MOST_ASKED} nearest earlier ones at most, and only where their embeddings have a cosine"
        f" of {ASKED_FROM} or more: at most {most:,} calls are for that."
    )


def near_pairs(rows: Sequence[Sequence[float]]) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the pairs that a judge is asked of, as (idea, earlier idea), an idea's nearest first;
    and how many pairs are near enough, those beyond `MOST_ASKED` included.
    """
    wanted: list[tuple[int, int]] = []
    near = 0
    for n, row in enumerate(rows):
        close = sorted((-cosine, other) for other, cosine in enumerate(row) if cosine >= ASKED_FROM)
        near += len(close)
        wanted += [(n, other) for _, other in close[:MOST_ASKED]]
    return tuple(wanted), near


def judge_all(
    desk: Desk,
    asked: TopicExperimentInputs,
    wrote: PlayersIdeas,
    close: Closeness,
) -> tuple[DistinctByJudge, ...]:
    """Have every judge say of the near pairs whether they are one idea, side by side; a judge that
    cannot says so.
    """
    pairs, near = close.pairs, close.near
    topics: dict[Pair, str] = {}
    for a, b in pairs:
        # Equal texts are one idea without anybody's word.
        if wrote.shas[a] != wrote.shas[b]:
            on = dict.fromkeys((wrote.topics[b], wrote.topics[a]))
            topics.setdefault(_pair(wrote, a, b), "; ".join(on))
    found = []
    for role, name in zip(ROLES, asked.judges, strict=False):
        if not desk.bench.models[role].answers(PROMPT):
            reason = f"{name} cannot tell whether two ideas are one."
            found.append(DistinctByJudge(judge=name, near=near, reason=reason))
            continue
        here = desk.at(part(name))
        work = [
            partial(judge, role=role, wrote=wrote, pair=pair, topic=topic)
            for pair, topic in topics.items()
        ]
        said = dict(zip(topics, here.each(work, asked.at_once), strict=True))
        found.append(count_by(name, wrote, pairs, near, said))
    return tuple(found)


def judge(
    desk: Desk, role: str, wrote: PlayersIdeas, pair: Pair, topic: str
) -> SameIdea | ModelFailed | CannotAnswer:
    """Ask a judge whether two texts are one idea, in an order that the texts decide, under a name
    that the texts make: whatever else is written later, the answer is found again.
    """
    first, second = pair
    try:
        return desk.at(f"{first[:12]}-{second[:12]}").ask(
            PROMPT,
            SameIdea,
            role=role,
            recorded=UNJUDGED,
            topic=topic,
            first=wrote.ideas[first],
            second=wrote.ideas[second],
        )
    except UNJUDGED as error:
        return error


def count_by(
    name: str,
    wrote: PlayersIdeas,
    pairs: Sequence[tuple[int, int]],
    near: int,
    said: Mapping[Pair, SameIdea | ModelFailed | CannotAnswer],
) -> DistinctByJudge:
    """Return how many ideas a judge takes for one with no earlier one."""
    taken = set[int]()
    for a, b in pairs:
        verdict = said.get(_pair(wrote, a, b))
        if wrote.shas[a] == wrote.shas[b] or (isinstance(verdict, SameIdea) and verdict.same):
            taken.add(a)
    failed = [one for one in said.values() if not isinstance(one, SameIdea)]
    return DistinctByJudge(
        judge=name,
        distinct=len(wrote.shas) - len(taken),
        near=near,
        asked=len(said),
        same=sum(isinstance(one, SameIdea) and one.same for one in said.values()),
        failed=len(failed),
        reason=str(failed[0]) if failed else "",
    )


def _rounded(cosines: Sequence[float]) -> list[float]:
    return [round(float(value), 6) for value in cosines]


def _pair(wrote: PlayersIdeas, a: int, b: int) -> Pair:
    first, second = sorted((wrote.shas[a], wrote.shas[b]))
    return first, second
