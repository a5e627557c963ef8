"""What came and is not in the store yet: each answer is written to the spool before its thread asks
on, so that a kill costs only what was in flight; and that is written there before it goes out, so
that the account knows of it.
"""

from dataclasses import dataclass
from typing import Protocol

from pydantic import ValidationError

from core.benchmark.conducting.wire import Returned, WireRequest
from core.records import Call, Record, Run
from core.store import Store
from core.store.spool import Spool
from core.store.unheard import NOBODYS

ANSWERED = ("", "ModelFailed", "CannotAnswer")
"""Failures that are answers to a question; after the others it is asked again."""


class KeptAnswer(Record):
    """An answer with the SHA-256 of what was asked: a cell takes it in only where that is still its
    question.
    """

    question: str
    returned: Returned


class Noting(Protocol):
    """Somebody who writes down what goes out and what comes, from any thread."""

    def begin(self, asked: WireRequest, lost: tuple[Call, ...] = ()) -> None:
        """Note that a call goes out, after so many that were lost; raises StoreFailed."""
        ...

    def answer(self, asked: WireRequest, returned: Returned) -> None:
        """Write an answer down; raises StoreFailed."""
        ...


@dataclass(frozen=True)
class Keep:
    """Writes down what goes out and what came, from any thread."""

    spool: Spool

    def begin(self, asked: WireRequest, lost: tuple[Call, ...] = ()) -> None:
        """Note that a call goes out, after so many that were lost; raises StoreFailed."""
        self.spool.begin(asked.id, len(lost) + 1)

    def answer(self, asked: WireRequest, returned: Returned) -> None:
        """Write an answer down; raises StoreFailed."""
        if returned.failure in ANSWERED:
            self.spool.keep(
                asked.id, KeptAnswer(question=asked.digest(), returned=returned).model_dump_json()
            )


def to_take_in(store: Store, run: Run) -> int:
    """Return how many answers of a benchmark came and are booked only when it goes on, as the
    process that heard them is gone.
    """
    if run.state in ("running", "queued"):
        return 0
    answers = left(store.spool(run.id, NOBODYS))
    return len(store.benchmarks.taken(run.id, list(answers)))


def left(spool: Spool) -> dict[int, KeptAnswer]:
    """Return what a worker that is gone had heard, by cell; half a line is an answer that was in
    flight.
    """
    found: dict[int, KeptAnswer] = {}
    for line in spool.left():
        try:
            one = KeptAnswer.model_validate_json(line)
        except ValidationError:
            continue
        found[one.returned.id] = one
    return found
