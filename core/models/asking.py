"""Asking a model until the answer has the right shape, and keeping account of every try."""
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from core.errors import CannotAnswer, FoundryError, NoUsableAnswer
from core.models.port import Model, Progress, Reply, Request
from core.models.prices import price, unreported
from core.models.validating import Refused, accept
from core.records import Call

T = TypeVar("T", bound=BaseModel)
TRIES = 4
"""How often one question is put in all: once, and at most three times again with the fault named."""


@dataclass(frozen=True)
class Answered(Generic[T]):
    """An accepted answer, the reply it came in, and every try it took."""

    value: T
    reply: Reply
    calls: tuple[Call, ...]


def answer(
    model: Model, request: Request, returns: type[T], progress: Progress, check: Callable[[T], None] | None = None
) -> Answered[T]:
    """Ask until the reply is whole, of the asked shape, and passes `check`; a refused one is asked again with its fault named.

    `check` raises ValueError with the complaint. Raises CannotAnswer, and NoUsableAnswer (with `calls`) after the fourth refusal.
    """
    if not model.answers(request.prompt):
        raise CannotAnswer(f"The model {model.name!r} does not answer the prompt {request.prompt!r}. Choose another model for it.")
    calls: tuple[Call, ...] = ()
    complaint = ""
    for n in range(TRIES):
        reply, latency = _try(model, request, progress, calls, f"asking again: {complaint}" if n else "")
        calls += reply.lost
        try:
            value = accept(reply, returns, check)
        except Refused as refused:
            complaint = str(refused)
            calls += (_call(model, request, reply, latency, complaint),)
            request = replace(request, corrections=(*request.corrections, (reply.text, complaint)))
        else:
            return Answered(value, reply, (*calls, _call(model, request, reply, latency, "accepted")))
    raise NoUsableAnswer(
        f"{model.name} gave no usable answer to {request.prompt!r} in {TRIES} tries. The last complaint: {complaint.rstrip('.')}. "
        "Resume to ask again, or choose another model.", calls)


def _try(model: Model, request: Request, progress: Progress, calls: tuple[Call, ...], note: str) -> tuple[Reply, float]:
    began = time.monotonic()
    try:
        if note:
            progress("", note)
        reply = model.reply(request, progress)
    except FoundryError as error:
        # Whatever ends the asking (a stop, a cap), the tries before it were paid.
        error.calls = (*calls, *error.calls)
        raise
    latency = (reply.detail or {}).get("latency", time.monotonic() - began)
    assert isinstance(latency, float)
    return reply, latency


def _call(model: Model, request: Request, reply: Reply, latency: float, outcome: str) -> Call:
    return Call(
        model=model.name, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, latency=latency, outcome=outcome, raw=reply.text,
        cost=price(model.name, reply.tokens_in, reply.tokens_out),
        tokens_expected=unreported(model.name, request, reply.tokens_in, reply.tokens_out),
        thoughts=reply.thoughts, tokens_thought=reply.tokens_thought,
    )
