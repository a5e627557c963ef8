"""One call of one question, wherever it is made: in a thread of this process or in a worker's."""

import time
from dataclasses import replace

from core.benchmark.conducting.protocol import request
from core.benchmark.conducting.wire import Returned, WireRequest
from core.errors import CannotAnswer, FoundryError, Parked, StoreFailed
from core.models.port import Begin, Model, Progress
from core.models.validating import storable
from core.records import Call
from core.store.connection import mended


def call(
    asked: WireRequest, model: Model, hear: Progress, begin: Begin = lambda _lost: None
) -> Returned:
    """Make one call and return what came of it; `hear` may raise Stopped to break it off, and
    `begin` is told before it goes out. Raises StoreFailed where that cannot be written down.
    """
    began = time.monotonic()
    try:
        reply = storable(model.reply(replace(request(asked), begin=begin), hear))
    except Parked as stopped:
        return Returned(
            id=asked.id, failure="Stopped", said=str(stopped), lost=storable_calls(stopped.calls)
        )
    except (
        StoreFailed
    ):  # No fault of the model's: the run rests until the disk or the database takes it.
        raise
    except FoundryError as error:
        kind = "CannotAnswer" if isinstance(error, CannotAnswer) else "ModelFailed"
        return Returned(
            id=asked.id, failure=kind, said=mended(str(error)), lost=storable_calls(error.calls)
        )
    latency = (reply.detail or {}).get("latency", time.monotonic() - began)
    assert isinstance(latency, float)
    return Returned(
        id=asked.id,
        text=reply.text,
        finish=reply.finish_reason or "stop",
        model=reply.model,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        latency=latency,
        lost=storable_calls(reply.lost),
        thoughts=reply.thoughts,
        tokens_thought=reply.tokens_thought,
        tokens_cached=reply.tokens_cached,
        fault=reply.fault,
    )


def storable_calls(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return calls as they can be stored and sent: an answer that broke off may end in half a
    surrogate pair.
    """
    return tuple(
        one.model_copy(
            update={name: mended(getattr(one, name)) for name in ("raw", "outcome", "thoughts")}
        )
        for one in calls
    )
