"""Files that a person names: read within bounds, whatever stands under the name."""

import os
import stat
from pathlib import Path

from core.errors import BadInput
from core.gaps import narrow_lines

LARGEST = 30_000_000
"""Bytes of a file; most kinds of file have fewer at most, which whoever reads them says."""
LONGEST = 5_000_000
"""Bytes of a file that is one text."""


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """Return what is in a file; raises BadInput for one that cannot be read or has more bytes, and
    for a device or a pipe, which may have no end.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise BadInput(
                    f"{path} is a device or a pipe. Save what comes from it as a file, and name"
                    " that file."
                )
            data = file.read(most + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}).") from None
    if len(data) > most:
        raise BadInput(
            f"{path} has {max(status.st_size, len(data)) / 1_000_000:,.1f} MB;"
            f" {most // 1_000_000} MB are read at most. Split it, or check its name."
        )
    return data


def read_text(path: Path) -> str:
    """Return a file that is text in UTF-8, its lines ended by a line feed; raises BadInput as
    `read_bytes` does, and for other text.
    """
    try:
        text = read_bytes(path, LONGEST).decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{path} is no text in UTF-8 (line {line}). Save it as plain text in UTF-8."
        ) from None
    return narrow_lines(text.replace("\r\n", "\n").replace("\r", "\n"))


def _without_waiting(path: str, flags: int) -> int:
    # A pipe would otherwise keep who opens it until somebody writes to it.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
