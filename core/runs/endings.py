"""Ends of runs that the store could not take yet, since it is locked or its disk is full: tried
again until it can.

If the process ends before that, the run is found by whoever looks next, as that of a process that
is gone.
"""

import logging
import threading
from typing import NamedTuple

from core.errors import FoundryError, LeaseLost, NoThread, StoreFailed
from core.records import State
from core.runs.leases import me
from core.store import Store
from core.threads import begin_thread

log = logging.getLogger("foundry.runner")
AGAIN = 1.0
"""Seconds between two tries."""


class Ending(NamedTuple):
    epoch: int | None
    """The worker's; None where it broke off before it got to work."""
    state: State
    reason: str
    at: float | None = None
    """Seconds since 1970; None says that it ends as it is stored."""


class Endings:
    """The ends that this process owes the store, by run. Safe to use from several threads."""

    def __init__(self, store: Store):
        self._store, self._guard = store, threading.Lock()
        self._owed: dict[str, Ending] = {}
        self._trying = False

    def owed(self, run: str) -> Ending | None:
        """Return how a run ended that the store could not be told of, or None."""
        with self._guard:
            return self._owed.get(run)

    def end(self, run: str, ending: Ending) -> bool:
        """Store how a run ended, now or as soon as the store takes it; False where it went on
        elsewhere.
        """
        try:
            return self._store_ending(run, ending)
        except StoreFailed as error:
            log.warning(
                "How run %s ended (%s) could not be stored yet; trying again. %s",
                run,
                ending.state,
                error,
            )
        with self._guard:
            self._owed[run] = ending if ending.epoch is not None else self._owed.get(run, ending)
            idle, self._trying = not self._trying, True
        if idle:
            try:
                begin_thread(self._try, "endings")
            except NoThread:
                self._try()  # Whoever worked on the run waits for it.
        return True

    def _store_ending(self, run: str, ending: Ending) -> bool:
        if ending.epoch is None:
            lease = self._store.runs.lease(run)
            return lease["owner"] == me() and self._store.runs.interrupt(
                run, lease["epoch"], ending.state, ending.reason
            )
        try:
            self._store.runs.release(run, ending.epoch, ending.state, ending.reason, ending.at)
        except LeaseLost:
            log.info("Run %s went on elsewhere", run)
            return False
        return True

    def _try(self) -> None:
        pause = threading.Event()
        while True:
            with self._guard:
                owed = list(self._owed.items())
                if not owed:
                    self._trying = False
                    return
            settled = [self._settle(run, ending) for run, ending in owed]
            if not all(settled):
                pause.wait(AGAIN)

    def _settle(self, run: str, ending: Ending) -> bool:
        """Try once to store an ending; False if the store refused. An ending that can never be
        stored is dropped, so that it holds up no other.
        """
        try:
            self._store_ending(run, ending)
        except StoreFailed:
            return False
        except FoundryError:
            log.exception("How run %s ended is not stored", run)
        with self._guard:
            if self._owed.get(run) is ending:  # It may have gone on, and ended again, meanwhile.
                del self._owed[run]
        return True
