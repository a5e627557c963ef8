"""How the papers of a chain lead from one to the next, and what the whole is driving at."""

from collections.abc import Sequence
from itertools import pairwise

from core.models.builtin.english import DANGLING, listed, said
from core.models.builtin.library import PassageLibrary
from core.models.builtin.searching import topic_named
from core.models.builtin.sources import ReadPaper, sources_of
from core.records import Chain, Trend, TrendStep

TOUCHES = 0.3
"""Cosine from which something new is said to touch a limit of the earlier paper."""
COUNTS = {
    2: "Two",
    3: "Three",
    4: "Four",
    5: "Five",
    6: "Six",
    7: "Seven",
    8: "Eight",
    9: "Nine",
    10: "Ten",
}
MOVED = 0.03
"""How much nearer to the topic (cosine) the last paper must be than the first to say that the line
moves there.
"""


def trend(library: PassageLibrary, topic: str, chain: Chain) -> Trend:
    """Say for each neighbouring pair what is newest in the later paper and which limit or sentence
    of the earlier it is nearest to, by cosine.
    """
    sources = sources_of(library, chain)
    steps = tuple(
        TrendStep(earlier=a.paper.id, later=b.paper.id, how=_step(library, a, b))
        for a, b in pairwise(sources)
    )
    return Trend(steps=steps, summary=_summary(library, topic, sources))


def _step(library: PassageLibrary, earlier: ReadPaper, later: ReadPaper) -> str:
    """Take the later paper's sentence that the earlier covers least, and the earlier one's sentence
    nearest to it.
    """
    before, after = earlier.name, later.name
    old, new = _lines(earlier), later.ways or _lines(later)
    if not old or not new:
        bare = " and ".join(name for name, lines in ((before, old), (after, new)) if not lines)
        return said(
            f"From {before} to {after}: of {bare} only the title is at hand, so the step cannot be"
            " described"
        )
    near = library.embed(new) @ library.embed(old).T
    row = min(
        range(len(new)),
        key=lambda n: (
            round(float(near[n].max()) + 0.08 * (DANGLING.match(new[n]) is not None), 4),
            n,
        ),
    )
    column = int(near[row].argmax())
    first = f"Beside {before}, what is newest in {after} is this: {later.told(new[row])}"
    limits = [(float(near[row][old.index(line)]), line) for line in earlier.gaps if line in old]
    touched = max(limits, default=(0.0, ""), key=lambda pair: (round(pair[0], 4), pair[1]))
    if touched[0] >= TOUCHES:
        return said(first, f"It bears on a limit that {before} named: {earlier.told(touched[1])}")
    return said(first, f"Nearest to it in {before} comes this: {earlier.told(old[column])}")


def _lines(source: ReadPaper) -> list[str]:
    return list(dict.fromkeys((*source.problems, *source.ways, *source.findings, *source.gaps)))


def _summary(library: PassageLibrary, topic: str, sources: Sequence[ReadPaper]) -> str:
    if len(sources) == 1:
        return said(f"The chain has one paper, {sources[0].name}, so it shows no development yet")
    things = list(dict.fromkeys(source.thing for source in sources if source.thing))
    span = (
        f"{COUNTS.get(len(sources), str(len(sources)))} papers lead from {sources[0].name} to"
        f" {sources[-1].name}"
    )
    through = f", by way of these subjects: {listed(things)}" if len(things) > 1 else ""
    ends = library.abstracts([sources[0].paper, sources[-1].paper]) @ library.vector(topic)
    drift = float(ends[1]) - float(ends[0])
    where = (
        "closer to"
        if drift > MOVED
        else "away from"
        if drift < -MOVED
        else "no nearer to and no farther from"
    )
    moved = (
        f"Measured by embeddings of the first and the last paper, the line moves {where}"
        f" {topic_named(topic)}"
    )
    return said(span + through, moved, _left(library, topic, sources))


def _left(library: PassageLibrary, topic: str, sources: Sequence[ReadPaper]) -> str:
    """Return the limit, or else the problem, that lies nearest to the topic and that later papers
    cover least.
    """
    asked, best = library.vector(topic), (-2.0, "", "")
    for n, source in enumerate(sources):
        later = [line for one in sources[n + 1 :] for line in one.ways]
        for line in source.gaps or source.problems[:1]:
            vector = library.vector(line)
            met = max(map(float, library.embed(later) @ vector), default=0.3)
            told = (
                f"{source.name}"
                f" {'named this limit' if source.gaps else 'set out from this problem'}, and no"
                " later paper of the chain is near to it"
            )
            told = (
                told
                if met < 0.5
                else (
                    f"{source.name}"
                    f" {'named this limit' if source.gaps else 'set out from this problem'}"
                )
            )
            best = max(
                best,
                (
                    round(float(vector @ asked) - 0.7 * met, 4),
                    source.name,
                    f"{told}: {source.told(line)}",
                ),
            )
    return best[2]
