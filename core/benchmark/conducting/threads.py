"""The engine that is always there: threads of this process, one for each call in flight."""

import threading
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial
from queue import SimpleQueue

from core.benchmark.conducting.calling import call
from core.benchmark.conducting.kept import Keep
from core.benchmark.conducting.wire import Doing, Returned, WireRequest, drain
from core.errors import NoThread, Stopped
from core.models.port import Model
from core.models.thoughts import waits
from core.store.benchmarks import lane_of
from core.threads import begin_thread


class ThreadEngine:
    """Makes calls in daemon threads, so that they never keep a process from ending; `limits` says
    how many at once by provider.

    Each call is noted in `keep` before it goes out, and each answer before its thread begins the
    next call.
    """

    def __init__(
        self, models: Mapping[str, Model], limits: Mapping[str, int], keep: Keep, name: str
    ):
        self._models, self._limits, self._keep, self._name = models, limits, keep, name
        # One question for every place waits its turn, so that a call begins where one ends and not
        # where the coordinator hears of it.
        self.ahead = sum(limits.values())
        self._todo: dict[str, SimpleQueue[WireRequest | None]] = defaultdict(SimpleQueue)
        self._done: SimpleQueue[Returned | BaseException] = SimpleQueue()
        self._cut, self._held = threading.Event(), threading.Event()
        self._threads: Counter[str] = Counter()
        self._doing: dict[int, Doing] = {}

    def submit(self, asked: WireRequest) -> None:
        """Have one call made; it waits where as many are in flight as its provider is asked at
        once.
        """
        lane = lane_of(asked.model)
        if self._threads[lane] < self._limits[lane]:
            try:
                begin_thread(self._work, f"bench-{self._name}", self._todo[lane])
                self._threads[lane] += 1
            except NoThread:
                if not self._threads[lane]:  # Else those there are make this call, too.
                    raise
        self._todo[lane].put(asked)

    def heard(self, seconds: float) -> list[Returned]:
        """Return what came back, waiting at most so long for the first; raises what a mistake in
        the program raised in a thread.
        """
        found: list[Returned] = []
        for item in drain(self._done, seconds):
            if isinstance(item, BaseException):
                raise item
            found.append(item)
        return found

    def places(self) -> int:
        """Return how many calls can be made at once."""
        return sum(self._limits.values())

    def doing(self) -> dict[int, Doing]:
        """Return what calls in flight are doing, by cell."""
        return self._doing.copy()

    def hold(self) -> None:
        """Begin no more calls: what waits its turn, or for a server that is busy, comes back as
        `Stopped`.
        """
        self._held.set()

    def cut(self) -> None:
        """Break off what is in flight, and begin nothing more."""
        self._cut.set()
        self._held.set()

    def close(self) -> None:
        """Let the threads go."""
        self.cut()
        for lane, n in self._threads.items():
            for _ in range(n):
                self._todo[lane].put(None)

    def _work(self, todo: "SimpleQueue[WireRequest | None]") -> None:
        while asked := todo.get():
            try:
                if self._held.is_set():
                    self._done.put(
                        Returned(id=asked.id, failure="Stopped", said="It had not begun.")
                    )
                    continue
                returned = call(
                    asked,
                    self._models[asked.model],
                    partial(self._hear, asked.id),
                    partial(self._keep.begin, asked),
                )
                self._doing.pop(asked.id, None)
                self._keep.answer(asked, returned)
                self._done.put(returned)
            except BaseException as error:
                self._done.put(error)

    def _hear(self, cell: int, text: str, note: str) -> None:
        self._doing[cell] = Doing(text, note)
        # A note says what is waited for: nobody is at work on that call, and a busy server may ask
        # to wait for minutes.
        if self._cut.is_set() or (waits(note) and self._held.is_set()):
            raise Stopped("Stopped as asked. Everything up to here is kept.")
