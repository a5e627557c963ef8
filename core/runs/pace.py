"""How long a run may still take, as far as earlier runs of the same kind tell."""

from math import ceil
from statistics import median

from core.records import Run
from core.store import Store

LOOKED_AT = 30
"""Finished runs of the same method that are looked at, the newest."""
FEWEST = 2
"""Earlier runs without which nothing is said: one may have been slow for reasons of its own."""


def seconds_a_step(store: Store, run: Run) -> float | None:
    """Return how long earlier runs of this method took a step, with the same models and the same
    source: their median; None where there are too few.
    """
    earlier = store.runs.listed(states=("done",), method=run.config.method, limit=LOOKED_AT)
    # What a fork took over took it no time.
    paces = [
        one.worked / one.steps
        for one in earlier
        if one.steps and one.worked and one.parent is None and _alike(one, run)
    ]
    return median(paces) if len(paces) >= FEWEST else None


def _alike(one: Run, other: Run) -> bool:
    return one.config.models == other.config.models and one.config.source == other.config.source


def time_left(seconds: float) -> str:
    """Say how long that is, no more exactly than it is known."""
    if seconds < 60:
        return "less than a minute left"
    if seconds < 100 * 60:
        minutes = ceil(seconds / 60)
        return f"about {minutes} minutes left" if minutes > 1 else "about a minute left"
    return f"about {round(seconds / 3600)} hours left"
