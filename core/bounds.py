"""How much of a server's answer is read: no server that is asked, whoever runs it, fills memory,
keeps a caller for ever, or sends it on to another server.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

import httpx


class NoAnswer(httpx.TransportError):
    """What came is no honest answer: packed though it was not to be, without end, or a way to
    somewhere else.
    """


class _Counted:
    """The bytes of an answer as they come, as far as they are within bounds."""

    def __init__(self, whole: Any, most: int, line: int, seconds: float):
        self._whole, self._most, self._line, self._seconds = whole, most, line, seconds

    def __iter__(self) -> Iterator[bytes]:
        came, begun, until = 0, 0, time.monotonic() + self._seconds
        for part in self._whole:
            came += len(part)
            end = part.rfind(b"\n")
            begun = begun + len(part) if end < 0 else len(part) - end
            if came > self._most:
                raise NoAnswer(f"it went on past {self._most:,} bytes")
            if begun > self._line:
                raise NoAnswer(f"a line of it went on past {self._line:,} bytes")
            if time.monotonic() > until:
                raise NoAnswer(f"it was not whole after {self._seconds:g} s")
            yield part

    def close(self) -> None:
        self._whole.close()


@cache
def _counted(library: str) -> Any:
    """Return the same for a library: OpenAI's SDK speaks through httpx2, all else through httpx,
    and each takes its own kind of stream only.
    """
    return type("Counted", (_Counted, import_module(library).SyncByteStream), {})


def bounds(
    most: int, *, line: int | None = None, seconds: float = float("inf"), packed: str = "identity"
) -> dict[str, list[Callable[[Any], None]]]:
    """Return what makes an httpx client read `most` bytes of an answer at most, `line` of them
    without an end of line, and for `seconds` at most; to be given to it as `event_hooks`.

    An answer packed otherwise than in `packed` is refused, since a few bytes may unpack to more
    than there is memory for; one packed in `gzip` grows a thousandfold at most, piece by piece. So
    is one that leads to another server. What is refused is raised as NoAnswer.
    """

    def ask(request: Any) -> None:
        request.headers["accept-encoding"] = packed

    def bound(response: Any) -> None:
        coding = response.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("", "identity", packed):
            raise NoAnswer(f"it is packed as {coding[:40]!r}, which was not asked for")
        if response.has_redirect_location:
            here = response.request.url
            there = here.join(response.headers["location"])
            if (there.scheme, there.netloc) != (here.scheme, here.netloc):
                raise NoAnswer(f"it leads elsewhere, to {there.host[:80]!r}")
        counted = _counted(type(response).__module__.partition(".")[0])
        response.stream = counted(response.stream, most, line or most, seconds)

    return {"request": [ask], "response": [bound]}
