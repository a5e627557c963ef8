"""A bound on what a server holds in memory: the page, or the file, that drives it over the bound is
ended with a sentence, so that the system does not end everybody's.

What is known to take much is refused before, or made beside (core/beside.py); this is for what
nobody thought of. Runs are not ended: a model that one of them loads is meant to stay.

An end comes between any two lines of Python, as a signal's would. A transaction is never left half
way; that a lock of a library written in Python is, is as unlikely as it is to be told just there.
"""

import ctypes
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from resource import getpagesize

from core.errors import TooMuchMemory

MOST = 2_000_000_000
"""Bytes in memory from which something is ended: thirty people and a benchmark take half as many
(README).
"""
GREW = 1_000_000_000
"""Bytes that came since it began."""
SHARE = 0.4
"""Its part of what the whole server computes meanwhile: else the growth is somebody else's."""
PATIENCE = 5.0
"""Seconds until what was told to end is told again: it may be saying so to somebody just then."""
log = logging.getLogger("foundry.memory")
_guard = threading.Lock()
_going_on: dict[int, "Going"] = {}


@dataclass
class Going:
    """What one thread is at: `held` is what all of the server held as it began, `took` the seconds
    of the processor up to the last look, `lately` those between the last two.
    """

    held: int
    took: float
    lately: float = 0.0
    told: float = 0.0
    kept_whole: int = 0
    """How many blocks it is in that are not to be left half way."""


@contextmanager
def may_be_ended() -> Iterator[None]:
    """Let the block, which somebody waits for, be ended by TooMuchMemory wherever it is, but in
    what is kept `whole`, if it has the server hold too much.
    """
    me, held = threading.get_ident(), resident()
    with _guard:
        _going_on[me] = Going(held, time.thread_time())
    try:
        yield
    finally:
        while me in _going_on:
            with suppress(TooMuchMemory):  # It may be told in this very moment.
                _settle(me)


def _settle(me: int) -> None:
    """Take this thread off the list, and what it was told and has not heard back."""
    with _guard:
        _tell(me, None)
        _going_on.pop(me, None)


@contextmanager
def whole() -> Iterator[None]:
    """Let nothing end the block half way: what is told to end hears of it before or after."""
    going = _going_on.get(threading.get_ident())
    if going is None:
        yield
        return
    with _guard:
        going.kept_whole += 1
    try:
        yield
    finally:
        with _guard:
            going.kept_whole -= 1


class MemoryBound:
    """Looks at what this process holds; to be asked several times a second, by one thread."""

    def __init__(self, most: int):
        self._most, self._took = most, time.process_time()

    def end_what_takes_too_much(self) -> bool:
        """Tell what is busiest to end, where the process holds more than it may by it, and say
        whether it was told.
        """
        now, held, took = time.monotonic(), resident(), time.process_time()
        if not held:
            return False
        lately, self._took = took - self._took, took
        with _guard:
            for thread, going in list(_going_on.items()):
                try:
                    took = time.clock_gettime(time.pthread_getcpuclockid(thread))
                except OSError:  # It ended without a word.
                    del _going_on[thread]
                    continue
                going.lately, going.took = took - going.took, took
            if held <= self._most or not _going_on:
                return False
            thread, busiest = max(_going_on.items(), key=lambda one: one[1].lately)
            if (
                held - busiest.held < GREW
                or busiest.lately <= SHARE * lately
                or busiest.kept_whole
                or now - busiest.told < PATIENCE
            ):
                return False
            busiest.told = now
            _tell(thread, TooMuchMemory)
        log.warning("With %.1f GB in memory the busiest page, or file, was ended", held / 1e9)
        return True


def resident() -> int:
    """Return how many bytes this process has in memory; 0 where the system does not say so."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()
    except OSError:
        return 0


def _tell(thread: int, error: type[Exception] | None) -> None:
    """Let this be raised in a thread at its next line of Python, or nothing any more."""
    what = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
