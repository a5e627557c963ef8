"""Who works on a run: a process, told apart from a later one with the same number by when it
started.
"""

import os
import re
import socket
import time

import psutil

OWNER = re.compile(r"[^|]*\|\d{1,9}\|\d+(\.\d+)?")
"""How a process is called."""
STALE = 30.0
"""Seconds without a heartbeat after which a process on another machine counts as gone."""


def me() -> str:
    """Name this process: machine, number, start time."""
    return f"{socket.gethostname()}|{os.getpid()}|{psutil.Process().create_time():.2f}"


def alive(owner: str | None, heartbeat: float | None) -> bool:
    """Say whether the process of that name still runs; here that is seen at once, elsewhere by its
    heartbeat.
    """
    # In another form: of a database that others made.
    if not owner or not OWNER.fullmatch(owner):
        return False
    machine, number, started = owner.split("|")
    if machine != socket.gethostname():
        return heartbeat is not None and time.time() - heartbeat < STALE
    try:
        process = psutil.Process(int(number))
        return (
            f"{process.create_time():.2f}" == started and process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False
