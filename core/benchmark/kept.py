"""What came and is not in the store yet: each answer is written to the spool before its thread asks on, so that a kill costs only what was in flight."""
from collections.abc import Callable

from pydantic import ValidationError

from core.benchmark.wire import Asked, Returned
from core.records import Record
from core.store.spool import Spool

Keep = Callable[[Asked, Returned], None]
ANSWERED = ("", "ModelFailed", "CannotAnswer")
"""Failures that are answers to a question; after the others it is asked again."""


class Kept(Record):
    """An answer with the SHA-256 of what was asked: a cell takes it in only where that is still its question."""

    question: str
    returned: Returned


def keeping(spool: Spool) -> Keep:
    """Return what writes an answer down, from any thread; raises StoreFailed."""
    def keep(asked: Asked, returned: Returned) -> None:
        if returned.failure in ANSWERED:
            spool.keep(asked.id, Kept(question=asked.digest(), returned=returned).model_dump_json())

    return keep


def left(spool: Spool) -> dict[int, Kept]:
    """Return what a worker that is gone had heard, by cell; half a line is an answer that was in flight."""
    found: dict[int, Kept] = {}
    for line in spool.left():
        try:
            one = Kept.model_validate_json(line)
        except ValidationError:
            continue
        found[one.returned.id] = one
    return found
