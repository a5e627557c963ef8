"""Which papers may follow, and in which order: dates, bans, and closeness in words (Okapi BM25), by
which a long list is cut before meanings are compared, which takes a thousand times as long.
"""

import math
import re
from collections import Counter

from core.literature.port import Query
from core.records import Paper

SATURATION, LENGTH = 1.2, 0.75
"""How soon another occurrence of a word adds nothing, and how far a long text is discounted: the
usual values.
"""


def let_through(papers: tuple[Paper, ...], query: Query) -> tuple[Paper, ...]:
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
    named = {"doi": paper.doi, "arxiv": paper.arxiv}
    return (paper.id, *(f"{kind}:{name}" for kind, name in named.items() if name))


def _in_time(paper: Paper, before: str | None) -> bool:
    if before is None:
        return True
    when = paper.published or (f"{paper.year}-12-31" if paper.year else None)
    # A date known only to the month, or only to the year, counts as its last possible day: what may
    # be too new is too new.
    return when is not None and when + "-31"[: max(0, 10 - len(when))] < before


def nearest_in_words(text: str, papers: tuple[Paper, ...], keep: int) -> tuple[Paper, ...]:
    """Return so many papers, those that share most with a text in their titles and abstracts first;
    of equals the smaller id.
    """
    counted = [Counter(_words(f"{paper.title}\n{paper.abstract}")) for paper in papers]
    mean = sum(map(Counter.total, counted)) / max(1, len(papers)) or 1.0
    holding = Counter(word for words in counted for word in words)
    weights = {}
    for word in sorted(holding.keys() & _words(text)):
        n = holding[word]
        weights[word] = math.log(1 + (len(papers) - n + 0.5) / (n + 0.5))

    def shared(words: Counter[str]) -> float:
        room = SATURATION * (1 - LENGTH + LENGTH * words.total() / mean)
        scores = (
            weight * words[word] * (SATURATION + 1) / (words[word] + room)
            for word, weight in weights.items()
        )
        return round(sum(scores), 6)

    scores = map(shared, counted)
    ranked = [(-score, paper.id, paper) for score, paper in zip(scores, papers, strict=True)]
    ranked.sort(key=lambda found: found[:2])
    return tuple(paper for *_, paper in ranked[:keep])


def _words(text: str) -> list[str]:
    """Return a text's words, a plural as its singular; how common one is decides what it weighs."""
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in re.findall(r"\w\w+", text.casefold())
    ]
