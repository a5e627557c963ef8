"""How a literature service is asked: in turn, with the key, patiently within bounds, and never
taking a failure for an empty answer.
"""

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from itertools import chain, repeat
from math import isfinite
from typing import Any, TypeVar

import httpx

from core.bounds import NoAnswer, bounds, no_cookies, watch, within
from core.errors import SourceFailed, boundary
from core.literature.answering import Teller
from core.literature.http import HttpAnswer, NotReadable, Service
from core.literature.limiter import SLICE, Patience, limiter
from core.records import digest
from core.settings import Settings, fault, public
from core.store.library import Library

T = TypeVar("T")
BUSY = (429, 500, 502, 503, 504)
"""Answers worth waiting for."""
TRIES = 3
"""How often a broken connection or an unreadable answer is tried in all."""
FRESH = timedelta(days=7)
"""How old a kept answer may be: an older one could miss the paper that makes an idea no longer new.
"""
LARGEST, IN_ALL = 20_000_000, 80_000_000
"""Bytes that an answer may have, and all of one question: a thousand papers with their abstracts
have some 3 MB, with all places of hundreds of authors each some 50.
"""
SMALL = 1_000_000
"""Bytes of an answer that is read at any time; of larger ones one is read after the other."""
_READING = threading.Lock()
"""Held by who reads a large answer: as objects it takes many times its bytes."""


@dataclass
class SourceQuestion:
    """One question of ours, which may take several requests: the waits they share and what became
    of them.
    """

    patience: Patience
    fetched: list[str] = field(default_factory=list)
    requests: int = 0
    unknown: bool = False
    """Whether the service said that it does not know the paper asked about."""
    more: bool = False
    """Whether the service has more papers than were wanted."""
    size: int = 0
    """Bytes of all its answers."""
    bodies: dict[str, str] = field(default_factory=dict)
    """New answers by request, to be kept once all of them could be read to the last field."""


@cache
def _trusted() -> ssl.SSLContext:
    """Return the authorities that servers are trusted by; reading them takes 20 ms."""
    return httpx.create_ssl_context()


class Asker:
    """Asks one service: one call at a time per interval in the whole process, what was answered
    lately from the store.
    """

    def __init__(self, service: Service, settings: Settings, library: Library):
        self.service, self._library = service, library
        self._limit, self._patience = settings.read_timeout, settings.patience
        self._limiter = limiter(public(service.address))
        self._fault = fault(settings, service.name)
        http = httpx.Client(
            verify=_trusted(),
            timeout=httpx.Timeout(settings.read_timeout, connect=10),
            event_hooks=bounds(LARGEST, packed="gzip"),
            cookies=no_cookies(),
        )
        self._http: httpx.Client = watch(http, within(settings.read_timeout))

    def keep(self, question: SourceQuestion) -> None:
        """Keep what came in answer to a question that was answered."""
        for key, body in question.bodies.items():
            self._library.cache(key, self.service.name, body)

    def ask(
        self,
        question: SourceQuestion,
        url: str,
        read: Callable[[HttpAnswer], T],
        payload: dict[str, Any] | None = None,
    ) -> T:
        """Return what `read` makes of the answer, a kept one if it is fresh; raises SourceFailed.

        `read` is given every answer but that of a busy service, and raises NotReadable for one that
        another try may mend. Only what came with 200 is
        kept: a paper unknown today may be known tomorrow.
        """
        method, key = "GET", f"GET {public(url)}"
        if payload:
            method, key = "POST", f"POST {public(url)} {digest(payload)}"
        body, fetched = self._library.cached(key) or ("", "")
        if fetched and datetime.now(UTC) - datetime.fromisoformat(fetched) < FRESH:
            question.fetched.append(fetched)
            return _read(question, HttpAnswer(200, 0.0, body.encode()), read)
        found, answer = self._try(question, method, url, payload, read)
        if answer.status == 200:
            question.bodies[key] = self.service.keyless(answer.body.decode())
        question.fetched.append(datetime.now(UTC).isoformat(timespec="milliseconds"))
        return found

    def _try(
        self,
        question: SourceQuestion,
        method: str,
        url: str,
        payload: dict[str, Any] | None,
        read: Callable[[HttpAnswer], T],
    ) -> tuple[T, HttpAnswer]:
        """Ask until an answer comes or patience or tries are spent."""
        broken, whom = 0, self.service.whom
        if self._fault:
            raise SourceFailed(f"{whom} cannot be asked: {self._fault}")
        for delay in chain((1.0, 2.0, 4.0, 8.0, 16.0), repeat(30.0)):
            if not question.patience.turn(self._limiter, self.service.interval, whom):
                raise SourceFailed(
                    f"Our turn at {whom} did not come within {self._patience:.0f} s. Run fewer"
                    " things at once, or raise FOUNDRY_PATIENCE."
                )
            if question.requests:
                question.patience.tell(f"asking {whom}")
            question.requests += 1
            try:
                answer = self._exchange(method, url, payload)
                question.size += len(answer.body)
                if question.size > IN_ALL:
                    raise SourceFailed(f"{whom} sent more than anybody can have asked for.")
                if answer.status not in BUSY:
                    return _read(question, answer, read), answer
            except NotReadable as error:
                broken += 1
                if broken == TRIES or not question.patience.covers(delay):
                    raise SourceFailed(self.service.hidden(str(error))) from error
                question.patience.wait(delay, self.service.hidden(f"trying {whom} again: {error}"))
            else:
                self._rest(question.patience, answer, delay)
        raise AssertionError("the delays never end")

    def _rest(self, patience: Patience, answer: HttpAnswer, delay: float) -> None:
        """Wait as long as a busy service asks, and at least our own growing delay; raises
        SourceFailed beyond our patience.
        """
        seconds = max(delay, answer.retry_after)
        if not patience.covers(seconds):
            asks = (
                f"asks to wait {answer.retry_after:.0f} s"
                if answer.retry_after > delay
                else f"still is after {patience.waited:.0f} s"
            )
            raise self.service.busy(answer, asks, patience.seconds)
        if answer.status == 429:
            self._limiter.quiet(seconds)
        patience.wait(seconds, f"{self.service.whom} is busy (HTTP {answer.status})")

    def _exchange(self, method: str, url: str, payload: dict[str, Any] | None) -> HttpAnswer:
        """Send one request and read its answer to the end; raises NotReadable, SourceFailed."""
        whom, deadline, body = self.service.whom, time.monotonic() + self._limit, bytearray()
        headers = dict(self.service.headers)
        try:
            with self._http.stream(method, url, json=payload, headers=headers) as response:
                for part in response.iter_bytes():
                    body += part
                    # The time-out of httpx is per read; a server that trickles would outlive it.
                    if time.monotonic() > deadline or len(body) > LARGEST:
                        raise SourceFailed(
                            f"{whom} sent an answer without end ({len(body):,} bytes in"
                            f" {self._limit:.0f} s were not all)."
                        )
                return HttpAnswer(
                    response.status_code,
                    _seconds(response.headers.get("retry-after", "")),
                    bytes(body),
                )
        except httpx.TimeoutException as error:
            raise SourceFailed(
                f"{whom} did not answer within {self._limit:.0f} s. Try again later."
            ) from error
        except NoAnswer as error:
            raise SourceFailed(f"{whom} sent what is no answer of a service: {error}.") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            what = (
                f"could not be reached at {httpx.URL(url).host}"
                if isinstance(error, httpx.ConnectError)
                else "broke the connection off"
            )
            raise NotReadable(
                f"{whom} {what} ({type(error).__name__}). Check the network, or try again later."
            ) from error


class Asking(Teller):
    """A source that asks a service, and tells of each answer how it came about."""

    def __init__(self, service: Service, settings: Settings, library: Library):
        super().__init__()
        self._patience = settings.patience
        self._asker = Asker(service, settings, library)

    @contextmanager
    def _asking(self, doing: str) -> Iterator[SourceQuestion]:
        """Ask the service under one patience and keep the story of the answer, however it ends."""
        question = SourceQuestion(Patience(self._patience, self._answering.waiting))
        try:
            with boundary(SourceFailed, f"{doing} at {self._asker.service.whom}"):
                yield question
            self._asker.keep(question)
        finally:
            self._answering.said = {
                "address": public(self._asker.service.address),
                "fetched": min(question.fetched, default=None),
                "cached": bool(question.fetched) and not question.requests,
                "requests": question.requests,
                "waited": round(question.patience.waited, 2),
                **({"more": True} if question.more else {}),
            }


def _read(question: SourceQuestion, answer: HttpAnswer, read: Callable[[HttpAnswer], T]) -> T:
    """Return what `read` makes of an answer; a large one waits until no other is read."""
    if len(answer.body) <= SMALL:
        return read(answer)
    while not _READING.acquire(timeout=SLICE):
        question.patience.tell("waiting to read a large answer")
    try:
        return read(answer)
    finally:
        _READING.release()


def _seconds(retry_after: str) -> float:
    """Return the seconds a Retry-After header asks for, whether it gives a number or a date; 0
    where it gives neither.
    """
    try:
        seconds = float(retry_after)
        return max(0.0, seconds) if isfinite(seconds) else 0.0
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0
