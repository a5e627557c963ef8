"""Imports beside the page: a thread works through what was handed in, whoever looks sees how far it
is.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Sequence

from core.errors import FoundryError, NoThread, Stopped
from core.store.own import ImportReport
from core.threads import begin_thread

log = logging.getLogger(__name__)
Work = Callable[[Callable[[str], None]], ImportReport]
"""Does one thing; is handed what to tell how far it is with, which raises Stopped once somebody
asked to stop.
"""


class ImportJob:
    """Things to import, done one after another in a thread of their own; what fails is told and
    takes no other along.
    """

    def __init__(self, works: Sequence[tuple[str, Work]]):
        self.id = secrets.token_hex(4)
        self.doing = "waiting"
        self.reports: tuple[ImportReport, ...] = ()
        self.total = len(works)
        self._works = tuple(works)
        self._stop, self._over = threading.Event(), threading.Event()

    @property
    def over(self) -> bool:
        """Whether all is done or was stopped."""
        return self._over.is_set()

    def start(self) -> None:
        """Begin; returns at once. Raises NoThread."""
        try:
            begin_thread(self._work, f"import-{self.id}")
        except NoThread:
            self._works = ()
            self._over.set()
            raise

    def stop(self) -> None:
        """Ask it to stop; what is imported already stays."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, so many seconds at most, and say whether it is."""
        return self._over.wait(seconds)

    def _work(self) -> None:
        try:
            for name, work in self._works:
                self.reports += (self._done(name, work),)
        finally:
            # What was handed in may be many megabytes.
            self._works = ()
            self._over.set()

    def _done(self, name: str, work: Work) -> ImportReport:
        try:
            self._note(name)
            return work(self._note)
        except FoundryError as error:
            return ImportReport(name=name, failed=str(error))
        except Exception as error:
            log.exception("Importing %s met a mistake in the program", name)
            return ImportReport(
                name=name,
                failed=(
                    f"The program met a mistake of its own ({type(error).__name__}); the log has"
                    " the details."
                ),
            )

    def _note(self, doing: str) -> None:
        if self._stop.is_set():
            raise Stopped("Stopped as asked; nothing of it was imported.")
        self.doing = doing


class Jobs:
    """The imports of this process, the latest twenty; a restart of the server forgets those under
    way.
    """

    KEPT = 20

    def __init__(self) -> None:
        self._jobs: dict[str, ImportJob] = {}
        self._lock = threading.Lock()

    def begin(self, works: Sequence[tuple[str, Work]]) -> ImportJob:
        """Start a job and return it."""
        job = ImportJob(works)
        with self._lock:
            self._jobs[job.id] = job
            over = [name for name, one in self._jobs.items() if one.over]
            for name in over[: max(0, len(self._jobs) - self.KEPT)]:
                del self._jobs[name]
        job.start()
        return job

    def get(self, name: str) -> ImportJob | None:
        """Return a job by its id, or None for one this process does not know."""
        return self._jobs.get(name)
