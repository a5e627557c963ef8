"""What goes to a worker and what comes back: plain JSON, so that a worker may sit in another
process or on another machine.
"""

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Annotated, Literal, NamedTuple, Protocol, TypeVar

from pydantic import Field

from core.records import Call, Record, Sampling

T = TypeVar("T")


class WireRequest(Record):
    """One question to one model, rendered. A worker makes one call of it; whether its answer is
    accepted is not the worker's business.
    """

    id: int
    """The cell."""
    key: str
    model: str
    kind: str
    """Of a benchmark what is asked for, of other runs the role that is asked."""
    prompt: str
    values: dict[str, str]
    standing: str
    text: str
    shaped: bool
    """Whether the answer must have the shape of a `Scored`; otherwise it has the shape named, or is
    free text.
    """
    sampling: Sampling
    seed: int
    corrections: tuple[tuple[str, str], ...] = ()
    # Left out where there is none, so that a benchmark's questions are hashed as before.
    shape: Annotated[str, Field(exclude_if=lambda name: not name)] = ""
    """The name of the record that the answer must be."""
    turns: Annotated[tuple[tuple[str, str], ...], Field(exclude_if=lambda said: not said)] = ()


class Returned(Record):
    """What came back: a reply, or the failure that kept it away."""

    id: int
    text: str = ""
    finish: str = ""
    """Empty where no answer came."""
    model: Annotated[str, Field(exclude_if=lambda name: not name)] = ""
    """The model as the server reports it."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    # Left out where there is none, so that most answers travel and are kept as before.
    thoughts: Annotated[str, Field(exclude_if=lambda said: not said)] = ""
    tokens_thought: Annotated[int | None, Field(exclude_if=lambda tokens: tokens is None)] = None
    tokens_cached: Annotated[int | None, Field(exclude_if=lambda tokens: tokens is None)] = None
    latency: float = 0.0
    fault: Annotated[str, Field(exclude_if=lambda said: not said)] = ""
    """Why the answer cannot be used, where the model itself found that out."""
    lost: tuple[Call, ...] = ()
    """Answers that broke off on the way, or tries before a failure: each may have been paid."""
    failure: Literal["", "ModelFailed", "CannotAnswer", "Stopped", "WorkerLost"] = ""
    said: str = ""
    """The failure in a sentence."""

    @property
    def whole(self) -> str:
        """The whole reply."""
        return whole_reply(self.thoughts, self.text)


def whole_reply(thoughts: str, answer: str) -> str:
    """Return thoughts, an empty line, the answer."""
    return f"{thoughts}\n\n{answer}" if thoughts else answer


class Doing(NamedTuple):
    """A call in flight: what is written so far, and what it waits for, if anything, or how far its
    model has thought.
    """

    text: str = ""
    note: str = ""


def drain(queue: SimpleQueue[T], seconds: float) -> Iterator[T]:
    """Yield what a queue holds, waiting at most so long for the first."""
    with suppress(Empty):
        yield queue.get(timeout=seconds)
        while True:
            yield queue.get_nowait()


class Engine(Protocol):
    """Somebody who makes calls for the coordinator: threads of this process, or workers of a
    cluster.
    """

    ahead: int
    """How many questions it takes beyond what it asks at once, if it minds the limits of the
    providers itself; otherwise 0.
    """

    def submit(self, asked: WireRequest) -> None:
        """Have one call made; returns at once."""
        ...

    def heard(self, seconds: float) -> list[Returned]:
        """Return what came back since, waiting at most so long for the first."""
        ...

    def places(self) -> int:
        """Return how many calls can be made at once in all, at this moment."""
        ...

    def doing(self) -> dict[int, Doing]:
        """Return what calls in flight are doing at this moment, by cell, as far as it is known
        here.
        """
        ...

    def hold(self) -> None:
        """Begin no more calls: questions that wait their turn come back as `Stopped`."""
        ...

    def cut(self) -> None:
        """Break off what is in flight: it comes back as `Stopped`."""
        ...

    def close(self) -> None:
        """Let go of threads or workers."""
        ...
