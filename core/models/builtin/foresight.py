"""Which problem papers leave open, and which mechanism might meet it."""

from collections.abc import Sequence

from core.models.builtin.english import clipped, opened, retold
from core.models.builtin.library import PassageLibrary
from core.models.builtin.pairing import Pair, chosen, mechanisms_in, mentions, open_problems, pairs
from core.models.builtin.passages import PaperSentence
from core.models.builtin.phrases import by_authors, called, kept_capital
from core.models.builtin.setting import fits, kind_of
from core.records import Paper


def told(passage: PaperSentence, most: int = 400) -> str:
    """Return a passage as a sentence that can follow a colon."""
    return opened(clipped(retold(passage.text, kept_capital(passage.paper)), most))


def source_of(paper: Paper, device: str) -> str:
    """Return how to refer to the paper beside its own device: by its authors where the device is
    its name.
    """
    if device not in called(paper):
        return called(paper)
    authors = by_authors(paper)
    return "its authors" if authors.startswith('"') else authors


def unanswered(library: PassageLibrary, topic: str, papers: Sequence[Paper]) -> list[PaperSentence]:
    """Return the stated problems and limits, the one later papers cover least and the topic most
    first.
    """
    asked = library.vector(topic)
    ranked = []
    for n, paper in enumerate(papers):
        later = mechanisms_in(library.passages(papers[n + 1 :]))
        for one in open_problems(library.passages([paper])):
            answered = max((float(one.vector @ other.vector) for other in later), default=0.3)
            ranked.append(
                (
                    round(
                        float(one.vector @ asked)
                        - 0.7 * answered
                        + 0.1 * one.alone
                        + 0.05 * one.limit,
                        4,
                    ),
                    one,
                )
            )
    ranked.sort(key=lambda pair: (-pair[0], pair[1].paper.id, pair[1].place))
    return [one for _, one in ranked]


def next_pair(
    library: PassageLibrary,
    topic: str,
    papers: Sequence[Paper],
    taken: tuple[object, ...],
    seed: int,
) -> Pair | None:
    """Choose problem and mechanism; what a taken case names as its mechanism's paper is not used
    again.
    """
    gone = " ".join(str(case) for case in taken)
    reach = library.within_reach(topic, papers)
    problems = unanswered(library, topic, papers)[:6]
    used = {paper.id for paper in reach if gone and mentions(gone, paper)}
    kind = kind_of(f"{topic} {' '.join(paper.title for paper in papers)}")
    free = [one for one in mechanisms_in(library.passages(reach)) if one.paper.id not in used]
    ways = [one for one in free if fits(kind, one.paper)] or free
    return chosen(library, topic, pairs(library, topic, problems, ways), seed)
