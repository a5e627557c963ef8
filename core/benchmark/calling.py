"""One call of one question, wherever it is made: in a thread of this process or in a worker's."""
import time

from core.benchmark.protocol import request
from core.benchmark.wire import Asked, Returned
from core.errors import CannotAnswer, FoundryError, Parked
from core.journal import mended
from core.models.port import Model, Progress


def call(asked: Asked, model: Model, hear: Progress) -> Returned:
    """Make one call and return what came of it; `hear` may raise Stopped to break it off."""
    began = time.monotonic()
    try:
        reply = model.reply(request(asked), hear)
    except Parked as stopped:
        return Returned(id=asked.id, failure="Stopped", said=str(stopped), lost=stopped.calls)
    except FoundryError as error:
        return Returned(id=asked.id, failure="CannotAnswer" if isinstance(error, CannotAnswer) else "ModelFailed", said=str(error), lost=error.calls)
    latency = (reply.detail or {}).get("latency", time.monotonic() - began)
    assert isinstance(latency, float)
    return Returned(id=asked.id, text=mended(reply.text), finish=reply.finish_reason or "stop", tokens_in=reply.tokens_in, tokens_out=reply.tokens_out,
                    latency=latency, lost=reply.lost)
