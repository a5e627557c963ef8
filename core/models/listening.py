"""Reading one streamed answer, so that neither a silent, a trickling nor a hung server can hold the
caller.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessageChunk

from core.bounds import Pace
from core.models.thoughts import Apart
from core.threads import begin_thread

GLANCE, SLICE = 0.04, 0.2
"""Seconds between two looks at what was read, at least and at most; however silent the server is, a
wish to stop is seen within the longer one.
"""
FEW = 8
"""Answers side by side up to which each is looked at as often as can be: with hundreds, a process
would do little else.
"""
PACE, PIECE = Pace(3_000_000, usual=200_000), 1_000
"""Bytes a second of all answers together, and of one as it usually is; and as how many each piece
counts that LangChain makes of them, a quarter of a millisecond's work. A model that writes a
hundred tokens a second, of 250 bytes and two ends of lines each, counts as 55,000 bytes, and as
155,000 where each token is a piece. Where all send five times as many as this, nobody else has a
turn (measured).
"""
LARGEST = 2_000_000
"""Characters of an answer and its thoughts that are read at most, many times what any call has room
for: a server that never ends fills no memory and no disk.
"""
SIGNS, DOUBTED = 40, 400
"""Characters of one token at most, many times what it usually has; and of an answer with its
thoughts from which that is held against what its server says it took.
"""
MOST_TOKENS = 100_000_000
"""That one chunk may say were used."""
_FINISHED = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "content_filter": "refusal",
    "safety": "refusal",
    "recitation": "refusal",
    "blocklist": "refusal",
    "prohibited_content": "refusal",
    "spii": "refusal",
}
"""What providers call the end of an answer, in our three words."""


@dataclass(frozen=True)
class AttemptReply:
    """What came of one attempt; `finish_reason` stays empty where the server never said that it was
    done.
    """

    text: str = ""
    finish_reason: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    error: Exception | None = None
    late: bool = False
    """Whether the whole took longer than allowed."""
    endless: bool = False
    """Whether it went on past `LARGEST`, where it was left."""
    thoughts: str = ""
    tokens_thought: int | None = None
    tokens_cached: int | None = None
    unopened: bool = False
    """Whether no tag opened the thoughts."""

    def plus(self, chunk: AIMessageChunk, running: bool) -> "AttemptReply":
        """Return this with one more chunk of the stream; `running` says that each report of usage
        is of all so far, as OpenAI-compatible servers mean it, and none is of what came since the
        one before.
        """
        said = chunk.response_metadata
        reason = str(
            said.get("finish_reason") or said.get("stop_reason") or said.get("done_reason") or ""
        ).lower()
        usage = chunk.usage_metadata
        thought = usage and (usage.get("output_token_details") or {}).get("reasoning")
        cached = usage and _cached(usage.get("input_token_details") or {})
        count = _most if running else _add
        return replace(
            self,
            text=self.text + str(chunk.text),
            finish_reason=_FINISHED.get(reason, reason) or self.finish_reason,
            model=str(said.get("model_name") or said.get("model") or self.model),
            tokens_in=count(self.tokens_in, usage and usage["input_tokens"]),
            tokens_out=count(self.tokens_out, usage and usage["output_tokens"]),
            thoughts=self.thoughts + _thoughts(chunk),
            tokens_thought=count(self.tokens_thought, thought),
            tokens_cached=count(self.tokens_cached, cached),
        )

    def parted(self, part: Callable[[str], Apart]) -> "AttemptReply":
        """Return this with thoughts that stand in the text taken out of it."""
        found = part(self.text)
        whole = "\n\n".join(filter(None, (self.thoughts, found.thoughts)))
        return replace(self, text=found.answer, thoughts=whole, unopened=found.unopened)

    def believed(self) -> "AttemptReply":
        """Return this without a count of tokens that is too small for so long an answer, and
        without one of nothing: LangChain says 0 where a server names its counts otherwise, and
        nobody asks nothing. Thoughts that are more than the whole were counted beside it; more
        tokens kept than read are none.
        """
        length, said, thought = len(self.text) + len(self.thoughts), self.tokens_out, 0
        if said is not None and (self.tokens_thought or 0) > said:
            thought = self.tokens_thought or 0
        if said is not None and (said or not length):
            said += thought
        read = self.tokens_in or None
        cached = self.tokens_cached if (self.tokens_cached or 0) <= (read or 0) else None
        doubted = length > DOUBTED and length > SIGNS * (said or 0)
        if said is None or doubted or (length and not said):
            return replace(
                self, tokens_in=read, tokens_out=None, tokens_thought=None, tokens_cached=cached
            )
        return replace(self, tokens_in=read, tokens_out=said, tokens_cached=cached)


def _cached(details: Mapping[str, object]) -> object:
    """Return the tokens that were read from a cache, at whatever tier of service: OpenAI's others
    have names of their own (`priority_cache_read`).
    """
    return next((said for name, said in details.items() if name.endswith("cache_read")), None)


def _add(so_far: int | None, said: object) -> int | None:
    """Add tokens that a server reports; what no call can have used counts as not reported."""
    if isinstance(said, int) and 0 <= said <= MOST_TOKENS:
        return (so_far or 0) + said
    return so_far


def _most(so_far: int | None, said: object) -> int | None:
    """Take the larger of two reports on all tokens so far, as `_add` takes one."""
    told = _add(None, said)
    return so_far if told is None else max(so_far or 0, told)


def _thoughts(chunk: AIMessageChunk) -> str:
    """Return the thoughts a chunk brings apart from its text, wherever its provider's package puts
    them.
    """
    said: list[object] = []
    for block in chunk.content if isinstance(chunk.content, list) else ():
        if isinstance(block, dict) and block.get("type") in ("thinking", "reasoning"):
            said.append(block.get("thinking") or block.get("reasoning"))
    said.append(chunk.additional_kwargs.get("reasoning_content"))
    return "".join(part for part in said if isinstance(part, str))


class AttemptConnection:
    """The connection of one attempt, to be cut from another thread until it is let go: from then on
    it may serve somebody else.
    """

    def __init__(self) -> None:
        self.left = False
        self._mine = threading.Lock()
        self._response: Any = None
        self._hang_up: Callable[[bool], None] = lambda _whole: None

    def hold(self, response: Any, hang_up: Callable[[bool], None]) -> None:
        """Take the HTTP response the answer comes in, and what is to be done at its end: told
        whether it was heard out, it lets the connection go.
        """
        with self._mine:
            self._response, self._hang_up = response, hang_up
            if self.left:
                self._shut()

    def end(self) -> None:
        """Let the connection go, for the next call where the answer was heard out."""
        with self._mine:
            whole, self._response = not self.left, None
        self._hang_up(whole)

    def cut(self) -> None:
        """Break the connection off; a read that blocks on it ends at once."""
        with self._mine:
            self.left = True
            self._shut()

    def _shut(self) -> None:
        stream = self._response and self._response.extensions.get("network_stream")
        connection = stream and stream.get_extra_info("socket")
        with suppress(OSError):
            if connection:
                connection.shutdown(socket.SHUT_RDWR)


LINE: ContextVar[AttemptConnection | None] = ContextVar("LINE", default=None)
"""The line of the attempt that the current thread reads."""


class _Reading:
    """What one thread has read of a stream so far, for another one to look at."""

    def __init__(self, start: Callable[[], Iterator[AIMessageChunk]], running: bool):
        self.line, self.heard, self.over = AttemptConnection(), AttemptReply(), threading.Event()
        self._start, self._running = start, running
        self._wait = PACE.of_one()

    def read(self) -> None:
        """Read to the end, or until the line is left."""
        LINE.set(self.line)
        try:
            for chunk in self._start():
                if self.line.left:
                    break
                if seconds := self._wait(PIECE):
                    time.sleep(seconds)
                self.heard = self.heard.plus(chunk, self._running)
                if len(self.heard.text) + len(self.heard.thoughts) > LARGEST:
                    self.heard = replace(self.heard, endless=True)
                    self.line.cut()
                    break
        except Exception as error:
            self.heard = replace(self.heard, error=error)
        finally:
            self.over.set()
            self.line.end()  # Nobody waits for this.


_UNDER_WAY: set[_Reading] = set()


def glance() -> float:
    """Return how many seconds lie between two looks at an answer now: the more answers are under
    way, the more.
    """
    return min(SLICE, GLANCE * max(1.0, len(_UNDER_WAY) / FEW))


def listen(
    start: Callable[[], Iterator[AIMessageChunk]],
    hear: Callable[[AttemptReply], None],
    seconds: float,
    running: bool = False,
) -> AttemptReply:
    """Read a stream to its end, at most `seconds` long; `hear` gets what came so far at least four
    times a second and may raise. `running` is as in `AttemptReply.plus`.

    The stream is read in a thread of its own; when this returns early that thread is let go and its
    connection cut.
    """
    # Looked at by the clock, and not woken by every piece.
    reading, end = _Reading(start, running), time.monotonic() + seconds
    shown = reading.heard
    _UNDER_WAY.add(reading)
    whole, told = False, time.monotonic()
    try:
        begin_thread(reading.read, "model-answer")
        while not whole:
            if time.monotonic() > end:
                return replace(reading.heard, late=True)
            whole = reading.over.wait(glance())
            if whole or reading.heard is not shown or time.monotonic() - told >= SLICE - GLANCE:
                shown, told = reading.heard, time.monotonic()
                hear(shown)
    finally:
        _UNDER_WAY.discard(reading)
        if not whole:
            reading.line.cut()
    return reading.heard
