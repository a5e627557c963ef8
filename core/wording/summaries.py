"""Words of the summaries that were written for the built-in papers: quoted, they are marked, and
never pass for the authors'.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from core.records import Paper

MARK = "(built-in summary)"
"""Stands after words that are from such a summary."""
MEANS = (
    f"“{MARK}” stands after words from a summary that was written for the built-in papers; they are"
    " not the authors' own."
)
START = 60
"""Letters and digits by whose agreement a quoted sentence is found in a summary."""


def from_summary(paper: Paper, sentence: str) -> bool:
    """Say whether a sentence quoted of a paper is from its built-in summary."""
    start = _letters(sentence)[:START]
    return paper.abstract_by == "foundry" and bool(start) and start in _letters(paper.abstract)


def mark_summary(of: Paper | Iterable[Paper], sentence: str, told: str) -> str:
    """Return a sentence of a paper, or of one of several, as it is told, marked where it is from a
    built-in summary.
    """
    papers = (of,) if isinstance(of, Paper) else of
    return f"{told} {MARK}" if any(from_summary(one, sentence) for one in papers) else told


def without_mark(text: str) -> str:
    """Return a text without the marks."""
    return text.replace(f" {MARK}", "")


@lru_cache(maxsize=1024)
def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
