"""Answers that came and are not in the database yet, in a file beside it: a process that is killed has paid for them, and the next one takes them in.

Threads write a line each, at once; a transaction for each would keep them from asking. What survives is the death of the process, not of the machine.
"""
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import StoreFailed, boundary

FOLDER = "spool"
"""The folder beside the database; each run has one of its own there."""


class Spool:
    """The lines of one run's worker, named by its epoch; what is settled is dropped, so that a file never holds more than is in flight.

    A worker that lost the run may still be there beside the one that has it: each touches its own file and those of workers before it.
    """

    def __init__(self, folder: Path, epoch: int):
        self._folder, self._epoch, self._lock = folder, epoch, threading.Lock()
        self._path = folder / f"{epoch}.jsonl"
        self._kept: dict[int, bytes] = {}
        self._file = -1

    def left(self) -> list[str]:
        """Return what workers before this one left, oldest first; the last line of each may be half a one. Raises StoreFailed."""
        with boundary(StoreFailed, f"reading {self._folder}"):
            files = sorted((path for path in self._folder.glob("*.jsonl") if path != self._path), key=lambda path: int(path.stem))
            return [line for path in files for line in path.read_text("utf-8", "replace").split("\n") if line]

    def open(self) -> None:
        """Begin to keep lines; what workers before this one left is gone, so take it in first. Raises StoreFailed."""
        with boundary(StoreFailed, f"beginning {self._path}"):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._clear()
            self._file = self._begun()

    def keep(self, name: int, line: str) -> None:
        """Write one line under a name; nothing is kept once the spool is closed. Raises StoreFailed."""
        with self._lock, boundary(StoreFailed, f"writing {self._path}"):
            if self._file >= 0:
                self._kept[name] = line.encode() + b"\n"
                os.write(self._file, self._kept[name])

    def drop(self, names: Sequence[int]) -> None:
        """Forget lines that are in the database now. Raises StoreFailed."""
        with self._lock, boundary(StoreFailed, f"writing {self._path}"):
            dropped = [self._kept.pop(name, b"") for name in names]
            if self._file < 0 or not any(dropped):
                return
            # A kill in between leaves the old lines or the new ones, never half of them.
            fresh = self._path.with_suffix(".new")
            fresh.write_bytes(b"".join(self._kept.values()))
            os.replace(fresh, self._path)
            # Closed last: a number that is free may be a file of somebody else's at once.
            before, self._file = self._file, self._begun()
            os.close(before)

    def close(self) -> None:
        """Keep nothing more; what is not in the database stays for the next worker."""
        with self._lock:
            if self._file < 0:
                return
            os.close(self._file)
            self._file = -1
            if not self._kept:
                with suppress(OSError):  # The next worker's file may be there already.
                    self._clear()
                    self._folder.rmdir()

    def _clear(self) -> None:
        for path in self._folder.iterdir():
            if path.stem.isdigit() and int(path.stem) <= self._epoch:
                path.unlink(missing_ok=True)

    def _begun(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
