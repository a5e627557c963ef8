"""Small words of an expert's screens: where they are, how long it will take, when something was
saved.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from components.shell.text import inline
from core.records import Criterion, Task

CHOICES = {
    "valid": ("Was the review valid?", {"yes": "Yes", "partly": "Partly", "no": "No"}),
    "answered": ("Did the revision answer it?", {"yes": "Yes", "partly": "Partly", "no": "No"}),
    "change": (
        "Against the version before, the idea is",
        {"better": "Better", "same": "About the same", "worse": "Worse"},
    ),
}
"""What is asked of a round, and its answers."""
KEYS: dict[Task, str] = {
    "rate": (
        "Keys: 1 to 9, 0 is 10 · x cannot judge · ↑ ↓ quality · PgUp PgDn text · w note · Enter"
    ),
    "compare": (
        "Keys: 1 to 5 from left to right · ↑ ↓ quality · PgUp PgDn both texts · w note · Enter"
        " submits"
    ),
    "rank": (
        "Keys: a number takes the next place · Backspace undoes · PgUp PgDn texts · w note · Enter"
    ),
    "comment": "Keys: 1 to 3 · ↑ ↓ question · PgUp PgDn text · w note · Enter submits",
}


def clock(moment: str) -> str:
    """Say at what time of day something happened: where the browser is, as far as it says so, else
    in UTC. `moment` is in UTC, ISO 8601.
    """
    try:
        zone = ZoneInfo(st.context.timezone or "")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f"{datetime.fromisoformat(moment).astimezone(UTC):%H:%M} UTC"
    return f"{datetime.fromisoformat(moment).astimezone(zone):%H:%M}"


def left(minutes: float | None) -> str:
    """Say about how long the rest will take; nothing while that is unknown, and where nothing is
    left.
    """
    if not minutes:
        return ""
    return " · under a minute left" if minutes < 1 else f" · about {round(minutes)} min left"


def five_way(first: str, second: str) -> dict[str, str]:
    """Return the five answers of a comparison, from left to right, by how much the first is
    better.
    """
    return {
        "2": f"{first} much better",
        "1": f"{first} better",
        "0": "No difference",
        "-1": f"{second} better",
        "-2": f"{second} much better",
    }


def quality(name: str) -> str:
    """Return a criterion's name as it begins a line."""
    return inline(name[:1].upper() + name[1:])


def named(criteria: tuple[Criterion, ...], name: str) -> Criterion:
    """Return the criterion of that name."""
    return next(one for one in criteria if one.name == name)
