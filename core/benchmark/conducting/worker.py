"""What a worker of a cluster does: make one call, with the keys of its own environment, and keep
nothing.

Calls and answers travel as JSON; of this program only the name of `answer` does, so a worker needs
a copy of it. What keeps a worker from making calls at all (another copy of the program, a key that
is missing there) is no failure of the call: it comes back as `WorkerLost` with a sentence, and
nothing was paid.
"""

import platform
import threading
from functools import cache
from hashlib import sha256
from pathlib import Path

from core import settings
from core.benchmark.conducting.calling import call
from core.benchmark.conducting.wire import Returned, WireRequest
from core.errors import BadInput, Stopped
from core.models import PROVIDERS, address, open_model
from core.models.port import Model, Progress
from core.records import Record

CORE = Path(__file__).parents[2]
MADE_BY = (
    "benchmark/conducting/answers.py",
    "benchmark/conducting/calling.py",
    "benchmark/conducting/protocol.py",
    "benchmark/conducting/wire.py",
    "benchmark/conducting/worker.py",
    "models/**/*.py",
    "prompts/schemas/*.json",
    "records/*.py",
    "settings.py",
)
"""The files a call is made by, under `core`: coordinator and worker must have the same."""


HEARD = 10.0
"""Seconds in which a scheduler says that it was told of a call."""


class WorkerCall(Record):
    """A call as it is sent: what to ask, by which program, and where the coordinator would ask
    it.
    """

    program: str
    address: str
    """Of the model's provider, without user and password."""
    topic: str
    """Under which a worker tells that it begins: it may die with the answer, and another one begin
    again.
    """
    asked: WireRequest


class WorkerMemory:
    """What this process learnt about servers, in place of a store: forgotten when it ends."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, object]] = {}

    @property
    def places(self) -> "WorkerMemory":
        """Return itself: it keeps nothing else."""
        return self

    def abilities(self, endpoint: str) -> dict[str, object] | None:
        """Return what an endpoint was found to be able to do, or None."""
        return self._known.get(endpoint)

    def learn(self, endpoint: str, abilities: dict[str, object]) -> None:
        """Keep what an endpoint can do."""
        self._known[endpoint] = abilities


MEMORY = WorkerMemory()


def answer(job: str) -> str:
    """Make the call of a `WorkerCall` and return what came back as a `Returned`, both JSON; only
    mistakes in the program are raised.
    """
    given = WorkerCall.model_validate_json(job)
    try:
        model = _fit(given)
    except BadInput as unfit:
        said = (
            f"A worker on {platform.node()} cannot make calls with the environment it has. {unfit}"
        )
        return Returned(id=given.asked.id, failure="WorkerLost", said=said).model_dump_json()
    try:
        hear = _begin(given.topic)
    except OSError as error:
        said = f"The scheduler could not be told of a call, so it was not made: {error}"
        return Returned(id=given.asked.id, failure="Stopped", said=said).model_dump_json()
    return call(given.asked, model, hear).model_dump_json()


@cache
def program() -> str:
    """Return a digest of the files a call is made by."""
    files = sorted(path for pattern in MADE_BY for path in CORE.glob(pattern))
    return sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:16]


def asked_at(model: str, own: settings.Settings) -> str:
    """Return where a model is asked, as it may be shown; empty where no network is needed."""
    provider = model.partition(":")[0]
    return settings.public(address(provider, own)) if provider in PROVIDERS else ""


def _fit(job: WorkerCall) -> Model:
    """Return the model that is asked; raises BadInput where this worker is not one to ask it."""
    if job.program != program():
        raise BadInput(
            "It has another copy of the program than the coordinator: start it from the same"
            " version."
        )
    own, name = _settings(), job.asked.model
    if (here := asked_at(name, own)) != job.address:
        raise BadInput(
            f"It would ask {name} at {here}, the coordinator at {job.address}: set the same address"
            " in its environment."
        )
    return _model(name)


@cache
def _settings() -> settings.Settings:
    """Return this worker's own settings; the limits are the coordinator's, so that one worker makes
    as many calls as it has threads.
    """
    from distributed import get_worker

    return settings.read(calls=get_worker().state.nthreads)


@cache
def _model(name: str) -> Model:
    def refuse_builtin() -> Model:
        raise BadInput(
            "The built-in model answers without a cluster only: leave it out of the benchmark, or"
            " run it without workers."
        )

    return open_model(name, _settings(), MEMORY, refuse_builtin)


def _begin(topic: str) -> Progress:
    """Tell that this worker begins a call, and return what breaks it off once nobody waits for it:
    the coordinator gave it up, or the scheduler is gone. Raises OSError where the scheduler cannot
    be told.
    """
    from distributed import Status, get_worker
    from distributed.utils import sync

    worker = get_worker()
    task = worker.state.tasks[worker.active_threads[threading.get_ident()]]
    # Waited for: what a worker only means to send (`Worker.log_event`) is lost where it is killed
    # right after, and its call, paid, would be in no account.
    telling = worker.scheduler.log_event
    sync(worker.loop, telling, topic=topic, msg=task.key, callback_timeout=HEARD)

    def hear(_text: str, _note: str) -> None:
        working = worker.status in (Status.running, Status.paused)
        if not working or task.state != "executing":
            raise Stopped("Nobody waits for this answer any more.")

    return hear
