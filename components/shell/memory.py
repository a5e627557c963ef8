"""How glibc and Python keep memory for a server that runs for weeks, a thread for every drawing.

By its own measure each of a hundred threads has a heap to itself, and every large block that was
freed raises the size from which blocks are given back: what is free lies about in all of them, in
pieces nobody can use (measured with thirty people: 150 MB more in twenty minutes, none of it in
use).

And Python looks for what refers to itself in a circle among all that lasts, the libraries' two
million objects too, while nobody else has a turn: with thirty people every twenty seconds, for
about a second each time (measured).
"""

import ctypes
import gc
import threading
from functools import wraps

from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from core.memory import MOST, MemoryBound, may_be_ended

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""Numbers of glibc's malloc.h."""
HEAPS = 2
LARGE = 128 * 1024
"""Bytes from which a block is one of its own, given back as it is freed; glibc begins with this."""


def keep_few_heaps() -> None:
    """Let all threads of this process share two heaps, and give large blocks back at once; nothing
    where the system's allocator is another (macOS, musl).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, HEAPS)
        mallopt(M_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Return to the system what lies free between what is in use, in whole pages of memory."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


SELDOM = (10_000, 20, 20)
"""Objects made since, and collections of the younger ones, after which Python looks again: most of
what a drawing makes is gone by then, and counts for nothing that lasts.
"""


def collect_seldom() -> None:
    """Let Python look for circles less often than for a script that runs for a moment."""
    gc.set_threshold(*SELDOM)


def keep_for_good() -> None:
    """Take what there is now, the libraries above all, out of every later search for circles."""
    gc.collect()
    gc.freeze()


LOOKS = 0.25
"""Seconds from one look at what this process holds to the next."""
FREES = 2.0
"""Seconds that work has to end and let go of what it holds."""


def let_pages_be_ended() -> None:
    """Let every page of this process, and every file that is made as it is asked for, be ended once
    the server holds too much by it.
    """
    run, make = ScriptRunner._run_script, MediaFileManager.execute_deferred
    if getattr(run, "may_be_ended", False):
        return

    @wraps(run)
    def run_bounded(runner: ScriptRunner, asked: RerunData) -> None:
        with may_be_ended():
            run(runner, asked)

    @wraps(make)
    def make_bounded(files: MediaFileManager, file_id: str) -> str:
        with may_be_ended():
            return make(files, file_id)

    run_bounded.may_be_ended = True  # type: ignore[attr-defined]
    ScriptRunner._run_script = run_bounded  # type: ignore[method-assign,assignment]
    MediaFileManager.execute_deferred = make_bounded  # type: ignore[method-assign,assignment]


def keep_within_bounds(over: threading.Event, most: int = MOST) -> None:
    """End what has this process hold more than so many bytes, until it is over."""
    bound = MemoryBound(most)
    while not over.wait(LOOKS):
        if bound.end_what_takes_too_much() and not over.wait(FREES):
            gc.collect()
            give_back()
