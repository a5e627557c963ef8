"""Working side by side: a thread for each piece of work."""
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any


def side_by_side(work: Sequence[Callable[[], Any]], run: str) -> "list[Future[Any]]":
    """Do each piece in a thread of its own and wait for all; daemons, so that they never keep a process from ending."""
    def do(piece: Callable[[], Any], future: "Future[Any]") -> None:
        try:
            future.set_result(piece())
        except BaseException as error:
            future.set_exception(error)

    futures: list[Future[Any]] = [Future() for _ in work]
    threads = [threading.Thread(target=do, args=each, name=f"desk-{run}", daemon=True) for each in zip(work, futures, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return futures
