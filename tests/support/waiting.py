"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable

from core.runs.runner import Runner

SOON = 15.0
"""Seconds in which whatever does not hang has come to its end, also on a machine that is busy; what
it must not wait for takes longer.
"""


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until it is true; fail where that takes too long."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def until_heard(runner: Runner, run_id: str) -> None:
    """Wait until the worker of a run, in this process, has heard what it was asked to do."""
    journal = runner._at_work[run_id]
    wishes = (journal.stop, journal.pause, journal.round)
    until(lambda: any(wish.is_set() for wish in wishes))
