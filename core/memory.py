"""A bound on what a server holds in memory: the piece of work that drives it over the bound is
ended with a sentence, so that the system does not end everybody's.

What is known to take much is refused before, or made beside (core/beside.py); this is for what
nobody thought of.
"""

import ctypes
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from resource import getpagesize

from core.errors import TooMuchMemory

MOST = 2_000_000_000
"""Bytes in memory from which a piece of work is ended: thirty people and a benchmark take half as
many (README).
"""
GREW = 300_000_000
"""Bytes that came since it began: ending a piece of work gives back little else."""
BUSY = 0.01
"""Seconds of the processor since the last look: what takes none takes no memory either."""
PATIENCE = 5.0
"""Seconds until a piece of work that was told to end is told again: it may be saying so to somebody
just then.
"""
log = logging.getLogger("foundry.memory")
_guard = threading.Lock()
_going_on: dict[int, "Going"] = {}


@dataclass
class Going:
    """What one thread is at: `held` is what all of the server held as it began, `took` the seconds
    of the processor up to the last look, `lately` those between the last two.
    """

    is_waited_for: bool
    held: int
    took: float
    lately: float = 0.0
    told: float = 0.0


@contextmanager
def may_be_ended(is_waited_for: bool = True) -> Iterator[None]:
    """Let the block be ended by TooMuchMemory wherever it is, if it has the server hold too much;
    what nobody waits for before a screen is ended after what somebody does.
    """
    me, held = threading.get_ident(), resident()
    with _guard:
        outer = _going_on.get(me)
        _going_on[me] = Going(is_waited_for, held, time.thread_time())
    try:
        yield
    finally:
        _settle(me, outer)


def _settle(me: int, outer: Going | None) -> None:
    """Take the work of this thread off the list, and what it was told and did not hear back."""
    while True:
        try:
            with _guard:
                _tell(me, None)
                if outer:
                    _going_on[me] = outer
                else:
                    _going_on.pop(me, None)
                return
        except TooMuchMemory:  # It was told in this very moment.
            continue


def end_what_takes_too_much(most: int) -> bool:
    """Tell the piece of work that is busiest to end, where the server holds more than so many
    bytes, and say whether one was told; to be asked several times a second.
    """
    now, held = time.monotonic(), resident()
    if not held:
        return False
    with _guard:
        for thread, work in _going_on.items():
            took = time.clock_gettime(time.pthread_getcpuclockid(thread))
            work.lately, work.took = took - work.took, took
        greedy = [
            (work.is_waited_for, work.lately, thread)
            for thread, work in _going_on.items()
            if held - work.held >= GREW and work.lately > BUSY and now - work.told > PATIENCE
        ]
        if held <= most or not greedy:
            return False
        _, _, thread = max(greedy)
        _going_on[thread].told = now
        _tell(thread, TooMuchMemory)
    log.warning("With %.1f GB in memory the busiest piece of work was ended", held / 1e9)
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
