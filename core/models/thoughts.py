"""What a model thinks before it answers, told apart from the answer where both come in one text."""

import re
from typing import NamedTuple

THINKING = "thinking, "
"""How the note of a call begins whose model thinks: it waits for nobody."""
_TAG = r"(?:<(think(?:ing)?|thoughts?|reasoning|seed:think)>|\[(THINK)\])"
_OPEN = re.compile(rf"\s*{_TAG}", re.IGNORECASE)
_ANYWHERE = re.compile(_TAG, re.IGNORECASE)
"""Without the white space before it: looked for everywhere, that takes its square in time."""
_ALONE = re.compile(
    r"(?<![`'\"“‘])(?:</(?:think(?:ing)?|thoughts?|reasoning|seed:think)>|\[/THINK\])(?![`'\"”’])",
    re.IGNORECASE,
)
"""A closing tag whose opening one is part of the server's prompt; in quotes it is spoken of."""
_OBJECT = re.compile(r"\s*[{`]")
"""An answer from its first character on, whatever its texts speak of."""
_HALF = re.compile(r"\s*[<\[][\w:]{0,12}\Z")


class Apart(NamedTuple):
    """One text as two."""

    thoughts: str
    answer: str
    unopened: bool = False
    """Whether no tag opened the thoughts."""


def apart(text: str, begun: bool = False) -> Apart:
    """Return the thoughts a text begins with, and the answer behind them; `begun` says that without
    any tag it begins with thoughts.
    """
    thoughts, at = [], 0
    while opened := _OPEN.match(text, at):
        closing = f"</{opened[1]}>" if opened[1] else f"[/{opened[2]}]"
        closed = re.compile(re.escape(closing), re.IGNORECASE).search(text, opened.end())
        thoughts.append(text[opened.end() : closed.start() if closed else None].strip())
        at = closed.end() if closed else len(text)
    if thoughts:
        return Apart("\n\n".join(filter(None, thoughts)), text[at:].lstrip())
    if not _OBJECT.match(text):
        if (closed := _ALONE.search(text)) and not _ANYWHERE.search(text, 0, closed.start()):
            return Apart(
                text[: closed.start()].strip(), text[closed.end() :].lstrip(), unopened=True
            )
        if begun and text.strip():
            return Apart(text.strip(), "", unopened=True)
    return Apart("", text)


def so_far(text: str, begun: bool) -> Apart:
    """Return the same of a text that is still being written: half a tag is no answer."""
    return Apart("", "") if _HALF.match(text) else apart(text, begun)


def thinking(thoughts: str) -> str:
    """Say in a note how far a model has thought."""
    return f"{THINKING}{len(thoughts):,} characters so far"


def waits(note: str) -> bool:
    """Say whether the note of a call names something it waits for."""
    return bool(note) and not note.startswith(THINKING)
