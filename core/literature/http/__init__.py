"""A literature service behind HTTP as we know it: its names, its key, and the sentences for its
refusals.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import SourceFailed
from core.settings import scrub

PAGES = 10
"""Pages of a list that may come beside those it takes: services send short ones now and then."""
MOST_PARTS = 700_000
"""Brackets and commas of an answer: a hundred papers of a hundred authors each, the most OpenAlex
lists, with two affiliations and ten places have 640,000, and authors alone in the 10 MB that
Semantic Scholar sends at most 600,000.
"""
MOST_SAID = 1_000_000
"""Bytes of an answer in which words on a refusal are looked for."""


class NotReadable(Exception):
    """The answer did not arrive whole; another try may bring it."""


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    retry_after: float
    """Seconds the service asks us to wait; 0 where it does not."""
    body: bytes


@dataclass(frozen=True)
class Service:
    """One service: what it is called, where it is, and the key that goes out with every call."""

    name: str
    """`semantic-scholar`, under which its answers are kept."""
    whom: str
    """`Semantic Scholar`, as sentences call it."""
    address: str
    address_variable: str
    interval: float
    """Seconds between two calls."""
    key: str | None = field(repr=False)
    key_variable: str
    without_key: str
    """What being without a key means: `without a key everybody shares one limit`."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def keyless(self, text: str) -> str:
        """Return text without the key, wherever a service repeats it."""
        return scrub(text, [self.key]) if self.key else text

    def hidden(self, text: str) -> str:
        """Return a service's words without the key or the address's login: refusals repeat them.
        Not for papers, in which a password may be a word.
        """
        return scrub(text, [self.key or ""], [self.address], words=True)

    def said(self, data: Any) -> str:
        """Return the words of the `error` and `message` of what was read, as `: words`, or
        nothing; cut only once the key is out of them.
        """
        words = message(data, self.hidden)[:300]
        return f": {words}" if words else ""

    def parsed(self, body: bytes) -> Any:
        """Read an answer as JSON, every text of it as it can be stored and without the key; raises
        NotReadable.
        """
        if sum(map(body.count, (b"{", b"[", b","))) > MOST_PARTS:
            raise NotReadable(f"{self.whom} sent more than anybody can have asked for.")
        try:
            return self._sound_throughout(json.loads(body))
        except (ValueError, RecursionError) as error:
            # Before it is cut: half a key is not known again.
            begins = self.hidden(body.decode("utf-8", "replace"))[:40]
            raise NotReadable(
                f"{self.whom} sent something that is not JSON ({begins!r} ...)."
            ) from error

    def _sound_throughout(self, data: Any) -> Any:
        """Return what was read, changed in place: a copy beside it would be as large."""
        if isinstance(data, str):
            return self._sound_text(data)
        if isinstance(data, list):
            for at, part in enumerate(data):
                data[at] = self._sound_throughout(part)
        elif isinstance(data, dict):
            for name, part in data.items():
                data[name] = self._sound_throughout(part)
            if any(self._sound_text(name) is not name for name in data):
                parts = list(data.items())
                data.clear()
                data.update((self._sound_text(name), part) for name, part in parts)
        return data

    def _sound_text(self, text: str) -> str:
        """Return the text itself where nothing is wrong with it: names and words are shared."""
        stored = sound(self.keyless(text))
        return text if stored == text else stored

    def words_of(self, answer: HttpAnswer) -> str:
        """Return what an answer says of itself, as `: words`, or nothing."""
        if len(answer.body) > MOST_SAID:
            return ""
        try:
            return self.said(self.parsed(answer.body))
        except NotReadable:
            return ""

    def refused(self, answer: HttpAnswer) -> SourceFailed:
        """Return the failure that stands for a refusal, with what the service said and what to
        do.
        """
        words = f"HTTP {answer.status}{self.words_of(answer)}"
        if answer.status in (401, 403):
            cure = (
                f"Check {self.key_variable}"
                if self.key
                else f"It may want a key: set {self.key_variable}"
            )
            return SourceFailed(f"{self.whom} refused access ({words}). {cure}.")
        if answer.status == 404:
            return SourceFailed(
                f"{self.whom} has nothing at this address ({words}). Check {self.address_variable}."
            )
        return SourceFailed(f"{self.whom} refused the request ({words}).")

    def busy(self, answer: HttpAnswer, asks: str, patience: float) -> SourceFailed:
        """Return the failure that stands for a service busier than our patience lasts."""
        cure = "" if self.key else f", or set {self.key_variable}: {self.without_key}"
        return SourceFailed(
            f"{self.whom} is busy (HTTP {answer.status}{self.words_of(answer)}) and"
            f" {asks}; at most {patience:.0f} s are waited in all. Try again later{cure}."
        )


def message(data: Any, hidden: Callable[[str], str]) -> str:
    """Return the words of the `error` and `message` of what was read, each `hidden` before anything
    is taken off it, or nothing.
    """
    words = []
    for name in ("error", "message") if isinstance(data, dict) else ():
        text = data.get(name)
        if isinstance(text, str) and text.strip():
            words.append(hidden(text).strip().rstrip("."))
    return sound(" ".join(". ".join(words).split()))


def sound(text: str | None) -> str:
    """Return text as it can be stored: half a surrogate pair, which JSON can spell, cannot be
    written as UTF-8, and SQLite's own functions end a text at NUL.
    """
    return (text or "").replace("\0", "?").encode("utf-8", "replace").decode()


TITLE, TEXT = 1_000, 100_000
"""Characters of a paper's title, or of a name, and of its abstract that are kept: several times the
longest honest ones.
"""
AUTHORS, ID, ADDRESS = 5_000, 200, 2_000
"""Authors of a paper that are kept, and characters that an id and an address may have."""
MOST = 10**9
"""Of a year or a count: SQLite has no room for any number."""


def sound_number(number: int | None) -> int | None:
    """Return a number as it can be stored; None for one that nothing has."""
    return None if isinstance(number, int) and abs(number) > MOST else number


def sound_name(text: str | None) -> str:
    """Return the name of an author or a venue as it can be stored."""
    return sound((text or "")[:TITLE])


def sound_id(text: object) -> str | None:
    """Return an id, or None for one that nothing has."""
    return text if isinstance(text, str) and 0 < len(text) <= ID else None


def sound_address(*addresses: object) -> str | None:
    """Return the first of these that is there and not longer than any address."""
    return next(
        (one for one in addresses if isinstance(one, str) and 0 < len(one) <= ADDRESS), None
    )


def sound_title(text: str) -> str:
    """Return a title as it can be stored and shown."""
    return sound_line(text[:TITLE]) or sound(text[:TITLE])


def sound_line(text: str | None) -> str:
    """Return a text as it can be stored, in one line: in a prompt, lines of its own could pass for
    those of another paper.
    """
    return " ".join(sound((text or "")[:TEXT]).split())
