"""Words of the summaries that were written for the built-in papers: quoted, they are marked, and
never pass for the authors'.
"""

import re

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


def mark_summary(paper: Paper, sentence: str, told: str) -> str:
    """Return a paper's sentence as it is told, marked where it is from the built-in summary."""
    return f"{told} {MARK}" if from_summary(paper, sentence) else told


def without_mark(text: str) -> str:
    """Return a text without the marks."""
    return text.replace(f" {MARK}", "")


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
