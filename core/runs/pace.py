"""How many steps a run has left, and how long they may take, as far as earlier runs of the same
kind tell.
"""

from collections import Counter
from math import ceil
from statistics import median

from core.records import Run
from core.runs.catalogue import named
from core.runs.estimates import MADE_OF_PARTS, of_run, plan
from core.store import Store

LOOKED_AT = 30
"""Finished runs of the same method that are looked at, the newest."""
FEWEST = 2
"""Earlier runs without which nothing is said: one may have been slow for reasons of its own."""


def is_measured_in_calls(run: Run) -> bool:
    """Whether a run's progress is told by the calls of all the runs it has made: its own steps are
    few, and each takes long.
    """
    return named(run.config.method).measured == "calls"


def calls_made(store: Store, run: Run) -> int:
    """Return the calls of a run and of all the runs it has made."""
    return store.runs.with_runs_made(store.runs.get(run.id)).calls


def steps_left(store: Store, run: Run) -> int:
    """Return how many steps a run usually has left; 0 where it has more than it usually takes.

    Of each prompt as many are left as are planned and not asked yet: what took more than usual is
    not taken off what is still to come.
    """
    method = run.config.method
    if method in MADE_OF_PARTS or named(method).panel:
        return max(0, of_run(run).steps - run.steps)
    asked, other = plan(method, run.config.inputs, run.config.edition)
    names = Counter(key.rpartition("/")[2] for key in store.steps.keys(run.id))
    beside = sum(n for name, n in names.items() if name not in asked)
    return (asked - names).total() + max(0, other - beside)


def seconds_a_step(store: Store, run: Run) -> float | None:
    """Return how long earlier runs of this method took a step, or a call where that is what is
    counted, with the same models and the same source: their median; None where there are too few.
    """
    earlier = store.runs.listed(states=("done",), method=run.config.method, limit=LOOKED_AT)
    # What a fork took over took it no time.
    alone = [one for one in earlier if one.worked and one.parent is None and _alike(one, run)]
    in_calls = is_measured_in_calls(run)
    amounts = [calls_made(store, one) if in_calls else one.steps for one in alone]
    paces = [one.worked / n for one, n in zip(alone, amounts, strict=True) if n]
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
