"""What happened, one JSON object a line, for whoever runs a server: when, how grave, what, to which
run, how long it took. It lies in the data folder, in files of a limited size and number.

No texts stand in it, of ideas, papers, people or models, and no secrets: a value is a number or a
plain word such as a state or the name of a model, and of a record of Python's logging only what the
program itself wrote is taken, never what was filled in.
"""

import fcntl
import json
import logging
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core.store.privacy import FILE, private_file, private_folder

FOLDER, NAME = "logs", "foundry.jsonl"
LARGE = 5 * 2**20
"""Bytes of a file; then another is begun."""
KEPT = 5
"""Full files that are kept beside the one that is written."""
Level = Literal["info", "warning", "error"]
_WORD = re.compile(r"[\w.:/@+-]{1,80}", re.ASCII)
_RUN = re.compile(r"[0-9a-f]{8}")
APART = ("streamlit.error_util", "uvicorn")
"""Loggers that hand nothing on to the root: of pages that failed, and of the web server."""
HERE = str(Path(__file__).parents[2]) + os.sep


class EventLog:
    """Adds lines to the log of a data folder; safe to use from several threads and processes."""

    def __init__(self, data: Path):
        self._folder = data / FOLDER

    def tell(self, event: str, level: Level = "info", **facts: float | str | None) -> None:
        """Add a line; a fact that is no number and no plain word is left out, by its name too.

        A disk that takes nothing keeps nothing else from being done.
        """
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = {"time": moment, "level": level, "event": event, "process": os.getpid()}
        plain = {name: value for name, value in facts.items() if _plain(value)}
        with suppress(OSError):
            self._add(json.dumps(line | plain) + "\n")

    def _add(self, line: str) -> None:
        private_folder(self._folder)
        gate, path = self._folder / "gate", self._folder / NAME
        private_file(gate)
        with gate.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.exists() and path.stat().st_size + len(line) > LARGE:
                self._turn_over(path)
            with open(path, "a", encoding="utf-8", opener=_private) as file:
                file.write(line)

    def _turn_over(self, path: Path) -> None:
        for n in range(KEPT, 0, -1):
            earlier = path.with_name(f"{NAME}.{n - 1}") if n > 1 else path
            with suppress(FileNotFoundError):
                earlier.replace(path.with_name(f"{NAME}.{n}"))


def _plain(value: object) -> bool:
    return isinstance(value, int | float) or (
        isinstance(value, str) and bool(_WORD.fullmatch(value))
    )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)


@contextmanager
def listening(log: EventLog) -> Iterator[None]:
    """Add warnings and errors of this process's loggers, as long as the block goes on."""
    handler = _Handler(log)
    loggers = [logging.getLogger(name) for name in ("", *APART)]
    for one in loggers:
        one.addHandler(handler)
    try:
        yield
    finally:
        for one in loggers:
            one.removeHandler(handler)


class _Handler(logging.Handler):
    """Takes of a record where it is from, and of its error the kind and the lines of our own
    program; what it says only as the program has it, before anything is filled in.
    """

    def __init__(self, log: EventLog):
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level: Level = "error" if record.levelno >= logging.ERROR else "warning"
        given = record.args if isinstance(record.args, tuple) else ()
        runs = [one for one in given if isinstance(one, str) and _RUN.fullmatch(one)]
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        trace = record.exc_info[2] if record.exc_info else None
        frames = [
            f"{frame.filename.removeprefix(HERE)}:{frame.lineno}"
            for frame in traceback.extract_tb(trace)
            if frame.filename.startswith(HERE)
        ]
        self._log.tell(
            "logged",
            level,
            logger=record.name,
            at=f"{record.module}:{record.lineno}",
            run=runs[0] if runs else None,
            error=kind,
            where=frames[-1] if frames else None,
        )
