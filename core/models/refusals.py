"""Stands in front of the OpenAI SDK's `chat.completions`: hands a streamed refusal on as the text
of the answer, thoughts as blocks, and chunks as they came.

LangChain drops the refusal, and the fields in which compatible servers send thoughts. The SDK's own
`create` checks each chunk against its types and LangChain takes the types apart again, which
together takes more than half the time of a call; this asks the same address over the SDK's
documented `post`, and gives LangChain the dictionaries it wants. A server sends a chunk for every
token, and LangChain takes a quarter of a millisecond for each: those that come between two looks
are made one.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from core.models.listening import LINE, glance

REST, PATIENT = 4_096, 2.0
"""Bytes and seconds after the end of an answer for which a connection is kept open to be used
again.
"""
THOUGHTS = ("reasoning_content", "reasoning")
"""Where compatible servers send thoughts: DeepSeek, vLLM and SGLang; OpenRouter, Ollama and newer
vLLM. Some send the same in both.
"""
ANSWER, BESIDE = ("content", "refusal"), ("role", *THOUGHTS)
"""What is read of a piece of an answer: what the answer is made of, and what stands beside it."""
BLOCKS = 1_000
"""Blocks that a piece's content may have, where a server sends blocks instead of text."""


class Completions:
    """Asks over an OpenAI client."""

    def __init__(self, client: Any):
        self._client = client

    def create(self, *, extra_body: Mapping[str, object] | None = None, **payload: Any) -> "Chunks":
        """Ask, and return the stream of chunks."""
        from openai import Stream

        body = {**payload, **(extra_body or {})}
        return Chunks(
            self._client.post(
                "/chat/completions",
                body=body,
                cast_to=object,
                stream=True,
                stream_cls=Stream[object],
            )
        )


class Chunks:
    """The chunks of one streamed completion, as plain dictionaries; a refusal ends with the reason
    `refusal`.
    """

    def __init__(self, stream: Any):
        self._stream = stream
        if line := LINE.get():
            line.hold(stream.response, _delay_hang_up(stream.response))

    def __enter__(self) -> "Chunks":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(_in_blocks, self._joined())

    def _joined(self) -> Iterator[dict[str, Any]]:
        held: dict[str, Any] | None = None
        due = 0.0
        try:
            for chunk in self._marked():
                if _brings_nothing(chunk):
                    continue
                if not _brings_text_alone(chunk):
                    if held:
                        yield held
                    yield chunk
                    held = None
                    continue
                held = _join(held, chunk) if held else chunk
                if time.monotonic() >= due:
                    yield held
                    held, due = None, time.monotonic() + glance()
        except Exception:
            if held:
                yield held
            raise
        if held:
            yield held

    def _marked(self) -> Iterator[dict[str, Any]]:
        refused, first = False, None
        for given in self._stream:
            if first is None and given.get("choices"):
                first = _number(given["choices"][0])
            chunk = _asked_for(given, first)
            for choice in chunk["choices"]:
                delta = choice["delta"]
                if said := delta.get("refusal"):
                    refused, delta["content"] = True, (delta.get("content") or "") + said
                if refused and choice.get("finish_reason"):
                    choice["finish_reason"] = "refusal"
            yield chunk


def _number(choice: Mapping[str, Any]) -> str:
    """Return which of several answers this is of."""
    return str(choice.get("index") or 0)


def _asked_for(chunk: Mapping[str, Any], number: str | None) -> dict[str, Any]:
    """Return a chunk with what was asked for: one answer, in the fields that are read.

    Of a call of a tool, which nobody offered, LangChain reads half-written JSON in a time that
    grows with the square of its length; and of a list that is no content it notes a fault for each
    entry, a kilobyte each. Raises ValueError for such content: an answer has no holes.
    """
    mine = [one for one in chunk.get("choices") or () if _number(one) == number][:1]
    return {**_without("chunk", chunk), "choices": [_piece(one) for one in mine]}


def _piece(choice: Mapping[str, Any]) -> dict[str, Any]:
    delta = choice.get("delta") or {}
    for name in ANSWER:
        if not _is_content(delta.get(name)):
            raise ValueError(f"{name} is neither text nor a list of blocks")
    read = {name: delta[name] for name in ANSWER if name in delta}
    read |= {name: delta[name] for name in BESIDE if isinstance(delta.get(name), str)}
    return {**_without("message", choice), "delta": read}


def _is_content(said: object) -> bool:
    """Say whether this is text, nothing, or a list of blocks as LangChain takes it."""
    if not isinstance(said, list):
        return said is None or isinstance(said, str)
    return len(said) <= BLOCKS and all(isinstance(one, str | dict) for one in said)


def _without(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in given.items() if field != name}


def _delay_hang_up(response: Any) -> Callable[[bool], None]:
    """Keep the SDK from hanging up at `[DONE]`, a few bytes before the end, which would cost every
    call a connection of its own; return what hangs up.
    """
    rest, close = response.iter_bytes(), response.close
    # The SDK gets what it reads from us, and closing that closes nothing.
    response.iter_bytes, response.close = lambda: (data for data in rest), lambda: None

    def hang_up(whole: bool) -> None:
        if whole:
            with suppress(
                Exception
            ):  # The answer is there; a connection that ends badly is not used again.
                _hear_out(response, rest)
        close()

    return hang_up


def _hear_out(response: Any, rest: Iterator[bytes]) -> None:
    """Read what follows an answer, for as long and as far as that is worth it."""
    end, left = time.monotonic() + PATIENT, REST
    wire = response.extensions["network_stream"]
    read = wire.read
    # Each read has its own time, far longer than all of this may take: a server that says nothing
    # more would keep thread and connection for a minute.
    wire.read = lambda size, **_: read(size, timeout=max(0.001, end - time.monotonic()))
    try:
        while left > 0 and time.monotonic() < end and (data := next(rest, None)) is not None:
            left -= len(data)
    finally:
        del wire.read


def _brings_nothing(chunk: Mapping[str, Any]) -> bool:
    """Say whether a chunk is one by name only, as servers send to keep a connection open."""
    if chunk.get("usage") or chunk.get("error"):
        return False
    return all(
        not choice.get("delta") and not choice.get("finish_reason")
        for choice in chunk.get("choices") or ()
    )


def _brings_text_alone(chunk: Mapping[str, Any]) -> bool:
    """Say whether a chunk brings text or thoughts, and besides at most the usage so far."""
    choices = chunk.get("choices") or []
    if len(choices) != 1:
        return False
    choice = choices[0]
    delta = choice.get("delta")
    if not delta or choice.get("finish_reason"):
        return False
    return not isinstance(delta.get("content"), list)


def _join(first: dict[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    delta, more = first["choices"][0]["delta"], second["choices"][0]["delta"]
    text, added = delta.get("content"), more.get("content")
    delta["content"] = (text or "") + (added or "")
    if thoughts := _thoughts(more):
        delta[THOUGHTS[0]] = _thoughts(delta) + thoughts
    if told := second.get("usage"):
        first["usage"] = told
    return first


def _thoughts(delta: Mapping[str, Any]) -> str:
    for name in THOUGHTS:
        said = delta.get(name)
        if said and isinstance(said, str):
            return said
    return ""


def _in_blocks(chunk: dict[str, Any]) -> dict[str, Any]:
    """Return a chunk with its thoughts as a block of its content, which LangChain hands on as it
    is.
    """
    for choice in chunk.get("choices") or ():
        delta = choice.get("delta") or {}
        thoughts, text = _thoughts(delta), delta.get("content")
        if thoughts and not isinstance(text, list):
            delta["content"] = [{"type": "thinking", "thinking": thoughts}]
            if text:
                delta["content"].append({"type": "text", "text": text})
    return chunk
