"""Waiting without time going by."""

import time

import pytest

from core.literature import limiter


class Clock:
    """What a literature source's waiting is measured by: a wait is over at once, and counts for as
    long as was asked.
    """

    def __init__(self) -> None:
        self._ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def sleep(self, seconds: float) -> None:
        self._ahead += seconds


@pytest.fixture
def quick(monkeypatch) -> None:
    """Let the waits for literature sources take no time."""
    monkeypatch.setattr(limiter, "time", Clock())
