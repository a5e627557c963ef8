"""One limiter per address of a source, for the whole process: whoever calls, the interval between
two calls is kept.
"""

import threading
import time
from collections.abc import Callable

SLICE = 0.25
"""Seconds between two notes while waiting: how long somebody who wants to stop waits at most."""


class Limiter:
    """Lets one call begin per interval, and none while the source asked for quiet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free = 0.0

    def take_turn(self, interval: float) -> float:
        """Take the turn if it is free and return 0; otherwise return the seconds until it may be
        (and take nothing).
        """
        with self._lock:
            left = self._free - time.monotonic()
            if left <= 0:
                self._free = time.monotonic() + interval
            return max(0.0, left)

    def quiet(self, seconds: float) -> None:
        """Let no call begin for so many seconds: the source asked for it."""
        with self._lock:
            self._free = max(self._free, time.monotonic() + seconds)


_limiters: dict[str, Limiter] = {}
_gate = threading.Lock()


def limiter(address: str) -> Limiter:
    """Return the one limiter of this address."""
    with _gate:
        return _limiters.setdefault(address, Limiter())


class Patience:
    """How many seconds one question may still spend waiting, all its waits together."""

    def __init__(self, seconds: float, waiting: Callable[[str], None]):
        self.seconds = seconds
        self.waited = 0.0
        self._waiting = waiting

    def covers(self, seconds: float) -> bool:
        """Say whether there is patience left for such a wait."""
        return self.waited + seconds <= self.seconds

    def tell(self, what: str) -> None:
        """Tell what is done; what the listener raises goes through."""
        self._waiting(what)

    def wait(self, seconds: float, why: str) -> None:
        """Wait in slices, telling `why` in each; what the listener raises goes through."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._waiting(f"{why.rstrip('.')}, {left:.0f} s" if left >= 1 else why)
            began = time.monotonic()
            time.sleep(min(SLICE, left))
            self.waited += time.monotonic() - began

    def turn(self, at: Limiter, interval: float, whom: str) -> bool:
        """Wait until it is our turn; False once patience is spent."""
        while left := at.take_turn(interval):
            if not self.covers(left):
                return False
            self.wait(min(left, SLICE), f"waiting for our turn at {whom}")
        return True
