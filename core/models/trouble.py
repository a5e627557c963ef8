"""What a foreign error means for a call: wait and try again, try again at once, or give up; and
what to tell a person.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Literal

from pydantic import ValidationError

from core.store.connection import mended

log = logging.getLogger("foundry.models")
BUSY = (408, 409, 429)
"""Statuses that pass by waiting, beside every 5xx."""
_PASSING = re.compile(
    r"overloaded|server_error|internal server error|api_error|rate.?limit|unavailable|"
    r"\b(?:429|50[0-4]|529)\b",
    re.IGNORECASE,
)
"""An error event inside a stream has no status of its own, only words."""
_GOOGLE_DELAY = re.compile(r"retryDelay\W+(\d+(?:\.\d+)?)s")
MISREAD = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""What the providers' packages raise over bytes that are no answer: decoders of text and of JSON,
validators, and code that trusts what it got.
"""
UNREADABLE = frozenset({"DecodingError", "APIResponseValidationError", "NoAnswer"})
NO_CREDIT = "the account has no credit left; add some, or choose another model"
UNREACHED = frozenset(
    ["ConnectError", "ConnectTimeout", "ConnectionRefusedError", "ConnectionError", "gaierror"]
)
BROKEN = frozenset(
    [
        "RemoteProtocolError",
        "ReadError",
        "ConnectionResetError",
        "BrokenPipeError",
        "WriteError",
        "IncompleteRead",
    ]
)
"""Names of errors: of connections that did not come about, and of those that broke off."""
_NO_CREDIT = re.compile(
    r"insufficient_quota|credit balance is too low|insufficient credits", re.IGNORECASE
)


@dataclass(frozen=True)
class Trouble:
    """Why an attempt gave no answer. `busy`, `gone` (nobody there): nothing was paid. `cut`: an
    answer was under way and is lost.
    `final`: waiting does not help.
    """

    kind: Literal["busy", "gone", "cut", "final"]
    sentence: str
    said: str = ""
    """The server's own words, for learning what it does not take."""
    status: int | None = None
    retry_after: float | None = None
    """Seconds the server asked to wait."""
    garbled: bool = False
    """Whether bytes came that are no answer of a model."""


def diagnose(
    error: BaseException,
    key_name: str,
    model: str,
    read_timeout: float,
    scrub: Callable[[str], str],
) -> Trouble:
    """Say what a foreign error means; `key_name` and `model` are for the sentence of what to do,
    and `scrub` takes the keys out of what the server says.
    """
    chain = tuple(_causes(error))
    # Written out one by one, the faults of what does not fit may take gigabytes.
    words = "" if isinstance(error, ValidationError) else str(error)
    words = scrub(words)  # Before it is cut: half a key is not known again.
    said = mended(" ".join(words.split()))[:300] or type(error).__name__
    status = _status(chain)
    if _NO_CREDIT.search(said):
        return Trouble("final", f"{NO_CREDIT}. The server says: {said}", said, status)
    if status is not None:
        return _of_status(status, said, key_name, model, retry_after(chain))
    if kind := _of_connection({type(one).__name__ for one in chain}, read_timeout):
        return Trouble(*kind, said)
    if isinstance(error, MISREAD) or any(type(one).__name__ in UNREADABLE for one in chain):
        log.info(
            "A server sent what is no answer of a model (%s)", type(error).__name__
        )  # Its words may hold what was sent.
        sent = "the server sent something that is no answer of a model"
        return Trouble("cut", sent, garbled=True)
    if _PASSING.search(said):
        state = f"the server is in trouble ({said[:80]})"
        return Trouble("busy", state, said, None, retry_after(chain))
    return Trouble("final", f"the answer could not be read ({type(error).__name__}: {said})", said)


def _of_status(status: int, said: str, key_name: str, model: str, asked: float | None) -> Trouble:
    if status in BUSY or status >= 500:
        state = "busy" if status in BUSY else "in trouble"
        return Trouble("busy", f"the server is {state} ({status})", said, status, asked)
    advice = {
        401: f"the key was refused; check {key_name}, or type another one in Settings",
        402: NO_CREDIT,
        403: f"the key does not allow this; check {key_name}, or type another one in Settings",
        404: f"the model {model!r} is not known there; choose another one",
    }.get(status, "the request was refused")
    return Trouble("final", f"{advice} ({status}). The server says: {said}", said, status)


def _of_connection(
    kinds: set[str], read_timeout: float
) -> tuple[Literal["gone", "cut"], str] | None:
    if kinds & UNREACHED:
        return "gone", "the server cannot be reached; is it running, and is the network there?"
    if any("Timeout" in kind for kind in kinds):
        return "cut", f"the server said nothing for {read_timeout:g} s"
    return ("cut", "the connection broke off") if kinds & BROKEN else None


def retry_after(chain: Iterable[BaseException]) -> float | None:
    """Return the seconds a server asked to wait (Retry-After in seconds or as a date, or Google's
    retryDelay), if it did.
    """
    for error in chain:
        response = getattr(error, "response", None)
        headers = getattr(response, "headers", None) or getattr(error, "headers", None)
        if isinstance(headers, Mapping) and (value := headers.get("retry-after")):
            return _seconds(str(value))
        if delay := _GOOGLE_DELAY.search(str(error)):
            return float(delay[1])
    return None


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
        return max(0.0, seconds) if isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(chain: Iterable[BaseException]) -> int | None:
    for error in chain:
        for name in ("status_code", "code"):
            value = getattr(error, name, None)
            if isinstance(value, int) and 400 <= value < 600:
                return value
    return None
