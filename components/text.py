"""Untrusted text on screen: models and papers write text, never markup."""
import re
from datetime import UTC, datetime

from core.records import Run

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-!|~$:.&])")
_ACTED_ON = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)", re.IGNORECASE)
"""Inside what Streamlit 1.67 replaces after the escapes are gone: addresses, `:icon:` of any kind, arrows and dashes made of signs."""
SEAM = ":small{}"
"""An empty element: the replacements look at one piece of text at a time, so a seam inside a pattern ends it, and nothing of it is seen or copied."""


def shown(text: str) -> str:
    """Escape every character Markdown or Streamlit could act on; line breaks stay, indentation goes (it would make code)."""
    return "\n\n".join(_escaped(part.strip()) for part in text.splitlines() if part.strip())


def _escaped(text: str) -> str:
    return SEAM.join(_SPECIAL.sub(r"\\\1", part) for part in _ACTED_ON.split(text))


def inline(text: str, limit: int = 400) -> str:
    """Escape text for one line, cut at `limit` characters."""
    whole = " ".join(text.split())
    return _escaped(whole if len(whole) <= limit else whole[: limit - 1] + "…")


def money(run: Run) -> str:
    """Say what a run cost so far; an unknown price is said, never counted as free."""
    if set(run.config.models.values()) == {"builtin"}:
        return "free"
    unknown = f"{counted(run.unpriced, 'call')} of unknown price"
    if run.unpriced and not run.cost:
        return unknown
    return f"${run.cost:.4f}" + (f" + {unknown}" if run.unpriced else "")


def counted(n: int, noun: str) -> str:
    """Say how many: `1 step`, `1,200 steps`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def ago(moment: str) -> str:
    """Say how long ago an ISO time was."""
    seconds = (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    for size, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return "just now"


def elapsed(run: Run) -> str:
    """Say how long a run has taken, or took."""
    going_on = run.state in ("running", "queued")
    end = datetime.now(UTC) if going_on else datetime.fromisoformat(run.ended or run.updated)
    seconds = max(0, int((end - datetime.fromisoformat(run.created)).total_seconds()))
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    parts = (days, "d"), (hours, "h"), (minutes, "min"), (seconds % 60, "s")
    first = next((n for n, (amount, _) in enumerate(parts) if amount), 3)
    return " ".join(f"{amount} {unit}" for amount, unit in parts[first:first + 2])


def step_name(key: str) -> str:
    """Say a step's key as a person would: `branch-1/forward-2/candidate-1/relevance` is `Forward 2, candidate 1: relevance`."""
    *places, asked = key.split("/")
    where = ", ".join(re.sub(r"-(\d+)$", r" \1", place) for place in places if place != "branch-1")
    return f"{where.capitalize()}: {asked.replace('-', ' ')}" if where else asked.replace("-", " ").capitalize()
