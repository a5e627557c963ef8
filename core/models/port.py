"""The model port: what is asked of a model and what comes back, whoever answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import BaseModel

from core.records import Call, Sampling

Begin = Callable[[tuple[Call, ...]], None]
"""Called right before an attempt goes out, with the attempts at the same question that were lost
before it. What it raises keeps the attempt back.
"""


@dataclass(frozen=True)
class Request:
    """One question: the rendered text for a language model, the values for a model that
    computes.
    """

    prompt: str
    """Name of the prompt, such as `review`."""
    values: Mapping[str, object]
    """What was filled in, as records; the built-in model works on these and never parses a prompt
    back.
    """
    standing: str
    """The standing instruction (role, area, indicator); may be empty."""
    text: str
    """The task, rendered."""
    schema: type[BaseModel] | None
    """The shape the answer must have; None for free text."""
    sampling: Sampling
    role: str
    """`main` or `cheap`."""
    seed: int
    corrections: tuple[tuple[str, str], ...] = ()
    """Earlier refused replies of this very step, each with what was wrong with it."""
    turns: tuple[tuple[str, str], ...] = ()
    """What was said before the task: earlier tasks, each with what was answered."""
    begin: Begin = field(default=lambda _lost: None, compare=False, repr=False)


@dataclass(frozen=True)
class Reply:
    """One answer as it came; `tokens_*` are None where the server did not say."""

    text: str
    finish_reason: str
    """`stop`, `length`, `refusal`, or the server's own word."""
    model: str
    """The model as the server reports it."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    detail: Mapping[str, object] | None = None
    """Where it was asked: address, waits, anything worth keeping beside the answer."""
    lost: tuple[Call, ...] = ()
    """Answers that broke off on the way to this one: each may have been paid."""
    thoughts: str = ""
    """What the model thought before it answered; no part of `text`."""
    tokens_thought: int | None = None
    """How many of `tokens_out` it thought with, where the server said."""
    tokens_cached: int | None = None
    """How many of `tokens_in` the server had kept from an earlier call, where it said."""
    fault: str = ""
    """Why it cannot be used, where the model itself found that out."""


Progress = Callable[[str, str], None]
"""Called with (text so far, note): the note says what is being waited for, if anything, or how far
a model has thought. It may raise to break off.
"""


class Model(Protocol):
    """Somebody who answers: a language model, the built-in model, a scripted fake."""

    name: str
    """`provider:model`, or `builtin`."""
    provider: str
    """Whose limit counts."""

    @property
    def thinks(self) -> bool:
        """Whether it was seen to think before it answers."""
        ...

    def answers(self, prompt: str) -> bool:
        """Say whether this model answers the prompt of that name."""
        ...

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer once; raises ModelFailed when no answer came. Judging the answer is not the
        model's business.

        Whoever may be paid for it calls `request.begin` before each attempt.
        """
        ...


class Known(Protocol):
    """What was found out about endpoints."""

    def abilities(self, endpoint: str) -> dict[str, object] | None:
        """Return what an endpoint was found to be able to do, or None if nobody has looked."""
        ...

    def learn(self, endpoint: str, abilities: dict[str, object]) -> None:
        """Keep what an endpoint can do."""
        ...


class Memory(Protocol):
    """Where it is kept: the store, or for a worker of a cluster, which has none, something in its
    place.
    """

    @property
    def places(self) -> Known:
        """What was found out about endpoints."""
        ...
