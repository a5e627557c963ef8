"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable


def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until it is true; fail where that takes too long."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
