"""Ports of this machine that are free: any, or the same ones again and again."""

import fcntl
import socket
import tempfile
from pathlib import Path
from typing import IO

OURS = range(21_000, 21_200)
"""Below those that systems hand out to whoever asks for any."""


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kept_port() -> tuple[int, IO[str]]:
    """Return the first of our ports that is free, and the lock that keeps it from all other tests
    of this machine until it is closed or forgotten.

    A browser that comes to the same port again knows the front end already, which saves it half of
    what a page takes.
    """
    for port in OURS:
        try:
            lock = (Path(tempfile.gettempdir()) / f"foundry-test-port-{port}").open("w")
        except OSError:  # Another person's.
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
            return port, lock
        except OSError:
            lock.close()
    raise AssertionError(f"none of the ports {OURS.start} to {OURS.stop - 1} is free")
