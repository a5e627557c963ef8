"""Fetching a file once where several ask for it at the same time: the first fetches, the others
wait and take what came of it.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

T = TypeVar("T")
HEED = 0.2
"""Seconds between two looks whether whoever waits was asked to stop."""


class Flights(Generic[T]):
    """What is being fetched, by name."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flying: dict[str, Future[T]] = {}

    def take(self, name: str, fetch: Callable[[], T], note: Callable[[str], None]) -> T:
        """Return what `fetch` gives, or gives to whoever asked for this name a moment before;
        raises what our own `fetch` and `note` raise.
        """
        with self._lock:
            ours = name not in self._flying
            flight = self._flying.setdefault(name, Future())
        if ours:
            return self._fly(name, flight, fetch)
        while not wait([flight], HEED).done:
            note("waiting for the PDF, which is being fetched already")
        # Whoever fetched it may have been stopped; we were not.
        return flight.result() if flight.exception() is None else self.take(name, fetch, note)

    def _fly(self, name: str, flight: Future[T], fetch: Callable[[], T]) -> T:
        try:
            flight.set_result(fetch())
        except BaseException as error:
            flight.set_exception(error)
        finally:
            with self._lock:
                del self._flying[name]
        return flight.result()
