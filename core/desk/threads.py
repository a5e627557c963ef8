"""Working side by side: a thread for each piece of work, or so many for all of them."""
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any


def side_by_side(work: Sequence[Callable[[], Any]], run: str, at_once: int) -> "list[Future[Any]]":
    """Do the pieces in their order, so many at once, and wait for all that were begun; daemons, so that they never keep a process from ending.

    Where there are fewer threads than pieces and one fails, the pieces that were not begun are cancelled.
    """
    futures: list[Future[Any]] = [Future() for _ in work]
    left, patient = iter(list(zip(work, futures, strict=True))), at_once >= len(work)
    guard, failed = threading.Lock(), threading.Event()

    def do() -> None:
        while True:
            with guard:
                piece, future = next(left, (None, None))
            if piece is None or future is None:
                return
            if failed.is_set() and not patient:
                future.cancel()
                continue
            try:
                future.set_result(piece())
            except BaseException as error:
                failed.set()
                future.set_exception(error)

    threads = [threading.Thread(target=do, name=f"desk-{run}", daemon=True) for _ in range(min(at_once, len(work)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return futures
