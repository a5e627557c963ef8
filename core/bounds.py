"""How much of a server's answer is read: no server that is asked, whoever runs it, fills memory,
keeps a caller for ever, or sends it on to another server.
"""

import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib import import_module
from typing import Any

import httpx

REFUSAL = 64_000
"""Bytes of a refusal that are read: what it says stands in its first lines."""
BLANK = (b"\n\n", b"\r\r", b"\r\n\r\n")
"""What ends an event of a stream."""
SLICE, LINE_END = 1_024, 150
"""Bytes that have their turn together, and as how many more each end of a line among them counts:
lines are taken apart one by one, the empty ones, too.
"""


class NoAnswer(httpx.TransportError):
    """What came is no honest answer: packed though it was not to be, without end, or a way to
    somewhere else.
    """


class Allowance:
    """So many bytes, or requests, a second, after `at_once` of them."""

    def __init__(self, a_second: float, at_once: float):
        self._a_second, self._at_once = a_second, at_once
        self._left, self._at = at_once, time.monotonic()

    def left(self) -> float:
        """Return how many there is room for now."""
        now = time.monotonic()
        earned = self._a_second * (now - self._at)
        self._left, self._at = min(self._at_once, self._left + earned), now
        return self._left

    def take(self, size: int) -> float:
        """Take so many and return the seconds until it is their turn."""
        self._left = self.left() - size
        return max(0.0, -self._left / self._a_second)


class Pace:
    """So many bytes a second, after twice as many at once, of all answers that share it: what comes
    is taken apart, and nobody else has a turn meanwhile. Safe to use from several threads.

    Answers that bring more than `usual` bytes a second share half as many again, apart from the
    others: no server makes another one's answers late.
    """

    def __init__(self, a_second: float, usual: float):
        self._of_all = {
            False: Allowance(a_second, 2 * a_second),
            True: Allowance(a_second / 2, a_second),
        }
        self._usual, self._guard = usual, threading.Lock()

    def of_one(self) -> Callable[[int], float]:
        """Return what takes so many bytes of one answer, and returns the seconds until it is their
        turn.
        """
        mine = Allowance(self._usual, 4 * self._usual)

        def wait(size: int) -> float:
            with self._guard:
                is_loud = mine.take(size) > 0
                return self._of_all[is_loud].take(size)

        return wait


class _Counted:
    """The bytes of an answer as they come, as far as they are within bounds; of a refusal its
    beginning, which says why.
    """

    def __init__(
        self, whole: Any, most: int, line: int, event: int, refused: bool, pace: Pace | None
    ):
        self._whole, self._most, self._line, self._event = whole, most, line, event
        self._refused, self._wait = refused, pace.of_one() if pace else None

    def __iter__(self) -> Iterator[bytes]:
        came = line = event = 0
        last = b""
        for part in self._whole:
            came += len(part)
            if self._refused and came > REFUSAL:
                yield part[: REFUSAL - came]
                return
            line = _since(part, (b"\n",), line)
            event = _since(last + part, BLANK, event - len(last))
            last = (last + part)[-3:]
            if came > self._most:
                raise NoAnswer(f"it went on past {self._most:,} bytes")
            if line > self._line:
                raise NoAnswer(f"a line of it went on past {self._line:,} bytes")
            if event > self._event:
                raise NoAnswer(f"an event of it went on past {self._event:,} bytes")
            yield from _in_turn(part, self._wait) if self._wait else (part,)

    def close(self) -> None:
        self._whole.close()


def _in_turn(part: bytes, wait: Callable[[int], float]) -> Iterator[bytes]:
    for begin in range(0, len(part), SLICE):
        piece = part[begin : begin + SLICE]
        ends = piece.count(b"\n") + piece.count(b"\r")
        if seconds := wait(len(piece) + LINE_END * ends):
            time.sleep(seconds)
        yield piece


def _since(part: bytes, ends: tuple[bytes, ...], before: int) -> int:
    """Return how many bytes came since the last of these ends, `before` of them before the part."""
    found = max(part.rfind(end) + len(end) if end in part else 0 for end in ends)
    return len(part) - found if found else before + len(part)


@cache
def _counted(library: str) -> Any:
    """Return the same for a library: OpenAI's SDK speaks through httpx2, all else through httpx,
    and each takes its own kind of stream only.
    """
    return type("Counted", (_Counted, import_module(library).SyncByteStream), {})


def bounds(
    most: int,
    *,
    line: int | None = None,
    event: int | None = None,
    packed: str = "identity",
    pace: Pace | None = None,
) -> dict[str, list[Callable[[Any], None]]]:
    """Return what makes an httpx client read `most` bytes of an answer at most, `line` of them
    without an end of line, `event` without an empty line, and of a refusal its first 64,000; to be
    given to it as `event_hooks`; at a `pace`, if any. How long it reads is for `watch`.

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
        counted = _counted(_library(response))
        refused = not response.is_success
        response.stream = counted(response.stream, most, line or most, event or most, refused, pace)

    return {"request": [ask], "response": [bound]}


def no_cookies() -> CookieJar:
    """Return a jar for a client that keeps none: what one server says goes to no other, and not to
    it again with every call.
    """
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


Over = Callable[[int], bool]
"""Whether an answer is over of which so many bytes came, its head and all that is packed round it
included.
"""


def watch(client: Any, begin: Callable[[], Over]) -> Any:
    """Let an httpx client read of each answer, its head included, until somebody says that it is
    over, and return the client; an answer that is over ends as one that came too late does.

    `begin` is called as a request is sent, by the thread that sends it, and returns what says so.
    A server may send a head without end, byte by byte, and each would be in time. Neither library
    lets one say where the bytes come from, so this reaches into its pools of connections.
    """
    for transport in (client._transport, *client._mounts.values()):
        if transport is not None:
            pool = transport._pool
            pool._network_backend = _Network(pool._network_backend, begin)
    return client


def within(seconds: float) -> Callable[[], Over]:
    """Return what lets an answer take so many seconds, to be given to `watch`."""

    def begin() -> Over:
        until = time.monotonic() + seconds
        return lambda _came: time.monotonic() > until

    return begin


class _Network:
    """What opens connections, each watched."""

    def __init__(self, whole: Any, begin: Callable[[], Over]):
        self._whole, self._begin = whole, begin

    def connect_tcp(self, *where: Any, **how: Any) -> "_Watched":
        return _Watched(self._whole.connect_tcp(*where, **how), self._begin)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


class _Watched:
    """A connection whose answers are read until they are over."""

    def __init__(self, whole: Any, begin: Callable[[], Over]):
        self._whole, self._begin = whole, begin
        self._over, self._came = begin(), 0

    def write(self, *what: Any, **how: Any) -> None:
        self._over, self._came = self._begin(), 0
        self._whole.write(*what, **how)

    def read(self, *size: Any, **how: Any) -> bytes:
        if self._over(self._came):
            raise import_module(_library(self._whole)).ReadTimeout
        part = bytes(self._whole.read(*size, **how))
        self._came += len(part)
        return part

    def start_tls(self, *given: Any, **how: Any) -> "_Watched":
        return _Watched(self._whole.start_tls(*given, **how), self._begin)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


def _library(made: object) -> str:
    return type(made).__module__.partition(".")[0]
