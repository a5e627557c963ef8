"""Small words of an expert's screens: which keys there are, how long it will take, when something
was saved. What they say is in the catalogue (core.wording.catalogue).
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from components.shell.text import inline
from core.records import Criterion, Task
from core.wording.catalogue import ENGLISH, Wording

CHOICES = {
    "valid": ("yes", "partly", "no"),
    "answered": ("yes", "partly", "no"),
    "change": ("better", "same", "worse"),
}
"""What is asked of a round, and its answers."""
HEARD: dict[Task, tuple[str, ...]] = {
    "rate": ("scores", "cannot", "quality", "text", "note", "enter"),
    "compare": ("five", "quality", "texts", "note", "enter"),
    "rank": ("places", "undo", "texts", "note", "enter"),
    "comment": ("three", "question", "text", "note", "enter"),
}
"""Keys that a form hears."""
OWN = ("digits", "cannot", "quality", "text", "note", "enter")
"""The same of a rating that is not on scales from 1 to 10 throughout."""
ROUNDED = 5
"""Minutes: above ten of them the time left is said in such steps."""


def on_scale(words: Wording, criterion: Criterion) -> str:
    """Say what can be answered: `1 to 7`, `yes or no`."""
    if criterion.kind == "yes/no":
        return words("form.yes_or_no")
    low, high = map(str, criterion.ends)
    return words("form.on", low=low, high=high)


def anchors(words: Wording, criterion: Criterion) -> str:
    """Return what points of a scale mean, a line each, in small letters; empty where nothing is
    said.
    """
    points = {at: (str(at), said) for at, said in criterion.anchored.items()}
    if criterion.kind == "yes/no":
        called = {1: words("form.yes"), 0: words("form.no")}
        points = {at: (said, points[at][1]) for at, said in called.items() if at in points}
    lines = []
    for point, meaning in points.values():
        said = words("form.anchor", point=point, anchor=inline(meaning, 600))
        lines.append(f":small[{said}]")
    return "  \n".join(lines)


def little_and_much(words: Wording, criterion: Criterion, line: str = "  \n") -> str:
    """Return what little and much of a quality are: a comparison has no points."""
    little = words("form.little", anchor=inline(criterion.low, 600))
    much = words("form.much", anchor=inline(criterion.high, 600))
    return line.join(f":small[{said}]" for said in (little, much))


def keys(words: Wording, task: Task, criteria: Sequence[Criterion]) -> str:
    """Say which keys the form hears; nothing of going between qualities where there is one."""
    own = any(one.kind != "scale" or one.ends != (1, 10) for one in criteria)
    every = OWN if task == "rate" and own else HEARD[task]
    if task == "rate" and any(one.kind == "text" or one.reason != "off" for one in criteria):
        every = (*every[:-1], "fields", every[-1])
    heard = (name for name in every if name != "quality" or len(criteria) > 1)
    return f"{words('keys.keys')}: {' · '.join(words(f'keys.{name}') for name in heard)}"


def clock(moment: str, words: Wording = ENGLISH) -> str:
    """Say at what time of day something happened: where the browser is, as far as it says so, else
    in UTC. `moment` is in UTC, ISO 8601.
    """
    try:
        zone = ZoneInfo(st.context.timezone or "")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        time = f"{datetime.fromisoformat(moment).astimezone(UTC):%H:%M}"
        return words("head.utc", time=time)
    return f"{datetime.fromisoformat(moment).astimezone(zone):%H:%M}"


def left(words: Wording, minutes: tuple[float, float] | None) -> str:
    """Say between which times the rest will take; nothing while no pace is known, and where nothing
    is left.
    """
    if not minutes:
        return ""
    low, high = (_rounded(one) for one in minutes)
    if low == high:
        return f" · {words('head.left_about', n=low)}"
    return f" · {words('head.left', low=low, high=high)}"


def _rounded(minutes: float) -> int:
    whole = max(1, round(minutes))
    return whole if whole <= 2 * ROUNDED else ROUNDED * round(whole / ROUNDED)


def answers(words: Wording, name: str) -> dict[str, str]:
    """Return the answers to a question on a round."""
    return {answer: words(f"form.{answer}") for answer in CHOICES[name]}


def five_way(words: Wording, first: str, second: str) -> dict[str, str]:
    """Return the five answers of a comparison, from left to right, by how much the first is
    better.
    """
    return {
        "2": words("form.first_much", label=first),
        "1": words("form.first_better", label=first),
        "0": words("form.no_difference"),
        "-1": words("form.second_better", label=second),
        "-2": words("form.second_much", label=second),
    }


def quality(words: Wording, name: str) -> str:
    """Return a criterion's name as it begins a line."""
    called = words.again(name)
    return inline(called[:1].upper() + called[1:])


def named(criteria: tuple[Criterion, ...], name: str) -> Criterion:
    """Return the criterion of that name."""
    return next(one for one in criteria if one.name == name)
