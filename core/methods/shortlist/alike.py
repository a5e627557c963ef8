"""Which ideas are one: embeddings propose pairs, a judge decides each, and the answers hold for the
same two texts ever after.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import NamedTuple

from core.desk import Desk
from core.errors import CannotAnswer, EmbeddingFailed, ModelFailed
from core.records import Absorbed, Alike, Distinct, Idea, SameIdea, Stage

PROMPT = "same-idea"
JUDGE = "judge"
NEAR = 0.75
"""The cosine of two whole texts from which on a judge is asked whether they are one idea."""
ONE = 0.95
"""The cosine from which on two texts count as one where nobody can judge: hardly more than other
words for the same sentences.
"""
UNJUDGED = (ModelFailed, CannotAnswer)

Judged = dict[tuple[str, str], SameIdea]
"""What was said of two texts, by their digests, the lesser first; `first` is the lesser."""


class Compared(NamedTuple):
    """How near some ideas are to each other."""

    cosines: dict[tuple[int, int], float]
    """Of every two, the lesser number first; empty where there are no embeddings."""
    alike: tuple[Alike, ...] = ()
    """The pairs that are near, and whether they are one."""
    failed: tuple[str, ...] = ()
    by_judge: bool = False
    """Whether somebody could judge."""


def compare(desk: Desk, topic: str, ideas: Mapping[int, Idea], judged: Judged) -> Compared:
    """Compare all ideas in meaning and have the near pairs judged, side by side; what is in
    `judged` is not asked again, and what is asked is added.
    """
    able = desk.bench.models[JUDGE].answers(PROMPT)
    numbers = sorted(ideas)
    if len(numbers) < 2:
        return Compared({}, by_judge=able)
    try:
        rows = desk.closeness("closeness", tuple(ideas[n].text for n in numbers))
    except EmbeddingFailed as error:
        return Compared({}, failed=(f"How near the ideas are could not be told: {error}",))
    cosines = {(a, b): rows[i][j] for (i, a), (j, b) in combinations(enumerate(numbers), 2)}
    near = [pair for pair, cosine in cosines.items() if cosine >= NEAR]
    if not able:
        told = [_by_meaning(a, b, cosines[a, b]) for a, b in near]
        return Compared(cosines, tuple(told))
    failed = _judge(desk, topic, ideas, near, judged)
    told = [
        _told(pair, cosines[pair], ideas, judged) for pair in near if _key(ideas, pair) in judged
    ]
    return Compared(cosines, tuple(told), failed, by_judge=True)


def _judge(
    desk: Desk,
    topic: str,
    ideas: Mapping[int, Idea],
    near: Iterable[tuple[int, int]],
    judged: Judged,
) -> tuple[str, ...]:
    """Have those near pairs judged that were not yet, and return what failed."""
    wanted: dict[tuple[str, str], tuple[int, int]] = {}
    for pair in near:
        key = _key(ideas, pair)
        if key not in judged:
            wanted.setdefault(key, pair)

    def judge(here: Desk, pair: tuple[int, int]) -> SameIdea | ModelFailed:
        # In an order that the texts decide, so that nobody's number has a say in it.
        first, second = sorted((ideas[n] for n in pair), key=Idea.digest)
        try:
            return here.ask(
                PROMPT,
                SameIdea,
                role=JUDGE,
                recorded=UNJUDGED,
                topic=topic,
                first=first,
                second=second,
            )
        except UNJUDGED as error:
            return error

    answers = desk.at_each(judge, {f"{a}-{b}": (a, b) for a, b in wanted.values()})
    failed = []
    for (key, (a, b)), said in zip(wanted.items(), answers, strict=True):
        if isinstance(said, SameIdea):
            judged[key] = said
        else:
            failed.append(f"Whether ideas {a} and {b} are one could not be judged: {said}")
    return tuple(failed)


def _key(ideas: Mapping[int, Idea], pair: tuple[int, int]) -> tuple[str, str]:
    first, second = sorted(ideas[n].digest() for n in pair)
    return first, second


def _told(pair: tuple[int, int], cosine: float, ideas: Mapping[int, Idea], judged: Judged) -> Alike:
    said = judged[_key(ideas, pair)]
    first, second = sorted(pair, key=lambda n: (ideas[n].digest(), n))
    return Alike(
        a=pair[0],
        b=pair[1],
        similarity=cosine,
        same=said.same,
        better=first if said.better == "first" else second,
        by="judge",
        reason=said.reason,
    )


def _by_meaning(a: int, b: int, cosine: float) -> Alike:
    return Alike(a=a, b=b, similarity=cosine, same=cosine >= ONE, by="meaning alone")


def groups(numbers: Iterable[int], same: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the numbers in groups of those that are linked, each and all in order."""
    group = {n: {n} for n in numbers}
    for a, b in same:
        if group[a] is not group[b]:
            group[a] |= group[b]
            group.update(dict.fromkeys(group[b], group[a]))
    return tuple(sorted({tuple(sorted(one)) for one in group.values()}))


def join(
    numbers: Iterable[int], pinned: AbstractSet[int], alike: Iterable[Alike], edition: int
) -> tuple[Absorbed, ...]:
    """Return the groups that say the same, each with the idea that stands for it: of pinned ones if
    there are any, the one that was most often said to be better, then the lower number. Pinned ones
    are never absorbed.

    No idea is absorbed by one of which the judge said that they are two: it goes to another pinned
    one of its group, or is joined with others that are left so.
    """
    pairs = list(alike)
    same = [one for one in pairs if one.same]
    parted = {
        frozenset((one.a, one.b))
        for one in pairs
        if edition > 4 and not one.same and one.by == "judge"
    }
    wins = Counter(one.better for one in same if one.better is not None)
    links = [(one.a, one.b) for one in same]
    waiting, joined = list(groups(numbers, links)), list[Absorbed]()
    while waiting:
        group = waiting.pop(0)
        standing = [n for n in group if n in pinned] or list(group)
        standing.sort(key=lambda n: (-wins[n], n))
        if pinned.isdisjoint(group):
            standing = standing[:1]
        absorbed: dict[int, list[int]] = {n: [] for n in standing}
        left = []
        for n in (one for one in group if one not in standing):
            able = [one for one in standing if frozenset((n, one)) not in parted]
            said = [one for one in able if edition > 4 and {(n, one), (one, n)} & {*links}]
            if able:
                absorbed[(said or able)[0]].append(n)
            else:
                left.append(n)
        for survivor, some in absorbed.items():
            if some:
                joined.append(Absorbed(survivor=survivor, absorbed=tuple(some)))
        waiting += groups(left, [pair for pair in links if {*pair} <= {*left}])
    return tuple(joined)


def distinct(stage: Stage, ideas: Mapping[int, Idea], found: Compared, edition: int) -> Distinct:
    """Return how many really different ideas there are."""
    by_meaning = [pair for pair, cosine in found.cosines.items() if cosine >= ONE]
    absorbed = sum(len(one.absorbed) for one in join(ideas, frozenset(), found.alike, edition))
    cosines = found.cosines.values()
    return Distinct(
        stage=stage,
        ideas=len(ideas),
        by_meaning=len(groups(ideas, by_meaning)),
        by_judge=len(ideas) - absorbed if found.by_judge else None,
        unjudged=len(found.failed) if found.by_judge else 0,
        mean_similarity=round(sum(cosines) / len(cosines), 4) if cosines else None,
    )
