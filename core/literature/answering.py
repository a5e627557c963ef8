"""What a source says beside its answer: notes while it waits, and afterwards where the answer came
from.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Waiting = Callable[[str], None]
"""Called several times a second with what is being waited for; it may raise to break off."""


def silent(note: str) -> None:
    """Take a note and do nothing."""


class Answering(threading.local):
    """The calling thread's listener and the story of its latest answer: one source serves many
    threads.
    """

    def __init__(self) -> None:
        self.waiting: Waiting = silent
        self.said: dict[str, object] = {}


class Teller:
    """A source that tells what it waits for, and remembers per thread how its latest answer came
    about.
    """

    def __init__(self) -> None:
        self._answering = Answering()

    @contextmanager
    def telling(self, note: Waiting) -> Iterator[None]:
        """Within this block, on this thread, say through `note` what is being waited for; `note`
        may raise to break off.
        """
        before, self._answering.waiting = self._answering.waiting, note
        try:
            yield
        finally:
            self._answering.waiting = before

    def last(self) -> Mapping[str, object]:
        """Return how this thread's latest answer came about: address, when it was fetched, whether
        from the cache, waits.
        """
        return dict(self._answering.said)
