"""How Semantic Scholar is spoken to: in turn, with the key, patiently within bounds, and never taking a failure for an empty answer."""
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from semanticscholar.ApiRequester import ApiRequester

from core.errors import SourceFailed
from core.literature.limiter import Patience, limiter
from core.literature.semantic_scholar_answers import WHOM, NotReadable, is_hop, refused, shaped, unknown
from core.records import digest
from core.settings import Settings, public
from core.store.library import Library

BUSY = (429, 500, 502, 503, 504)
"""Answers worth waiting for."""
TRIES = 3
"""How often a broken connection or an unreadable answer is tried in all."""
FRESH = timedelta(days=7)
"""How old a kept answer may be: an older one could miss the paper that makes an idea no longer new."""
LARGEST = 50_000_000
"""Bytes an answer may have; the service itself stops at 10 MB."""


@dataclass
class Question:
    """One question of ours, which may take several requests: the waits they share and what became of them."""

    patience: Patience
    also: str = ""
    """Parameters the package cannot express, appended to every request."""
    fetched: list[str] = field(default_factory=list)
    requests: int = 0
    bodies: dict[str, str] = field(default_factory=dict)
    """New answers by request, to be kept once all of them could be read to the last field."""


@dataclass(frozen=True)
class Answer:
    status: int
    retry_after: float
    body: bytes


class Requester(ApiRequester):  # type: ignore[misc]  # the package is untyped
    """The package's requester with a transport of ours: synchronous, limited, cached, and typed in its failures."""

    def __init__(self, settings: Settings, library: Library, address: str):
        super().__init__(timeout=settings.read_timeout, retry=False)
        key = settings.semantic_scholar_key
        self._settings = settings
        self._library = library
        self._limiter = limiter(public(address))
        self._http = httpx.Client(timeout=httpx.Timeout(settings.read_timeout, connect=10), headers={"x-api-key": key} if key else {})
        self._local = threading.local()

    def begin(self, question: Question) -> None:
        """Let what this thread asks from now on belong to `question`."""
        self._local.question = question

    def keep(self, question: Question) -> None:
        """Keep what came in answer to a question that was answered."""
        for key, body in question.bodies.items():
            self._library.cache(key, "semantic-scholar", body)

    async def get_data_async(self, url: str, parameters: str, headers: dict[str, str] | None, payload: dict[str, Any] | None = None) -> Any:  # noqa: ARG002
        """Answer the package; it never waits on an event loop, and our own headers go out whatever the package gives."""
        full = httpx.URL(f"{url}?{parameters.lstrip('&')}{self._local.question.also}")
        return self._answer("POST" if payload else "GET", str(full), payload)

    def _answer(self, method: str, url: str, payload: dict[str, Any] | None) -> Any:
        question: Question = self._local.question
        key = f"{method} {public(url)}" + (f" {digest(payload)}" if payload else "")
        kept = self._library.cached(key)
        if kept and _fresh(kept[1]):
            question.fetched.append(kept[1])
            return shaped(url, payload, kept[0].encode())
        data, body = self._asked(question, method, url, payload)
        if body is not None:
            question.bodies[key] = self._without_key(body.decode())
        question.fetched.append(datetime.now(UTC).isoformat(timespec="milliseconds"))
        return data

    def _asked(self, question: Question, method: str, url: str, payload: dict[str, Any] | None) -> tuple[Any, bytes | None]:
        """Ask until an answer comes or patience or tries are spent; the bytes come along where they may be kept."""
        broken = 0
        for delay in _delays():
            if not question.patience.turn(self._limiter, self._settings.semantic_scholar_interval, WHOM):
                raise SourceFailed(f"Our turn at {WHOM} did not come within {self._settings.patience:.0f} s. "
                                   "Run fewer things at once, or raise FOUNDRY_PATIENCE.")
            question.requests += 1
            try:
                answer = self._exchange(method, url, payload)
                if answer.status not in BUSY:
                    return self._judged(answer, url, payload)
            except NotReadable as error:
                broken += 1
                if broken == TRIES or not question.patience.covers(delay):
                    raise SourceFailed(str(error)) from error
                question.patience.wait(delay, f"trying {WHOM} again: {error}")
            else:
                self._rest(question.patience, answer, delay)
        raise AssertionError("the delays never end")

    def _rest(self, patience: Patience, answer: Answer, delay: float) -> None:
        """Wait as long as a busy server asks, and at least our own growing delay; raises SourceFailed beyond our patience."""
        seconds = max(delay, answer.retry_after)
        if not patience.covers(seconds):
            asks = f"asks to wait {answer.retry_after:.0f} s" if answer.retry_after > delay else f"still is after {patience.waited:.0f} s"
            cure = "" if self._settings.semantic_scholar_key else ", or set SEMANTIC_SCHOLAR_API_KEY: without a key everybody shares one limit"
            raise SourceFailed(f"{WHOM} is busy (HTTP {answer.status}) and {asks}; at most {patience.seconds:.0f} s are waited in all. "
                               f"Try again later{cure}.")
        if answer.status == 429:
            self._limiter.quiet(seconds)
        patience.wait(seconds, f"{WHOM} is busy (HTTP {answer.status})")

    def _judged(self, answer: Answer, url: str, payload: dict[str, Any] | None) -> tuple[Any, bytes | None]:
        if answer.status == 200:
            return shaped(url, payload, answer.body), answer.body
        if unknown(answer.status, answer.body, url):
            # Not kept: a paper unknown today may be known tomorrow.
            return ({"data": []} if is_hop(url) else [None] * len((payload or {})["ids"])), None
        raise SourceFailed(self._without_key(refused(answer.status, answer.body, bool(self._settings.semantic_scholar_key))))

    def _exchange(self, method: str, url: str, payload: dict[str, Any] | None) -> Answer:
        """Send one request and read its answer to the end; raises NotReadable, SourceFailed."""
        limit = self._settings.read_timeout
        deadline, body = time.monotonic() + limit, bytearray()
        try:
            with self._http.stream(method, url, json=payload) as response:
                for part in response.iter_bytes():
                    body += part
                    # The time-out of httpx is per read; a server that trickles would outlive it.
                    if time.monotonic() > deadline or len(body) > LARGEST:
                        raise SourceFailed(f"{WHOM} sent an answer without end ({len(body):,} bytes in {limit:.0f} s were not all).")
                return Answer(response.status_code, _seconds(response.headers.get("retry-after", "")), bytes(body))
        except httpx.TimeoutException as error:
            raise SourceFailed(f"{WHOM} did not answer within {limit:.0f} s. Try again later.") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            what = f"could not be reached at {httpx.URL(url).host}" if isinstance(error, httpx.ConnectError) else "broke the connection off"
            raise NotReadable(f"{WHOM} {what} ({type(error).__name__}). Check the network, or try again later.") from error

    def _without_key(self, text: str) -> str:
        key = self._settings.semantic_scholar_key
        return text.replace(key, "[key]") if key else text


def _delays() -> Iterator[float]:
    delay = 1.0
    while True:
        yield delay
        delay = min(delay * 2, 30.0)


def _seconds(retry_after: str) -> float:
    """Return the seconds a Retry-After header asks for, whether it gives a number or a date; 0 where it gives neither."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0


def _fresh(fetched: str) -> bool:
    return datetime.now(UTC) - datetime.fromisoformat(fetched) < FRESH
