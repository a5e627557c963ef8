"""How the papers of a chain lead from one to the next, and what the whole is driving at."""

from collections.abc import Sequence
from itertools import pairwise

from core.models.builtin.english import DANGLING, join_list, paragraph
from core.models.builtin.library import PassageLibrary
from core.models.builtin.searching import topic_named
from core.models.builtin.sources import ReadPaper, sources_of
from core.records import Chain, Trend, TrendStep

TOUCHES = 0.3
"""Cosine from which something new is said to touch a limit of the earlier paper."""
COUNTS = ("", "", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
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
        return paragraph(
            f"From {before} to {after}: of {bare} only the title is at hand, so the step cannot be"
            " described"
        )
    cosines = library.embed(new) @ library.embed(old).T
    covered = []
    for row, line in zip(cosines, new, strict=True):
        leaning = 0.08 if DANGLING.match(line) else 0.0
        covered.append(round(float(row.max()) + leaning, 4))
    newest = covered.index(min(covered))
    near = dict(zip(old, map(float, cosines[newest]), strict=True))
    first = f"Beside {before}, what is newest in {after} is this: {later.told(new[newest])}"
    limit = max(earlier.gaps, default="", key=lambda line: (round(near[line], 4), line))
    if limit and near[limit] >= TOUCHES:
        return paragraph(first, f"It bears on a limit that {before} named: {earlier.told(limit)}")
    nearest = max(old, key=lambda line: near[line])
    return paragraph(first, f"Nearest to it in {before} comes this: {earlier.told(nearest)}")


def _lines(source: ReadPaper) -> list[str]:
    return list(dict.fromkeys((*source.problems, *source.ways, *source.findings, *source.gaps)))


def _summary(library: PassageLibrary, topic: str, sources: Sequence[ReadPaper]) -> str:
    if len(sources) == 1:
        return paragraph(
            f"The chain has one paper, {sources[0].name}, so it shows no development yet"
        )
    things = list(dict.fromkeys(source.thing for source in sources if source.thing))
    count = COUNTS[len(sources)] if len(sources) < len(COUNTS) else str(len(sources))
    span = f"{count} papers lead from {sources[0].name} to {sources[-1].name}"
    through = f", by way of these subjects: {join_list(things)}" if len(things) > 1 else ""
    ends = library.abstracts([sources[0].paper, sources[-1].paper]) @ library.vector(topic)
    drift = float(ends[1]) - float(ends[0])
    where = "no nearer to and no farther from"
    if abs(drift) > MOVED:
        where = "closer to" if drift > 0 else "away from"
    moved = (
        f"Measured by embeddings of the first and the last paper, the line moves {where}"
        f" {topic_named(topic)}"
    )
    return paragraph(span + through, moved, _open_point(library, topic, sources))


def _open_point(library: PassageLibrary, topic: str, sources: Sequence[ReadPaper]) -> str:
    """Return the limit, or else the problem, that lies nearest to the topic and that later papers
    cover least.
    """
    about, best = library.vector(topic), (-2.0, "", "")
    for n, source in enumerate(sources):
        later = [line for other in sources[n + 1 :] for line in other.ways]
        stated = "named this limit" if source.gaps else "set out from this problem"
        for line in source.gaps or source.problems[:1]:
            vector = library.vector(line)
            met = max(library.cosines(later, vector), default=0.3)
            alone = ", and no later paper of the chain is near to it" if met < 0.5 else ""
            told = f"{source.name} {stated}{alone}: {source.told(line)}"
            left = round(float(vector @ about) - 0.7 * met, 4)
            best = max(best, (left, source.name, told))
    return best[2]
