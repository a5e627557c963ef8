"""Closeness in words (Okapi BM25): what a long list is cut to before meanings are compared, which
takes a thousand times as long.
"""

import math
import re
from collections import Counter

from core.records import Paper

SATURATION, LENGTH = 1.2, 0.75
"""How soon another occurrence of a word adds nothing, and how far a long text is discounted: the
usual values.
"""


def nearest_in_words(text: str, papers: tuple[Paper, ...], keep: int) -> tuple[Paper, ...]:
    """Return so many papers, those that share most with a text in their titles and abstracts first;
    of equals the smaller id.
    """
    counted = [Counter(_words(f"{paper.title}\n{paper.abstract}")) for paper in papers]
    mean = sum(map(Counter.total, counted)) / max(1, len(papers)) or 1.0
    holding = Counter(word for words in counted for word in words)
    weights = {
        word: math.log(1 + (len(papers) - holding[word] + 0.5) / (holding[word] + 0.5))
        for word in sorted(set(_words(text)))
        if word in holding
    }

    def shared(words: Counter[str]) -> float:
        room = SATURATION * (1 - LENGTH + LENGTH * words.total() / mean)
        return round(
            sum(
                weight * words[word] * (SATURATION + 1) / (words[word] + room)
                for word, weight in weights.items()
            ),
            6,
        )

    ranked = sorted(
        zip(map(shared, counted), papers, strict=True), key=lambda pair: (-pair[0], pair[1].id)
    )
    return tuple(paper for _, paper in ranked[:keep])


def _words(text: str) -> list[str]:
    """Return a text's words, a plural as its singular; how common one is decides what it weighs."""
    found = (word for word in re.findall(r"\w+", text.casefold()) if len(word) > 1)
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in found
    ]
