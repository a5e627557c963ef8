"""How many calls go to one address at once, and how long a call waits; all waiting is shown and can
be broken off.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.models.port import Progress

SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds waited where a server does not say how long, doubling each time."""
_PLACES: dict[tuple[str, int], threading.BoundedSemaphore] = {}
_GUARD = threading.Lock()


@contextmanager
def place(address: str, calls: int, progress: Progress) -> Iterator[None]:
    """Hold one of the `calls` places that the whole process has at an address."""
    with _GUARD:
        places = _PLACES.setdefault((address, calls), threading.BoundedSemaphore(calls))
    _take(places, progress, f"waiting for one of the {calls} calls allowed at once to {address}")
    try:
        yield
    finally:
        places.release()


@contextmanager
def alone(turn: threading.BoundedSemaphore, progress: Progress, note: str) -> Iterator[None]:
    """Hold the one turn there is, showing `note` while somebody else has it."""
    _take(turn, progress, note)
    try:
        yield
    finally:
        turn.release()


class CallPatience:
    """What is left of the seconds one call may spend on servers that are busy, hung or gone."""

    def __init__(self, seconds: float):
        self._left = seconds
        self._times = 0
        self.spent = 0.0

    def next_wait(self, asked: float | None) -> float | None:
        """Return how long to wait now (what the server asked for, else twice as long as last time);
        None when that is too long.
        """
        seconds = min(FIRST_WAIT * 2**self._times, LONGEST_WAIT) if asked is None else asked
        self._times += 1
        return seconds if seconds <= self._left else None

    def spend(self, seconds: float) -> None:
        """Count seconds that brought no answer."""
        self._left -= seconds
        self.spent += seconds


def wait(seconds: float, progress: Progress, why: str) -> None:
    """Wait, saying so all the while."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        rounded = f"{left:.0f}" if left >= 10 else f"{left:.2g}"
        progress("", f"waiting {rounded} s: {why}")
        time.sleep(min(SLICE, left))


def _take(held: threading.BoundedSemaphore, progress: Progress, note: str) -> None:
    if held.acquire(blocking=False):
        return
    progress("", note)
    while not held.acquire(timeout=SLICE):
        progress("", note)
