"""One model at one address: puts a question through LangChain once, and says what is wrong with
what came back; how many calls go there at once, and how long a call waits, which is always shown
and can be broken off.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from pydantic import BaseModel

from core.errors import ModelFailed, boundary
from core.models import address, key_name
from core.models.abilities import Abilities
from core.models.listening import LARGEST, AttemptReply, listen
from core.models.port import Progress, Request
from core.models.providers import build, parameters
from core.models.schema import in_words
from core.models.thoughts import apart, so_far
from core.models.trouble import Trouble, diagnose
from core.records import Sampling
from core.settings import Settings, public, scrub

USUAL = Sampling().max_tokens
"""Tokens a reply may have usually, which is what the setting for its time is meant for."""
QUOTED = 4_000
"""Characters of a refused reply that are shown to the model again."""
TOTALS = frozenset(("openai", "openrouter"))
"""Providers whose servers report usage so far, once at the end or again and again (vLLM, xAI);
with the others LangChain reports what came since.
"""
RARELY = 50.0
"""Times as long as a look at an answer took, in which there is none again: each looks through all
that has come, and a hundred answers may be under way.
"""
SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds waited where a server does not say how long, doubling each time."""
_PLACES: dict[tuple[str, int], threading.BoundedSemaphore] = {}
_GUARD = threading.Lock()


@dataclass(frozen=True)
class WireQuestion:
    """What goes over the wire."""

    said: tuple[BaseMessage, ...]
    max_tokens: int
    temperature: float | None
    returns: type[BaseModel] | None

    @property
    def size(self) -> int:
        """Length of all messages in bytes."""
        return sum(
            len(str(message.content).encode("utf-8", "surrogatepass")) for message in self.said
        )


def _stream(
    chat: Any, said: Sequence[BaseMessage], given: Mapping[str, Any]
) -> Iterator[AIMessageChunk]:
    """Yield an answer in the pieces in which LangChain has them.

    It is what LangChain's `stream` (1.8) asks, which keeps each piece until the end, 10 kB for a
    word, to put them together for those who trace calls.
    """
    for piece in chat._stream(list(said), **given):
        message = piece.message
        message.response_metadata = {**(piece.generation_info or {}), **message.response_metadata}
        yield message


def question(request: Request, abilities: Abilities, most: int | None = None) -> WireQuestion:
    """Lay a request out: who you are and how to answer, what was said before, the task, then each
    refused reply with what was wrong with it.

    `most` tokens are asked for, where that is fewer.
    """
    how = in_words(request.schema, constrained=abilities.shape == "json_schema")
    said: list[BaseMessage] = [SystemMessage(f"{request.standing}\n\n{how}".strip())]
    for task, answered in request.turns:
        said += [HumanMessage(task), AIMessage(answered)]
    said.append(HumanMessage(request.text))
    for refused, complaint in request.corrections:
        said += [
            AIMessage(refused[:QUOTED] or "(no answer)"),
            HumanMessage(f"That answer cannot be used: {complaint}. Answer the task again."),
        ]
    allowed = min(one for one in (request.sampling.max_tokens, abilities.most, most) if one)
    return WireQuestion(tuple(said), allowed, request.sampling.temperature, request.schema)


class Endpoint:
    """Knows LangChain and the key; the key leaves it in no message."""

    def __init__(self, provider: str, model: str, settings: Settings):
        self.provider, self.model = provider, model
        whole = address(provider, settings)
        self.address = public(whole)
        self._whole_address = whole
        self.id = f"{self.address} {model}"
        self._settings = settings
        self._chat: Any = None
        self._building = threading.Lock()

    def prepare(self) -> None:
        """Load LangChain and build its model, once; raises ModelFailed."""
        with self._building:  # Of many calls that begin at once, one builds it.
            if self._chat is not None:
                return
            with boundary(ModelFailed, f"preparing {self.provider}:{self.model}"):
                self._chat = build(self.provider, self.model, self._settings)

    def attempt(
        self, asked: WireQuestion, abilities: Abilities, hear: Callable[[str, str], None]
    ) -> AttemptReply:
        """Put the question once; `hear` gets the text and the thoughts so far and may raise.
        Failures come back in what was heard.
        """
        given = parameters(
            self.provider, abilities, asked.max_tokens, asked.temperature, asked.returns, asked.size
        )
        self.prepare()
        heard = listen(
            lambda: _stream(self._chat, asked.said, given),
            self._glancing(abilities.unopened, hear),
            self._seconds(asked),
            running=self.provider in TOTALS,
        ).believed()
        # What was cut off before any tag came was thoughts where thoughts come unopened.
        heard = heard.parted(
            lambda text: apart(text, begun=abilities.unopened and heard.finish_reason == "length")
        )
        return heard

    def _glancing(
        self, unopened: bool, hear: Callable[[str, str], None]
    ) -> Callable[[AttemptReply], None]:
        """Return what tells of an answer as it comes; where a look takes long, it tells the same
        again meanwhile.
        """
        seen, told, due = AttemptReply(), ("", ""), 0.0

        def glance(heard: AttemptReply) -> None:
            nonlocal seen, told, due
            if heard is not seen and time.monotonic() >= due:
                began = time.thread_time()
                now = heard.parted(lambda text: so_far(text, unopened))
                seen, told = heard, (self.scrub(now.text), self.scrub(now.thoughts))
                due = time.monotonic() + RARELY * (time.thread_time() - began)
            hear(*told)

        return glance

    def _seconds(self, asked: WireQuestion) -> float:
        """Return how long an answer may take: longer where it may be longer than usual."""
        return self._settings.call_timeout * max(1.0, asked.max_tokens / USUAL)

    def trouble(self, heard: AttemptReply) -> Trouble | None:
        """Say what is wrong with an attempt, or None for an answer that came to its end."""
        if heard.late:
            return Trouble(
                "cut",
                "the answer took longer than is allowed (FOUNDRY_CALL_TIMEOUT is"
                f" {self._settings.call_timeout:g} s)",
            )
        if heard.endless:
            return Trouble("cut", f"the answer went on past {LARGEST:,} characters")
        if heard.error is None:
            nothing = f"the server ended without an answer (is {self.address} the right address?)"
            cut = "the answer broke off in the middle" if heard.text or heard.thoughts else nothing
            return None if heard.finish_reason else Trouble("cut", cut)
        found = diagnose(
            heard.error,
            key_name(self.provider),
            self.model,
            self._settings.read_timeout,
            self._scrub_words,
        )
        if found.garbled:
            return replace(
                found, sentence=f"{found.sentence} (is {self.address} the right address?)"
            )
        return found

    def scrub(self, text: str) -> str:
        """Return what a model said without any key or login this process knows. A password alone
        stays: it may be a word, and no model is told it.
        """
        return scrub(text, self._settings.keys.values(), [self._whole_address])

    def _scrub_words(self, text: str) -> str:
        return scrub(text, self._settings.keys.values(), [self._whole_address], words=True)


@contextmanager
def place(address: str, calls: int, progress: Progress) -> Iterator[None]:
    """Hold one of the `calls` places that the whole process has at an address."""
    with _GUARD:
        places = _PLACES.setdefault((address, calls), threading.BoundedSemaphore(calls))
    _take(places, progress, f"waiting for one of the {calls} calls allowed at once to {address}")
    try:
        yield
    finally:
        places.release()


@contextmanager
def alone(turn: threading.BoundedSemaphore, progress: Progress, note: str) -> Iterator[None]:
    """Hold the one turn there is, showing `note` while somebody else has it."""
    _take(turn, progress, note)
    try:
        yield
    finally:
        turn.release()


class CallPatience:
    """What is left of the seconds one call may spend on servers that are busy, hung or gone."""

    def __init__(self, seconds: float):
        self._left = seconds
        self._times = 0
        self.spent = 0.0

    def next_wait(self, asked: float | None) -> float | None:
        """Return how long to wait now: at first as long as the server asks for, then twice as long
        as last time at least; None when that is too long.
        """
        seconds = min(FIRST_WAIT * 2**self._times, LONGEST_WAIT)
        if asked is not None:
            seconds = max(asked, seconds) if self._times else asked
        self._times += 1
        return seconds if seconds <= self._left else None

    def spend(self, seconds: float) -> None:
        """Count seconds that brought no answer."""
        self._left -= seconds
        self.spent += seconds


def wait(seconds: float, progress: Progress, why: str) -> None:
    """Wait, saying so all the while."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        rounded = f"{left:.0f}" if left >= 10 else f"{left:.2g}"
        progress("", f"waiting {rounded} s: {why}")
        time.sleep(min(SLICE, left))


def _take(held: threading.BoundedSemaphore, progress: Progress, note: str) -> None:
    if held.acquire(blocking=False):
        return
    progress("", note)
    while not held.acquire(timeout=SLICE):
        progress("", note)
