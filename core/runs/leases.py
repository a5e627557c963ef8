"""Who works on a run: a process, told apart from a later one with the same number by when it
started.
"""

import os
import re
import socket
import time
from pathlib import Path

import psutil

OWNER = re.compile(r"[^|]*\|\d{1,9}\|(\d+(\.\d+)?|[0-9a-f-]{36}:\d+)")
"""How a process is called."""
STALE = 30.0
"""Seconds without a heartbeat after which a process on another machine counts as gone."""
_HOST = socket.gethostname()
"""As it was when this process began: a network may give the machine another name."""


def me() -> str:
    """Name this process: machine, number, start."""
    return f"{_HOST}|{os.getpid()}|{_start(psutil.Process())}"


def _start(process: psutil.Process) -> str:
    """Return when a process started, in a form that stays as it is when the clock is set."""
    # Linux counts from the boot, and whoever asks for a time of day gets one that moves with the
    # clock: a second that a time server takes away would make a process a stranger to itself.
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        stat = Path(f"/proc/{process.pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return _time_of_start(process)
    # The second field is a name in brackets, which may hold spaces; the 22nd the start in ticks.
    return f"{boot}:{stat.rpartition(')')[2].split()[19]}"


def _time_of_start(process: psutil.Process) -> str:
    """Return when a process started by the clock; programs before this one named themselves so, and
    systems without `/proc` keep that time as it was.
    """
    return f"{process.create_time():.2f}"


def alive(owner: str | None, heartbeat: float | None) -> bool:
    """Say whether the process of that name still runs; here that is seen at once, elsewhere by its
    heartbeat.
    """
    # In another form: of a database that others made.
    if not owner or not OWNER.fullmatch(owner):
        return False
    machine, number, started = owner.split("|")
    if machine != _HOST:
        return heartbeat is not None and time.time() - heartbeat < STALE
    try:
        process = psutil.Process(int(number))
        same = started in (_start(process), _time_of_start(process))
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
