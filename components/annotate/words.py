"""Small words of an expert's screens: where they are, how long it will take, when something was
saved.
"""

from collections.abc import Sequence
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
CANNOT = "Cannot judge"
NOTHING = "Nothing to say"
YES, NO = "Yes", "No"
REASONS = {"optional": "Why? (optional)", "required": "Why?"}
MARK = "Skip or flag this unit"
FLAGGED = "Flagged: see why"
WHY = "Why do you skip or flag it?"
FLAG = "Flag my answer"
FLAG_HELP = "Your answer counts; the organisers see that it is flagged, and why."
SKIP = "Skip this unit"
SKIP_HELP = (
    "For a unit you cannot or should not judge. It counts in no figure; the organisers see why."
    " You can come back and answer it."
)
SKIPPED = "You skipped this: {}. It is in no figure. Answer it below if you want to."
RATE_KEYS = (
    "Keys: digits (1 yes, 2 no) · x cannot judge · ↑ ↓ quality · PgUp PgDn text · w note · Enter"
)
"""Of criteria that are not scored from 1 to 10 throughout."""


def on_scale(criterion: Criterion) -> str:
    """Say what can be answered: `1 to 7`, `yes or no`."""
    return criterion.on.removeprefix("from ")


def anchors(criterion: Criterion, line: str = "  \n") -> str:
    """Return what points of a scale mean, a line each, in small letters; empty where nothing is
    said.
    """
    points = dict(criterion.anchored)
    called: dict[int, str] = {}
    if criterion.kind == "yes/no":
        called = {1: YES, 0: NO}
        points = {at: points[at] for at in called if at in points}
    return line.join(
        f":small[**{called.get(at, at)}** = {inline(meaning, 600)}]"
        for at, meaning in points.items()
    )


def keys_said(task: Task, criteria: Sequence[Criterion]) -> str:
    """Say which keys do what."""
    own = any(one.kind != "scale" or one.ends != (1, 10) for one in criteria)
    return RATE_KEYS if task == "rate" and own else KEYS[task]


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
