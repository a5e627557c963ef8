"""How glibc keeps memory for a server that runs for weeks with a thread for every drawing.

By its own measure each of a hundred threads has a heap to itself, and every large block that was
freed raises the size from which blocks are given back: what is free lies about in all of them, in
pieces nobody can use (measured with thirty people: 150 MB more in twenty minutes, none of it in
use).
"""

import ctypes

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
