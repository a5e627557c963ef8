"""Prompts: one Markdown file each, a standing instruction above the line `---`, the task below it.

`$name` takes a value; a missing value is an error. Values are untrusted text (papers, topics,
earlier replies): they stand between tags in the files, and rendering keeps them from opening or
closing a tag of their own.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from core.errors import BadInput
from core.prompts.wording import worded
from core.records import Hand

HERE = Path(__file__).parent
READERS = (
    "common-design",
    "entities",
    "extract",
    "novelty-claims",
    "report",
    "six-fields",
    "target-topic",
)
"""Prompts that ask what a text says."""
JUDGES = (
    "arena-designs",
    "arena-ideas",
    "bench-fluency",
    "bench-judge",
    "checklist-item",
    "choose-reference",
    "novelty-reading",
    "novelty-verdict",
    "rank",
    "relevance",
    "same-idea",
    "select",
    "side-effect",
    "study-comment",
    "study-compare",
    "study-rank",
    "study-rate",
    "study-rubric",
    "verdict",
)
"""Prompts that ask for a decision; all others ask for something new."""
_UNSEEN = "\u00ad\u200b-\u200f\u2060\ufeff"
_TAG = re.compile(
    rf"<(?=[/!a-zA-Z])|[<\uff1c](?=[\s{_UNSEEN}]*[/\uff0f])|[<\uff1c](?=[{_UNSEEN}]+[!a-zA-Z])"
)
"""Where a tag opens or closes; also one that a model may take for it, with a gap, signs that nobody
sees, or of full width. A lone `<` before a word stays: requests are known by their text.
"""


@cache
def text(name: str) -> str:
    """Return the prompt file called `name`; raises BadInput for an unknown one."""
    path = HERE / f"{name}.md"
    if path.parent != HERE or not path.is_file():
        raise BadInput(f"There is no prompt {name!r}. There are: {', '.join(names())}.")
    return path.read_text("utf-8")


def names() -> tuple[str, ...]:
    """Return the names of all prompts."""
    return tuple(sorted(path.stem for path in HERE.glob("*.md")))


def hand(name: str) -> Hand:
    """Return what a call with this prompt is for."""
    return "judge" if name in JUDGES else "reader" if name in READERS else "writer"


def sha(whole: str) -> str:
    """Return the SHA-256 of a prompt's text, by which a run freezes it."""
    return hashlib.sha256(whole.encode()).hexdigest()


def render(whole: str, values: Mapping[str, object]) -> tuple[str, str]:
    """Fill in a prompt's text and return (standing instruction, task); a missing value raises
    BadInput.
    """
    filled = {name: _TAG.sub("&lt;", worded(value)) for name, value in values.items()}
    # Split first: a value that holds the line `---` must not end the standing instruction.
    above, _, below = whole.partition("\n---\n")
    try:
        standing, task = (Template(part).substitute(filled).strip() for part in (above, below))
    except (KeyError, ValueError) as error:
        raise BadInput(
            f"The prompt asks for a value that is not given ({error}). Given:"
            f" {', '.join(sorted(values))}."
        ) from None
    return (standing, task) if task else ("", standing)
