"""Which mechanism might meet which problem: near enough to make sense, far enough to be new, and
not yet put together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from core.models.builtin.english import (
    capitalise,
    clip,
    find_words,
    flat,
    ignore_case,
    last_word,
)
from core.models.builtin.library import PassageLibrary, about_beings
from core.models.builtin.passages import CUES, PaperSentence, Vectors, rank_sentences
from core.models.builtin.phrases import cite, cite_authors, name_of, retell_from
from core.models.builtin.setting import fits, kind_of
from core.records import Paper
from core.wording.summaries import mark_summary

NEAR_ENOUGH, IDEAL, FAR_ENOUGH = 0.2, 0.36, 0.58
"""The band of cosines between problem and mechanism; on the shelf, a method's sentence and its own
problem lie around 0.5.
"""
MET = 0.66
"""From this cosine to both, one paper has put problem and mechanism together already."""
CHOICES = 6
"""How many of the best pairs the seed chooses among."""


@dataclass(frozen=True, eq=False)
class Pair:
    """A problem and a mechanism from another paper, with how near they are (cosine)."""

    problem: PaperSentence
    mechanism: PaperSentence
    cosine: float

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Where both stand."""
        problem, mechanism = self.problem, self.mechanism
        return problem.paper.id, problem.place, mechanism.paper.id, mechanism.place


def rank_pairs(
    library: PassageLibrary,
    topic: str,
    problems: Sequence[PaperSentence],
    mechanisms: Sequence[PaperSentence],
) -> list[Pair]:
    """Return the pairs in the band that no paper has put together, best first; outside the band
    when nothing is inside.
    """
    if not problems or not mechanisms:
        return []
    about = library.vector(topic)
    p, m = _stack(problems), _stack(mechanisms)
    cosines, met = p @ m.T, _find_met(problems, mechanisms)
    to_topic, reach = p @ about, m @ about
    found = []
    for (i, problem), (j, mechanism) in product(enumerate(problems), enumerate(mechanisms)):
        if problem.paper.id == mechanism.paper.id:
            continue
        cosine, together = float(cosines[i, j]), float(met[i, j])
        score = 0.5 * float(to_topic[i]) + 0.35 * float(reach[j])
        score -= abs(cosine - IDEAL)
        score -= 0.4 * together
        score += 0.08 * problem.alone
        score += 0.12 * mechanism.alone
        if not NEAR_ENOUGH <= cosine <= FAR_ENOUGH or met[i, j] >= MET:
            score -= 1
        found.append((round(score, 4), Pair(problem, mechanism, cosine)))
    found.sort(key=lambda scored: (-scored[0], scored[1].key))
    return [pair for _, pair in found]


def _stack(passages: Sequence[PaperSentence]) -> Vectors:
    return np.stack([passage.vector for passage in passages])


def _find_met(problems: Sequence[PaperSentence], mechanisms: Sequence[PaperSentence]) -> Vectors:
    """Return, for each pair, how far some third paper near both has put them together (0 to 1)."""
    papers = sorted({passage.paper.id for passage in (*problems, *mechanisms)})

    def nearest(passages: Sequence[PaperSentence]) -> Vectors:
        # How near each passage comes to those of each paper, its own left out.
        near = np.zeros((len(passages), len(papers)), np.float32)
        cosines = _stack(passages) @ _stack(passages).T
        for n, paper in enumerate(papers):
            columns = [k for k, passage in enumerate(passages) if passage.paper.id == paper]
            if columns:
                near[:, n] = cosines[:, columns].max(axis=1)
                near[columns, n] = 0
        return near

    to_problem = nearest(problems)[:, None, :]
    to_mechanism = nearest(mechanisms)[None, :, :]
    return np.asarray(np.minimum(to_problem, to_mechanism).max(axis=2))


def choose_pair(library: PassageLibrary, topic: str, found: list[Pair], seed: int) -> Pair | None:
    """Return one of the best pairs, which one the seed says; no two share both papers, and what can
    be done or built comes first.
    """
    distinct: dict[tuple[str, str], Pair] = {}
    for pair in found:
        distinct.setdefault((pair.problem.paper.id, pair.mechanism.paper.id), pair)
        if len(distinct) == 10 * CHOICES:
            break
    several = list(distinct.values())
    if not several:
        return None
    matters, devices = [], []
    for pair in several:
        matters.append(library.term(pair.problem))
        devices.append(library.term(pair.mechanism, f"{topic} {matters[-1]}"))
    handles = library.handles(devices)
    ranks = []
    for n, (pair, device) in enumerate(zip(several, devices, strict=True)):
        doable = float(handles[n]) - 0.3 * about_beings(device)
        doable -= _weak(device, matters[n])
        doable -= 0.4 * bool(_HEDGED.search(pair.mechanism.text))
        doable -= 0.3 * appraises(pair.mechanism)
        ranks.append((n / (25 * CHOICES) - round(doable, 4), n))
    best = sorted(ranks)[:CHOICES]
    return several[best[seed % len(best)][1]]


_HEDGED = find_words(r"could|may|might|should|would")
"""What a paper only supposes is no mechanism that it described."""
_APPRAISES = ignore_case(
    r"bench|evaluat|survey|systematic review|dataset|reliability|validity|\bcan\b"
)
"""Titles of papers that judge or collect and bring no mechanism."""
_JUDGES = re.compile(r"\b(?:review|survey|asks?|sources|studies|looked like|rather than)\b")


def appraises(passage: PaperSentence) -> bool:
    """Say whether a passage belongs to work that judges or collects what others made."""
    return bool(_APPRAISES.search(passage.paper.title) or _JUDGES.search(passage.text))


def _weak(device: str, matter: str) -> float:
    """Return how little a pair of words has to say: the two share their last word, or one is a
    single plain word.
    """
    plain = 0
    for words in (device, matter):
        if words.islower() and " " not in words and "-" not in words:
            plain += 1
    shared = last_word(device) == last_word(matter)
    return 0.1 * plain + 0.4 * shared


def open_problems(passages: Iterable[PaperSentence]) -> list[PaperSentence]:
    """Return the passages that state a problem, and those of an evaluation that leave something
    open.
    """
    found = []
    for passage in passages:
        stated = passage.place == 0 or CUES["problem"].search(passage.text)
        if passage.open or (passage.role == "problem" and stated):
            found.append(passage)
    return found


def mechanisms_in(passages: Iterable[PaperSentence]) -> list[PaperSentence]:
    return [passage for passage in passages if passage.role == "mechanism"]


def quote_passage(passage: PaperSentence, most: int = 400) -> str:
    """Return a passage of at most so many characters as a sentence that can follow a colon, marked
    where it is from a built-in summary.
    """
    told = capitalise(clip(retell_from(passage.paper, passage.text), most))
    return mark_summary(passage.paper, passage.text, told)


def source_of(paper: Paper, device: str) -> str:
    """Return how to refer to the paper beside its own device: by its authors where the device is
    its name.
    """
    if device not in cite(paper):
        return cite(paper)
    authors = cite_authors(paper)
    return "its authors" if authors.startswith('"') else authors


def rank_unanswered(
    library: PassageLibrary, topic: str, papers: Sequence[Paper]
) -> list[PaperSentence]:
    """Return the stated problems and limits, the one later papers cover least and the topic most
    first.
    """
    about = library.vector(topic)
    scored = []
    for n, paper in enumerate(papers):
        later = mechanisms_in(library.passages(papers[n + 1 :]))
        for problem in open_problems(library.passages([paper])):
            near = [float(problem.vector @ way.vector) for way in later]
            score = float(problem.vector @ about) - 0.7 * max(near, default=0.3)
            score += 0.1 * problem.alone
            score += 0.05 * problem.limit
            scored.append((round(score, 4), problem))
    return [problem for _, problem in rank_sentences(scored)]


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
    gone = " ".join(map(str, taken))
    reach = library.within_reach(topic, papers)
    unused = [paper for paper in reach if not gone or not mentions(gone, paper)]
    free = mechanisms_in(library.passages(unused))
    kind = kind_of(" ".join([topic, *(paper.title for paper in papers)]))
    ways = [way for way in free if fits(kind, way.paper)] or free
    problems = rank_unanswered(library, topic, papers)[:6]
    pairs = rank_pairs(library, topic, problems, ways)
    return choose_pair(library, topic, pairs, seed)


def recover_pair(
    library: PassageLibrary, text: str, papers: Sequence[Paper]
) -> tuple[PaperSentence, PaperSentence] | None:
    """Return the (problem, mechanism) a text is about: papers it names come first, then the nearest
    passages of two papers.
    """
    passages = library.passages(papers)
    problems, ways = open_problems(passages), mechanisms_in(passages)
    if not problems or not ways:
        return None
    exact = _by_their_words(library, text, problems, ways)
    if exact:
        return exact
    about, plain = library.vector(text), flat(text)
    named = {paper.id for paper in papers if mentions(text, paper)}

    def fit(passage: PaperSentence) -> tuple[float, str, int]:
        paper = passage.paper.id
        score = float(passage.vector @ about) + 0.5 * (paper in named)
        if flat(passage.text)[:60] in plain:
            score += 2
        return round(score, 4), paper, -passage.place

    mechanism = max(ways, key=fit)
    others = [one for one in problems if one.paper.id != mechanism.paper.id]
    if not others:
        return None
    problem = max(others, key=fit)
    if fit(mechanism)[0] < 1 < fit(problem)[0]:
        ways = [one for one in ways if one.paper.id != problem.paper.id] or ways
        mechanism = max(ways, key=fit)
    return problem, mechanism


def _by_their_words(
    library: PassageLibrary,
    text: str,
    problems: Sequence[PaperSentence],
    ways: Sequence[PaperSentence],
) -> tuple[PaperSentence, PaperSentence] | None:
    """Return the pair whose papers and whose own words stand in the text, mechanism before problem,
    as in a title we wrote.
    """
    low, about = text.lower(), library.vector(text)

    def find_spoken(passages: Sequence[PaperSentence]) -> list[tuple[PaperSentence, int]]:
        found = []
        for passage in passages:
            if mentions(text, passage.paper):
                places = [low.find(word.lower()) for word in own_words(library, passage)]
                if there := [place for place in places if place >= 0]:
                    found.append((passage, min(there)))
        return found

    both = []
    for (problem, m), (way, n) in product(find_spoken(problems), find_spoken(ways)):
        if m != n and problem.paper.id != way.paper.id:
            near = float((way.vector + problem.vector) @ about)
            rank = (round(near + (n < m), 4), way.paper.id, -way.place, -problem.place)
            both.append((rank, (problem, way)))
    return max(both, key=lambda scored: scored[0])[1] if both else None


def own_words(library: PassageLibrary, passage: PaperSentence) -> list[str]:
    """Return the phrases a passage's matter goes by: the best one, and others of more than one
    word.
    """
    found = [library.term(passage)]
    for term in library.terms(passage, passage.role)[:8]:
        if " " in term.text or "-" in term.text:
            found.append(term.text)
    return found


def mentions(text: str, paper: Paper) -> bool:
    """Say whether a text names the paper: the way we refer to it, or its method's name."""
    if cite(paper) in text:
        return True
    name = name_of(paper)
    return name is not None and re.search(rf"\b{re.escape(name)}\b", text) is not None
