"""From the bytes of a file to its text: how it was encoded is found out, and said where it was
guessed.
"""

import re
from typing import NamedTuple

from core.errors import BadInput
from core.gaps import narrow_lines
from core.literature.importing.text import plain

LARGEST = 25_000_000
"""Bytes a file may have."""
MOST_BRACKETS = 2_000_000
BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
NO_TEXT = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a packed file (.xlsx, .docx or .zip)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"\x1f\x8b", "a packed file (.gz)"),
    (b"\x89PNG", "a picture"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a database"),
)
"""How files begin that hold no text."""
_LOST = re.compile("[\udc80-\udcff]")
_UNSOUND = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")


class Decoded(NamedTuple):
    """A file as text: its name as it can be shown, the text, and how it was encoded, in words."""

    name: str
    text: str
    encoding: str


def opened(name: str, data: bytes) -> Decoded:
    """Return a file as text; raises BadInput for one that is too large or holds no text."""
    name = plain(name[-300:])[-150:] or "the file"
    within(name, len(data))
    text, encoding = decode(name, data)
    return Decoded(name, text, encoding)


def within(name: str, size: int) -> None:
    """Raise BadInput for a file of more bytes than are read."""
    if size > LARGEST:
        raise BadInput(
            f"{name} has {size / 1_000_000:,.1f} MB; {LARGEST // 1_000_000} MB are read at most."
            " Split it, and bring the parts into the same collection; nothing was taken yet."
        )


LONGEST_LINE = 2_000_000
"""Signs of a line that is an object of its own: twenty of the longest fields."""


def require_few_brackets(name: str, text: str) -> None:
    """Raise BadInput for JSON of more objects and lists than are read: each takes a hundred bytes
    of memory, and nothing else goes on while they are read.
    """
    if text.count("{") + text.count("[") > MOST_BRACKETS:
        raise BadInput(
            f"{name} has more than {MOST_BRACKETS:,} brackets. Split it, or leave out what is not"
            " needed."
        )


def decode(name: str, data: bytes) -> tuple[str, str]:
    """Return a file's text with lines that end in a line feed, and how it was encoded; raises
    BadInput for a file that holds no text.

    A byte that its encoding has no sign for stays in as half a character, by which `unsound` names
    it in its row.
    """
    if what := next((what for begins, what in NO_TEXT if data.startswith(begins)), None):
        raise BadInput(
            f"{name} is {what}. Save its ideas as CSV, JSON or Markdown and bring that in."
        )
    text, encoding = _read(data)
    if text.count("\0") > 20 + len(text) // 100:
        raise BadInput(
            f"{name} holds no text. Save its ideas as CSV, JSON or Markdown in UTF-8 and bring"
            " that in."
        )
    return narrow_lines(text.replace("\r\n", "\n").replace("\r", "\n")), encoding


def _read(data: bytes) -> tuple[str, str]:
    for mark, encoding in BOMS:
        if data.startswith(mark):
            errors = "surrogateescape" if encoding == "utf-8" else "replace"
            text = data[len(mark) :].decode(encoding, errors)
            return text, f"{encoding[:6].rstrip('-').upper()}, by its mark"
    if data[:200].count(0) > len(data[:200]) // 4:
        # In Latin script every other byte is zero, the first one where the high byte comes first.
        text = data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
        return text, "UTF-16, guessed from its zero bytes"
    text = data.decode("utf-8", "surrogateescape")
    lost = _LOST.search(text)
    if lost is None:
        return text, "UTF-8"
    line = text.count("\n", 0, lost.start()) + 1
    if re.search("[^\x00-\x7f\udc80-\udcff]", text):
        # What is valid UTF-8 beyond ASCII is hardly ever anything else: the rest is damage, and
        # told row by row.
        return text, f"UTF-8, damaged from line {line} on"
    guess = f"Windows-1252, guessed: byte 0x{_byte(lost[0]):02X} in line {line} is no UTF-8"
    return data.decode("cp1252", "surrogateescape"), guess


def _byte(half: str) -> int:
    return ord(half) - 0xDC00


def lost_in(text: str) -> str:
    """Say which byte of a text its encoding had no sign for, or return an empty string."""
    found = _LOST.search(text)
    if found is None:
        return ""
    return (
        f"it holds the byte 0x{_byte(found[0]):02X}, which its encoding has no sign for; save the"
        " file as UTF-8"
    )


def unsound(text: str) -> str:
    """Say what in a text nobody could read or store, or return an empty string."""
    found = _UNSOUND.search(text)
    if found is None:
        return ""
    code = ord(found[0])
    if lost := lost_in(found[0]):
        return lost
    if code == 0xFFFD:
        return (
            "it holds the sign for unreadable characters (U+FFFD); save the file as UTF-8 from"
            " where it came"
        )
    if 0xD800 <= code <= 0xDFFF:
        return (
            f"it holds half a character (U+{code:04X}); save the file as UTF-8 from where it came"
        )
    return f"it holds the control character U+{code:04X}; take it out"
