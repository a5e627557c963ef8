"""Working side by side: a thread for each piece of work, or so many for all of them."""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from core.errors import NoThread
from core.threads import begin_thread

log = logging.getLogger("foundry.threads")


def side_by_side(
    work: Sequence[Callable[[], Any]], run: str, at_once: int, after: Sequence[int | None] = ()
) -> "list[Future[Any]]":
    """Do the pieces in their order, so many at once, and wait for all that were begun; daemons, so
    that they never keep a process from ending. Where the system gives fewer threads, those there
    are do all of it.

    A piece that comes `after` an earlier one, named by its number, is passed over until that one is
    done, and cancelled where it failed. Where there are fewer threads than pieces and one fails,
    the pieces that were not begun are cancelled.
    """
    futures: list[Future[Any]] = [Future() for _ in work]
    left, patient = list(range(len(work))), at_once >= len(work)
    needs = [futures[n] if n is not None else None for n in after] or [None] * len(work)
    guard, failed = threading.Condition(), threading.Event()

    def take() -> int | None:
        """Return the first piece nobody has begun that can be, once there is one; None where none
        is left.
        """
        with guard:
            while left:
                for n in left:
                    need = needs[n]
                    if need is None or need.done():
                        left.remove(n)
                        return n
                guard.wait()
            return None

    def do() -> None:
        while (n := take()) is not None:
            future, need = futures[n], needs[n]
            if (failed.is_set() and not patient) or (
                need is not None and (need.cancelled() or need.exception())
            ):
                future.cancel()
            else:
                try:
                    future.set_result(work[n]())
                except BaseException as error:
                    failed.set()
                    future.set_exception(error)
            with guard:
                guard.notify_all()

    threads = _started(do, run, min(at_once, len(work)))
    if not threads:
        do()
    for thread in threads:
        thread.join()
    return futures


def _started(do: Callable[[], None], run: str, wanted: int) -> list[threading.Thread]:
    """Return so many threads at work, or as many as the system gives."""
    threads = list[threading.Thread]()
    try:
        while len(threads) < wanted:
            threads.append(begin_thread(do, f"desk-{run}"))
    except NoThread as error:
        # Never raised from here: those that were begun would work on, and nobody would know.
        log.warning("Run %s goes on with %d threads. %s", run, len(threads), error)
    return threads
