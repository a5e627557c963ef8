"""LangChain drops the refusal an OpenAI-compatible server streams; this hands it on as the text of the answer."""
from collections.abc import Iterator
from typing import Any

from core.models.listening import LINE


class Completions:
    """Stands in for the OpenAI SDK's `chat.completions`, in front of it."""

    def __init__(self, inner: Any):
        self._inner = inner

    def create(self, **payload: Any) -> "Chunks":
        """Ask, and return the stream of chunks."""
        return Chunks(self._inner.create(**payload))


class Chunks:
    """The chunks of one streamed completion, as plain dictionaries; a refusal ends with the reason `refusal`."""

    def __init__(self, stream: Any):
        self._stream = stream
        if line := LINE.get():
            line.hold(getattr(stream, "response", None))

    def __enter__(self) -> "Chunks":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        refused = False
        for chunk in self._stream:
            plain: dict[str, Any] = chunk.model_dump()
            for choice in plain.get("choices") or ():
                delta = choice.get("delta") or {}
                if said := delta.get("refusal"):
                    refused, delta["content"] = True, (delta.get("content") or "") + said
                if refused and choice.get("finish_reason"):
                    choice["finish_reason"] = "refusal"
            yield plain
