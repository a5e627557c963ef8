"""Untrusted text on screen: models and papers write text, never markup."""

import re
from datetime import UTC, datetime

from core.export.facts import duration
from core.models.prices import free
from core.records import Run
from core.wording.numbers import counted as counted  # noqa: PLC0414 (screens take it from here)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-!|~$:.&])")
_ACTED_ON = re.compile(
    r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)", re.IGNORECASE
)
"""Inside what Streamlit 1.67 replaces after the escapes are gone: addresses, `:icon:` of any kind,
arrows and dashes made of signs.
"""
_TURNS = str.maketrans("", "", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows: it could be read as what it does not say."""
SEAM = ":small{}"
"""An empty element: the replacements look at one piece of text at a time, so a seam inside a
pattern ends it, and nothing of it is seen or copied.
"""


def shown(text: str) -> str:
    """Escape every character Markdown or Streamlit could act on; line breaks stay, indentation goes
    (it would make code).
    """
    return "\n\n".join(_escape(part.strip()) for part in text.splitlines() if part.strip())


def _escape(text: str) -> str:
    parts = _ACTED_ON.split(text.translate(_TURNS))
    return SEAM.join(_SPECIAL.sub(r"\\\1", part) for part in parts)


def inline(text: str, limit: int = 400) -> str:
    """Escape text for one line, cut at `limit` characters."""
    whole = " ".join(text.split())
    return _escape(whole if len(whole) <= limit else whole[: limit - 1] + "…")


def money(run: Run) -> str:
    """Say what a run cost so far; an unknown price is said, never counted as free."""
    if all(map(free, run.config.models.values())):
        return "free"
    unknown = f"{counted(run.unpriced, 'call')} of unknown price"
    if run.unpriced and not run.cost:
        return unknown
    return f"${run.cost:.4f}" + (f" + {unknown}" if run.unpriced else "")


def ago(moment: str) -> str:
    """Say how long ago an ISO time was."""
    seconds = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    for size, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return "just now"


def elapsed(run: Run) -> str:
    """Say how long a run was worked on: time that it waited for a person, or rested, is not in
    it.
    """
    going_on = (
        datetime.now(UTC).timestamp() - run.since if run.since and run.state == "running" else 0.0
    )
    return duration(run.worked + max(0.0, going_on))


def step_name(key: str) -> str:
    """Say a step's key as a person would: `branch-1/forward-2/candidate-1/relevance` is `Forward 2,
    candidate 1: relevance`.
    """
    *places, asked = key.split("/")
    where = ", ".join(re.sub(r"-(\d+)$", r" \1", place) for place in places if place != "branch-1")
    return (
        f"{where.capitalize()}: {asked.replace('-', ' ')}"
        if where
        else asked.replace("-", " ").capitalize()
    )
