"""Asking a model until the answer has the right shape, and keeping account of every try: the one
path on which anything is asked again.

The server holds the reply to its shape where it can. A reply that is cut off is asked for again
with more room; one that cannot be used is sent back with its fault, three times at most; of one
that stays unusable, single entries of lists are left out where that is enough.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from core.errors import CannotAnswer, FoundryError, NoUsableAnswer
from core.models.port import Model, Progress, Reply, Request
from core.models.prices import at_most, price, unreported
from core.models.validating import CutOff, RefusedReply, accept, salvage
from core.records import Call, kept

T = TypeVar("T", bound=BaseModel)
TRIES = 4
"""How often one question is put in all: once, and at most three times again with the fault named.
"""
ROOM, MOST_ROOM = 4, 64_000
"""How many times more tokens a reply may have that was cut off, and how many at most."""
THINKING = 16_000
"""Tokens a reply may have at least where a model thinks first: its thoughts count among them."""


@dataclass(frozen=True)
class Answered(Generic[T]):
    """An accepted answer, the reply it came in, and every try it took."""

    value: T
    reply: Reply
    calls: tuple[Call, ...]
    left_out: tuple[str, ...] = ()
    """Entries of lists that stayed unusable, and why."""


def answer(
    model: Model,
    request: Request,
    returns: type[T],
    progress: Progress,
    check: Callable[[T], None] | None = None,
) -> Answered[T]:
    """Ask until the reply is whole, of the asked shape, and passes `check`; a refused one is asked
    again with its fault named.

    `check` raises ValueError with the complaint. Raises CannotAnswer, and NoUsableAnswer (with
    `calls`) after the fourth refusal.
    """
    if not model.answers(request.prompt):
        raise CannotAnswer(
            f"The model {model.name!r} does not answer the prompt {request.prompt!r}. Choose"
            " another model for it."
        )
    calls: tuple[Call, ...] = ()
    complaint, refused, unusable = "", 0, list[Reply]()
    request = roomier(request, THINKING) if model.thinks else request
    while refused < TRIES:
        note = f"asking again: {complaint}" if complaint else ""
        reply, latency = _try(model, request, progress, calls, note)
        calls += reply.lost
        try:
            value = accept(reply, returns, check, request.text)
        except CutOff as cut:
            complaint, wanted = str(cut), request.sampling.max_tokens
            # Fewer than asked for, where the model gives no more.
            allowed = (reply.detail or {}).get("most tokens", wanted)
            assert isinstance(allowed, int)
            calls += (_call(model, request, reply, latency, f"cut off at {allowed:,} tokens"),)
            if MOST_ROOM > allowed >= wanted:
                complaint = "the answer was cut off; it gets more room"
                request = roomier(request, ROOM * wanted)
                continue
        except RefusedReply as fault:
            complaint = str(fault)
            calls += (_call(model, request, reply, latency, complaint),)
            unusable.append(reply)
        else:
            accepted = _call(model, request, reply, latency, "accepted")
            return Answered(value, reply, (*calls, accepted))
        refused += 1
        request = replace(request, corrections=(*request.corrections, (reply.text, complaint)))
    for reply in reversed(unusable):
        with suppress(RefusedReply):
            value, left_out = salvage(reply, returns, check, request.text)
            return Answered(value, reply, calls, left_out)
    raise NoUsableAnswer(
        f"{model.name} gave no usable answer to {request.prompt!r} in {TRIES} tries. The last"
        f" complaint: {complaint.rstrip('.')}. Resume to ask again, or choose another model.",
        calls,
    )


def most_calls(max_tokens: int) -> int:
    """Return how many calls one answer takes at most, where replies may have so many tokens at
    first and no connection breaks.
    """
    cut_off, room = 0, max_tokens
    while room < MOST_ROOM:
        cut_off, room = cut_off + 1, min(ROOM * room, MOST_ROOM)
    return TRIES + cut_off


def roomier(request: Request, tokens: int) -> Request:
    """Return the same question with room for at least so many tokens in the reply."""
    most = max(request.sampling.max_tokens, min(tokens, MOST_ROOM))
    return replace(request, sampling=request.sampling.model_copy(update={"max_tokens": most}))


def _try(
    model: Model, request: Request, progress: Progress, calls: tuple[Call, ...], note: str
) -> tuple[Reply, float]:
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
    used = reply.tokens_in, reply.tokens_out
    return Call(
        model=model.name,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        latency=latency,
        outcome=outcome,
        raw=kept(reply.text, outcome),
        cost=price(model.name, *used, reply.tokens_cached),
        tokens_expected=unreported(model.name, request, *used),
        cost_expected=at_most(model.name, request, *used),
        thoughts=kept(reply.thoughts, outcome),
        tokens_thought=reply.tokens_thought,
        tokens_cached=reply.tokens_cached,
    )
