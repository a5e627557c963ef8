"""Answers that came and are not in the database yet, in a file beside it: a process that is killed
has paid for them, and the next one takes them in.

Each thread adds its line at once; a transaction per answer would slow the asking down. Lines
survive a killed process, not a crashed machine. On a disk that compresses or copies on write a
full disk ends the process; lines that were written stay.
"""

import mmap
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import Stopped
from core.store.privacy import FILE, private_folder
from core.store.trouble import using

FOLDER = "spool"
"""The folder beside the database; each run has one of its own there."""
BEGUN = "?"
"""How a line begins that says how many calls were begun: an answer is JSON."""
ROOM = 4 * 2**20
"""Bytes of a file; once it is full, what is not settled is copied to a fresh one."""


class Spool:
    """The lines of one run's worker, named by its epoch: `name ?n` once n calls for it were begun,
    `name text`, or `name` alone once that is settled; the rest of the file is zeros.

    A worker that lost the run may still be there beside the one that has it: each touches its own
    file and those of workers before it.
    """

    def __init__(self, folder: Path, epoch: int):
        self._folder, self._epoch, self._lock = folder, epoch, threading.Lock()
        self._path = folder / f"{epoch}.jsonl"
        self._kept: dict[int, bytes] = {}
        # Not written to as a file: each such call lets all other threads go first, and the next
        # question would wait for them.
        self._map: mmap.mmap | None = None
        self._end = 0

    def left(self) -> list[str]:
        """Return the lines of workers before this one that were not settled, oldest first. Raises
        StoreFailed.
        """
        return [text for text in self._others().values() if not text.startswith(BEGUN)]

    def begun(self) -> dict[int, int]:
        """Return for which names workers before this one had begun calls that have no line, and how
        many. Raises StoreFailed.
        """
        return {
            int(name): int(text[1:])
            for name, text in self._others().items()
            if text.startswith(BEGUN) and name.isdecimal() and text[1:].isdecimal()
        }

    def under_way(self) -> dict[int, int]:
        """Return for which names calls were begun here that have no line, and how many."""
        with self._lock:
            return {
                name: int(line.split(b"?")[1])
                for name, line in self._kept.items()
                if line.startswith(f"{name} {BEGUN}".encode())
            }

    def _others(self) -> dict[str, str]:
        with using(self._folder, f"reading {self._folder}"):
            files = sorted(
                (
                    path
                    for path in self._folder.glob("*.jsonl")
                    if path != self._path and path.stem.isdigit()
                ),
                key=lambda path: int(path.stem),
            )
            return {name: text for path in files for name, text in _lines(_read(path)).items()}

    def open(self) -> None:
        """Begin to keep lines; what workers before this one left is gone, so take it in first.
        Raises StoreFailed.
        """
        with self._lock, using(self._path, f"beginning {self._path}"):
            try:
                self._begin()
            except (
                FileNotFoundError
            ):  # A worker that lost the run has just closed, and taken the empty folder along.
                self._begin()

    def begin(self, name: int, calls: int) -> None:
        """Note that a call for a name goes out, the first or a later one of so many.

        Raises StoreFailed, and Stopped once the spool is closed: nobody would know of the call.
        """
        with self._lock:
            if self._map is None:
                raise Stopped("Nothing goes out any more: whoever would hear the answer has ended.")
        self.keep(name, f"{BEGUN}{calls}")

    def keep(self, name: int, line: str) -> None:
        """Write one line under a name; nothing is kept once the spool is closed. Raises
        StoreFailed.
        """
        with self._lock, using(self._path, f"writing {self._path}"):
            if self._map is not None:
                data = f"{name} {line}\n".encode()
                self._kept[name] = data
                self._add(data)

    def drop(self, names: Sequence[int]) -> None:
        """Forget lines that are in the database now. Raises StoreFailed."""
        with self._lock, using(self._path, f"writing {self._path}"):
            settled = [name for name in names if self._kept.pop(name, b"")]
            lines = "".join(f"{name}\n" for name in settled)
            if self._map is not None:
                self._add(lines.encode())

    def close(self) -> None:
        """Keep nothing more; what is not in the database stays for the next worker."""
        with self._lock:
            if self._map is None:
                return
            self._map.close()
            self._map = None
            if not self._kept:
                with suppress(OSError):  # The next worker's file may be there already.
                    self._clear()
                    self._folder.rmdir()

    def _begin(self) -> None:
        private_folder(self._folder.parent)
        private_folder(self._folder)
        self._clear()
        self._anew()

    def _add(self, data: bytes) -> None:
        assert self._map is not None
        if self._end + len(data) > len(self._map):
            self._anew()
        else:
            self._map[self._end : self._end + len(data)] = data
            self._end += len(data)

    def _anew(self) -> None:
        """Begin a file with what is not settled, and room for as much again; a kill in between
        leaves the old one whole.
        """
        held, fresh = b"".join(self._kept.values()), self._path.with_suffix(".new")
        # Zeros are written, so that a full disk is said here: a page that cannot be had later would
        # end the process.
        try:
            with open(fresh, "wb", opener=_private) as file:
                file.write(held + bytes(ROOM + len(held)))
        except OSError:
            fresh.unlink(missing_ok=True)  # What is left of the disk is the database's, to say so.
            raise
        with fresh.open("r+b") as room:
            before, self._map = self._map, mmap.mmap(room.fileno(), 0)
        os.replace(fresh, self._path)
        self._end = len(held)
        if before is not None:
            before.close()

    def _clear(self) -> None:
        for path in self._folder.iterdir():
            if path.stem.isdigit() and int(path.stem) <= self._epoch:
                path.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)


def _read(path: Path) -> bytes:
    """Return what a file holds; nothing where its worker has taken it away: then all of it was
    settled.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _lines(data: bytes) -> dict[str, str]:
    """Return the texts that were not settled by their names; what follows the last end of a line is
    half of one.
    """
    found: dict[str, str] = {}
    for line in data.partition(b"\0")[0].decode(errors="replace").split("\n")[:-1]:
        name, _, text = line.partition(" ")
        if text:
            found[name] = text
        else:
            found.pop(name, None)
    return found
