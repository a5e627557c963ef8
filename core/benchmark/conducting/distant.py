"""Models whose calls the workers of a cluster make, for runs that are no benchmarks: the same
engine and the same workers. The run that asks waits for its answer, and its journal books the call
as if it had been made here.

    model = DistantModel(model, settings)        # for any number of runs and threads at once
    reply = model.reply(request, progress)
"""

import logging
import threading
import time
from itertools import count
from queue import SimpleQueue

from core import records
from core.benchmark.conducting.cluster import UNHEARD, DaskEngine
from core.benchmark.conducting.protocol import unheard
from core.benchmark.conducting.wire import Returned, WireRequest, drain
from core.benchmark.conducting.worker import asked_at
from core.errors import CannotAnswer, FoundryError, ModelFailed, NoThread, Stopped
from core.models.endpoint import place
from core.models.port import Model, Progress, Reply, Request
from core.records import Call
from core.settings import Settings
from core.threads import begin_thread

SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
IDLE = 5.0
"""Seconds without a call after which the cluster is left."""
TRIES = 3
"""How often one question is put whose worker was lost each time."""
NO_WORKER = (
    "The workers that were to make a call were lost, or none was there. Start workers, then resume."
)
log = logging.getLogger(__name__)
Answers = SimpleQueue[Returned | Exception]


class DistantModel:
    """A model that is asked by the workers of a cluster; what is known of it is known here."""

    def __init__(self, model: Model, settings: Settings):
        """Have the workers at `settings.cluster` ask a model that is reached over the network."""
        self.name, self.provider = model.name, model.provider
        self._model, self._settings = model, settings

    @property
    def thinks(self) -> bool:
        """Whether it was seen to think before it answers."""
        return self._model.thinks

    def answers(self, prompt: str) -> bool:
        """Say whether this model answers the prompt of that name."""
        return self._model.answers(prompt)

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Have a worker ask once; where it is lost, another one is asked.

        Raises ModelFailed as the model itself does, and Stopped, which lets the run rest, where no
        worker is there, or none that can ask it. Either carries the calls that may have been paid.
        """
        address = asked_at(self.name, self._settings)
        lost: tuple[Call, ...] = ()
        with place(f"{address} by {self._settings.cluster}", self._settings.calls, progress):
            try:
                for _ in range(TRIES):
                    request.begin(lost)
                    returned = switchboard(self._settings).call(self._worded(request), progress)
                    lost += returned.lost
                    if returned.failure != "WorkerLost":
                        return self._reply(returned, address, lost)
                    if not returned.lost:
                        raise Stopped(f"{returned.said} Then resume: nothing was asked there.")
                raise Stopped(NO_WORKER)
            except FoundryError as error:
                error.calls = (*lost, *error.calls)
                raise

    def _worded(self, request: Request) -> WireRequest:
        shape = request.schema.__name__ if request.schema else ""
        assert not shape or getattr(records, shape) is request.schema
        return WireRequest(
            id=1,
            key=request.prompt,
            model=self.name,
            kind=request.role,
            prompt=request.prompt,
            values={},
            standing=request.standing,
            text=request.text,
            shaped=False,
            sampling=request.sampling,
            seed=request.seed,
            corrections=request.corrections,
            shape=shape,
            turns=request.turns,
        )

    def _reply(self, returned: Returned, address: str, lost: tuple[Call, ...]) -> Reply:
        if not returned.finish:
            kinds = {"Stopped": Stopped, "CannotAnswer": CannotAnswer}
            raise kinds.get(returned.failure, ModelFailed)(returned.said)
        return Reply(
            text=returned.text,
            finish_reason=returned.finish,
            model=returned.model,
            tokens_in=returned.tokens_in,
            tokens_out=returned.tokens_out,
            detail={"address": address, "latency": returned.latency},
            lost=lost,
            thoughts=returned.thoughts,
            tokens_thought=returned.tokens_thought,
            tokens_cached=returned.tokens_cached,
        )


class Switchboard:
    """Hands the calls of many threads to one engine, and each answer to the thread that waits for
    it; the engine is there while there are calls.
    """

    def __init__(self, settings: Settings):
        self._settings = settings
        self._guard = threading.Lock()
        self._numbers = count(1)
        self._todo: SimpleQueue[WireRequest | int] = SimpleQueue()
        self._waiting: dict[int, Answers] = {}
        self._engine: DaskEngine | None = None

    def call(self, asked: WireRequest, hear: Progress) -> Returned:
        """Have a worker make one call; `hear` is asked meanwhile, and may raise to break it off.

        Raises Stopped where the cluster cannot be reached.
        """
        asked = asked.model_copy(update={"id": next(self._numbers)})
        answers, began = Answers(), time.monotonic()
        self._put(asked, answers)
        while True:
            for came in drain(answers, SLICE):
                if isinstance(came, Returned):
                    return came
                raise Stopped(str(came)) from came
            try:
                hear("", "")
            except FoundryError as stop:
                self._put_down(asked.id)
                stop.calls = (*stop.calls, unheard(asked, UNHEARD, time.monotonic() - began))
                raise

    def _put(self, asked: WireRequest, answers: Answers) -> None:
        with self._guard:
            if self._engine is None:
                try:
                    engine = DaskEngine(self._settings.cluster or "", self._settings, self)
                except FoundryError as error:
                    raise Stopped(f"{error} Then resume.") from error
                try:
                    begin_thread(self._serve, "cluster", engine)
                except NoThread:
                    engine.close()
                    raise
                self._engine = engine
            self._waiting[asked.id] = answers
            self._todo.put(asked)
            self._engine.wake()

    def _put_down(self, number: int) -> None:
        with self._guard:
            self._waiting.pop(number, None)
            self._todo.put(number)
            if self._engine:
                self._engine.wake()

    def _serve(self, engine: DaskEngine) -> None:
        """Work the engine, in a thread of its own, until nobody waits any more."""
        busy = time.monotonic()
        try:
            while True:
                for item in drain(self._todo, 0):
                    if isinstance(item, int):
                        engine.drop(item)
                    elif item.id in self._waiting:
                        engine.submit(item)
                for returned in engine.heard(SLICE):
                    if answers := self._waiting.pop(returned.id, None):
                        answers.put(returned)
                with self._guard:
                    if self._waiting:
                        busy = time.monotonic()
                    elif time.monotonic() - busy > IDLE:
                        self._engine = None
                        return
        except Exception as error:
            if not isinstance(error, FoundryError):
                log.exception("Calls could not be handed to the cluster")
            with self._guard:
                self._engine, lost = None, self._waiting
                self._waiting = {}
            for answers in lost.values():
                answers.put(error)
        finally:
            engine.close()

    # A run's journal notes what goes out before it does, and what came once it is here.

    def begin(self, asked: WireRequest, lost: tuple[Call, ...] = ()) -> None:
        """Note nothing."""

    def answer(self, asked: WireRequest, returned: Returned) -> None:
        """Keep nothing."""


_BOARDS: dict[tuple[str | None, str | None, str | None], Switchboard] = {}
_OPENING = threading.Lock()


def switchboard(settings: Settings) -> Switchboard:
    """Return the one switchboard of this process for a cluster and the servers it asks."""
    where = (settings.cluster, settings.openai_url, settings.ollama_url)
    with _OPENING:
        return _BOARDS.setdefault(where, Switchboard(settings))
