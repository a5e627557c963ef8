"""The text of a PDF: read in a process of its own, then cleaned of what typesetting left in it."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.gaps import narrow
from core.literature.answering import silent
from core.literature.full_text.about import own_title
from core.literature.full_text.pdf import NoText, refuse_foreign, refuse_large
from core.literature.limiter import SLICE
from core.records import Record
from core.store.connection import mended

DEADLINE = 60.0
"""Seconds a PDF may take to be read."""
_CHILD = Path(__file__).with_name("child.py")
_TURNS = threading.BoundedSemaphore(2)
"""PDFs read at once: each may take a processor and a gigabyte."""
_GIVEN: list[bytes] = []
"""PDFs given by people that wait for a turn: what runs fetch may be many that take a minute each,
and waits behind them.
"""
_ENOUGH = 100
"""Letters a page has on average; where it has fewer and a picture fills it, they are a stamp on a
scan.
"""
_WHY = {
    "password": "The PDF is locked with a password.",
    "memory": "The PDF needs more memory to be read than it is given.",
    "broken": "The PDF is damaged ({detail}).",
}
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    0xA0: " ",
    0x0B: "\n",
    0x0C: "\n",
}
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""Control characters, and what a reader does not see: turned writing, hidden text in tag
characters.
"""
_BROKEN_WORD = re.compile(r"(\w{1,40})[-‐]\n[ \t]{0,9}(\w{1,40})")


class PdfText(Record):
    """What was read from a PDF."""

    text: str
    pages: int
    """Pages read."""
    title: str = ""
    """Its own: as the metadata has it where the first page does too, or what stands in the largest
    type there; empty where nothing does.
    """
    reason: str = ""
    """What is missing of it; empty where all was read."""


def pdf_text(data: bytes, note: Callable[[str], None] = silent, given: bool = False) -> PdfText:
    """Read a PDF, at most 200 pages and 400,000 characters in 60 s and 1 GB; raises NoText, and
    what `note` raises.

    It is opened by a process of its own: only that can be ended whatever the file makes it do.
    `note` is called four times a second and may raise to break off. One `given` by a person takes
    the next turn.
    """
    refuse_large(len(data))
    refuse_foreign(data)
    if given:
        _take_next_turn(data, note)
    else:
        _take_turn(note)
    try:
        found = _child(data, note)
    finally:
        _TURNS.release()
    if "refused" in found:
        raise NoText(_WHY[found["refused"]].format(detail=clean(found["detail"])))
    return _judge(found)


def _take_next_turn(data: bytes, note: Callable[[str], None]) -> None:
    _GIVEN.append(data)
    try:
        while not _TURNS.acquire(timeout=SLICE):
            note("waiting to read the PDF")
    finally:
        _GIVEN.remove(data)


def _take_turn(note: Callable[[str], None]) -> None:
    while _GIVEN or not _TURNS.acquire(timeout=SLICE):
        note("waiting to read the PDF")
        if _GIVEN:
            time.sleep(SLICE)


def clean(text: str) -> str:
    """Return text without ligatures, unseen characters and words broken at line ends."""
    text = mended(text.replace("\0", "")).replace("\r\n", "\n").replace("\r", "\n")
    text = text.translate(_LIGATURES).replace("\xad\n", "")
    text = _join_words(_UNSEEN.sub("", text))
    text = "\n".join(map(str.rstrip, text.split("\n")))
    return narrow(re.sub(r"\n{3,}", "\n\n", text).strip())


def _join_words(text: str) -> str:
    """Join words broken at line ends; the hyphen stays where the text has the word with its hyphen
    elsewhere, and not without.
    """
    whole = set(re.findall(r"[\w-]{1,80}", text.casefold()))

    def join(broken: re.Match[str]) -> str:
        first, second = broken.groups()
        joined = first + second
        hyphened = f"{first}-{second}"
        if not (first[-1].isalpha() and second[0].islower()):
            return hyphened
        meant = hyphened.casefold() in whole and joined.casefold() not in whole
        return hyphened if meant else joined

    return _BROKEN_WORD.sub(join, text)


def _judge(found: dict[str, Any]) -> PdfText:
    """Return the text that was read; raises NoText where what there is cannot be the paper."""
    pages: list[str | None] = found["pages"]
    text = clean("\n\n".join(page for page in pages if page))
    readable = len(pages) - pages.count(None)
    signs = len(text) - sum(map(str.isspace, text))
    letters = sum(map(str.isalpha, text))
    if not readable:
        raise NoText("The PDF is damaged (none of its pages can be read).")
    little = letters < _ENOUGH * readable and signs < 2 * _ENOUGH * readable
    if little and 2 * found["pictures"] >= readable:
        raise NoText("The PDF holds no text: its pages are pictures (scanned).")
    if not letters:
        raise NoText("The PDF holds no text: its pages are empty, drawn, or scanned.")
    if letters * 2 < signs:
        raise NoText("The PDF's letters cannot be read: its fonts do not say which they are.")
    missing = []
    if len(pages) < found["total"]:
        missing.append(f"Only the first {len(pages)} of {found['total']} pages were read.")
    if damaged := len(pages) - readable:
        missing.append(f"{damaged} of {len(pages)} pages could not be read.")
    title = own_title(clean(pages[0] or ""), _line(found["large"]), _line(found["named"]))
    return PdfText(text=text, pages=readable, title=title, reason=" ".join(missing))


def _line(text: str) -> str:
    return " ".join(clean(text).split())


def _child(data: bytes, note: Callable[[str], None]) -> Any:
    """Return what the reading process answers; it is ended at the deadline, and when `note`
    raises.
    """
    # -P and PYTHONPATH alone: our packages are found, our neighbours are not, and no key is handed
    # on.
    command = [sys.executable, "-P", str(_CHILD)]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    end, said = time.monotonic() + DEADLINE, None
    with _start(command, environment, data) as child:
        try:
            while said is None:
                try:
                    said, _ = child.communicate(timeout=SLICE)
                except subprocess.TimeoutExpired:
                    note("reading PDF")
                    if time.monotonic() > end:
                        raise NoText(
                            f"The PDF takes longer than {DEADLINE:.0f} s to read."
                        ) from None
        finally:
            child.kill()
    try:
        return json.loads(said)
    except ValueError:
        raise NoText(f"The PDF makes its reader break down (exit {child.returncode}).") from None


def _start(
    command: list[str], environment: dict[str, str], data: bytes
) -> "subprocess.Popen[bytes]":
    try:
        # Through a pipe communicate() writes no more once it has timed out, and a reader that
        # starts late waits for the rest until its end.
        with tempfile.TemporaryFile() as given:
            given.write(data)
            given.seek(0)
            return subprocess.Popen(  # noqa: S603 (our own file)
                command,
                env=environment,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
    except OSError as error:
        raise NoText(
            f"No process could be started to read the PDF ({type(error).__name__})."
        ) from error
