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
