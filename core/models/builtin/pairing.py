"""Which mechanism might meet which problem: near enough to make sense, far enough to be new, and
not yet put together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.builtin.library import PassageLibrary, about_beings
from core.models.builtin.passages import CUES, PaperSentence, Vectors
from core.models.builtin.phrases import called, name_of
from core.records import Paper

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


def pairs(
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
    asked = library.vector(topic)
    p, m = np.stack([one.vector for one in problems]), np.stack([one.vector for one in mechanisms])
    cosines, met = p @ m.T, _met(problems, mechanisms)
    to_topic, reach = p @ asked, m @ asked
    found = []
    for i, problem in enumerate(problems):
        for j, mechanism in enumerate(mechanisms):
            cosine = float(cosines[i, j])
            if problem.paper.id == mechanism.paper.id:
                continue
            inside = NEAR_ENOUGH <= cosine <= FAR_ENOUGH and met[i, j] < MET
            score = (
                0.5 * float(to_topic[i])
                + 0.35 * float(reach[j])
                - abs(cosine - IDEAL)
                - 0.4 * float(met[i, j])
                + 0.08 * problem.alone
                + 0.12 * mechanism.alone
                - (0 if inside else 1)
            )
            found.append((round(score, 4), Pair(problem, mechanism, cosine)))
    found.sort(
        key=lambda one: (
            -one[0],
            one[1].problem.paper.id,
            one[1].problem.place,
            one[1].mechanism.paper.id,
            one[1].mechanism.place,
        )
    )
    return [pair for _, pair in found]


def _met(problems: Sequence[PaperSentence], mechanisms: Sequence[PaperSentence]) -> Vectors:
    """Return, for each pair, how far some one paper near both has put them together already (0 to
    1).
    """
    papers = sorted({one.paper.id for one in (*problems, *mechanisms)})

    def best(rows: Sequence[PaperSentence], columns: Sequence[PaperSentence]) -> Vectors:
        near = np.stack([r.vector for r in rows]) @ np.stack([c.vector for c in columns]).T
        return np.stack(
            [
                (
                    near[:, [k for k, c in enumerate(columns) if c.paper.id == paper] or [0]].max(
                        axis=1
                    )
                    if any(c.paper.id == paper for c in columns)
                    else np.zeros(len(rows))
                )
                for paper in papers
            ],
            axis=1,
        )

    to_problem, to_mechanism = best(problems, problems), best(mechanisms, mechanisms)
    for i, problem in enumerate(problems):
        to_problem[i, papers.index(problem.paper.id)] = 0
    for j, mechanism in enumerate(mechanisms):
        to_mechanism[j, papers.index(mechanism.paper.id)] = 0
    return np.asarray(np.minimum(to_problem[:, None, :], to_mechanism[None, :, :]).max(axis=2))


def chosen(library: PassageLibrary, topic: str, found: list[Pair], seed: int) -> Pair | None:
    """Return one of the best pairs, which one the seed says; no two share both papers, and what can
    be done or built comes first.
    """
    distinct: dict[tuple[str, str], tuple[int, Pair]] = {}
    for rank, pair in enumerate(found):
        distinct.setdefault((pair.problem.paper.id, pair.mechanism.paper.id), (rank, pair))
        if len(distinct) == 10 * CHOICES:
            break
    several = list(distinct.values())
    devices = [
        library.term(pair.mechanism, f"{topic} {library.term(pair.problem)}") for _, pair in several
    ]
    doable = [
        float(handle)
        - 0.3 * about_beings(device)
        - _weak(device, library.term(pair.problem))
        - 0.4 * (_HEDGED.search(pair.mechanism.text) is not None)
        - 0.3 * appraises(pair.mechanism)
        for handle, device, (_, pair) in zip(
            library.handles(devices) if devices else (), devices, several, strict=True
        )
    ]
    best = sorted(range(len(several)), key=lambda n: (n / (25 * CHOICES) - round(doable[n], 4), n))[
        :CHOICES
    ]
    return several[best[seed % len(best)]][1] if best else None


_HEDGED = re.compile(r"\b(?:could|may|might|should|would)\b", re.IGNORECASE)
"""What a paper only supposes is no mechanism that it described."""
_APPRAISES = re.compile(
    r"bench|evaluat|survey|systematic review|dataset|reliability|validity|\bcan\b", re.IGNORECASE
)
"""Titles of papers that judge or collect and bring no mechanism."""


def appraises(one: PaperSentence) -> bool:
    """Say whether a passage belongs to work that judges or collects what others made."""
    judges = re.search(
        r"\b(?:review|survey|asks?|sources|studies|looked like|rather than)\b", one.text
    )
    return _APPRAISES.search(one.paper.title) is not None or judges is not None


def _weak(device: str, matter: str) -> float:
    """Return how little a pair of words has to say: the two share their last word, or one is a
    single plain word.
    """
    plain = sum(
        len(word.split()) == 1 and word.islower() and "-" not in word for word in (device, matter)
    )
    shared = device.rsplit(maxsplit=1)[-1].lower() == matter.rsplit(maxsplit=1)[-1].lower()
    return 0.1 * plain + 0.4 * shared


def open_problems(passages: Iterable[PaperSentence]) -> list[PaperSentence]:
    """Return the passages that state a problem, and those of an evaluation that leave something
    open.
    """
    return [
        one
        for one in passages
        if (one.role == "problem" and (one.place == 0 or CUES["problem"].search(one.text)))
        or one.open
    ]


def mechanisms_in(passages: Iterable[PaperSentence]) -> list[PaperSentence]:
    return [one for one in passages if one.role == "mechanism"]


def recovered(
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
    asked, flat = library.vector(text), _flat(text)
    named = {paper.id for paper in papers if mentions(text, paper)}

    def fit(one: PaperSentence) -> tuple[float, str, int]:
        return (
            round(
                float(one.vector @ asked)
                + 0.5 * (one.paper.id in named)
                + 2 * (_flat(one.text)[:60] in flat),
                4,
            ),
            one.paper.id,
            -one.place,
        )

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
    flat, asked = text.lower(), library.vector(text)

    def at(one: PaperSentence) -> int:
        return min(
            (flat.find(word) for word in _words_for(library, one) if word in flat), default=-1
        )

    told = [(one, at(one)) for one in problems if mentions(text, one.paper)]
    used = [(one, at(one)) for one in ways if mentions(text, one.paper)]
    both = [
        (
            round(float((way.vector + problem.vector) @ asked) + (n < m), 4),
            way.paper.id,
            -way.place,
            -problem.place,
            problem,
            way,
        )
        for problem, m in told
        for way, n in used
        if m >= 0 and n >= 0 and m != n and problem.paper.id != way.paper.id
    ]
    best = max(both, key=lambda one: one[:4], default=None)
    return (best[4], best[5]) if best else None


def _words_for(library: PassageLibrary, passage: PaperSentence) -> list[str]:
    return [word.lower() for word in own_words(library, passage)]


def own_words(library: PassageLibrary, passage: PaperSentence) -> list[str]:
    """Return the phrases a passage's matter goes by: the best one, and others of more than one
    word.
    """
    return [
        library.term(passage),
        *(
            term.text
            for term in library.terms(passage, passage.role)[:8]
            if " " in term.text or "-" in term.text
        ),
    ]


def _flat(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text.lower()).strip()


def mentions(text: str, paper: Paper) -> bool:
    """Say whether a text names the paper: the way we refer to it, or its method's name."""
    name = name_of(paper)
    return called(paper) in text or (
        name is not None and re.search(rf"\b{re.escape(name)}\b", text) is not None
    )
