"""The engine that spans machines: workers of a dask cluster make the calls, and this process alone
writes.

One submission is one call. A worker that dies gives its calls back: they come as `WorkerLost`, or
dask has another worker make them (its scheduler's `allowed-failures` says which; an answer that
was not fetched yet is always asked for again). Either way only calls that were in flight are made
twice, and each of them is in the account: workers tell when they begin one.
"""

import time
from asyncio import CancelledError
from contextlib import suppress
from itertools import pairwise
from math import inf
from queue import SimpleQueue
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from core.benchmark.conducting.kept import Noting
from core.benchmark.conducting.protocol import unheard
from core.benchmark.conducting.wire import Doing, Returned, WireRequest, drain
from core.benchmark.conducting.worker import WorkerCall, answer, asked_at, program
from core.errors import BadInput, FoundryError, ModelFailed, StoreFailed
from core.models.listening import MOST_TOKENS
from core.records import MAYBE_PAID, Call
from core.settings import Settings

if TYPE_CHECKING:
    from distributed import Client, Future

SCHEME = "dask://"
REACH = 15.0
"""Seconds to find the scheduler, at first and once it was lost."""
HEED = 5.0
"""Seconds the scheduler may take to say how many threads there are."""
FRESH = 1.0
"""Seconds what it said holds."""
ALONE = 10.0
"""Seconds without any worker after which what was handed out is given back; a worker that is
started anew takes less.
"""
MOST_TIMES = 50
"""How often one call can be begun: each time but the last a worker has died with it."""
NOBODYS = 0
"""No cell has this number."""
UNHEARD = f"{MAYBE_PAID}: nobody heard its end, as it was broken off, or its worker was lost"
"""The outcome of a call the server may bill, and never said for how much."""


class Flight(NamedTuple):
    """A call that was handed out; one that could not be has no future."""

    asked: WireRequest
    key: str
    """Its name in the cluster."""
    future: "Future[str] | None"
    began: float


class Begun(NamedTuple):
    """When workers began one call: more than once where one died with it."""

    asked: WireRequest
    times: list[float]

    def lost(self) -> tuple[Call, ...]:
        """Return the account of every time but the last: nobody heard their ends."""
        return tuple(
            unheard(self.asked, UNHEARD, again - began) for began, again in pairwise(self.times)
        )


class DaskEngine:
    """Makes calls on the workers of a cluster that somebody else starts and stops."""

    ahead = 0
    """The limits of the providers are minded by the coordinator."""

    def __init__(self, address: str, settings: Settings, keep: Noting):
        """Reach the scheduler at `dask://host:port`; raises BadInput where nobody answers there,
        and where dask is not installed.

        Each call is noted in `keep` before it is handed out, and each answer as soon as it is here.
        """
        self._address = address
        self._settings = settings
        self._keep = keep
        self._name = f"bench-{token_hex(4)}"
        self._client = reach(address)
        self._flying: dict[int, Flight] = {}
        self._begun: dict[str, Begun] = {}
        self._back: SimpleQueue[tuple[int, Future[str] | None, Returned | BaseException]] = (
            SimpleQueue()
        )
        self._submitted = self._threads = 0
        self._counted, self._peopled = float("-inf"), time.monotonic()
        self._cut = False
        self._over: FoundryError | None = None

    def submit(self, asked: WireRequest) -> None:
        """Have one call made by a worker; where the cluster is lost, that is heard next."""
        self._submitted += 1
        self._keep.begin(asked)
        key, future = f"{self._name}-{self._submitted}", None
        job = WorkerCall(
            program=program(),
            address=asked_at(asked.model, self._settings),
            topic=self._name,
            asked=asked,
        )
        self._begun[key] = Begun(asked, [])
        try:
            # Each time: a scheduler that was started anew does not know of it.
            self._client.subscribe_topic(self._name, self._hear_of_begin)
            future = self._client.submit(
                answer,
                job.model_dump_json(),
                key=key,
                pure=False,
                retries=0,
            )
            self._client.loop.add_callback(self._bring, asked, future)
        except Exception as error:  # Whatever dask raises here, it has no connection any more.
            self._back.put((asked.id, None, error))
        self._flying[asked.id] = Flight(asked, key, future, time.monotonic())

    def heard(self, seconds: float) -> list[Returned]:
        """Return what came back, waiting at most so long for the first.

        Raises ModelFailed once the scheduler is gone, and BadInput once a worker cannot make calls,
        each when nothing is in flight any more.
        """
        if not self._flying and self._over:
            raise self._over
        found = self._news(seconds)
        self._look_around()
        return found

    def places(self) -> int:
        """Return how many threads the workers have now; 0 where none is there, and where calls are
        no use any more.
        """
        if self._over or self._client.status != "running":
            return 0
        if time.monotonic() - self._counted > FRESH:
            try:
                said = self._client.sync(
                    self._client.scheduler.identity, n_workers=0, callback_timeout=HEED
                )
            except (OSError, RuntimeError):
                said = {"total_threads": 0}
            self._threads, self._counted = int(said["total_threads"]), time.monotonic()
        return self._threads

    def doing(self) -> dict[int, Doing]:
        """Return nothing: workers say what came, and not what they wait for."""
        return {}

    def hold(self) -> None:
        """Do nothing: no question waits its turn here."""

    def cut(self) -> None:
        """Break off what is in flight; workers notice within a second."""
        self._cut = True
        self._give_back()

    def drop(self, cell: int) -> None:
        """Break one call off; what it brings is not heard any more."""
        flight = self._flying.pop(cell, None)
        if flight and flight.future is not None:
            self._begun.pop(flight.key, None)
            with suppress(Exception):  # As in submit: without a connection nothing is in flight.
                self._client.cancel([flight.future])

    def wake(self) -> None:
        """Have whoever waits in `heard` return, though nothing came."""
        self._back.put((NOBODYS, None, CancelledError()))

    def close(self) -> None:
        """Leave the cluster as it was found; what is in flight there is broken off."""
        with suppress(OSError, RuntimeError):
            self._give_back()
            lost = self._client.status == "closed"
            self._client.close(timeout=HEED)
            # A client that gave its scheduler up has closed itself, and leaves its loop running.
            if lost:
                self._client.loop.add_callback(self._client.loop.stop)

    # -- what comes back -----------------------------------------------------------------------

    async def _bring(self, asked: WireRequest, future: "Future[str]") -> None:
        """Fetch an answer as soon as it is there, on dask's own loop: it lies with a worker that
        may die.
        """
        try:
            returned = Returned.model_validate_json(await future)
            _check(asked, returned)
            if died := self._died(str(future.key)):
                returned = returned.model_copy(update={"lost": (*died, *returned.lost)})
            self._keep.answer(asked, returned)
            self._back.put((asked.id, future, returned))
        except (Exception, CancelledError) as error:
            self._back.put((asked.id, future, error))

    def _hear_of_begin(self, event: tuple[float, str]) -> None:
        """Take in that a worker begins a call, on dask's own loop."""
        _, key = event
        begun = self._begun.get(key)
        # It was given back before; or a worker says the same again and again.
        if begun is None or len(begun.times) >= MOST_TIMES:
            return
        begun.times.append(time.monotonic())
        try:
            if died := begun.lost():
                self._keep.begin(begun.asked, died)
        except FoundryError as error:
            self._back.put((begun.asked.id, None, error))

    def _died(self, key: str) -> tuple[Call, ...]:
        """Return the account of a call's earlier times, whose workers died with it; once it is
        over.
        """
        begun = self._begun.pop(key, None)
        return begun.lost() if begun else ()

    def _news(self, seconds: float) -> list[Returned]:
        found: list[Returned] = []
        for cell, future, came in drain(self._back, seconds):
            if isinstance(came, StoreFailed):
                raise came
            flight = self._flying.get(cell)
            if not flight or flight.future is not future:
                continue  # It was given back before.
            del self._flying[cell]
            returned = came if isinstance(came, Returned) else self._lost(flight, came)
            if returned is came and returned.failure == "WorkerLost":
                self._over = self._over or BadInput(
                    f"{returned.said} Then resume: nothing was asked there, and nothing is lost."
                )
            found.append(returned)
        return found

    def _lost(self, flight: Flight, error: BaseException) -> Returned:
        """Give a call back that could not be made, or that nobody heard the end of: then it may
        have been paid.
        """
        from distributed import KilledWorker

        died = self._died(flight.key)
        refused = flight.future is not None and flight.future.status == "error"
        if refused and not isinstance(error, KilledWorker):
            why = str(error).strip().partition(".")[0][:200]
            said = f"The cluster could not take a call ({type(error).__name__}: {why})."
            self._over = self._over or ModelFailed(
                f"{said} Start its scheduler and its workers with the program on their path, and"
                " with the same packages; then resume."
            )
            return Returned(id=flight.asked.id, failure="WorkerLost", said=said, lost=died)
        return Returned(
            id=flight.asked.id,
            failure="Stopped" if self._cut else "WorkerLost",
            said=UNHEARD,
            lost=(*died, unheard(flight.asked, UNHEARD, time.monotonic() - flight.began)),
        )

    # -- the cluster ---------------------------------------------------------------------------

    def _look_around(self) -> None:
        """Give back what nobody will answer: the scheduler is gone for good, or no worker has been
        there for a while.
        """
        if self._client.status == "closed" and not self._over:
            self._over = ModelFailed(
                f"The scheduler of the cluster at {self._address} is gone: it did not answer for"
                f" {REACH:.0f} s. Start it and its workers again, then resume."
            )
            self._give_back()
        if self.places():
            self._peopled = time.monotonic()
        elif self._flying and time.monotonic() - self._peopled > ALONE:
            self._give_back()

    def _give_back(self) -> None:
        for cell, flight in self._flying.items():
            self._back.put((cell, flight.future, CancelledError()))
        with suppress(Exception):  # As in submit: without a connection there is nothing to cancel.
            self._client.cancel(
                [flight.future for flight in self._flying.values() if flight.future]
            )


def _check(asked: WireRequest, returned: Returned) -> None:
    """Raise ValueError for what is no answer to this question: workers are other programs."""
    if returned.id != asked.id:
        raise ValueError(f"it answers call {returned.id}")
    times = [returned.latency, *(call.latency for call in returned.lost)]
    costs = [call.cost or 0.0 for call in returned.lost]
    costs += [call.cost_expected for call in returned.lost]
    if not all(0 <= n < inf for n in (*times, *costs)):
        raise ValueError("its time or its cost is none that a call has")
    calls: list[Returned | Call] = [returned, *returned.lost]
    tokens = [call.tokens_expected for call in returned.lost]
    for made in calls:
        tokens += [made.tokens_in or 0, made.tokens_out or 0]
        tokens += [made.tokens_thought or 0, made.tokens_cached or 0]
    kept = any((made.tokens_cached or 0) > (made.tokens_in or 0) for made in calls)
    if kept or not all(0 <= n <= MOST_TOKENS for n in tokens):
        raise ValueError("its tokens are none that a call has")


def reach(address: str) -> "Client":
    """Return a client of the scheduler at `dask://host:port`; raises BadInput."""
    host, _, port = address.removeprefix(SCHEME).rpartition(":")
    if not address.startswith(SCHEME) or not host or not port.isdigit():
        raise BadInput(
            f"{address!r} is no cluster. Write it as dask://host:port, with the port of its"
            " scheduler, as in dask://127.0.0.1:8786."
        )
    try:
        from distributed import Client
    except ImportError:
        raise BadInput(
            "Clusters need a package that is not installed. Run `pip install distributed`, here and"
            " where the workers are."
        ) from None
    try:
        return Client(f"{host}:{port}", timeout=REACH, set_as_default=False)
    except OSError:
        raise BadInput(
            f"No scheduler of a dask cluster answers at {address}. Start one with `dask scheduler`,"
            " or correct the address."
        ) from None
