"""The engine that is always there: threads of this process, one for each call in flight."""
import threading
from collections.abc import Mapping
from queue import Empty, SimpleQueue

from core.benchmark.calling import call
from core.benchmark.wire import Asked, Returned
from core.errors import Stopped
from core.models.port import Model


class ThreadEngine:
    """Makes calls in daemon threads, so that they never keep a process from ending."""

    def __init__(self, models: Mapping[str, Model], places: int, name: str):
        self._models, self._places, self._name = models, places, name
        self._todo: SimpleQueue[Asked | None] = SimpleQueue()
        self._done: SimpleQueue[Returned | BaseException] = SimpleQueue()
        self._cut = threading.Event()
        self._threads = self._open = 0

    def submit(self, asked: Asked) -> None:
        """Have one call made; a thread is begun where all are at work."""
        self._open += 1
        if self._threads < min(self._open, self._places):
            self._threads += 1
            threading.Thread(target=self._work, name=f"bench-{self._name}", daemon=True).start()
        self._todo.put(asked)

    def heard(self, seconds: float) -> list[Returned]:
        """Return what came back, waiting at most so long for the first; raises what a mistake in the program raised in a thread."""
        found: list[Returned] = []
        try:
            item = self._done.get(timeout=seconds)
            while True:
                self._open -= 1
                if isinstance(item, BaseException):
                    raise item
                found.append(item)
                item = self._done.get_nowait()
        except Empty:
            return found

    def places(self) -> int:
        """Return how many calls can be made at once."""
        return self._places

    def cut(self) -> None:
        """Break off what is in flight."""
        self._cut.set()

    def close(self) -> None:
        """Let the threads go."""
        self.cut()
        for _ in range(self._threads):
            self._todo.put(None)

    def _work(self) -> None:
        while asked := self._todo.get():
            try:
                self._done.put(call(asked, self._models[asked.model], self._hear))
            except BaseException as error:
                self._done.put(error)

    def _hear(self, _text: str, _note: str) -> None:
        if self._cut.is_set():
            raise Stopped("Stopped as asked. Everything up to here is kept.")
